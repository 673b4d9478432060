from datetime import date, timedelta
from decimal import Decimal

import pytest

from buyers.enums import BuyerClass
from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import repealing_slugs, terms_of
from offerings.rules.classes import class_admitted
from offerings.rules.ruling import NotCovered
from offerings.rules.window import (
    OpeningFacts,
    ReceiptFacts,
    WindowFacts,
    offer_window,
    opening_obstacles,
    receipt_obstacles,
)
from offerings.rules.withdrawals import WithdrawalFacts, withdrawal

T1995 = terms_of(
    "banco-popular-1995", {"published": FundValue(date(1995, 6, 30), "Diario ficticio")}
)
T1994 = terms_of(
    "banco-popular-1994",
    {
        "stage_months": FundValue(2, "Acto ficticio"),
        "minimum_validity_days": FundValue(10, "Acto ficticio"),
        "withdrawal_allowed": FundValue(True, "Acto ficticio"),
    },
)


def next_weekday(day):
    """Monday for a Saturday or a Sunday."""
    return day + timedelta(days=8 - day.isoweekday()) if day.isoweekday() > 5 else day


def receipt(received, closed=None, **more):
    return ReceiptFacts(received, date(1995, 7, 14), closed, next_weekday, **more)


def test_stage_one_lasts_two_months_from_its_opening():
    window = offer_window(WindowFacts(date(1995, 7, 14), next_weekday), T1995).value
    assert (window.first_day, window.last_day) == (date(1995, 7, 14), date(1995, 9, 14))


def test_an_end_on_a_holiday_moves_to_the_next_working_day():
    ruling = offer_window(WindowFacts(date(1995, 7, 16), next_weekday), T1995)
    assert ruling.value.last_day == date(1995, 9, 18)  # the 16th is a Saturday
    assert ruling.steps[-1].cite == "Ley 4 de 1913, art. 62"


def test_the_window_never_passes_the_decrees_latest_day():
    ruling = offer_window(WindowFacts(date(1995, 11, 10), next_weekday), T1995)
    assert ruling.value.last_day == date(1995, 12, 29)
    assert ruling.steps[-1].cite == "art. 17, parágrafo"


def test_a_stage_of_unknown_length_is_not_covered():
    with pytest.raises(NotCovered) as caught:
        offer_window(WindowFacts(date(1996, 7, 1), next_weekday), terms_of("banco-popular-1996"))
    assert caught.value.missing == ("stage_months",)


@pytest.mark.parametrize(
    ("day", "taken"),
    [
        (date(1995, 7, 13), False),
        (date(1995, 7, 14), True),
        (date(1995, 9, 14), True),
        (date(1995, 9, 15), False),
    ],
)
def test_an_acceptance_lies_inside_the_window_both_ends_included(day, taken):
    assert (receipt_obstacles(receipt(day), T1995).value == ()) is taken


@pytest.mark.parametrize(("day", "taken"), [(date(1995, 8, 1), True), (date(1995, 8, 2), False)])
def test_an_acceptance_after_the_closing_is_not_taken(day, taken):
    obstacles = receipt_obstacles(receipt(day, closed=date(1995, 8, 1)), T1995).value
    assert (obstacles == ()) is taken


@pytest.mark.parametrize(("day", "taken"), [(date(1995, 7, 19), True), (date(1995, 7, 20), False)])
def test_a_repealed_programme_takes_nothing_from_that_publication_on(day, taken):
    facts = receipt(day, repealed=date(1995, 7, 20))
    assert (receipt_obstacles(facts, T1994).value == ()) is taken


def test_the_1995_decree_repeals_that_of_1994():
    assert repealing_slugs("banco-popular-1994") == ("banco-popular-1995",)
    assert repealing_slugs("banco-popular-1995") == ()


@pytest.mark.parametrize(("days", "taken"), [(9, False), (10, True), (None, True)])
def test_an_acceptance_valid_for_less_than_the_minimum_is_not_admitted(days, taken):
    facts = receipt(date(1995, 7, 14), valid_days=days)
    assert (receipt_obstacles(facts, T1994).value == ()) is taken


