from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.adjudication import AwardReason, Line, adjudication, consent_threshold
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import FactError, NotCovered

T1995 = terms_of("banco-popular-1995")
READMIT = terms_of("banco-popular-1995", {"readmit_left_out": FundValue("yes", "Acto ficticio 4")})
START = datetime(1995, 7, 14, 9, 0, tzinfo=UTC)


def lines_of(*quantities):
    """Each quantity is shares, or (shares, least), in order of receipt."""
    pairs = [pair if isinstance(pair, tuple) else (pair, 0) for pair in quantities]
    return [
        Line(
            f"A{place:03}",
            Receipt(START + timedelta(minutes=place), place),
            *(shares, shares, least),
        )
        for place, (shares, least) in enumerate(pairs)
    ]


def run(lines, supply, terms=T1995):
    return adjudication(lines, supply, terms).value


def awards(lines, supply, terms=T1995):
    return [line.awarded for line in run(lines, supply, terms).lines]


pairs = st.lists(
    st.integers(1, 10**13).flatmap(
        lambda shares: st.tuples(st.just(shares), st.integers(0, shares))
    ),
    max_size=12,
)
small_pairs = st.lists(
    st.integers(1, 8).flatmap(lambda shares: st.tuples(st.just(shares), st.integers(0, shares))),
    max_size=6,
)


def test_each_gets_what_it_asked_for_when_demand_does_not_pass_the_supply():
    result = run(lines_of(10, 20), 100)
    assert [line.awarded for line in result.lines] == [10, 20]
    assert result.figures.unsold == 70
    assert result.figures.factor == 1


@pytest.mark.parametrize(("supply", "pro_rata"), [(30, False), (29, True)])
def test_exactly_subscribed_is_whole_and_one_share_less_is_pro_rata(supply, pro_rata):
    assert run(lines_of(10, 20), supply).figures.pro_rata is pro_rata


def test_the_same_buyers_get_the_same_shares_in_whatever_order_the_rows_are_stored():
    lines = lines_of(98, 92, 98, 123, 102, 92)
    wanted = dict(zip((line.reference for line in lines), [81, 76, 81, 102, 84, 76], strict=True))
    for shuffled in permutations(lines):
        result = run(shuffled, 500)
        assert {line.reference: line.awarded for line in result.lines} == wanted


def test_products_beyond_64_bits_are_exact():
    assert awards(lines_of(3000000000, 2500000000, 1999999999), 5234634742) == [
        2093853897,
        1744878248,
        1395902597,
    ]


@pytest.mark.parametrize(("supply", "wanted"), [(10, [4, 4, 2]), (11, [5, 5, 1])])
def test_left_over_shares_go_to_the_largest_remainders(supply, wanted):
    assert awards(lines_of(6, 6, 2), supply) == wanted


def test_a_tie_goes_to_the_earlier_and_the_act_names_who_tied_and_what_decided():
    ruling = adjudication(lines_of(1, 1, 1), 2, T1995)
    assert [line.awarded for line in ruling.value.lines] == [1, 1, 0]
    assert ruling.value.tie.references == ("A000", "A001", "A002")
    assert ruling.value.tie.shares == 2
    step = next(step for step in ruling.steps if step.label == "Empate en el resto")
    assert step.detail == "A000, A001 y A002 tienen el mismo resto; decide el orden de recibo"
    assert "Un resto igual favorece a la recibida antes." in ruling.readings


def test_there_is_no_tie_where_all_of_equal_remainder_get_a_share():
    assert run(lines_of(6, 6, 2), 11).tie is None


def test_silence_accepts_any_reduction():
    assert awards(lines_of(1000, 1), 1) == [1, 0]


@pytest.mark.parametrize(
    ("other", "wanted", "left_out"), [(100, [50, 50], ()), (101, [0, 100], ("A000",))]
)
def test_a_least_that_the_ratio_just_reaches_stays_and_one_that_it_misses_falls(
    other, wanted, left_out
):
    result = run(lines_of((100, 50), other), 100)
    assert [line.awarded for line in result.lines] == wanted
    assert result.left_out == left_out


def test_equal_ratios_stand_or_fall_together():
    result = run(lines_of((50, 50), (30, 30), 40), 100)
    assert result.left_out == ("A000", "A001")
    assert result.figures.unsold == 60


def test_all_are_left_out_where_no_ratio_qualifies():
    result = run(lines_of((80, 80), (80, 80)), 100)
    assert result.figures.threshold is None
    assert result.figures.unsold == 100
    assert {line.reason for line in result.lines} == {AwardReason.NO_REDUCTION}


def test_a_least_above_what_the_limit_left_is_lowered_to_it():
    result = run(lines_of((40, 60), 100), 150)
    assert result.lines[0].awarded == 40
    assert result.lines[0].least == 40


def test_nobody_left_out_comes_back_in_by_default():
    assert awards(lines_of((60, 60), 60), 100) == [0, 60]


def test_those_left_out_whom_the_rest_meets_in_full_come_back_in_the_other_reading():
    lines = lines_of((90, 90), (50, 50), (30, 30), 40)
    result = run(lines, 100, READMIT)
    assert [line.awarded for line in result.lines] == [0, 50, 0, 40]
    assert result.lines[1].reason == AwardReason.READMITTED
    assert result.left_out == ("A000", "A002")
    assert result.figures.unsold == 10


