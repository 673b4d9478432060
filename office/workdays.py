"""Colombian working days: neither Saturdays, Sundays nor holidays.

Ley 4 de 1913, art. 62: in terms of days "se entienden suprimidos los feriados y de vacantes"; a
term of months or years that ends "en día feriado o vacante" runs to the first working day.
"""

from collections.abc import Mapping
from datetime import date, timedelta

import holidays

_SATURDAY = 5
_HOLIDAYS = holidays.country_holidays("CO")
_NO_OVERRIDES: Mapping[date, bool] = {}


def is_working_day(day: date, overrides: Mapping[date, bool] = _NO_OVERRIDES) -> bool:
    """Tell whether a day is a working day.

    ``overrides`` says so for single days, True or False, before the calendar is asked: a closing
    of the exchanges, a civic day that a law adds.
    """
    if day in overrides:
        return overrides[day]
    return day.weekday() < _SATURDAY and day not in _HOLIDAYS


def next_working_day(day: date, overrides: Mapping[date, bool] = _NO_OVERRIDES) -> date:
    """Return the day itself if it is a working day, otherwise the first one after it."""
    while not is_working_day(day, overrides):
        day += timedelta(days=1)
    return day


def add_working_days(
    day: date, count: int, overrides: Mapping[date, bool] = _NO_OVERRIDES
) -> date:
    """Return the working day that is the ``count``-th (1 or more) after a day, itself left out."""
    if count < 1:
        raise ValueError("The count of working days is 1 or more.")
    for _ in range(count):
        day = next_working_day(day + timedelta(days=1), overrides)
    return day
