"""Ending a request without a release where one person may not: one asks, another approves."""

from django.db import transaction

from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused
from office.review import ReviewState, review_block, review_decide
from office.roles import Capability
from pledges.enums import RequestState
from pledges.models import ReleaseRequest, RequestClosing
from pledges.models.requests import ON_FOOT
from pledges.selectors.penalty_payments import penalty_paid
from pledges.services.holding import quotes_replaced, request_locked, shares_free_again

LONGEST_CAUSE = 300
VERBS = {
    ReviewState.APPROVED: "Aprobó cerrar",
    ReviewState.RETURNED: "Devolvió el cierre de",
    ReviewState.REJECTED: "Rechazó cerrar",
}


@transaction.atomic
def request_closing_prepare(*, request_id: int, user: User, cause: str) -> RequestClosing:
    """Ask for a request to be closed without its release, saying what was wrong."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor pide el cierre.")
    request = request_locked(request_id)
    _check_on_foot(request)
    if request.closings.filter(review_state=ReviewState.PENDING).exists():
        raise Refused("Su cierre ya espera revisión.")
    if not cause.strip():
        raise Refused("Escriba por qué se cierra: queda en la historia.", "cause")
    closing = RequestClosing(
        request=request,
        cause=cause.strip(),
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    closing.full_clean()
    closing.save()
    _record(closing, "prepare", f"Pidió cerrar {request.code} sin salida.", cause, user)
    return closing


@transaction.atomic
def request_closing_decide(
    *, closing_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> RequestClosing:
    """Approve, send back or reject a closing that another asked for.

    Approved, the shares may be asked for again and what was paid goes back."""
    request = request_locked(
        RequestClosing.objects.values_list("request_id", flat=True).get(pk=closing_id)
    )
    closing = RequestClosing.objects.select_for_update().get(pk=closing_id)
    approves = outcome == ReviewState.APPROVED and not review_block(closing, user)
    if approves:
        _check_on_foot(request)
    review_decide(act=closing, user=user, outcome=outcome, reason=reason)
    said = f"{VERBS[outcome]} {request.code}"
    if approves:
        quotes_replaced(request)
        shares_free_again(request, RequestState.CLOSED, closing.cause[:LONGEST_CAUSE])
        said += _returns(request)
    _record(closing, outcome.value, f"{said}.", reason.strip(), user)
    return closing


def _returns(request: ReleaseRequest) -> str:
    paid = penalty_paid(request)
    return f"; quedan por devolver {write_amount(paid)}" if paid else ""


def _check_on_foot(request: ReleaseRequest) -> None:
    if request.state not in ON_FOOT:
        raise Refused(
            f"{request.code} está «{request.get_state_display()}»: no hay nada que cerrar."
        )
    if request.releases.filter(review_state=ReviewState.PENDING).exists():
        raise Refused(
            "Su levantamiento espera aprobación: que se devuelva o rechace antes de cerrarla."
        )


def _record(closing: RequestClosing, act: str, sentence: str, reason: str, user: User) -> None:
    decision_record(
        act=f"request_closing_{act}",
        sentence=sentence,
        reason=reason.strip(),
        actor=user,
        subject=closing.request,
    )
