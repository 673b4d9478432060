"""The pledges of a holder on a day: where its shares are, what befell them, what was asked for."""

from dataclasses import dataclass
from datetime import date, time, timedelta

from django.db.models import Prefetch

from buyers.models import Buyer
from office.dates import bogota_moment
from office.models import User
from pledges.enums import QuoteState
from pledges.facts import Movement, movements, pledge_history, what_befell
from pledges.models import Pledge, Quote, ReleaseRequest
from pledges.rules.positions import Position, position_on, position_total
from pledges.selectors.pledges import pledges_shown


@dataclass(frozen=True)
class HolderRequest:
    """A request for early release with the figure that was settled for it, as it is stored."""

    request: ReleaseRequest
    quote: Quote | None


@dataclass(frozen=True)
class HolderLine:
    """One pledge on a day."""

    pledge: Pledge
    position: Position
    movements: list[Movement]
    requests: list[HolderRequest]


@dataclass(frozen=True)
class HolderPosition:
    """All the pledges of a holder that were open on a day, and their sum."""

    as_of: date
    lines: list[HolderLine]
    total: Position


def holder_position(holder: Buyer, user: User, as_of: date) -> HolderPosition:
    """What `user` may see of a holder's pledges at the end of a day, in a fixed number of
    queries."""
    found = pledges_shown(user).filter(holder=holder).order_by("opened_on", "pk")
    pledges = [pledge for pledge in found if pledge.opened_on <= as_of]
    befell = what_befell(pledges)
    asked = _requests(pledges, as_of)
    lines = [
        HolderLine(
            pledge=pledge,
            position=position_on(pledge_history(pledge, befell[pledge.pk]), as_of),
            movements=movements(pledge, befell[pledge.pk], as_of),
            requests=asked.get(pledge.pk, []),
        )
        for pledge in pledges
    ]
    known = [line for line in lines if line.movements]
    return HolderPosition(as_of, known, position_total([line.position for line in known]))


def _requests(pledges: list[Pledge], as_of: date) -> dict[int, list[HolderRequest]]:
    """What was asked for up to the day, with the quote that was settled up to it."""
    settled = Quote.objects.filter(accepted_on__lte=as_of).exclude(state=QuoteState.REPLACED)
    found = (
        ReleaseRequest.objects.filter(
            pledge__in=pledges, filed_at__lt=bogota_moment(as_of + timedelta(days=1), time())
        )
        .prefetch_related(Prefetch("quotes", settled, to_attr="settled"))
        .order_by("filed_at", "pk")
    )
    asked: dict[int, list[HolderRequest]] = {}
    for request in found:
        quote = next(iter(request.settled), None)
        asked.setdefault(request.pledge_id, []).append(HolderRequest(request, quote))
    return asked
