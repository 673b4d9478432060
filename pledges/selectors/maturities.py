"""What is pledged, by the month in which its term ends: the figures and their picture."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.urls import reverse

from offerings.models import Programme
from offerings.selectors.programme_parts import ProgrammePart
from office.charts import chart_unit, column_chart
from office.dates import MONTHS
from office.models import User
from pledges.models import Pledge
from pledges.selectors.pledges import STANDING, pledges_shown

SHORT = 3  # letters of a month under its column


@dataclass(frozen=True)
class Maturing:
    """What is still pledged and ends in one month: how many pledges, how many shares, of those
    how many attached."""

    month: date
    pledges: int
    shares: int
    attached: int


def maturing_by_month(pledges: QuerySet[Pledge]) -> list[Maturing]:
    """The standing ones of `pledges` by the month of their last day, the soonest first."""
    found = (
        pledges.filter(STANDING)
        .order_by()
        .annotate(month=TruncMonth("last_day"))
        .values("month")
        .annotate(
            pledges=Count("pk"),
            pledged=Sum(F("shares") - F("released") - F("passed_on")),
            held=Sum("attached"),
        )
        .order_by("month")
    )
    return [
        Maturing(row["month"], row["pledges"], int(row["pledged"]), int(row["held"]))
        for row in found
    ]


def maturities_shown(pledges: QuerySet[Pledge], slug: str = "") -> dict[str, Any]:
    """The picture of what is pledged by the month of its last day, with its table; `slug`: of the
    programme that the pledges are of."""
    found = maturing_by_month(pledges)
    labels = [f"{MONTHS[one.month.month - 1][:SHORT]} {one.month.year}" for one in found]
    points = [(label, one.shares) for label, one in zip(labels, found, strict=True)]
    return {
        "months": [
            {
                "words": f"{MONTHS[one.month.month - 1]} de {one.month.year}",
                "url": _address(one, slug),
                "one": one,
            }
            for one in found
        ],
        "svg": column_chart(points, name="vencimientos", title="Prendas por mes de vencimiento"),
        "unit": chart_unit(max((one.shares for one in found), default=0)),
        "total": {
            "pledges": sum(one.pledges for one in found),
            "shares": sum(one.shares for one in found),
            "attached": sum(one.attached for one in found),
        },
    }


def _address(one: Maturing, slug: str) -> str:
    """The list of that month's pledges."""
    programme = f"&programa={slug}" if slug else ""
    return f"{reverse('pledges')}?mes={one.month:%Y-%m}{programme}"


def programme_maturities(programme: Programme, user: User) -> ProgrammePart | None:
    """The picture on the page of a programme, once something of it is pledged."""
    of_programme = {"award__acceptance__stage__programme": programme}
    shown = maturities_shown(pledges_shown(user).filter(**of_programme), programme.slug)
    return ProgrammePart("pledges/pledges/maturities.html", shown) if shown["months"] else None
