from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.admission import AdmissionReason, Request, admission
from offerings.rules.limits import PurchaseLimit
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import FactError

T1994, T1995 = terms_of("banco-popular-1994"), terms_of("banco-popular-1995")
START = datetime(1995, 7, 14, 9, 0, tzinfo=UTC)


def requests_of(*quantities, not_counted=()):
    return [
        Request(
            f"A-{place}",
            Receipt(START + timedelta(minutes=place), place),
            shares,
            "retirada" if place in not_counted else "",
        )
        for place, shares in enumerate(quantities)
    ]


def admitted(requests, limit, terms):
    return [line.admitted for line in admission(requests, PurchaseLimit(limit), terms).value]


def test_acceptances_of_one_buyer_add_up_and_the_one_that_passes_is_cut():
    assert admitted(requests_of(60, 60, 10), 100, T1995) == [60, 40, 0]


@pytest.mark.parametrize(("quantity", "reason"), [(100, "in_full"), (101, "cut")])
def test_exactly_the_limit_is_whole_and_one_more_is_cut(quantity, reason):
    line = admission(requests_of(quantity), PurchaseLimit(100), T1995).value[0]
    assert (line.admitted, line.reason) == (100, reason)


def test_1994_rejects_the_one_that_passes_and_a_later_one_that_fits_stands():
    ruling = admission(requests_of(60, 60, 10), PurchaseLimit(100), T1994)
    assert [line.admitted for line in ruling.value] == [60, 0, 10]
    assert ruling.value[1].reason == AdmissionReason.REJECTED
    assert ruling.readings == (
        "El decreto no dice qué hacer con lo que pasa del límite: se rechaza.",
    )


def test_1994_cuts_when_the_fund_has_confirmed_the_other_reading():
    terms = terms_of("banco-popular-1994", {"over_limit": FundValue("cut", "Acto ficticio 3")})
    assert admitted(requests_of(60, 60, 10), 100, terms) == [60, 40, 0]


def test_without_a_limit_everything_is_admitted():
    assert admitted(requests_of(60, 60), None, T1995) == [60, 60]


def test_the_order_is_that_of_receipt_whatever_the_order_of_the_rows():
    for shuffled in permutations(requests_of(60, 60, 10)):
        assert admitted(shuffled, 100, T1995) == [60, 40, 0]


def test_at_the_same_minute_the_serial_decides():
    later, earlier = (
        Request("A-2", Receipt(START, 2), 60),
        Request("A-1", Receipt(START, 1), 60),
    )
    lines = admission([later, earlier], PurchaseLimit(100), T1995).value
    assert [(line.reference, line.admitted) for line in lines] == [("A-1", 60), ("A-2", 40)]


def test_one_entered_late_with_an_earlier_legal_time_takes_its_place():
    rows = [*requests_of(60, 60), Request("A-9", Receipt(START - timedelta(days=1), 9), 50)]
    assert admitted(rows, 100, T1995) == [50, 50, 0]


def test_a_withdrawn_one_does_not_count_and_the_panel_says_so():
    lines = admission(requests_of(60, 60, not_counted={0}), PurchaseLimit(100), T1995).value
    assert [line.admitted for line in lines] == [0, 60]
    assert lines[1].steps[0].detail == "A-0, retirada: no cuenta"
    assert lines[1].steps[0].value == 0


def test_nothing_left_keeps_an_acceptance_out_with_its_reason():
    line = admission(requests_of(100, 1), PurchaseLimit(100), T1995).value[1]
    assert line.reason == AdmissionReason.NOTHING_LEFT
    assert "agotaron el límite" in line.conclusion


def test_the_last_step_says_how_many_of_how_many():
    line = admission(requests_of(600000), PurchaseLimit(495049), T1995).value[0]
    assert (line.steps[-1].label, line.steps[-1].detail, line.steps[-1].shown) == (
        "Tras el límite",
        "de 600.000 solicitadas",
        "495.049",
    )
    assert "no es una reducción" in line.conclusion


def test_a_quantity_of_zero_is_refused():
    with pytest.raises(FactError):
        admission(requests_of(0), PurchaseLimit(100), T1995)
