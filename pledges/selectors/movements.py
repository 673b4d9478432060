"""What changed how many shares of a pledge are pledged, by the legal days of it."""

from datetime import date

from django.db.models import Max

from office.review import ReviewState
from pledges.enums import LineState
from pledges.models import Pledge, ReleaseAnnulment


def last_movement(pledge: Pledge) -> tuple[date, str] | None:
    """The latest day on which shares left the pledge or came back to it, and what it was; for an
    heir's, that on which they came to it. None where nothing has moved yet."""
    lines = pledge.release_lines.filter(state__in=(LineState.DONE, LineState.ANNULLED))
    annulments = ReleaseAnnulment.objects.filter(
        line__pledge=pledge, review_state=ReviewState.APPROVED
    )
    passed = pledge.transfers.filter(heir_pledge__isnull=False)
    found = [
        (lines.aggregate(day=Max("release__released_on"))["day"], "un levantamiento"),
        (annulments.aggregate(day=Max("annulled_on"))["day"], "la anulación de un levantamiento"),
        (passed.aggregate(day=Max("transferred_on"))["day"], "una sucesión"),
        (_came_on(pledge), "la sucesión de la que viene"),
    ]
    return max(((day, what) for day, what in found if day), default=None)


def _came_on(pledge: Pledge) -> date | None:
    if pledge.inherited_from_id is None:
        return None
    return pledge.inheritance.transferred_on
