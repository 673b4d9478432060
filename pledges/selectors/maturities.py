"""What is pledged, by the month in which its term ends: the figures and their picture."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.urls import reverse

from offerings.models import Programme
from offerings.selectors.programme_parts import ProgrammePart
from office.charts import Bar, bar_chart, bar_unit
from office.dates import MONTHS
from office.models import User
from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.selectors.pledges import PLEDGED, STANDING, pledges_shown


@dataclass(frozen=True)
class Maturing:
    """What is still pledged and ends in one month: how many pledges, how many shares, of those
    how many attached; `pledged`: how many shares were pledged to that month in all."""

    month: date
    pledges: int
    shares: int
    attached: int
    pledged: int


def maturing_by_month(pledges: QuerySet[Pledge]) -> list[Maturing]:
    """Those of `pledges` of which shares are still pledged, by the month of their last day, the
    soonest first."""
    found = (
        pledges.exclude(state=PledgeState.ANNULLED)
        .order_by()
        .annotate(month=TruncMonth("last_day"))
        .values("month")
        .annotate(
            count=Count("pk", filter=STANDING),
            left_shares=Sum(PLEDGED, filter=STANDING, default=0),
            held=Sum("attached", default=0),
            # What went to heirs is counted with their own pledges.
            made=Sum(F("shares") - F("passed_on")),
        )
        .filter(count__gt=0)
        .order_by("month")
    )
    return [
        Maturing(
            row["month"],
            row["count"],
            *(int(row[name]) for name in ("left_shares", "held", "made")),
        )
        for row in found
    ]


def maturities_shown(pledges: QuerySet[Pledge], slug: str = "") -> dict[str, Any]:
    """The picture of what is pledged by the month of its last day, with its table; `slug`: of the
    programme that the pledges are of."""
    found = maturing_by_month(pledges)
    rows = [Bar(_words(one.month), one.pledged, one.shares) for one in found]
    return {
        "months": [
            {"words": _words(one.month), "url": _address(one, slug), "one": one} for one in found
        ],
        "svg": bar_chart(rows, name="vencimientos", title="Prendas por mes de vencimiento"),
        "unit": bar_unit(rows),
        "total": {
            "pledges": sum(one.pledges for one in found),
            "shares": sum(one.shares for one in found),
            "attached": sum(one.attached for one in found),
            "pledged": sum(one.pledged for one in found),
        },
    }


def _words(month: date) -> str:
    return f"{MONTHS[month.month - 1]} de {month.year}"


def _address(one: Maturing, slug: str) -> str:
    """The list of that month's pledges."""
    programme = f"&programa={slug}" if slug else ""
    return f"{reverse('pledges')}?mes={one.month:%Y-%m}{programme}"


def programme_maturities(programme: Programme, user: User) -> ProgrammePart | None:
    """The picture on the page of a programme, once something of it is pledged."""
    of_programme = {"award__acceptance__stage__programme": programme}
    shown = maturities_shown(pledges_shown(user).filter(**of_programme), programme.slug)
    return ProgrammePart("pledges/pledges/maturities.html", shown) if shown["months"] else None
