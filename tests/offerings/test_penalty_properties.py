"""What holds of every early exit, whoever asks and whenever."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from offerings.rules.cpi import Month
from offerings.rules.months import last_day
from offerings.rules.penalty import release_penalty
from tests.offerings.early_exits import (
    AUCTION,
    BOUGHT,
    FES,
    LEAST,
    T1995,
    T1996,
    facts,
    fes_facts,
    reading,
    trade,
)

CENTAVO = Decimal("0.01")
TERMS = (
    T1995,
    T1996,
    reading(reduction_month="completed"),
    reading(cpi_factor="lagged", month_fraction="actual"),
    reading(reduction_on_monthly="yes", on_negative="monthly"),
    reading(trade_index_from="trade", trades_before_auction="yes"),
)
SINCE = date(1995, 1, 1)
END = last_day(BOUGHT, 24)
FLAT = {Month.of(SINCE + timedelta(days=31 * place)): Decimal("20.93") for place in range(12 * 4)}

terms_of_any = st.sampled_from(TERMS)
days = st.dates(BOUGHT, END)
after_auction = st.dates(AUCTION + timedelta(days=1), END)
prices = st.decimals("0.01", "900", places=2)
shares = st.integers(1, 10**12)
trades = st.lists(
    st.builds(
        lambda price, size, day: trade(price, size, day),
        prices,
        st.integers(LEAST - 2, LEAST * 3),
        st.dates(date(1995, 10, 1), END),
    ),
    max_size=5,
)


def amount(asked, *traded, terms=T1995, **more):
    given_facts = replace(facts(asked, **more), trades=traded)
    return release_penalty(given_facts, terms).value.amount


@settings(deadline=None)
@given(terms_of_any, after_auction, after_auction, prices, shares)
def test_with_the_same_prices_and_indices_the_difference_never_rises(
    terms, one, other, price, size
):
    """The reduction runs from month 13 on; before it, flat prices keep the penalty where it is."""
    earlier, later = sorted((one, other))
    dear = trade(price + Decimal("60.60"))
    costs = [amount(day, dear, terms=terms, shares=size, cpi=FLAT) for day in (earlier, later)]
    assert costs[0] >= costs[1]


@settings(deadline=None)
@given(terms_of_any, days, days, shares)
def test_what_is_paid_by_the_month_falls_day_by_day(terms, one, other, size):
    earlier, later = sorted((one, other))
    assert amount(earlier, terms=terms, shares=size) >= amount(later, terms=terms, shares=size)


@settings(deadline=None)
@given(terms_of_any, st.integers(1, 4000), trades)
def test_after_the_term_nothing_is_owed(terms, late, traded):
    assert amount(END + timedelta(days=late), *traded, terms=terms, cpi={}) == 0


@settings(deadline=None)
@given(terms_of_any, days, trades, st.lists(st.integers(1, 10**9), min_size=2, max_size=6))
def test_splitting_a_release_costs_the_same_within_one_centavo_a_part(terms, asked, traded, parts):
    whole = amount(asked, *traded, terms=terms, shares=sum(parts))
    apart = sum(amount(asked, *traded, terms=terms, shares=part) for part in parts)
    assert abs(whole - apart) <= CENTAVO * len(parts)


@settings(deadline=None)
@given(terms_of_any, days, trades, st.randoms(use_true_random=False))
def test_the_order_of_the_trades_does_not_matter(terms, asked, traded, chance):
    mixed = list(traded)
    chance.shuffle(mixed)
    told = [
        release_penalty(replace(facts(asked), trades=tuple(order)), terms)
        for order in (traded, mixed)
    ]
    assert told[0] == told[1]


@settings(deadline=None)
@given(terms_of_any, days, trades)
def test_the_answer_is_never_negative_and_its_last_step_is_its_amount(terms, asked, traded):
    ruling = release_penalty(replace(facts(asked), trades=tuple(traded)), terms)
    assert ruling.value.amount >= 0
    assert ruling.steps[-1].value == ruling.value.amount
    assert ruling.value.amount == round(ruling.value.amount, 2)
    assert any(step.cite for step in ruling.steps)


@settings(deadline=None)
@given(st.dates(date(2005, 1, 14), date(2007, 1, 14)), st.integers(0, 800), prices)
def test_a_later_semester_never_costs_more(asked, wait, price):
    costs = [
        release_penalty(fes_facts(asked + timedelta(days=more), sale_price=price), FES)
        for more in (0, wait)
    ]
    assert costs[0].value.amount >= costs[1].value.amount
