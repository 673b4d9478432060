"""What a decree leaves to the Fund, and what a version of its reglamento answers."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db.models import QuerySet

from buyers.enums import BuyerClass
from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_checks import fund_faults
from offerings.decrees.fund_values import (
    FUND_KEYS,
    NEEDS,
    READING_LABELS,
    READING_VALUE_LABELS,
    FundRaw,
    FundType,
    check_fund_value,
    fund_value_from_data,
)
from offerings.decrees.fund_values import FundValue as Given
from offerings.decrees.merging import readings_of
from offerings.decrees.reader import asks_of, terms_of
from offerings.models import FundRules, Programme
from offerings.rules.terms import Reading
from office.dates import write_date_long
from office.decisions import decisions_on
from office.models import User
from office.numbers import write_amount, write_count, write_percent
from office.refusals import Refused, check_day_not_future
from office.review import review_block
from office.words import amount_words, quantity_phrase

UNIT_ONES = {"acciones": "acción", "meses": "mes", "días": "día", "veces": "vez"}


def fund_rules_of(programme: Programme) -> QuerySet[FundRules]:
    """Every version of a programme's reglamento, the last first."""
    rules = programme.fund_rules.select_related("prepared_by", "reviewed_by")
    return rules.order_by("-version")


def open_readings(slug: str) -> dict[str, Reading]:
    """The readings that the Fund must confirm: those of which the text admits more than one.

    A rule that the decree leaves to the Fund (one choice alone) brings readings of its own.
    """
    sole = {
        ask.key: Given(FUND_KEYS[ask.key].choices[0][0], ask.cite)
        for ask in asks_of(slug)
        if ask.required and len(FUND_KEYS[ask.key].choices) == 1
    }
    readings = readings_of(terms_of(slug, sole))
    return {name: reading for name, reading in readings.items() if not reading.settled}


def fund_rules_block(rules: FundRules, user: User) -> str:
    """Why `user` may not review this version now, in Spanish; empty if it may."""
    blocked = review_block(rules, user)
    if not blocked and rules.values.filter(entered_by=user).exists():
        return "Usted ingresó datos de este reglamento: debe revisarlo otro supervisor."
    return blocked


def fund_values_given(rules: FundRules) -> dict[str, Given]:
    """The values of a version as the decrees' reader takes them: readings after what they read."""
    rows = sorted(rules.values.all(), key=lambda row: row.key in READING_LABELS)
    return {row.key: Given(_from_data(row.key, row.value), row.source) for row in rows}


def missing_keys(slug: str, given: Mapping[str, Given]) -> list[str]:
    """What a version still lacks: required values, those that a given one adds to, then readings
    that nobody confirmed."""
    required = [ask.key for ask in asks_of(slug) if ask.required]
    needed = [needed for key, needed in NEEDS.items() if key in given]
    asked = dict.fromkeys((*required, *needed, *open_readings(slug)))
    return [key for key in asked if key not in given]


def check_given(slug: str, key: str, given: Given) -> None:
    """Refuse, at its field, a value that is impossible, has no source or is not the Fund's."""
    label = label_of(key)
    if not given.source.strip():
        raise Refused(f"{label}: escriba la fuente, el acto del Fondo que lo fija.", key)
    if key in READING_LABELS:
        reading = open_readings(slug).get(key)
        if reading is None or given.value not in reading.alternatives:
            raise Refused(f"{label}: el decreto no admite esa lectura.", key)
        return
    ask = next((ask for ask in asks_of(slug) if ask.key == key), None)
    if ask is None:
        raise Refused(f"{label}: el decreto no lo deja al Fondo.", key)
    if ask.choices and given.value not in ask.choices:
        raise Refused(f"{label}: el decreto no admite esa respuesta ({ask.cite}).", key)
    try:
        check_fund_value(key, given.value)
    except DecreeError as error:
        raise Refused(str(error), key) from error


def given_faults(slug: str, given: Mapping[str, Given]) -> Iterator[Refused]:
    """Each value that cannot be, beside the decree, the others and today's date, at its field."""
    for key, message in fund_faults(terms_of(slug), given):
        yield Refused(message, key)
    if "published" not in given:
        return
    try:
        check_day_not_future(given["published"].value, "published")
    except Refused as refusal:
        yield refusal


def label_of(key: str) -> str:
    """What staff read for a key or a reading."""
    return FUND_KEYS[key].label if key in FUND_KEYS else READING_LABELS.get(key, key)


def shown_value(key: str, value: FundRaw) -> str:
    """A value, or the reading chosen, as people read it."""
    if key in READING_LABELS:
        return READING_VALUE_LABELS[key][str(value)]
    known = FUND_KEYS[key]
    choices = dict(known.choices)
    writers = {
        FundType.AMOUNT: write_amount,
        FundType.PERCENT: write_percent,
        FundType.DATE: write_date_long,
        FundType.TEXTS: "; ".join,
        FundType.YES_NO: lambda yes: "Sí" if yes else "No",
        FundType.CHOICE: lambda code: choices[code],
        FundType.CLASSES: lambda codes: "; ".join(BuyerClass(code).label for code in codes),
    }
    if known.unit in UNIT_ONES:
        return write_count(value, UNIT_ONES[known.unit], known.unit)
    return writers.get(known.type, str)(value)


def value_words(key: str, value: FundRaw) -> str:
    """A figure in words, to be read twice before it binds; empty for what is no figure."""
    known = FUND_KEYS.get(key)
    if known and known.type == FundType.QUANTITY:
        return quantity_phrase(value)
    return amount_words(value) if known and known.type == FundType.AMOUNT else ""


def _from_data(key: str, data):
    return data if key in READING_LABELS else fund_value_from_data(key, data)


def rules_prepared_at(rules: FundRules) -> datetime:
    """The legal moment at which a version was sent to review."""
    return _act_moment(rules, "fund_rules_submit") or rules.prepared_at


def rules_decided_at(rules: FundRules) -> datetime | None:
    """The legal moment of the act that decided a version; None while nobody has."""
    return _act_moment(rules, "fund_rules_review") or rules.reviewed_at


def _act_moment(rules: FundRules, act: str) -> datetime | None:
    acts = decisions_on([rules]).filter(act=act).order_by("-pk")
    return acts.values_list("legal_at", flat=True).first()
