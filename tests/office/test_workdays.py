"""Colombian working days."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.workdays import add_working_days, is_working_day, next_working_day


@pytest.mark.parametrize(
    "day",
    [
        date(1995, 8, 19),  # Saturday
        date(1995, 8, 20),  # Sunday
        date(1995, 8, 21),  # Assumption, moved to Monday by Ley 51 de 1983
        date(1995, 7, 20),  # Independence
        date(1995, 12, 25),
        date(2005, 3, 24),  # Maundy Thursday
        date(2005, 3, 25),  # Good Friday
    ],
)
def test_day_is_no_working_day_when_it_is_a_weekend_or_holiday(day):
    assert not is_working_day(day)


def test_term_moves_to_the_next_working_day_when_it_ends_on_a_holiday():
    assert next_working_day(date(1995, 8, 19)) == date(1995, 8, 22)
    assert next_working_day(date(1995, 8, 22)) == date(1995, 8, 22)


def test_calendar_yields_when_an_override_says_so():
    monday, tuesday = date(1995, 8, 21), date(1995, 8, 22)
    overrides = {monday: True, tuesday: False}
    assert is_working_day(monday, overrides)
    assert next_working_day(tuesday, overrides) == date(1995, 8, 23)


def test_working_days_are_counted_from_the_next_day_when_added():
    assert add_working_days(date(1995, 12, 22), 1) == date(1995, 12, 26)
    assert add_working_days(date(1995, 12, 22), 5) == date(1996, 1, 2)
    with pytest.raises(ValueError, match="1 or more"):
        add_working_days(date(1995, 12, 22), 0)


@given(st.dates(date(1990, 1, 1), date(2040, 1, 1)), st.integers(1, 130))
def test_days_between_hold_exactly_the_count_when_added(start, count):
    end = add_working_days(start, count)
    between = (date.fromordinal(n) for n in range(start.toordinal() + 1, end.toordinal() + 1))
    assert sum(map(is_working_day, between)) == count
    assert is_working_day(end)
