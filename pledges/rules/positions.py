"""Where a pledge's shares are at the end of a day, out of the legal dates of what befell it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Span:
    """Shares to which something applies from a day on, and until another; that day it no longer
    does."""

    shares: int
    since: date
    until: date | None = None

    def holds(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)


@dataclass(frozen=True)
class History:
    """A pledge's facts. ends: the day on which its adjudication was annulled, if it was.

    released: from the day of each release, until that of its annulment; passed_on: to heirs, from
    the day of the transfer; attached: from the day of the order, until it is lifted.
    """

    shares: int
    price: Decimal
    starts: date
    last_day: date
    ends: date | None = None
    released: tuple[Span, ...] = ()
    passed_on: tuple[Span, ...] = ()
    attached: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Position:
    """In shares, at the end of a day; value: of those pledged, in pesos, at the purchase price.

    is_over: whether the term had passed, so that what is pledged only waits for its release.
    """

    pledged: int = 0
    attached: int = 0
    released: int = 0
    passed_on: int = 0
    value: Decimal = Decimal("0.00")
    is_over: bool = False


def position_on(history: History, day: date) -> Position:
    """The position of a pledge on a day; nothing before it is opened, or once its adjudication
    is annulled."""
    if not Span(history.shares, history.starts, history.ends).holds(day):
        return Position()
    released = _sum(history.released, day)
    passed_on = _sum(history.passed_on, day)
    pledged = history.shares - released - passed_on
    return Position(
        pledged=pledged,
        attached=min(_sum(history.attached, day), pledged),
        released=released,
        passed_on=passed_on,
        value=pledged * history.price,
        is_over=pledged > 0 and day > history.last_day,
    )


def position_total(positions: list[Position]) -> Position:
    """Of several pledges together."""
    return Position(
        pledged=sum(one.pledged for one in positions),
        attached=sum(one.attached for one in positions),
        released=sum(one.released for one in positions),
        passed_on=sum(one.passed_on for one in positions),
        value=sum((one.value for one in positions), Decimal("0.00")),
        is_over=any(one.is_over for one in positions),
    )


def _sum(spans: tuple[Span, ...], day: date) -> int:
    return sum(span.shares for span in spans if span.holds(day))
