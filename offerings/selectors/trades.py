"""The auction of a programme, and the trades that may set the price of a penalty."""

from datetime import date

from django.db.models import QuerySet

from offerings.enums import FigureState
from offerings.models import AuctionSession, Programme, ReferenceTrade


def trades_of(programme: Programme) -> QuerySet[ReferenceTrade]:
    """The programme's trades in force, oldest first; each with its auction where it was in it."""
    return trades_listed(programme).filter(state=FigureState.IN_FORCE).order_by("traded_on", "pk")


def auction_day(programme: Programme) -> date | None:
    """The day on which the programme's auction was first held; None while none was."""
    sessions = programme.auction_sessions.filter(state=FigureState.IN_FORCE)
    return sessions.order_by("held_on").values_list("held_on", flat=True).first()


def sessions_of(programme: Programme) -> QuerySet[AuctionSession]:
    """The programme's auctions in force, oldest first."""
    return sessions_listed(programme).filter(state=FigureState.IN_FORCE)


def sessions_listed(programme: Programme) -> QuerySet[AuctionSession]:
    """Every auction of the programme that was ever recorded, oldest first."""
    rows = programme.auction_sessions.select_related("exchange", "recorded_by", "closed_by")
    return rows.order_by("held_on", "pk")


def trades_listed(programme: Programme | None = None) -> QuerySet[ReferenceTrade]:
    """Every trade that was ever recorded, of one programme or of all, newest first."""
    rows = ReferenceTrade.objects.select_related(
        "programme", "session", "recorded_by", "closed_by", "corrects"
    )
    if programme is not None:
        rows = rows.filter(programme=programme)
    return rows.order_by("-traded_on", "-pk")
