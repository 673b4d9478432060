import pytest

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.holdings import HoldingFacts, holding
from offerings.rules.ruling import FactError, NotCovered


def terms(outstanding):
    return terms_of(
        "banco-popular-1995", {"outstanding": FundValue(outstanding, "certificado ficticio")}
    )


@pytest.mark.parametrize(("asked", "needs"), [(49, False), (50, True)])
def test_who_reaches_five_per_cent_needs_prior_authorisation(asked, needs):
    ruling = holding(HoldingFacts(present=0, asked=asked, authorised=False), terms(1000))
    assert ruling.value.needs_authorisation is needs
    assert ruling.value.complete is not needs


def test_what_is_held_already_counts():
    value = holding(HoldingFacts(present=20, asked=30, authorised=False), terms(1000)).value
    assert (value.after, value.needs_authorisation) == (50, True)


def test_who_is_above_already_needs_it_to_add_a_single_share():
    assert holding(HoldingFacts(60, 1, False), terms(1000)).value.needs_authorisation


def test_who_is_above_and_buys_nothing_does_not_need_it():
    assert holding(HoldingFacts(60, 0, False), terms(1000)).value.complete


def test_with_the_authorisation_the_acceptance_is_complete():
    ruling = holding(HoldingFacts(0, 50, True), terms(1000))
    assert ruling.value.complete
    assert "la trae" in ruling.conclusion
    assert ruling.steps[-1].detail == "5 % de 1.000 acciones (art. 16)"


@pytest.mark.parametrize(("asked", "needs"), [(50, False), (51, True)])
def test_a_fraction_of_a_share_does_not_reach_the_threshold(asked, needs):
    """5 % of 1,001 shares is 50.05."""
    assert holding(HoldingFacts(0, asked, False), terms(1001)).value.needs_authorisation is needs


def test_unknown_outstanding_shares_are_not_covered():
    with pytest.raises(NotCovered) as caught:
        holding(HoldingFacts(0, 1, False), terms_of("banco-popular-1995"))
    assert caught.value.missing == ("outstanding",)


def test_a_fragment_without_the_percentage_is_not_covered():
    with pytest.raises(NotCovered) as caught:
        holding(HoldingFacts(0, 1, False), terms_of("banco-popular-1996"))
    assert caught.value.missing == ("authorisation_percent", "outstanding")


def test_a_holding_below_zero_is_refused():
    with pytest.raises(FactError):
        holding(HoldingFacts(-1, 1, False), terms(1000))
