"""What the text of a decree that we hold does not answer, in the words of the rules themselves."""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

from buyers.enums import BuyerClass, BuyerKind
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.classes import class_admitted
from offerings.rules.limits import LimitFacts, purchase_limit
from offerings.rules.payments import payment_last_day
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms
from offerings.rules.window import WindowFacts, offer_window
from office.workdays import next_working_day

ANY_DAY = date(2000, 1, 3)
ONE = Decimal(1)


def gaps(terms: Terms) -> list[NotCovered]:
    """Where each rule stops with these terms, each message once."""
    found: dict[str, NotCovered] = {}
    for ask in _questions(terms):
        try:
            ask()
        except NotCovered as gap:
            found.setdefault(gap.message, gap)
    return list(found.values())


def _questions(terms: Terms) -> Iterator[Callable[[], object]]:
    yield lambda: purchase_limit(_person(), terms)
    yield lambda: purchase_limit(_organisation(), terms)
    yield lambda: class_admitted(BuyerClass.SOLIDARITY_ORGANISATION, terms)
    yield lambda: offer_window(WindowFacts(ANY_DAY, next_working_day), terms)
    yield lambda: adjudication_terms(terms)
    yield lambda: payment_last_day(ANY_DAY, terms)


def _person() -> LimitFacts:
    return LimitFacts(
        kind=BuyerKind.NATURAL,
        buyer_class=BuyerClass.WORKER,
        files_tax_return=True,
        executive=True,
        gross_equity=ONE,
        net_equity=ONE,
        annual_income=ONE,
        annual_remuneration=ONE,
    )


def _organisation() -> LimitFacts:
    return LimitFacts(
        kind=BuyerKind.ORGANISATION,
        buyer_class=BuyerClass.COOPERATIVE,
        no_statutory_limit=True,
        gross_equity=ONE,
        members=100,
    )
