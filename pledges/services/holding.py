"""What more than one act on an early exit does: takes its rows in turn, says who holds shares."""

from dataclasses import dataclass

from office.numbers import write_quantity, write_shares
from office.refusals import Refused
from pledges.enums import QuoteState, RequestState
from pledges.models import Attachment, Pledge, ReleaseRequest
from pledges.models.requests import ON_FOOT
from pledges.services.pledges import pledge_locked

FIRST_HELD = 3


class SharesHeld(Refused):
    """Shares asked for are asked for already, or under a measure: by what, to be linked to."""

    def __init__(
        self,
        message: str,
        requests: tuple[ReleaseRequest, ...] = (),
        attachments: tuple[Attachment, ...] = (),
        field: str = "shares",
    ) -> None:
        """Keep what holds the shares beside the message."""
        super().__init__(message, field)
        self.requests = requests
        self.attachments = attachments


@dataclass(frozen=True)
class Held:
    """What of a pledge cannot be asked for, in words, and what holds it."""

    words: str
    requests: tuple[ReleaseRequest, ...]
    attachments: tuple[Attachment, ...]


def request_locked(request_id: int) -> ReleaseRequest:
    """A request with its pledge, both rows held until the caller's transaction ends, the pledge's
    first: every act on its shares comes in that order."""
    pledge_id = ReleaseRequest.objects.values_list("pledge_id", flat=True).get(pk=request_id)
    pledge = pledge_locked(pledge_id)
    request = ReleaseRequest.objects.select_for_update(of=["self"]).get(pk=request_id)
    request.pledge = pledge
    return request


def shares_free_again(request: ReleaseRequest, state: RequestState, why: str) -> None:
    """End a locked request without its release: its shares may be asked for again."""
    request.state, request.ended_why = state, why
    request.save(update_fields=["state", "ended_why"])
    pledge = request.pledge
    pledge.in_process -= request.shares
    pledge.save(update_fields=["in_process"])


def check_free(pledge: Pledge, shares: int) -> None:
    """Refuse more shares than are free of a locked pledge, with what holds the rest."""
    if shares <= pledge.free:
        return
    if shares > pledge.pledged:
        raise Refused(
            f"En {pledge.code} hay {write_shares(pledge.pledged)} en prenda: no se pueden pedir "
            f"{write_quantity(shares)}.",
            "shares",
        )
    held = shares_held(pledge)
    free = f"Libres hay {write_shares(pledge.free)}" if pledge.free else "No hay acciones libres"
    raise SharesHeld(f"{free}: {held.words}.", held.requests, held.attachments)


def shares_held(pledge: Pledge) -> Held:
    """What holds shares of a pledge, the first that came named."""
    requests = tuple(pledge.requests.filter(state__in=ON_FOOT).order_by("pk")[:FIRST_HELD])
    attachments = tuple(pledge.attachments.filter(lifted_on=None).order_by("pk")[:FIRST_HELD])
    words = [f"{request.code} ya pide {write_shares(request.shares)}" for request in requests]
    planned = pledge.in_process - sum(
        pledge.requests.filter(state__in=ON_FOOT).values_list("shares", flat=True)
    )
    if planned:
        words.append(f"{write_shares(planned)} están en un levantamiento que espera aprobación")
    words += [
        f"{attachment} ({attachment.authority}) retiene {write_shares(attachment.shares)}"
        for attachment in attachments
    ]
    return Held("; ".join(words), requests, attachments)


def quotes_replaced(request: ReleaseRequest) -> None:
    """Whatever was proposed for a request does not stand any more."""
    for quote in request.quotes.filter(state=QuoteState.PROPOSED):
        quote.state = QuoteState.REPLACED
        quote.save(update_fields=["state"])