OPENS = date(1995, 7, 14)


def test_a_stage_opens_once_its_notice_and_a_credit_line_are_there():
    facts = OpeningFacts(OPENS, notice=date(1995, 7, 12), credit_line=OPENS)
    assert opening_obstacles(facts, T1995).value == ()


@pytest.mark.parametrize(
    ("facts", "cite"),
    [
        (OpeningFacts(OPENS, None, OPENS), "arts. 15 y 18"),
        (OpeningFacts(OPENS, date(1995, 7, 15), OPENS), "arts. 15 y 18"),
        (OpeningFacts(OPENS, OPENS, None), "art. 7"),
        (OpeningFacts(date(1995, 6, 29), date(1995, 6, 1), date(1995, 6, 1)), "Diario ficticio"),
        (OpeningFacts(date(1995, 12, 30), OPENS, OPENS), "art. 17, parágrafo"),
    ],
)
def test_a_stage_does_not_open_and_says_why(facts, cite):
    ruling = opening_obstacles(facts, T1995)
    assert [step.cite for step in ruling.steps] == [cite]
    assert len(ruling.value) == 1


def test_a_stage_waits_for_its_notice_also_where_the_fragment_does_not_ask_for_one():
    ruling = opening_obstacles(OpeningFacts(OPENS, None, OPENS), T1994)
    assert T1994.stage.public_notice is None
    assert [(step.label, step.cite) for step in ruling.steps] == [("Aviso público", "")]


def test_a_repealed_programme_does_not_open():
    facts = OpeningFacts(OPENS, OPENS, OPENS, repealed=OPENS)
    assert "derogado" in opening_obstacles(facts, T1994).value[0]


def test_a_class_that_the_decree_lists_is_admitted():
    assert class_admitted(BuyerClass.SOLIDARITY_ORGANISATION, T1995).value


def test_a_class_that_a_fragment_does_not_name_is_not_covered():
    with pytest.raises(NotCovered) as caught:
        class_admitted(BuyerClass.EMPLOYEE_ASSOCIATION, T1994)
    assert caught.value.missing == ("extra_classes",)


def test_a_class_that_the_fund_adds_with_its_source_is_admitted():
    values = {"extra_classes": FundValue(("employee_association",), "Acto ficticio")}
    terms = terms_of("banco-popular-1994", values)
    ruling = class_admitted(BuyerClass.EMPLOYEE_ASSOCIATION, terms)
    assert ruling.value
    assert ruling.steps[0].cite == "Acto ficticio"


@pytest.mark.parametrize(
    ("asked", "allowed"), [(date(1995, 7, 24), False), (date(1995, 7, 25), True)]
)
def test_1994_lets_nobody_withdraw_within_the_minimum_validity(asked, allowed):
    assert withdrawal(WithdrawalFacts(date(1995, 7, 14), asked), T1994).value is allowed


def test_financiera_america_never_lets_anybody_withdraw():
    facts = WithdrawalFacts(date(2004, 7, 14), date(2004, 9, 1))
    ruling = withdrawal(facts, terms_of("financiera-america-2004"))
    assert not ruling.value
    assert "irrevocable" in ruling.conclusion


@pytest.mark.parametrize("allowed", [True, False])
def test_1995_lets_withdraw_only_if_the_funds_rules_do(allowed):
    facts = WithdrawalFacts(date(1995, 7, 14), date(1995, 7, 15))
    values = {"withdrawal_allowed": FundValue(allowed, "Acto ficticio")}
    assert withdrawal(facts, terms_of("banco-popular-1995", values)).value is allowed


def test_withdrawal_is_not_covered_until_the_fund_has_said():
    with pytest.raises(NotCovered) as caught:
        withdrawal(WithdrawalFacts(date(1995, 7, 14), date(1995, 7, 15)), T1995)
    assert caught.value.missing == ("withdrawal_allowed",)


def test_a_fund_value_in_pesos_is_exact():
    terms = terms_of("fiduciaria-fes-2004", {"price": FundValue(Decimal("4800.10"), "Acto")})
    assert terms.price.value == Decimal("4800.10")
