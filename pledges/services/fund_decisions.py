"""What the Fund decides that an early exit costs, where no rule of its decree answers."""

from datetime import date, time
from decimal import Decimal

from django.db import transaction

from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_block, review_decide
from office.roles import Capability
from pledges.enums import RequestState
from pledges.models import FundDecision, ReleaseRequest
from pledges.services.holding import request_locked
from pledges.services.penalties import DECISION, PenaltyBlocked, penalty_ruled, request_case

VERBS = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def fund_decision_prepare(
    *, request_id: int, user: User, amount: Decimal, act: str, act_on: date, reason: str
) -> FundDecision:
    """Enter the Fund's decision on a request that no rule answers, with its reason and act."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara la decisión.")
    request = request_locked(request_id)
    _check_needed(request)
    if request.decisions.filter(review_state=ReviewState.PENDING).exists():
        raise Refused("La decisión sobre esta solicitud ya espera revisión.")
    if request.decisions.filter(review_state=ReviewState.APPROVED).exists():
        raise Refused("La decisión sobre esta solicitud ya está aprobada: liquídela.")
    check_day_not_future(act_on, "act_on")
    filed_on = bogota_day(request.filed_at)
    if act_on < filed_on:
        raise Refused(
            f"No puede ser anterior a la solicitud, del {write_date(filed_on)}.", "act_on"
        )
    if amount < 0:
        raise Refused("El valor no puede ser negativo.", "amount")
    if not reason.strip():
        raise Refused("Escriba las razones de la decisión.", "reason")
    decision = FundDecision(
        request=request,
        amount=amount,
        act=act.strip(),
        act_on=act_on,
        reason=reason.strip(),
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    decision.full_clean()
    decision.save()
    _record(decision, "prepare", "Preparó", decision.reason, user)
    return decision


@transaction.atomic
def fund_decision_decide(
    *, decision_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> FundDecision:
    """Approve, send back or reject a decision that another prepared."""
    request = request_locked(
        FundDecision.objects.values_list("request_id", flat=True).get(pk=decision_id)
    )
    decision = FundDecision.objects.select_for_update().get(pk=decision_id)
    if outcome == ReviewState.APPROVED and not review_block(decision, user):
        _check_needed(request)
    review_decide(act=decision, user=user, outcome=outcome, reason=reason)
    _record(decision, outcome.value, VERBS[outcome], reason.strip(), user)
    return decision


def _check_needed(request: ReleaseRequest) -> None:
    """Refuse where the request is past its quote, or a rule answers."""
    if request.state != RequestState.OPEN:
        raise Refused(
            f"{request.code} está «{request.get_state_display()}»: no se decide sobre ella."
        )
    try:
        penalty_ruled(request_case(request))
    except PenaltyBlocked as blocked:
        if blocked.lacks != DECISION:
            raise
        return
    raise Refused("El decreto da la sanción de esta solicitud: se liquida por su regla.")


def _record(decision: FundDecision, act: str, verb: str, reason: str, user: User) -> None:
    request = decision.request
    decision_record(
        act=f"fund_decision_{act}",
        sentence=f"{verb} la decisión del Fondo sobre {request.code}: "
        f"{write_amount(decision.amount)} ({decision.act}, del {write_date(decision.act_on)}).",
        reason=reason,
        actor=user,
        subject=request,
        legal_at=bogota_moment(decision.act_on, time()) if act == "prepare" else None,
        data={"amount": str(decision.amount)},
    )
