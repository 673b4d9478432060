"""From rows to the plain facts that the penalty's rule reads."""

from datetime import date
from decimal import Decimal
from typing import Any

from offerings.models import Programme, ReferenceTrade
from offerings.rules.cpi import Cpi, Month
from offerings.rules.penalty import ReleaseFacts, ReleasePenalty, Trade
from offerings.selectors.cpi import cpi_by_month
from offerings.selectors.trades import auction_day, trades_of
from office.dates import bogota_day
from pledges.enums import RequestKind
from pledges.models import Pledge, ReleaseRequest


def request_facts(request: ReleaseRequest, *, asked_on: date | None = None) -> ReleaseFacts:
    """The facts of a request, or of the same asked on another day."""
    return release_facts(
        request.pledge,
        shares=request.shares,
        asked=asked_on or assessed_on(request),
        sale_price=request.sale_price,
        sold_on=request.sold_on,
    )


def assessed_on(request: ReleaseRequest) -> date:
    """The day by which its penalty goes: of the request; of a breach, for which nobody asked, of
    the transfer."""
    if request.kind == RequestKind.BREACH and request.sold_on is not None:
        return request.sold_on
    return bogota_day(request.filed_at)


def release_facts(
    pledge: Pledge,
    *,
    shares: int,
    asked: date,
    sale_price: Decimal | None = None,
    sold_on: date | None = None,
) -> ReleaseFacts:
    """The facts of so many shares of a pledge leaving it on a day."""
    programme = pledge.award.acceptance.stage.programme
    return ReleaseFacts(
        shares=shares,
        price=pledge.price,
        purchased=pledge.purchased_on,
        asked=asked,
        auction_on=auction_day(programme),
        trades=_trades(programme),
        cpi=_cpi(),
        sale_price=sale_price,
        sold_on=sold_on,
    )


def _trades(programme: Programme) -> tuple[Trade, ...]:
    return tuple(_trade(row) for row in trades_of(programme))


def _trade(row: ReferenceTrade) -> Trade:
    return Trade(
        traded_on=row.traded_on,
        price=row.price,
        shares=row.shares,
        in_auction=row.in_auction,
        reference="" if row.in_auction else row.venue,
    )


def _cpi() -> Cpi:
    return {Month(year, month): index for (year, month), index in cpi_by_month().items()}


def facts_as_data(facts: ReleaseFacts, found: ReleasePenalty | None) -> dict[str, Any]:
    """The facts as they are kept with a quote: of the index the months that it used, of the
    trades those before the day that counts."""
    used = found.cpi if found else ()
    return {
        "shares": facts.shares,
        "price": str(facts.price),
        "purchased": facts.purchased.isoformat(),
        "asked": facts.asked.isoformat(),
        "auction_on": _iso(facts.auction_on),
        "sale_price": None if facts.sale_price is None else str(facts.sale_price),
        "sold_on": _iso(facts.sold_on),
        "cpi": [{"month": str(month), "index": str(index)} for month, index in used],
        "trades": [
            {
                "traded_on": trade.traded_on.isoformat(),
                "price": str(trade.price),
                "shares": trade.shares,
                "in_auction": trade.in_auction,
                "reference": trade.reference,
            }
            for trade in facts.trades
            if trade.traded_on < facts.asked
        ],
    }


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