def test_a_line_that_the_limit_left_without_shares_gets_nothing_and_says_why():
    empty = Line("A009", Receipt(START, 9), asked=10, admitted=0)
    result = run([empty, *lines_of(10)], 5)
    reasons = {line.reference: line.reason for line in result.lines}
    assert reasons["A009"] == AwardReason.NOTHING_ADMITTED
    assert result.left_out == ()


def test_nothing_received_leaves_everything_for_stage_two():
    assert run([], 100).figures.unsold == 100


def test_the_factor_is_an_exact_fraction():
    assert run(lines_of(700, 500, 301), 1000).figures.factor == Fraction(1000, 1501)


def test_the_same_receipt_twice_is_refused():
    line = lines_of(10)[0]
    with pytest.raises(FactError, match="mismo orden de recibo"):
        adjudication([line, line], 100, T1995)


@pytest.mark.parametrize(("asked", "admitted", "least"), [(5, 6, 0), (5, -1, 0), (5, 5, -1)])
def test_impossible_quantities_are_refused(asked, admitted, least):
    with pytest.raises(FactError):
        adjudication([Line("A", Receipt(START, 1), asked, admitted, least)], 100, T1995)


def test_a_supply_below_zero_is_refused():
    with pytest.raises(FactError):
        adjudication([], -1, T1995)


def test_a_fragment_without_the_rule_is_not_covered_until_the_fund_enters_it():
    with pytest.raises(NotCovered) as caught:
        adjudication(lines_of(10), 5, terms_of("fiduciaria-fes-2004"))
    assert caught.value.missing == ("adjudication_rule",)
    values = {"adjudication_rule": FundValue("pro_rata", "Acto ficticio 5")}
    assert awards(lines_of(10), 5, terms_of("fiduciaria-fes-2004", values)) == [5]


@given(pairs, st.integers(0, 10**13))
def test_the_awards_add_up_to_the_smaller_of_supply_and_kept_demand(quantities, supply):
    result = run(lines_of(*quantities), supply)
    kept = sum(line.admitted for line in result.lines if line.reason != AwardReason.NO_REDUCTION)
    assert sum(line.awarded for line in result.lines) == min(supply, kept)
    assert result.figures.kept_demand == kept


@given(pairs, st.integers(0, 10**13), st.booleans())
def test_nobody_gets_more_than_it_asked_nor_less_than_its_least(quantities, supply, readmit):
    result = run(lines_of(*quantities), supply, READMIT if readmit else T1995)
    for line in result.lines:
        assert 0 <= line.awarded <= line.admitted
        assert line.awarded >= line.least or line.reason == AwardReason.NO_REDUCTION
    assert 0 <= result.figures.unsold <= supply


@given(pairs, st.integers(0, 10**13), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(quantities, supply, random):
    lines = lines_of(*quantities)
    shuffled = list(lines)
    random.shuffle(shuffled)
    assert run(shuffled, supply) == run(lines, supply)


@given(pairs, st.integers(0, 10**13))
def test_equal_requests_that_are_kept_differ_by_one_share_at_most(quantities, supply):
    result = run(lines_of(*quantities, *quantities), supply)
    by_quantity = {}
    for line in result.lines:
        if line.reason != AwardReason.NO_REDUCTION:
            by_quantity.setdefault(line.admitted, set()).add(line.awarded)
    assert all(max(got) - min(got) <= 1 for got in by_quantity.values())


@given(pairs, st.integers(1, 10**13))
def test_every_line_is_its_quotient_plus_the_share_from_the_remainders(quantities, supply):
    result = run(lines_of(*quantities), supply)
    demand = result.figures.kept_demand
    for line in result.lines:
        if line.reason == AwardReason.PRO_RATA:
            assert line.quotient * demand + line.remainder == line.admitted * supply
            assert line.awarded == line.quotient + line.got_left_over
    assert sum(line.got_left_over for line in result.lines) == result.figures.left_over


@settings(max_examples=300)
@given(small_pairs, st.integers(0, 30))
def test_the_consent_rule_is_that_of_a_search_through_every_group(quantities, supply):
    """Every ratio is tried on its own, straight from the words of the rule."""
    ratios = {Fraction(least, shares) for shares, least in quantities}
    fits = []
    for ratio in ratios:
        demand = sum(shares for shares, least in quantities if Fraction(least, shares) <= ratio)
        if Fraction(supply, demand) >= ratio:
            fits.append(ratio)
    assert consent_threshold(quantities, supply) == max(fits, default=None)


@given(small_pairs, st.integers(0, 30))
def test_nobody_who_was_left_out_could_have_been_kept_with_all_who_asked_less(quantities, supply):
    result = run(lines_of(*quantities), supply)
    for out in result.lines:
        if out.reason != AwardReason.NO_REDUCTION:
            continue
        ratio = Fraction(out.least, out.admitted)
        demand = sum(
            line.admitted for line in result.lines if Fraction(line.least, line.admitted) <= ratio
        )
        assert supply * out.admitted < out.least * demand
