"""Filters for certificates' pages, which read frozen facts: JSON, so days and amounts are text.

``{{ facts.award.total|as_amount|amount_phrase }}``: read here, written by ``show``.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django import template
from django.utils.safestring import SafeString

from office import text, words
from office.dates import MONTHS
from office.identities import Identity
from office.numbers import write_decimal
from office.pdf import qr_svg
from office.templatetags.show import cite

register = template.Library()

_ARTICLE = "art. "


@register.filter
def as_amount(written: str) -> Decimal:
    """Read an amount as facts hold it: "60.60"."""
    return Decimal(written)


@register.filter
def as_day(written: str) -> date:
    """Read a day as facts hold it: "1995-09-15"."""
    return date.fromisoformat(written)


@register.filter
def as_identity(known: dict[str, str]) -> Identity:
    """Read an identity as facts hold it: type, number and, for a NIT, check_digit."""
    return Identity(known["type"], known["number"], known.get("check_digit", ""))


@register.filter
def exchange_words(name: str) -> str:
    """Write an exchange in a sentence: "la Bolsa de Bogotá", "la bolsa «Mercantil»"."""
    return text.exchange_words(name)


@register.filter
def less(amount: Decimal, other: str) -> Decimal:
    """Take an amount, as facts hold it, off another: what is still due."""
    return amount - Decimal(other)


@register.filter
def cites(clauses: Sequence[str]) -> str:
    """Join citations: ["art. 6-1", "art. 6-3"] as "arts. 6-1 y 6-3", unbreakable inside."""
    bare = [clause.removeprefix(_ARTICLE) for clause in clauses]
    head = ""
    if all(clause.startswith(_ARTICLE) for clause in clauses):
        head = _ARTICLE if len(bare) == 1 else "arts. "
    else:
        bare = list(clauses)
    joined = bare[0] if len(bare) == 1 else f"{', '.join(bare[:-1])} y {bare[-1]}"
    return cite(head + joined)


@register.filter
def readings_sentence(readings: Sequence[str]) -> str:
    """Join the readings that were used: "Lecturas usadas: lo que pasa … se recorta; …."."""
    said = [f"{reading[:1].lower()}{reading[1:]}".removesuffix(".") for reading in readings]
    head = "Lectura usada" if len(said) == 1 else "Lecturas usadas"
    return f"{head}: {'; '.join(said)}."


@register.filter
def issue_sentence(day: date) -> str:
    """Write the day of issue: "a los tres (3) días del mes de octubre de …"."""
    return words.issue_sentence(day)


@register.filter
def term_words(months: int) -> str:
    """Write a term: 24 as "dos años", 18 as "dieciocho meses"."""
    years, rest = divmod(months, 12)
    if rest:
        return words.counted(months, "mes", "meses", feminine=False)
    return words.counted(years, "año", "años", feminine=False)


@register.filter
def days_words(days: int) -> str:
    """Write days: 30 as "treinta (30) días"."""
    number = words.quantity_words(days, feminine=False)
    return f"{number} ({days}) {'día' if days == 1 else 'días'}"


@register.filter
def number_phrase(number: int) -> str:
    """Write a number that stands alone: 17 as "diecisiete (17)"."""
    return f"{words.quantity_words(number, feminine=False)} ({number})"


@register.filter
def index_sentence(used: Sequence[dict[str, str]]) -> str:
    """Write the months and indices of the CPI: "diciembre de 1996 (26,52) entre septiembre …".

    Two are divided, the later by the earlier; more are named in order of time.
    """
    ordered = sorted(used, key=lambda one: _month_of(one["month"]))
    named = [f"{_month_words(one['month'])} ({_index_words(one['index'])})" for one in ordered]
    return " entre ".join(reversed(named)) if len(named) == 2 else ", ".join(named)


def _month_of(written: str) -> tuple[int, int]:
    month, _, year = written.partition("/")
    return int(year), int(month)


def _month_words(written: str) -> str:
    year, month = _month_of(written)
    return f"{MONTHS[month - 1]} de {year}"


def _index_words(written: str) -> str:
    return write_decimal(Decimal(written))


@register.simple_tag
def qr(address: str) -> SafeString:
    """Draw an address as a QR code."""
    return qr_svg(address, title="Código QR con la dirección de verificación")
