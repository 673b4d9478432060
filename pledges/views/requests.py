"""The page of a request of an early exit, and what a pledge's page shows of its requests."""

from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from buyers.services.uploads import EXTENSIONS, SHOWN_INLINE
from office.access import may
from office.dates import bogota_day
from office.decisions import timeline
from office.files import file_response
from office.models import User
from office.review import ReviewState, review_block
from office.roles import Capability
from pledges.enums import RequestState
from pledges.models import FundDecision, Pledge, ReleaseRequest, RequestClosing
from pledges.models.requests import ON_FOOT
from pledges.selectors.penalty_payments import (
    penalty_returned,
    penalty_to_return,
    quote_settled,
    with_paid,
)
from pledges.selectors.requests import requests_shown
from pledges.services.penalties import CPI, DECISION, READINGS, RULES, SALE, PenaltyBlocked
from pledges.services.penalty_payments import is_lapsed
from pledges.services.quotes import penalty_worked_out
from pledges.services.request_ends import withdrawal_block
from pledges.services.rights import lender_clause

# The way out of what stops a quote: the words of the link.
WAYS = {
    CPI: "Cargar el IPC",
    READINGS: "Confirmar las lecturas",
    DECISION: "Registrar la decisión del Fondo",
    RULES: "Completar el reglamento",
    SALE: "Completar la enajenación",
}


@require_GET
@may(Capability.READ)
def request_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One request: what it asks for, how it stands, what comes next."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    return render(request, "pledges/requests/detail.html", _context(found, request.user))


def _context(found: ReleaseRequest, user: User) -> dict[str, Any]:
    settled = quote_settled(found)
    closings = list(found.closings.select_related("prepared_by", "reviewed_by"))
    decisions = list(found.decisions.select_related("prepared_by", "reviewed_by"))
    waiting = found.releases.filter(review_state=ReviewState.PENDING).first()
    today = bogota_day(timezone.now())
    return {
        "found": found,
        "pledge": found.pledge,
        "quotes": found.quotes.select_related("prepared_by"),
        "settled": settled,
        "lapsed": settled and found.state == RequestState.SETTLED
        and is_lapsed(settled, found, today),
        "payments": found.payments.select_related("recorded_by"),
        "refunds": found.refunds.select_related("recorded_by"),
        "returned": penalty_returned(found),
        "to_return": penalty_to_return(found),
        "closings": closings,
        "decisions": decisions,
        "pending": [_pending(act, user) for act in (*closings, *decisions) if _waits(act)],
        "closing_waits": any(map(_waits, closings)),
        "decision_waits": any(map(_waits, decisions)),
        "on_foot": found.state in ON_FOOT,
        "release_waits": waiting,
        "may_release": found.state == RequestState.PAID and waiting is None,
        "may_withdraw": not withdrawal_block(found)
        and found.state in (RequestState.OPEN, RequestState.SETTLED),
        "stop": stop_of(found),
        "lender_clause": lender_clause(found.pledge),
        "lender_notices": found.lender_notices.order_by("pk"),
        "events": timeline([found]),
    }  # fmt: skip


def _waits(act: Any) -> bool:
    return act.review_state == ReviewState.PENDING


def _pending(act: RequestClosing | FundDecision, user: User) -> dict[str, Any]:
    """An act that waits; the address of its review for who may review it."""
    name = (
        "release_request_closing_review"
        if isinstance(act, RequestClosing)
        else "fund_decision_review"
    )
    return {"act": act, "url": "" if review_block(act, user) else reverse(name, args=[act.pk])}


def stop_of(found: ReleaseRequest) -> dict[str, str] | None:
    """Why an open request cannot be quoted yet, and where that is put right."""
    if found.state != RequestState.OPEN:
        return None
    try:
        penalty_worked_out(found)
    except PenaltyBlocked as blocked:
        return stop_shown(blocked, found.pledge, found)
    return None


def stop_shown(
    blocked: PenaltyBlocked, pledge: Pledge, found: ReleaseRequest | None = None
) -> dict[str, str]:
    """What stops a figure, with the way out of it."""
    return {
        "message": blocked.message,
        "lacks": blocked.lacks,
        "label": WAYS[blocked.lacks],
        "url": _way_out(blocked.lacks, pledge, found),
    }


def _way_out(lacks: str, pledge: Pledge, found: ReleaseRequest | None) -> str:
    """Where that is put right; "" where there is no request for it yet."""
    slug = pledge.award.acceptance.stage.programme.slug
    ways = {
        CPI: reverse("cpi"),
        READINGS: reverse("penalty_readings", args=[slug]),
        RULES: reverse("fund_rules", args=[slug]),
    }
    if found is not None:
        ways |= {
            SALE: reverse("release_request_sale", args=[found.pk]),
            DECISION: reverse("fund_decision_new", args=[found.pk]),
        }
    return ways.get(lacks, "")


@require_GET
@may(Capability.READ)
def request_sale_file(request: HttpRequest, pk: int) -> FileResponse:
    """What proves the sale that a request states."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    if found.sale_file is None:
        raise Http404
    kind = found.sale_file.content_type
    name = f"{found.code} enajenacion.{EXTENSIONS.get(kind, 'bin')}"
    return file_response(found.sale_file, name=name, inline=kind in SHOWN_INLINE)


def requests_on_pledge(pledge: Pledge, user: User) -> dict[str, Any]:
    """What the page of a pledge shows of its requests."""
    return {
        "early_requests": list(with_paid(pledge.requests.all()).order_by("pk")),
        "may_see_requests": user.may(Capability.READ),
        "may_ask": user.may(Capability.PREPARE) and bool(pledge.pledged),
    }
