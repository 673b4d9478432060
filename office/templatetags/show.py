"""Filters that show numbers, dates and identities as Colombia writes them.

Nothing to show (None or "") is an en dash, as in the tables. ``{% load show %}``.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django import template
from django.template.defaultfilters import stringfilter

from office import dates, identities, numbers, words

register = template.Library()

NOTHING = "–"

_ARTICLE = re.compile(r"\b(arts?|núm|par)\.[ \u00a0]+(?=[0-9])")
# One or two figures on each side: a certificate's number or a NIT keeps its own hyphen.
_CLAUSE = re.compile(r"(?<![-.0-9A-Za-z])([0-9]{1,2})-(?=[0-9]{1,2}(?![-0-9]))")


def _shown(write: Callable[..., str], value: Any, *options: Any) -> str:
    return NOTHING if value is None or value == "" else write(value, *options)


@register.filter
def quantity(value: int | None) -> str:
    """5234634742 as "5.234.634.742"."""
    return _shown(numbers.write_quantity, value)


@register.filter
def amount(value: Decimal | None) -> str:
    """Pesos: "$317.218.865.365,20"."""
    return _shown(numbers.write_amount, value)


@register.filter
def decimal(value: Decimal | None, places: int | None = None) -> str:
    """``{{ factor|decimal:9 }}``: "0,822512661"; without places, with those it has."""
    return _shown(numbers.write_decimal, value, places)


@register.filter
def index(value: Decimal | None) -> str:
    """The price index of a month: "66,50"."""
    return _shown(numbers.write_index, value)


@register.filter
def percent(value: Decimal | None, places: int | None = None) -> str:
    """Percentage points: 8.3 as "8,3 %"."""
    return _shown(numbers.write_percent, value, places)


@register.filter
def day(value: date | datetime | None) -> str:
    """For tables: "15/09/1995"; of a moment, its day in Bogotá."""
    return _shown(lambda known: dates.write_date(_day_of(known)), value)


@register.filter
def day_long(value: date | datetime | None) -> str:
    """In prose: "15 de septiembre de 1995"."""
    return _shown(lambda known: dates.write_date_long(_day_of(known)), value)


@register.filter
def moment(value: datetime | None) -> str:
    """In Bogotá's time: "15/09/1995, 10:42 a. m."."""
    return _shown(dates.write_datetime, value)


@register.filter
def clock(value: time | datetime | None) -> str:
    """In Bogotá's time: "10:42 a. m."."""
    return _shown(dates.write_clock, value)


@register.filter
def identity(value: Any, number: str | None = None) -> str:
    """``{{ an_identity|identity }}`` or ``{{ type|identity:number }}``: "C.C. 51.000.123"."""
    if number is None:
        return _shown(str, value)
    return _shown(identities.write_identity, value, number)


@register.filter
def identity_long(value: Any, number: str | None = None) -> str:
    """The same for certificates: "cédula de ciudadanía 51.000.123"."""
    if value and number is None:
        value, number = value.type, value.number
    return _shown(identities.write_identity_long, value, number)


@register.filter
def quantity_words(value: int | None) -> str:
    """Shares in words, feminine: "veintiuna"."""
    return _shown(words.quantity_words, value)


@register.filter
def shares_words(value: int | None) -> str:
    """Write 600000 as "seiscientas mil acciones", 1000000 as "un millón de acciones"."""
    return _shown(words.shares_words, value)


@register.filter
def quantity_phrase(value: int | None) -> str:
    """Shares in words and figures: "seiscientas mil (600.000) acciones"."""
    return _shown(words.quantity_phrase, value)


@register.filter
def amount_words(value: Decimal | None) -> str:
    """Pesos in words: "sesenta pesos con sesenta centavos"."""
    return _shown(words.amount_words, value)


@register.filter
def amount_phrase(value: Decimal | None) -> str:
    """Pesos in words and figures: "sesenta pesos con sesenta centavos ($60,60)"."""
    return _shown(words.amount_phrase, value)


@register.filter(is_safe=True)
@stringfilter
def cite(value: str) -> str:
    """A citation that never breaks inside "art. 6-1": no-break space and no-break hyphen."""
    return _CLAUSE.sub("\\1\u2011", _ARTICLE.sub("\\1.\u00a0", value))


def _day_of(value: date | datetime) -> date:
    return dates.bogota_day(value) if isinstance(value, datetime) else value
