"""A month as files and people write it, and the month in which a base is 100."""

import re
from datetime import date

from office.dates import FIRST_YEAR, LAST_YEAR, MONTHS
from office.text import fold

_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, start=1)} | {"set": 9}
_BY_NAME = {name: number for number, name in enumerate(MONTHS, start=1)} | {"setiembre": 9}
_NUMBERS = {str(number): number for number in range(1, 13)}
_YEAR_MONTH = re.compile(r"([0-9]{4})[-/ ]?([0-9]{2})(?:[-/][0-9]{2})?(?: .*)?")
_MONTH_YEAR = re.compile(r"(?:[0-9]{1,2}[-/])?([0-9]{1,2})[-/]([0-9]{4})(?: .*)?")
_NAMED = re.compile(r"([a-z]{3,10})[-/ ]+(?:de )?([0-9]{4})")
_NAMED_AFTER = re.compile(r"([0-9]{4})[-/ ]+([a-z]{3,10})")
_YEAR = re.compile(r"([0-9]{4})(?: ?\(?[a-z*]{1,3}\)?)?")
# «Base diciembre de 2018 = 100,00», «Base: dic 2018=100», «base 2018», «diciembre 2018 = 100».
_BASE = re.compile(r"base\b[ :(]*(?:([a-z]{3,10})[-/ ]+(?:de )?)?((?:19|20)[0-9]{2})")
_IS_100 = re.compile(
    r"(?:([a-z]{3,10})[-/ ]+(?:de )?)?((?:19|20)[0-9]{2})\)? ?= ?\(?100(?:[,.]?0*)?(?![0-9])"
)
DECEMBER = 12


def month_named(text: str) -> int | None:
    """The number of a month by its name, whole or its first three letters, or by its figures."""
    word = fold(text).strip(" *")
    return _BY_NAME.get(word) or _SHORT.get(word) or _NUMBERS.get(word.lstrip("0"))


def year_named(text: str) -> int | None:
    """The year that a heading names, with or without the mark of a provisional figure."""
    found = _YEAR.fullmatch(fold(text))
    return _year(found[1]) if found else None


def month_read(text: str) -> date | None:
    """The first day of the month that a cell names: 31/01/1995, 1995-01, 199501, 01/1995, «ene
    1995», «enero de 1995». None for anything else.
    """
    word = fold(text)
    numbers = _YEAR_MONTH.fullmatch(word)
    if numbers:
        return _month(numbers[1], _NUMBERS.get(numbers[2].lstrip("0")))
    numbers = _MONTH_YEAR.fullmatch(word)
    if numbers:
        return _month(numbers[2], _NUMBERS.get(numbers[1].lstrip("0")))
    named = _NAMED.fullmatch(word)
    if named:
        return _month(named[2], month_named(named[1]))
    named = _NAMED_AFTER.fullmatch(word)
    return _month(named[1], month_named(named[2])) if named else None


def bases_named(text: str) -> set[date]:
    """The months that a text says are 100; a year alone means its December, as the statistics
    office's bases do.
    """
    word = fold(text)
    found = [*_BASE.findall(word), *_IS_100.findall(word)]
    months = {_month(year, month_named(name) or DECEMBER) for name, year in found}
    return {month for month in months if month is not None}


def base_words(month: date) -> str:
    """Return "diciembre de 2018 = 100"."""
    return f"{MONTHS[month.month - 1]} de {month.year} = 100"


def _month(year: str, month: int | None) -> date | None:
    known = _year(year)
    return date(known, month, 1) if known and month else None


def _year(text: str) -> int | None:
    return int(text) if FIRST_YEAR <= int(text) <= LAST_YEAR else None
