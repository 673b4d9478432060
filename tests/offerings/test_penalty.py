"""What leaving early costs in 1995 and 1996: the difference, with the CPI, cut month by month."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest

from offerings.rules.cpi import CpiMissing, Month
from offerings.rules.penalty import (
    qualifying_trades,
    release_penalty,
    threshold_shares,
    waiting,
)
from offerings.rules.ruling import FactError, NotCovered
from offerings.rules.terms import Cited
from tests.offerings.early_exits import (
    AUCTION,
    BOUGHT,
    CPI,
    LEAST,
    T1995,
    T1996,
    facts,
    penalty,
    reading,
    trade,
)

MONTH_17 = date(1997, 1, 20)


def without(*months):
    return {month: index for month, index in CPI.items() if month not in months}


def test_in_month_17_she_pays_58_5_per_cent_of_the_difference_with_the_cpi():
    value = penalty(MONTH_17)
    assert (value.amount, value.basis, value.month) == (Decimal("141702.20"), "difference", 17)
    assert value.last_day == date(1997, 9, 15)
    assert value.reference == trade()
    assert value.cpi == (
        (Month(1995, 9), Decimal("21.24")),
        (Month(1996, 12), Decimal("26.52")),
    )
    assert value.factor == Fraction(2652, 2124)
    assert value.reduction_percent == Decimal("41.5")
    assert value.threshold == LEAST


def test_the_steps_fill_the_page_of_a_quote():
    ruling = release_penalty(facts(MONTH_17), T1995)
    assert [(step.label, step.shown, step.note) for step in ruling.steps] == [
        ("Mes en que se pide", "mes 17", "de 24"),
        ("Operación de referencia", "$80,00", "por acción"),
        ("Diferencia por acción", "$19,40", ""),
        ("Por 10.000 acciones", "$194.000,00", ""),
        ("Factor del IPC", "1,248587…", "exacto: 26,52/21,24"),
        ("Diferencia ajustada", "$242.225,9887…", ""),
        ("Reducción de los meses 13 a 17", "−$100.523,7853…", ""),
        ("Total por pagar", "$141.702,20", ""),
    ]
    details = [step.detail for step in ruling.steps]
    assert details[0].startswith("el 20/01/1997 cae entre el 16/01/1997 y el 15/02/1997")
    assert "30.000.000 acciones, 0,5347… % de 5.609.906.000 en circulación" in details[1]
    assert "(mínimo 0,3 %: 16.829.718)" in details[1]
    assert details[4] == "diciembre de 1996: 26,52 ÷ septiembre de 1995: 21,24"
    assert details[6].startswith("5 × 8,3 % = 41,5 %, sumada y no compuesta; se paga el 58,5 %")
    assert ruling.cites == ("art. 6-4", "art. 6-4, inciso 1", "art. 6-4, parágrafo 1.º")
    assert "Por salir en el mes 17 de 24" in ruling.conclusion


def test_what_is_frozen_of_a_quote_is_exact():
    ruling = release_penalty(facts(MONTH_17, trade(reference="OP-3")), T1995)
    data = ruling.value.as_data()
    assert data["amount"] == "141702.20"
    assert data["factor"] == "221/177"
    assert data["cpi"][0] == {"month": "09/1995", "index": "21.24"}
    assert data["reference"]["reference"] == "OP-3"
    frozen = facts(MONTH_17, sold_on=MONTH_17).as_data()
    assert (frozen["asked"], frozen["sold_on"], frozen["price"]) == (
        "1997-01-20",
        "1997-01-20",
        "60.60",
    )
    assert frozen["cpi"]["09/1995"] == "21.24"


@pytest.mark.parametrize(
    ("asked", "month", "paid"),
    [
        (date(1996, 9, 15), 12, None),
        (date(1996, 9, 16), 13, Decimal("91.7")),
        (date(1997, 8, 15), 23, Decimal("8.7")),
        (date(1997, 8, 16), 24, Decimal(0)),
        (date(1997, 9, 15), 24, Decimal(0)),
    ],
)
def test_the_reduction_runs_from_the_day_after_the_first_anniversary(asked, month, paid):
    value = penalty(asked)
    assert (value.month, value.paid_percent, value.basis) == (month, paid, "difference")


def test_nothing_is_paid_in_month_24_and_no_cpi_is_needed_for_it():
    ruling = release_penalty(facts(date(1997, 8, 16), cpi={}), T1995)
    assert ruling.value.amount == 0
    assert "no se paga nada" in ruling.conclusion


@pytest.mark.parametrize(
    ("asked", "basis"), [(date(1997, 9, 15), "difference"), (date(1997, 9, 16), "matured")]
)
def test_the_last_day_is_still_early_and_the_next_is_free(asked, basis):
    assert penalty(asked).basis == basis


def test_after_the_term_nothing_is_owed_whatever_is_missing():
    ruling = release_penalty(facts(date(1997, 9, 16), cpi={}), replace(T1995, outstanding=None))
    assert (ruling.value.amount, ruling.value.month) == (0, 25)
    assert "no se causa sanción" in ruling.conclusion


def test_a_request_before_the_purchase_is_refused_and_one_of_that_day_is_month_1():
    with pytest.raises(FactError, match="anterior a la compra") as refusal:
        penalty(date(1995, 9, 14))
    assert refusal.value.fact == "asked"
    assert penalty(BOUGHT).month == 1


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("shares", 0),
        ("price", Decimal(0)),
        ("sale_price", Decimal(0)),
        ("sold_on", date(1995, 9, 14)),
        ("sold_on", date(1997, 1, 21)),
    ],
)
def test_a_fact_that_cannot_be_is_refused_by_its_name(fact, value):
    with pytest.raises(FactError) as refusal:
        penalty(MONTH_17, **{fact: value})
    assert refusal.value.fact == fact


def test_a_trade_of_exactly_the_threshold_counts_and_one_share_less_does_not():
    assert penalty(MONTH_17, trade(shares=LEAST)).basis == "difference"
    assert penalty(MONTH_17, trade(shares=LEAST - 1)).basis == "monthly"


def test_the_threshold_is_shown_with_its_working():
    ruling = threshold_shares(T1995)
    assert ruling.value == LEAST
    assert [step.shown for step in ruling.steps] == ["5.609.906.000", "0,3 %", "16.829.718"]
    assert ruling.steps[2].detail == "0,3 % de 5.609.906.000, hacia arriba"


def test_the_threshold_is_not_known_before_the_outstanding_shares_are():
    with pytest.raises(NotCovered) as caught:
        threshold_shares(replace(T1995, outstanding=None))
    assert caught.value.missing == ("outstanding",)


def test_read_on_the_shares_offered_the_threshold_is_smaller():
    assert threshold_shares(reading(trade_threshold_of="offered")).value == 15_703_905


@pytest.mark.parametrize(
    ("day", "counts"),
    [
        (date(1995, 11, 19), False),
        (AUCTION, True),
        (date(1997, 1, 19), True),
        (MONTH_17, False),
        (date(1997, 1, 21), False),
    ],
)
def test_a_trade_counts_from_the_auction_to_the_day_before_the_request(day, counts):
    assert bool(qualifying_trades(facts(MONTH_17, trade(on=day)), T1995)) is counts


def test_without_an_auction_no_trade_counts_unless_read_otherwise():
    early = facts(MONTH_17, trade(on=date(1995, 10, 2)), auction_on=None)
    assert not qualifying_trades(early, T1995)
    assert qualifying_trades(early, reading(trades_before_auction="yes"))


def test_the_dearest_trade_counts_and_of_equal_ones_the_first_in_whatever_order():
    trades = (
        trade("85.00", on=date(1996, 2, 1), reference="B"),
        trade("85.00", on=date(1996, 1, 9), reference="A"),
        trade("99.00", shares=LEAST - 1, on=date(1996, 3, 1)),
        trade(),
    )
    found = {penalty(MONTH_17, *order).reference.reference for order in permutations(trades)}
    assert found == {"A"}


def test_a_month_of_the_cpi_that_is_needed_and_missing_stops_it_by_name():
    with pytest.raises(CpiMissing, match=r"^IPC de 12/1996 no cargado\.") as stop:
        penalty(MONTH_17, cpi=without(Month(1996, 12)))
    assert stop.value.fact == "cpi"
    with pytest.raises(CpiMissing, match=r"^IPC de 09/1995 y 12/1996 no cargado\."):
        penalty(MONTH_17, cpi={})


def test_a_month_of_the_cpi_that_is_not_needed_does_not_stop_it():
    less = without(Month(1996, 11), Month(1997, 1), Month(1995, 8))
    assert penalty(MONTH_17, cpi=less) == penalty(MONTH_17)


@pytest.mark.parametrize("price", ["50.00", "60.60"])
def test_no_cpi_is_needed_where_there_is_no_difference(price):
    assert penalty(MONTH_17, trade(price), cpi={}).cpi == ()


@pytest.mark.parametrize("asked", [date(1995, 11, 21), date(1995, 11, 30), date(1995, 12, 31)])
def test_the_factor_is_1_where_no_month_lies_between(asked):
    value = penalty(asked, purchased=date(1995, 11, 2), cpi={})
    assert (value.amount, value.factor, value.cpi) == (Decimal("194000.00"), 1, ())


def test_a_request_of_january_takes_the_index_of_december():
    value = penalty(date(1996, 1, 2), purchased=date(1995, 11, 2))
    assert [month for month, _ in value.cpi] == [Month(1995, 11), Month(1995, 12)]


def test_an_index_of_zero_is_refused():
    with pytest.raises(FactError, match="mayor que cero"):
        penalty(MONTH_17, cpi={**CPI, Month(1996, 12): Decimal(0)})


def test_a_negative_difference_owes_nothing_in_1995_and_by_the_month_in_1996():
    old = release_penalty(facts(MONTH_17, trade("50.00")), T1995)
    assert (old.value.amount, old.value.basis) == (0, "none")
    assert old.steps[-1].cite == "art. 6-4, inciso 2 y parágrafo 2.º"
    new = release_penalty(facts(MONTH_17, trade("50.00")), T1996)
    assert (new.value.amount, new.value.basis) == (Decimal("47672.00"), "monthly")


def test_no_difference_at_all_pays_by_the_month_also_in_1995():
    assert penalty(MONTH_17, trade("60.60")).basis == "monthly"
    assert penalty(MONTH_17, trade("60.61")).basis == "difference"


def test_read_from_its_own_month_the_dearest_adjusted_price_counts_and_its_sign():
    terms = reading(trade_index_from="trade")
    later = trade("81.00", shares=20_000_000, on=date(1996, 3, 4))
    value = penalty(MONTH_17, trade(), later, terms=terms)
    assert (value.amount, value.reference) == (Decimal("131963.22"), trade())
    assert [str(month) for month, _ in value.cpi] == ["09/1995", "11/1995", "12/1996"]
    dearer_in_name = trade("61.00", on=date(1996, 12, 2))
    assert penalty(MONTH_17, dearer_in_name).basis == "difference"
    assert penalty(MONTH_17, dearer_in_name, terms=terms).basis == "none"


def test_lagged_the_factor_starts_at_the_month_before_the_purchase():
    value = penalty(MONTH_17, terms=reading(cpi_factor="lagged"))
    assert [str(month) for month, _ in value.cpi] == ["08/1995", "12/1996"]


@pytest.mark.parametrize(
    ("asked", "paid"),
    [
        (date(1996, 10, 14), None),
        (date(1996, 10, 15), Decimal("91.7")),
        (date(1997, 9, 14), Decimal("8.7")),
        (date(1997, 9, 15), Decimal(0)),
    ],
)
def test_completed_a_month_counts_from_its_own_anniversary_on(asked, paid):
    assert penalty(asked, terms=reading(reduction_month="completed")).paid_percent == paid


def test_the_readings_that_were_used_are_told_in_sentences_and_settled_ones_are_not():
    told = release_penalty(facts(MONTH_17), T1995).readings
    assert told[0].startswith("Factor del IPC: el del mes anterior a la solicitud")
    assert len(told) == 5
    monthly = release_penalty(facts(MONTH_17, trade("50.00")), T1996).readings
    assert not any("negativa" in sentence for sentence in monthly)


def test_a_sale_inside_the_term_that_comes_out_after_it_is_not_free():
    ruling = release_penalty(facts(date(1998, 3, 1), sold_on=MONTH_17), T1995)
    assert ruling.value.amount == Decimal("141702.20")
    assert "se supo después" in ruling.readings[0]
    assert penalty(date(1998, 3, 1), sold_on=date(1997, 9, 16)).basis == "matured"


def test_if_she_waits_the_share_that_is_paid_falls_to_nothing():
    value = penalty(MONTH_17)
    told = waiting(value, facts(MONTH_17), T1995)
    assert [(wait.until, wait.month, wait.percent) for wait in told[:2]] == [
        (date(1997, 2, 15), 17, Decimal("58.5")),
        (date(1997, 3, 15), 18, Decimal("50.2")),
    ]
    assert (told[-1].until, told[-1].percent) == (date(1997, 9, 15), 0)


def test_completed_waiting_ends_on_the_last_day_alone():
    terms = reading(reduction_month="completed")
    told = waiting(penalty(MONTH_17, terms=terms), facts(MONTH_17), terms)
    assert (told[0].until, told[0].percent) == (date(1997, 2, 14), Decimal("66.8"))
    assert (told[-2].until, told[-2].percent) == (date(1997, 9, 14), Decimal("8.7"))
    assert (told[-1].until, told[-1].percent) == (date(1997, 9, 15), 0)


def test_waiting_changes_no_share_where_it_is_paid_by_the_month():
    value = penalty(MONTH_17, trade("50.00"), terms=T1996)
    assert waiting(value, facts(MONTH_17), T1996) == ()


def test_a_programme_whose_outstanding_shares_are_other_has_another_threshold():
    terms = replace(T1995, outstanding=Cited(1000, "Acto ficticio"))
    assert threshold_shares(terms).value == 3
    assert penalty(MONTH_17, trade(shares=3), terms=terms).basis == "difference"
    assert penalty(MONTH_17, trade(shares=2), terms=terms).basis == "monthly"
