"""The home of a broker's person: how what its broker presented stands, and what it still lacks."""

from typing import Any

from django.db.models import Count
from django.urls import reverse

from offerings.enums import StageState, Standing
from offerings.models import Acceptance
from offerings.selectors.acceptances import acceptances_listed
from offerings.selectors.certificates import certificates_visible
from office.models import Certificate, User

# How many rows a section of the home shows; the heading leads to all of them.
SHOWN = 10


def standings_counted(user: User) -> list[dict[str, Any]]:
    """The acceptances by how they stand, each count with its filtered list."""
    rows = Acceptance.objects.visible_to(user).values("standing").annotate(count=Count("pk"))
    counts = {row["standing"]: row["count"] for row in rows.order_by()}
    return [
        {
            "label": standing.label,
            "count": counts[standing.value],
            "url": f"{reverse('acceptances')}?situacion={standing.value}",
        }
        for standing in Standing
        if standing.value in counts
    ]


def acceptances_lacking(user: User) -> list[Acceptance]:
    """Those that are incomplete while something can still be done: the first received first."""
    lacking = acceptances_listed(user).filter(
        standing=Standing.INCOMPLETE, stage__state=StageState.OPEN
    )
    return list(lacking.in_order_of_receipt()[:SHOWN])


def certificates_latest(user: User) -> list[Certificate]:
    """The newest certificates of what it presented."""
    return list(certificates_visible(user)[:SHOWN])
