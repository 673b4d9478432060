"""Withdrawals: an acceptance taken back, where the Fund's rules allow it."""

from datetime import datetime

from django.db import transaction

from buyers.services import presenting_broker
from offerings.enums import AcceptanceState
from offerings.models import Acceptance, Stage
from offerings.rules.ruling import NotCovered, Ruling
from offerings.rules.withdrawals import WithdrawalFacts, withdrawal
from offerings.selectors.programmes import stage_terms
from offerings.services.acceptances import also_changed
from offerings.services.changes import Cause
from offerings.services.evaluation import participation_evaluate
from offerings.services.stages import stage_check
from office.dates import bogota_day, write_datetime
from office.decisions import ALONE, decision_record
from office.models import User
from office.refusals import Refused, check_not_future


@transaction.atomic
def acceptance_withdraw(
    *, acceptance_id: int, asked_at: datetime, reason: str, user: User
) -> Acceptance:
    """Withdraw an acceptance where the Fund's rules allow it, and work out its buyer's others
    anew. `asked_at` is the legal date and time of the withdrawal.

    Withdrawn already, it is left as it is. A broker's person withdraws what its own broker
    presented. Raises Refused.
    """
    stage = Stage.objects.select_for_update().get(acceptances=acceptance_id)
    acceptance = Acceptance.objects.select_related("participation", "broker").get(pk=acceptance_id)
    broker = presenting_broker(user, acceptance.broker)
    if broker is not None and acceptance.broker is None:
        raise Refused("Usted retira solo lo que presentó su sociedad comisionista.")
    if acceptance.state == AcceptanceState.WITHDRAWN:
        return acceptance
    stage_check(stage)
    _withdrawal_check(acceptance, stage, asked_at, reason)
    acceptance.state = AcceptanceState.WITHDRAWN
    acceptance.save(update_fields=["state"])
    changed = participation_evaluate(
        participation=acceptance.participation,
        stage=stage,
        cause=Cause(user, f"al registrar el retiro de {acceptance.code}", acceptance),
    )
    acceptance.refresh_from_db()
    alone = f"Registró el retiro de {acceptance.code}."
    decision_record(
        act="acceptance_withdraw",
        sentence=f"{alone}{also_changed(acceptance, changed)}",
        article=_withdrawal_of(acceptance, stage, asked_at).steps[-1].cite,
        reason=reason.strip(),
        actor=user,
        subject=acceptance,
        legal_at=asked_at,
        data={ALONE: alone},
    )
    return acceptance


def _withdrawal_check(
    acceptance: Acceptance, stage: Stage, asked_at: datetime, reason: str
) -> None:
    check_not_future(asked_at, "asked_on")
    if asked_at < acceptance.received_at:
        raise Refused(
            f"La aceptación se recibió el {write_datetime(acceptance.received_at)}; el retiro "
            "es anterior.",
            "asked_on",
        )
    if not reason.strip():
        raise Refused("Escriba quién pidió el retiro y en qué papel consta.", "reason")
    ruling = _withdrawal_of(acceptance, stage, asked_at)
    if not ruling.value:
        raise Refused(f"{ruling.conclusion} ({ruling.steps[-1].cite})")


def _withdrawal_of(acceptance: Acceptance, stage: Stage, asked_at: datetime) -> Ruling[bool]:
    facts = WithdrawalFacts(bogota_day(acceptance.received_at), bogota_day(asked_at))
    try:
        return withdrawal(facts, stage_terms(stage))
    except NotCovered as gap:
        raise Refused(gap.message) from gap
