"""Which of a programme's trades count today, and why the others do not."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from offerings.models import Programme, ReferenceTrade
from offerings.rules.penalties.facts import ReleaseFacts, Trade
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalties.trades import counts_from, threshold_shares
from offerings.rules.ruling import NotCovered, Ruling
from offerings.rules.terms import Terms
from offerings.selectors.programmes import programme_terms
from offerings.selectors.trades import auction_day, trades_of
from office.dates import write_date
from office.numbers import write_shares


@dataclass(frozen=True)
class TradeStanding:
    """A trade, whether it counts for a request of today, and why not."""

    trade: ReferenceTrade
    counts: bool
    why: str


@dataclass(frozen=True)
class Standings:
    """The least number of shares with its working, None where `uncovered` says why there is
    none; the trades in force with what each counts for."""

    threshold: Ruling[int] | None
    uncovered: str
    trades: list[TradeStanding]


def trade_standings(programme: Programme, today: date) -> Standings:
    """The trades of a programme against the threshold of its decree, for a request made
    tomorrow: those of today count for it."""
    terms = programme_terms(programme)
    rows = list(trades_of(programme))
    try:
        threshold = threshold_shares(terms)
        facts = _facts(programme, rows, today)
        counts = counts_from(facts, terms, Readings(terms))
    except NotCovered as gap:
        unknown = [TradeStanding(row, counts=False, why=gap.message) for row in rows]
        return Standings(None, gap.message, unknown)
    found = []
    for row, trade in zip(rows, facts.trades, strict=True):
        why = _why_small(row, threshold.value)
        if not why and not counts(trade):
            why = _why_not_then(row, facts.auction_on, terms)
        found.append(TradeStanding(row, counts=not why, why=why))
    return Standings(threshold, "", found)


def _facts(programme: Programme, rows: list[ReferenceTrade], today: date) -> ReleaseFacts:
    return ReleaseFacts(
        shares=1,
        price=Decimal(1),
        purchased=today,
        asked=today + timedelta(days=1),
        auction_on=auction_day(programme),
        trades=tuple(_trade(row) for row in rows),
    )


def _trade(row: ReferenceTrade) -> Trade:
    return Trade(
        traded_on=row.traded_on,
        price=row.price,
        shares=row.shares,
        in_auction=row.in_auction,
        reference="" if row.in_auction else row.venue,
    )


def _why_small(row: ReferenceTrade, least: int) -> str:
    if row.shares >= least:
        return ""
    lacking = least - row.shares
    verb = "le falta" if lacking == 1 else "le faltan"
    return f"Son menos de {write_shares(least)}: {verb} {write_shares(lacking)}."


def _why_not_then(row: ReferenceTrade, held_on: date | None, terms: Terms) -> str:
    if held_on is None:
        return "Todavía no consta el martillo: antes de él ninguna cuenta."
    if row.traded_on < held_on:
        return f"Es anterior al martillo, del {write_date(held_on)}."
    return f"En {terms.name.value} solo cuenta lo adjudicado en el martillo."
