"""Requests of an early exit, with what their pages show of them."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from office.models import User
from office.text import fold
from pledges.enums import QuoteState, RequestState
from pledges.models import Pledge, Quote, ReleaseRequest
from pledges.selectors.penalty_payments import requests_to_refund, with_paid

SHOWN = (
    "recorded_by",
    "sale_file",
    "pledge__holder",
    "pledge__award__adjudication",
    "pledge__award__acceptance__stage__programme",
    "pledge__award__acceptance__broker",
)
OPEN, TO_ACCEPT, OWED, PAID, RETURN = (
    "sin-liquidar", "por-fijar", "por-pagar", "pagadas", "por-devolver",
)  # fmt: skip
PROPOSED = Exists(Quote.objects.filter(request=OuterRef("pk"), state=QuoteState.PROPOSED))
VIEWS = {
    OPEN: Q(state=RequestState.OPEN) & ~Q(PROPOSED),
    TO_ACCEPT: Q(state=RequestState.OPEN) & Q(PROPOSED),
    OWED: Q(state=RequestState.SETTLED),
    PAID: Q(state=RequestState.PAID),
}


def requests_shown(user: User) -> QuerySet[ReleaseRequest]:
    """The requests that `user` may see, with what is owed, paid and left of each."""
    pledges = Pledge.objects.visible_to(user).order_by().values("pk")
    found = ReleaseRequest.objects.filter(pledge__in=pledges).select_related(*SHOWN)
    return with_paid(found)


def returns_due() -> Q:
    """That money of a request is to be given back."""
    return Q(pk__in=requests_to_refund().values("pk"))


def requests_answering(requests: QuerySet[ReleaseRequest], text: str) -> QuerySet[ReleaseRequest]:
    """Those whose number, filing number, pledge or holder answers to `text`."""
    folded = fold(text)
    if not folded:
        return requests
    found = Q(pledge__holder__name_folded__contains=folded) | Q(filing_number__iexact=text.strip())
    digits = "".join(sign for sign in folded if sign.isdecimal())
    if digits:
        found |= Q(pledge__holder__identity_number=digits)
    if digits and len(digits) < 10:
        found |= Q(pk=int(digits)) | Q(pledge__pk=int(digits))
    return requests.filter(found)
