"""Days and hours as Colombia writes them, always in Bogotá's time.

Dates are read in one form alone, dd/mm/aaaa, so that 03/04/2005 is never anything but 3 April.
"""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from office.text import quoted

# The named zone, not a fixed -05:00: Colombia kept daylight time in 1992 and 1993.
BOGOTA = ZoneInfo("America/Bogota")
MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
)
FIRST_YEAR, LAST_YEAR = 1900, 2100

_BLANKS = " \t\r\n\u00a0"
_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::00)?")  # a spreadsheet adds seconds
_MOMENT = re.compile(r"([^ ,]+),? +([^ ]+)")
_SERIAL = re.compile(r"[0-9]{2,6}")
_SERIAL_MOMENT = re.compile(r"[0-9]{2,6}[.,][0-9]{1,15}")
_HOW_TO_DATE = "Escriba la fecha como dd/mm/aaaa, por ejemplo 15/09/1995."
_MONTH = re.compile(r"([0-9]{1,2})/([0-9]{4})")
_HOW_TO_MONTH = "Escriba el mes como mm/aaaa, por ejemplo 09/1995."
_HOW_TO_TIME = "Escriba la hora de 0:00 a 23:59, por ejemplo 10:42 o 15:30."
_HOW_TO_MOMENT = "Escriba la fecha y la hora como dd/mm/aaaa hh:mm, por ejemplo 15/09/1995 10:42."
# Excel counts days from 30/12/1899, but holds that 1900 was a leap year: before 01/03/1900
# (day 61) its serials are a day off, so they are not taken.
_SERIAL_ZERO = date(1899, 12, 30)
_FIRST_SERIAL = 61


class DateError(ValueError):
    """A date or time that cannot be read; its message is Spanish and says how to write it."""


def read_date(text: str) -> date:
    """Return the day written as dd/mm/aaaa, between the years 1900 and 2100."""
    trimmed = text.strip(_BLANKS)
    found = _DATE.fullmatch(trimmed)
    if not found:
        raise DateError(f"{quoted(trimmed)} no es una fecha. {_HOW_TO_DATE}")
    day, month, year = (int(part) for part in found.groups())
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise DateError(
            f"{trimmed}: el año debe estar entre {FIRST_YEAR} y {LAST_YEAR}. {_HOW_TO_DATE}"
        )
    if not 1 <= month <= 12:
        raise DateError(f"{trimmed} no existe: los meses van de 01 a 12. {_HOW_TO_DATE}")
    last = monthrange(year, month)[1]
    if not 1 <= day <= last:
        month_of = f"{MONTHS[month - 1]} de {year}"
        raise DateError(f"{trimmed} no existe: {month_of} tiene {last} días. {_HOW_TO_DATE}")
    return date(year, month, day)


def read_month(text: str) -> date:
    """Return the first day of the month written as mm/aaaa, between the years 1900 and 2100."""
    trimmed = text.strip(_BLANKS)
    found = _MONTH.fullmatch(trimmed)
    if not found:
        raise DateError(f"{quoted(trimmed)} no es un mes. {_HOW_TO_MONTH}")
    month, year = int(found[1]), int(found[2])
    if not 1 <= month <= 12:
        raise DateError(f"{trimmed} no existe: los meses van de 01 a 12. {_HOW_TO_MONTH}")
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise DateError(
            f"{trimmed}: el año debe estar entre {FIRST_YEAR} y {LAST_YEAR}. {_HOW_TO_MONTH}"
        )
    return date(year, month, 1)


def read_time(text: str) -> time:
    """Return the hour written on the 24-hour clock: "10:42", or "10:42:00"."""
    trimmed = text.strip(_BLANKS)
    found = _TIME.fullmatch(trimmed)
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        raise DateError(f"{quoted(trimmed)} no es una hora. {_HOW_TO_TIME}")
    return time(int(found[1]), int(found[2]))


def read_datetime(text: str) -> datetime:
    """Return the moment in Bogotá written as "15/09/1995 10:42"."""
    trimmed = text.strip(_BLANKS)
    found = _MOMENT.fullmatch(trimmed)
    if not found:
        raise DateError(f"{quoted(trimmed)} no se puede leer. {_HOW_TO_MOMENT}")
    return bogota_moment(read_date(found[1]), read_time(found[2]))


