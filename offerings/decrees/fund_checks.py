"""What the Fund's values cannot be together with the decree and with one another.

No clock here: that a day has not come yet is for whoever asks.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from offerings.decrees.fund_values import FUND_KEYS, FundType, FundValue
from offerings.rules.terms import Terms
from offerings.rules.wording import write_date, write_quantity

Fault = tuple[str, str]  # the key that it is about, and a sentence in Spanish
LONGEST_DOCUMENT_NAME = 200  # no document could be registered under a longer one
_YEAR = re.compile(r"\bde ([0-9]{4})\b")


def fund_faults(terms: Terms, given: Mapping[str, FundValue]) -> Iterator[Fault]:
    """Each impossible combination, by the key to put right.

    terms: the decree alone, with `given` not merged yet; or merged terms, with nothing given.
    """
    yield from _fewer_than_offered(terms, given)
    yield from _published_out_of_time(terms, given)
    yield from _less_than_a_share(terms, given)
    yield from paid_too_late(terms, given)
    yield from _document_names(given)


def _figure(terms: Terms, given: Mapping[str, FundValue], key: str) -> Any:
    if key in given:
        return given[key].value
    cited = getattr(terms, key)
    return cited.value if cited else None


def _fewer_than_offered(terms: Terms, given: Mapping[str, FundValue]) -> Iterator[Fault]:
    """The shares on offer are some of those that the issuer has outstanding."""
    offered = _figure(terms, given, "shares")
    outstanding = _figure(terms, given, "outstanding")
    if offered is None or outstanding is None or outstanding >= offered:
        return
    shares = f"{write_quantity(offered)}" + (f" ({terms.shares.cite})" if terms.shares else "")
    yield (
        "shares" if "outstanding" not in given and "shares" in given else "outstanding",
        (
            f"Las acciones en circulación del emisor, {write_quantity(outstanding)}, no pueden "
            f"ser menos que las ofrecidas, {shares}: revise las dos cifras."
        ),
    )


def _published_out_of_time(terms: Terms, given: Mapping[str, FundValue]) -> Iterator[Fault]:
    """A decree is published in its year or later, and before its programme has to end."""
    published = _figure(terms, given, "published")
    if published is None:
        return
    year = _YEAR.search(terms.decree.value)
    if year and published.year < int(year[1]):
        yield (
            "published",
            (
                f"{terms.decree.value} no pudo publicarse el {write_date(published)}, antes de su "
                "año: revise la fecha."
            ),
        )
    latest = terms.stage.latest_day
    if latest and published > latest.value:
        yield (
            "published",
            (
                f"El programa no va más allá del {write_date(latest.value)} ({latest.cite}): el "
                f"decreto no pudo publicarse el {write_date(published)}."
            ),
        )


def _less_than_a_share(terms: Terms, given: Mapping[str, FundValue]) -> Iterator[Fault]:
    """A percentage of the issuer that is not one share would stop every buyer."""
    outstanding = _figure(terms, given, "outstanding")
    if outstanding is None or "authorisation_percent" not in given:
        return
    percent: Any = given["authorisation_percent"].value
    if outstanding * percent < 100:
        yield (
            "authorisation_percent",
            (
                "Es menos de una acción entre las acciones en circulación del emisor, "
                f"{write_quantity(outstanding)}: revise las dos cifras."
            ),
        )


def paid_too_late(terms: Terms, given: Mapping[str, FundValue]) -> Iterator[Fault]:
    """A term of payment beyond that of the decree."""
    days: Any = given["payment_term_days"].value if "payment_term_days" in given else None
    if days is not None and terms.payment and days > terms.payment.days:
        yield (
            "payment_term_days",
            f"El decreto no permite más de {terms.payment.days} días ({terms.payment.cite}).",
        )


def _document_names(given: Mapping[str, FundValue]) -> Iterator[Fault]:
    for key, value in given.items():
        if key not in FUND_KEYS or FUND_KEYS[key].type != FundType.TEXTS:
            continue
        names: Any = value.value
        longest = max(map(len, names), default=0)
        if longest > LONGEST_DOCUMENT_NAME:
            yield (
                key,
                (
                    f"Una línea tiene {longest} caracteres: el nombre de un documento tiene a lo "
                    f"sumo {LONGEST_DOCUMENT_NAME}."
                ),
            )
        if len(set(names)) < len(names):
            yield key, "Hay un documento repetido: déjelo una sola vez."
