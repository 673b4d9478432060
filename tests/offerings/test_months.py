from datetime import date

import pytest

from offerings.decrees.reader import terms_of
from offerings.rules.months import LockUpFacts, last_day, lock_up_end, running_month
from offerings.rules.payments import payment_last_day
from offerings.rules.ruling import FactError, NotCovered


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        (date(1995, 9, 15), 24, date(1997, 9, 15)),
        (date(2005, 3, 10), 24, date(2007, 3, 10)),
        (date(2004, 2, 29), 24, date(2006, 2, 28)),
        (date(2005, 8, 31), 24, date(2007, 8, 31)),
        (date(2003, 8, 31), 6, date(2004, 2, 29)),
        (date(1995, 12, 31), 2, date(1996, 2, 29)),
    ],
)
def test_a_term_of_months_ends_on_the_day_of_the_same_number_or_the_months_last(
    start, months, end
):
    assert last_day(start, months) == end


@pytest.mark.parametrize(
    ("day", "month"),
    [
        (date(1995, 9, 15), 1),
        (date(1995, 10, 15), 1),
        (date(1995, 10, 16), 2),
        (date(1996, 9, 15), 12),
        (date(1996, 9, 16), 13),
        (date(1997, 8, 15), 23),
        (date(1997, 8, 16), 24),
        (date(1997, 9, 15), 24),
        (date(1997, 9, 16), 25),
    ],
)
def test_month_k_runs_to_and_including_the_kth_anniversary(day, month):
    assert running_month(date(1995, 9, 15), day) == month


def test_anniversaries_are_counted_from_the_first_day_each_time():
    assert running_month(date(2005, 8, 31), date(2006, 2, 28)) == 6
    assert running_month(date(2005, 8, 31), date(2006, 3, 31)) == 7


def test_a_day_before_the_purchase_is_refused():
    with pytest.raises(FactError, match="anterior a la compra"):
        running_month(date(1995, 9, 15), date(1995, 9, 14))


def test_the_lock_up_ends_two_years_from_the_purchase_and_does_not_move_for_a_sunday():
    ruling = lock_up_end(LockUpFacts(date(1995, 9, 14)), terms_of("banco-popular-1995"))
    assert ruling.value == date(1997, 9, 14)  # a Sunday
    assert ruling.steps[1].cite == "art. 6-4"


def test_payment_is_due_thirty_calendar_days_counted_from_the_day_after():
    ruling = payment_last_day(date(1995, 9, 15), terms_of("banco-popular-1995"))
    assert ruling.value == date(1995, 10, 15)
    assert ruling.steps[1].cite == "art. 13"


def test_payment_is_not_covered_where_the_fund_has_not_set_its_term():
    with pytest.raises(NotCovered) as caught:
        payment_last_day(date(1994, 9, 15), terms_of("banco-popular-1994"))
    assert caught.value.missing == ("payment_term_days",)