def date_from_cell(value: object) -> date:
    """Return the day in a file's cell: text dd/mm/aaaa, a date, or Excel's serial (42725)."""
    if isinstance(value, datetime):
        return bogota_day(value) if value.tzinfo else value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        trimmed = value.strip(_BLANKS)
        return _date_of(int(trimmed)) if _SERIAL.fullmatch(trimmed) else read_date(trimmed)
    if isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0:
        return _date_of(int(value))
    raise DateError(f"{quoted(str(value))} no es una fecha. {_HOW_TO_DATE}")


def datetime_from_cell(value: object) -> datetime:
    """Return the moment in Bogotá in a file's cell: text, a datetime, or Excel's serial, also one
    written as text with its part of the day ("42725,5").
    """
    if isinstance(value, datetime):
        return value.astimezone(BOGOTA) if value.tzinfo else value.replace(tzinfo=BOGOTA)
    if isinstance(value, str):
        trimmed = value.strip(_BLANKS)
        if not _SERIAL_MOMENT.fullmatch(trimmed):
            return read_datetime(trimmed)
        return _moment_of(Decimal(trimmed.replace(",", ".")))
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        return _moment_of(Decimal(value))
    raise DateError(f"{quoted(str(value))} no se puede leer. {_HOW_TO_MOMENT}")


def _moment_of(serial: Decimal) -> datetime:
    day = _date_of(int(serial) if abs(serial) < 10**6 else 0)
    return bogota_moment(day, time()) + timedelta(minutes=round(serial % 1 * 24 * 60))


def bogota_moment(day: date, clock: time) -> datetime:
    """Return the moment at which Bogotá's clocks show that day and hour."""
    return datetime.combine(day, clock, BOGOTA)


def bogota_day(moment: datetime) -> date:
    """Return the day in Bogotá of a moment that knows its zone."""
    return _in_bogota(moment).date()


def end_of_day(day: date) -> datetime:
    """Return the last microsecond of a day in Bogotá: deadlines end there."""
    # Through UTC, since on the night that daylight time ended 23:59 came twice.
    midnight = datetime.combine(day + timedelta(days=1), time(), BOGOTA).astimezone(UTC)
    return (midnight - timedelta(microseconds=1)).astimezone(BOGOTA)


def write_date(day: date) -> str:
    """Return "15/09/1995"."""
    return f"{day.day:02d}/{day.month:02d}/{day.year:04d}"


def write_month(day: date) -> str:
    """Return the month of a day as it is typed: "09/1995"."""
    return f"{day.month:02d}/{day.year:04d}"


def write_date_long(day: date) -> str:
    """Return "15 de septiembre de 1995"."""
    return f"{day.day} de {MONTHS[day.month - 1]} de {day.year}"


def write_time(clock: time | datetime) -> str:
    """Return the hour as it is typed, on the 24-hour clock: "10:42"; a moment in Bogotá."""
    shown = _in_bogota(clock) if isinstance(clock, datetime) else clock
    return f"{shown.hour:02d}:{shown.minute:02d}"


def write_clock(clock: time | datetime) -> str:
    """Return the hour as it is shown: "10:42 a. m.", which never breaks; a moment in Bogotá."""
    shown = _in_bogota(clock) if isinstance(clock, datetime) else clock
    half = "a" if shown.hour < 12 else "p"
    return f"{shown.hour % 12 or 12}:{shown.minute:02d}\u00a0{half}.\u00a0m."


def write_datetime(moment: datetime) -> str:
    """Return "15/09/1995, 10:42 a. m." in Bogotá's time."""
    return f"{write_date(bogota_day(moment))}, {write_clock(moment)}"


def _in_bogota(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("A moment without its zone has no day in Bogotá.")
    return moment.astimezone(BOGOTA)


def _date_of(serial: int) -> date:
    last = (date(LAST_YEAR, 12, 31) - _SERIAL_ZERO).days
    if not _FIRST_SERIAL <= serial <= last:
        raise DateError(f"El número {serial} no corresponde a una fecha. {_HOW_TO_DATE}")
    return _SERIAL_ZERO + timedelta(days=serial)
