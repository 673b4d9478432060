"""1994: the plain difference with the auction. FES: by semester. Financiera América: no rule."""

from datetime import date
from decimal import Decimal
from itertools import permutations

import pytest

from offerings.rules.penalty import (
    DecisionNeeded,
    ReleaseFacts,
    Trade,
    release_penalty,
    threshold_shares,
    waiting,
)
from offerings.rules.ruling import FactError, NotCovered
from tests.offerings.early_exits import FA, FES, T1994, fes_facts, fes_penalty

OLD_AUCTION = date(1994, 12, 1)
ONE_PER_CENT = 56_099_060


def old_facts(asked=date(1995, 3, 1), **more):
    given = {
        "shares": 10_000,
        "price": Decimal(50),
        "purchased": date(1994, 8, 1),
        "auction_on": OLD_AUCTION,
        **more,
    }
    return ReleaseFacts(asked=asked, **given)


def awarded(price, shares=ONE_PER_CENT, on=OLD_AUCTION, in_auction=True):
    return Trade(on, Decimal(price), shares, in_auction)


# --- 1994 ---


def test_in_1994_the_plain_difference_is_paid_without_cpi_or_reduction():
    facts = old_facts(asked=date(1996, 7, 1), trades=(awarded(58),))
    ruling = release_penalty(facts, T1994)
    assert (ruling.value.amount, ruling.value.basis) == (Decimal("80000.00"), "difference")
    assert ruling.readings == ()
    assert {step.cite for step in ruling.steps} == {"numeral 4", ""}
    assert waiting(ruling.value, facts, T1994) == ()


def test_in_1994_one_per_cent_counts_and_a_share_less_does_not():
    trades = (awarded(58), awarded(70, ONE_PER_CENT - 1))
    for order in permutations(trades):
        assert release_penalty(old_facts(trades=order), T1994).value.reference == awarded(58)


def test_in_1994_a_trade_outside_the_auction_does_not_count():
    later = awarded(70, on=date(1995, 1, 10), in_auction=False)
    value = release_penalty(old_facts(trades=(later,)), T1994).value
    assert (value.amount, value.basis, value.reference) == (0, "none", None)


@pytest.mark.parametrize(("price", "basis"), [("50.01", "difference"), (50, "none"), (48, "none")])
def test_in_1994_a_price_that_is_not_higher_owes_nothing(price, basis):
    value = release_penalty(old_facts(trades=(awarded(price),)), T1994).value
    assert value.basis == basis
    assert (value.amount > 0) is (basis == "difference")


@pytest.mark.parametrize("auction", [OLD_AUCTION, None])
def test_in_1994_what_is_asked_before_the_auction_waits_or_the_fund_decides(auction):
    with pytest.raises(DecisionNeeded, match="espera el martillo, o la decide el Fondo") as needed:
        release_penalty(old_facts(asked=date(1994, 11, 30), auction_on=auction), T1994)
    assert (needed.value.basis, needed.value.month) == ("decision", 4)
    assert needed.value.last_day == date(1996, 8, 1)


def test_in_1994_on_the_day_of_the_auction_the_rule_answers():
    value = release_penalty(old_facts(asked=OLD_AUCTION, trades=(awarded(58),)), T1994).value
    assert value.basis == "difference"


def test_in_1994_after_the_term_nothing_is_owed_auction_or_not():
    facts = old_facts(asked=date(1996, 8, 2), auction_on=None)
    assert release_penalty(facts, T1994).value.basis == "matured"


# --- FES ---


@pytest.mark.parametrize(
    ("asked", "semester", "amount"),
    [
        (date(2005, 1, 14), 1, "1300000.00"),
        (date(2005, 7, 14), 1, "1300000.00"),
        (date(2005, 7, 15), 2, "1040000.00"),
        (date(2006, 1, 14), 2, "1040000.00"),
        (date(2006, 1, 15), 3, "780000.00"),
        (date(2006, 7, 14), 3, "780000.00"),
        (date(2006, 7, 15), 4, "520000.00"),
        (date(2007, 1, 14), 4, "520000.00"),
    ],
)
def test_a_semester_is_closed_by_its_own_anniversary(asked, semester, amount):
    value = fes_penalty(asked)
    assert (value.basis, value.semester) == (f"semester {semester}", semester)
    assert value.amount == Decimal(amount)


