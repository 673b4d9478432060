"""Demand against supply: what was presented in a stage and counts, after the limit."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from buyers.enums import BuyerClass
from offerings.enums import AcceptanceState, Standing
from offerings.models import Acceptance, Stage
from office.dates import BOGOTA, bogota_day

COUNTED = (Standing.COMPLETE, Standing.CUT)
WEEK = timedelta(days=7)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Span:
    """A week or a day of the stage: acceptances that count, their shares, and all until its
    end; `share_of_supply` in hundredths."""

    starts: date
    ends: date
    acceptances: int
    shares: int
    accumulated: int
    share_of_supply: Fraction


@dataclass(frozen=True)
class OfClass:
    """The acceptances of a class that count: asked for and left after the limit, in shares."""

    code: str
    label: str
    acceptances: int
    requested: int
    admitted: int
    share_of_supply: Fraction


def weekly_demand(stage: Stage, until: date) -> list[Span]:
    """The weeks of an opened stage, seven days each from the day of its opening; the last one
    cut at its end, at its close or at `until`."""
    if stage.opened_at is None:
        return []
    first = bogota_day(stage.opened_at)
    last = min(until, bogota_day(stage.closed_at or stage.last_moment))
    spans, start = [], first
    while start <= last:
        spans.append((start, min(start + WEEK - DAY, last)))
        start += WEEK
    return _added_up(_by_day(stage), stage, spans)


def daily_demand(stage: Stage) -> list[Span]:
    """The days on which something that counts was received, in their order."""
    if stage.opened_at is None:
        return []
    days = _by_day(stage)
    return _added_up(days, stage, [(day, day) for day in days])


def demand_by_class(stage: Stage) -> list[OfClass]:
    """What counts by class, the largest first."""
    rows = (
        _counted(stage)
        .values("participation__buyer_class")
        .annotate(count=Count("pk"), asked=Sum("requested"), left=Sum("admitted"))
        .order_by("-left", "participation__buyer_class")
    )
    return [
        OfClass(
            code=row["participation__buyer_class"],
            label=BuyerClass(row["participation__buyer_class"]).plural,
            acceptances=row["count"],
            requested=int(row["asked"]),
            admitted=int(row["left"]),
            share_of_supply=_of_supply(int(row["left"]), stage),
        )
        for row in rows
    ]


Days = dict[date, tuple[int, int]]


def _added_up(days: Days, stage: Stage, spans: list[tuple[date, date]]) -> list[Span]:
    found, accumulated = [], 0
    for starts, ends in spans:
        inside = [counted for day, counted in days.items() if starts <= day <= ends]
        shares = sum(counted[1] for counted in inside)
        accumulated += shares
        found.append(
            Span(
                starts=starts,
                ends=ends,
                acceptances=sum(counted[0] for counted in inside),
                shares=shares,
                accumulated=accumulated,
                share_of_supply=_of_supply(accumulated, stage),
            )
        )
    return found


def _of_supply(shares: int, stage: Stage) -> Fraction:
    return Fraction(shares * 100, stage.supply) if stage.supply else Fraction(0)


def _counted(stage: Stage):
    return Acceptance.objects.filter(
        stage=stage, state=AcceptanceState.PRESENTED, standing__in=COUNTED
    )


def _by_day(stage: Stage) -> Days:
    rows = (
        _counted(stage)
        .annotate(day=TruncDate("received_at", tzinfo=BOGOTA))
        .values("day")
        .annotate(count=Count("pk"), shares=Sum("admitted"))
        .order_by("day")
    )
    return {row["day"]: (row["count"], int(row["shares"])) for row in rows}
