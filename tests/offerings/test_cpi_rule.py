"""Months and factors of the consumer price index, and the auction's base price (art. 4-2)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.amounts import half_up
from offerings.rules.base_price import BasePriceFacts, base_price
from offerings.rules.cpi import CpiMissing, Month, cpi_factors, write_index
from offerings.rules.ruling import FactError, NotCovered

TERMS = terms_of("banco-popular-1995")
CPI = {
    Month(1995, 7): Decimal("20.93"),
    Month(1995, 8): Decimal("21.07"),
    Month(1995, 9): Decimal("21.24"),
    Month(1995, 10): Decimal("21.43"),
    Month(1996, 1): Decimal("22.35"),
}


def asked_price(started, notice, cpi=CPI, terms=TERMS):
    return base_price(BasePriceFacts(started, notice, cpi), terms)


def test_the_month_before_january_is_december():
    assert Month(1996, 1).before == Month(1995, 12)
    assert Month.of(date(1995, 12, 31)).before == Month(1995, 11)
    assert sorted([Month(1996, 1), Month(1995, 12)]) == [Month(1995, 12), Month(1996, 1)]
    assert (str(Month(1995, 9)), Month(1995, 9).words) == ("09/1995", "septiembre de 1995")


@pytest.mark.parametrize("month", [0, 13])
def test_a_month_that_does_not_exist_is_refused(month):
    with pytest.raises(ValueError, match="month"):
        Month(1995, month)


def test_a_factor_says_which_months_it_used():
    [factor] = cpi_factors([(Month(1995, 10), Month(1995, 7))], CPI)
    assert factor.value == Fraction(2143, 2093)
    assert factor.used == (
        (Month(1995, 7), Decimal("20.93")),
        (Month(1995, 10), Decimal("21.43")),
    )
    assert factor.working == "octubre de 1995: 21,43 ÷ julio de 1995: 20,93"


@pytest.mark.parametrize("later", [Month(1995, 7), Month(1995, 6)])
def test_no_index_is_needed_where_no_month_lies_between(later):
    [factor] = cpi_factors([(later, Month(1995, 7))], {})
    assert (factor.value, factor.used) == (1, ())
    assert "no se ajusta" in factor.working


def test_all_the_months_that_are_missing_are_named_at_once():
    pairs = [(Month(1996, 2), Month(1995, 7)), (Month(1996, 2), Month(1995, 11))]
    with pytest.raises(CpiMissing) as stop:
        cpi_factors(pairs, CPI)
    assert stop.value.months == (Month(1995, 11), Month(1996, 2))
    assert stop.value.message.startswith("IPC de 11/1995 y 02/1996 no cargado.")


@pytest.mark.parametrize("index", ["0", "-1"])
def test_an_index_that_is_not_above_zero_is_refused(index):
    with pytest.raises(FactError, match="IPC de 07/1995 debe ser mayor que cero"):
        cpi_factors([(Month(1995, 8), Month(1995, 7))], {**CPI, Month(1995, 7): Decimal(index)})


@pytest.mark.parametrize(
    ("index", "written"),
    [("21.6", "21,60"), ("21.600000", "21,60"), ("100", "100,00"), ("104.123456", "104,123456")],
)
def test_an_index_is_written_with_two_decimals_or_those_that_it_has(index, written):
    assert write_index(Decimal(index)) == written


# --- the base price ---


def test_the_base_price_is_the_fixed_price_moved_by_the_index():
    ruling = asked_price(date(1995, 7, 10), date(1995, 11, 5))
    assert ruling.value == Decimal("62.05")
    assert [(step.label, step.shown) for step in ruling.steps] == [
        ("Precio fijo", "$60,60"),
        ("Factor del IPC", "1,023889…"),
        ("Precio base", "$62,05"),
    ]
    assert ruling.cites == ("art. 4-1", "art. 4-2")
    assert ruling.conclusion == "El precio base del martillo es $62,05 por acción."


@pytest.mark.parametrize("notice", [date(1995, 7, 10), date(1995, 7, 31), date(1995, 8, 31)])
def test_it_stays_the_fixed_price_where_no_month_lies_between(notice):
    assert asked_price(date(1995, 7, 10), notice, {}).value == Decimal("60.60")


def test_it_moves_in_the_second_month_after_the_start():
    assert asked_price(date(1995, 7, 31), date(1995, 9, 1)).value == Decimal("61.01")
    with pytest.raises(CpiMissing, match=r"IPC de 08/1995 no cargado\."):
        asked_price(date(1995, 7, 31), date(1995, 9, 1), {Month(1995, 7): Decimal("20.93")})


def test_a_notice_before_the_offer_is_refused():
    with pytest.raises(FactError, match="no puede ser anterior") as refusal:
        asked_price(date(1995, 7, 10), date(1995, 7, 9))
    assert refusal.value.fact == "first_notice"


def test_a_decree_without_the_rule_or_without_a_price_answers_nothing():
    with pytest.raises(NotCovered, match="no dice el precio base"):
        asked_price(date(1996, 7, 10), date(1996, 9, 9), terms=terms_of("banco-popular-1996"))
    with pytest.raises(NotCovered) as gap:
        asked_price(date(1995, 7, 10), date(1995, 9, 9), terms=replace(TERMS, price=None))
    assert gap.value.missing == ("price",)


def test_the_funds_price_is_cited_as_the_funds():
    values = {"price": FundValue(Decimal("50.00"), "Acto ficticio 9")}
    terms = replace(terms_of("banco-popular-1996", values), base_price=TERMS.base_price)
    ruling = asked_price(date(1995, 7, 10), date(1995, 11, 5), terms=terms)
    assert ruling.cites == ("Acto ficticio 9", "art. 4-2")


# --- rounding ---


@pytest.mark.parametrize(
    ("exact", "amount"),
    [
        (Fraction(1, 200), "0.01"),
        (Fraction(4999, 1_000_000), "0.00"),
        (Fraction(10**24 + 1, 3), "333333333333333333333333.67"),
        (Fraction(0), "0.00"),
    ],
)
def test_half_a_centavo_goes_up_and_less_goes_down(exact, amount):
    assert str(half_up(exact)) == amount


@given(st.fractions(0, 10**15))
def test_rounding_moves_an_amount_by_half_a_centavo_at_most(exact):
    assert abs(Fraction(half_up(exact)) - exact) <= Fraction(1, 200)
