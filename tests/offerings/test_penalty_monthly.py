"""One per cent of the purchase price for each month that remains (1995, parágrafo 2.º; 1996)."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from offerings.rules.penalty import release_penalty
from tests.offerings.early_exits import T1995, T1996, facts, penalty, reading, trade

SMALL = trade(shares=1)


def paid(asked, terms=T1995, **more):
    return penalty(asked, SMALL, terms=terms, **more)


def test_seven_months_and_26_days_remain_and_are_paid():
    ruling = release_penalty(facts(date(1997, 1, 20), SMALL), T1995)
    assert ruling.value.amount == Decimal("47672.00")
    assert ruling.value.remaining == 7 + Fraction(26, 30)
    assert [step.label for step in ruling.steps] == [
        "Mes en que se pide",
        "Operación de referencia",
        "Meses que faltan",
        "Precio de compra de 10.000 acciones",
        "1 % por cada mes que falta",
        "Total por pagar",
    ]
    assert ruling.steps[1].shown == "ninguna"
    assert "7 meses, hasta el 20/08/1997, y 26 días de un mes de 30" in ruling.steps[2].detail
    assert ruling.steps[2].shown == "7,866666…"


def test_whole_months_only_have_no_part():
    ruling = release_penalty(facts(date(1997, 3, 15), SMALL), T1996)
    assert (ruling.value.amount, ruling.value.remaining) == (Decimal("36360.00"), 6)
    assert "Faltan 6 meses" in ruling.conclusion


def test_23_months_and_a_day_cost_over_23_and_under_24_per_cent():
    amount = paid(date(1995, 10, 14), shares=1, price=Decimal(100)).amount
    assert Decimal(23) < amount < Decimal(24)
    assert amount == Decimal("23.03")


@pytest.mark.parametrize(
    ("asked", "remaining"),
    [
        (date(1995, 9, 15), 24),
        (date(1997, 8, 15), 1),
        (date(1997, 9, 14), Fraction(1, 30)),
        (date(1997, 9, 15), 0),
    ],
)
def test_it_is_counted_up_to_the_last_day(asked, remaining):
    assert paid(asked).remaining == remaining


@pytest.mark.parametrize(
    ("bought", "asked", "remaining"),
    [
        (date(1995, 8, 31), date(1997, 2, 28), 6 + Fraction(3, 30)),
        (date(1995, 8, 31), date(1997, 1, 31), 7),
        (date(1996, 2, 29), date(1997, 12, 31), 2),
        (date(1996, 2, 29), date(1998, 1, 1), 1 + Fraction(27, 30)),
        (date(1995, 8, 30), date(1997, 7, 30), 1),
    ],
)
def test_anniversaries_run_from_the_request_and_stop_at_the_end_of_a_shorter_month(
    bought, asked, remaining
):
    assert paid(asked, purchased=bought, auction_on=None).remaining == remaining


def test_read_on_the_actual_days_the_part_is_of_the_month_that_it_falls_in():
    terms = reading(month_fraction="actual")
    value = paid(date(1997, 1, 20), terms)
    assert (value.remaining, value.amount) == (7 + Fraction(26, 31), Decimal("47502.58"))


def test_the_reduction_does_not_touch_it_unless_read_so():
    terms = reading(reduction_on_monthly="yes")
    asked = date(1997, 1, 20)
    assert paid(asked).paid_percent is None
    reduced = release_penalty(facts(asked, SMALL), terms)
    assert (reduced.value.amount, reduced.value.paid_percent) == (
        Decimal("27888.12"),
        Decimal("58.5"),
    )
    assert "Reducción de los meses 13 a 17" in [step.label for step in reduced.steps]


def test_month_13_alone_is_named_alone():
    terms = reading(reduction_on_monthly="yes")
    labels = [step.label for step in release_penalty(facts(date(1996, 9, 16), SMALL), terms).steps]
    assert "Reducción del mes 13" in labels


@pytest.mark.parametrize(
    ("asked", "auction", "says"),
    [
        (date(1995, 11, 1), date(1995, 11, 20), "y el martillo es del 20/11/1995"),
        (date(1996, 6, 20), None, "no ha habido martillo"),
        (date(1996, 6, 20), date(1995, 11, 20), "desde el martillo (20/11/1995)"),
    ],
)
def test_it_says_why_no_trade_counts(asked, auction, says):
    ruling = release_penalty(facts(asked, SMALL, auction_on=auction), T1995)
    assert says in ruling.steps[1].detail
    assert ruling.value.basis == "monthly"


def test_a_single_share_is_written_in_the_singular():
    ruling = release_penalty(facts(date(1997, 1, 20), SMALL, shares=1), T1995)
    assert "Precio de compra de 1 acción" in [step.label for step in ruling.steps]
