"""Demand against supply: what was presented in a stage, week by week, after the limit."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from offerings.enums import AcceptanceState, Standing
from offerings.models import Stage
from office.dates import BOGOTA, bogota_day

COUNTED = (Standing.COMPLETE, Standing.CUT)
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Week:
    """A week of the stage: acceptances that count, their shares, and all until its end."""

    ends: date
    acceptances: int
    shares: int
    accumulated: int
    share_of_supply: Fraction


def weekly_demand(stage: Stage, until: date) -> list[Week]:
    """The weeks of an opened stage, the last one cut at its end, at its close or at `until`."""
    if stage.opened_at is None:
        return []
    first = bogota_day(stage.opened_at)
    last = min(until, bogota_day(stage.closed_at or stage.last_moment))
    days = _by_day(stage)
    weeks: list[Week] = []
    accumulated, start = 0, first
    while start <= last:
        # The first week holds the opening day too, so that it ends on the same weekday.
        ends = min(start + WEEK if start == first else start + WEEK - timedelta(days=1), last)
        inside = [found for day, found in days.items() if start <= day <= ends]
        shares = sum(found[1] for found in inside)
        accumulated += shares
        weeks.append(
            Week(
                ends=ends,
                acceptances=sum(found[0] for found in inside),
                shares=shares,
                accumulated=accumulated,
                share_of_supply=Fraction(accumulated * 100, stage.supply),
            )
        )
        start = ends + timedelta(days=1)
    return weeks


def _by_day(stage: Stage) -> dict[date, tuple[int, int]]:
    rows = (
        stage.acceptances.filter(state=AcceptanceState.PRESENTED, standing__in=COUNTED)
        .annotate(day=TruncDate("received_at", tzinfo=BOGOTA))
        .values("day")
        .annotate(count=Count("pk"), shares=Sum("admitted"))
        .order_by("day")
    )
    return {row["day"]: (row["count"], int(row["shares"])) for row in rows}