def test_the_day_after_the_fourth_semester_is_free():
    assert fes_penalty(date(2007, 1, 15)).basis == "matured"


@pytest.mark.parametrize(
    ("sale_price", "amount"),
    [(4000, "1200000.00"), (4800, "1200000.00"), ("4800.01", "1200002.50")],
)
def test_the_greater_of_the_two_values_is_fined(sale_price, amount):
    value = fes_penalty(date(2005, 3, 1), sale_price=Decimal(sale_price))
    assert value.amount == Decimal(amount)


def test_the_sale_gives_the_semester_and_the_request_the_month():
    value = fes_penalty(date(2006, 6, 1), sold_on=date(2005, 9, 1))
    assert (value.basis, value.month) == ("semester 2", 17)


@pytest.mark.parametrize(
    ("sold", "basis"), [(date(2007, 1, 14), "semester 4"), (date(2007, 1, 15), "matured")]
)
def test_a_sale_inside_the_term_is_fined_though_it_comes_out_after_it(sold, basis):
    assert fes_penalty(date(2007, 3, 1), sold_on=sold).basis == basis


def test_without_the_price_of_the_sale_there_is_no_fine_to_work_out():
    with pytest.raises(FactError, match="precio de venta") as refusal:
        fes_penalty(date(2005, 3, 1), sale_price=None)
    assert refusal.value.fact == "sale_price"


def test_each_semester_cites_its_own_numeral():
    ruling = release_penalty(fes_facts(date(2006, 2, 1)), FES)
    assert "numeral 2.3" in ruling.cites
    assert [step.shown for step in ruling.steps[1:4]] == [
        "semestre 3",
        "$4.800.000,00",
        "$5.200.000,00",
    ]
    assert ruling.readings[0].startswith("Mientras no se prueba la venta")
    sold = release_penalty(fes_facts(date(2006, 2, 1), sold_on=date(2006, 2, 1)), FES)
    assert sold.readings == ()


def test_waiting_for_the_next_semester_costs_less_until_the_sale_is_made():
    facts = fes_facts(date(2006, 2, 1))
    told = waiting(release_penalty(facts, FES).value, facts, FES)
    assert [(wait.until, wait.percent) for wait in told] == [
        (date(2006, 7, 14), 15),
        (date(2007, 1, 14), 10),
    ]
    sold = fes_facts(date(2006, 2, 1), sold_on=date(2006, 1, 20))
    assert waiting(release_penalty(sold, FES).value, sold, FES) == ()


def test_bought_on_31_august_the_first_semester_ends_on_the_last_of_february():
    facts = {"purchased": date(2005, 8, 31)}
    assert fes_penalty(date(2006, 2, 28), **facts).semester == 1
    assert fes_penalty(date(2006, 3, 1), **facts).semester == 2


def test_what_goes_by_semesters_looks_at_no_trade():
    with pytest.raises(NotCovered, match="no mira operaciones"):
        threshold_shares(FES)


# --- Financiera América ---


def test_where_the_text_has_no_penalty_the_fund_decides_within_the_term():
    facts = fes_facts(date(2007, 1, 14))
    with pytest.raises(DecisionNeeded, match="La decide el Fondo, con su motivo") as needed:
        release_penalty(facts, FA)
    assert (needed.value.month, needed.value.last_day) == (24, date(2007, 1, 14))
    assert waiting(release_penalty(fes_facts(date(2007, 1, 15)), FA).value, facts, FA) == ()


def test_where_the_text_has_no_penalty_the_day_after_the_term_is_free_unless_sold_within_it():
    assert release_penalty(fes_facts(date(2007, 1, 15)), FA).value.basis == "matured"
    with pytest.raises(DecisionNeeded):
        release_penalty(fes_facts(date(2007, 3, 1), sold_on=date(2006, 12, 1)), FA)
