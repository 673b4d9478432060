"""Adjudications: opened over a closed stage, run once, decided by another person.

The arithmetic is offerings.rules.adjudication's; here rows become its lines and its lines rows.
"""

from collections.abc import Callable
from datetime import date, datetime, time

from django.db import transaction

from buyers.models import Exchange
from offerings.decrees.reader import terms_from_data
from offerings.enums import StageState
from offerings.models import Adjudication, AdjudicationAnnulment, Stage
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.intermediaries import intermediaries_required
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms
from offerings.selectors.adjudications import (
    FIRST_STAGE,
    adjudication_checks,
    adjudication_under_way,
)
from offerings.services import adjudication_results
from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.jobs import job_open
from office.models import Job, User
from office.numbers import write_count, write_quantity, write_shares
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_block, review_decide
from office.roles import Capability

TASK = "offerings.tasks.adjudications.adjudication_run_task"
STEPS = ["Leer las aceptaciones", "Repartir las acciones", "Guardar las líneas"]

Report = Callable[..., None]

OUTCOME_SENTENCES = {
    ReviewState.APPROVED: "Aprobó la adjudicación {code}: {awarded}{deserted}.",
    ReviewState.RETURNED: "Devolvió la adjudicación {code}.",
    ReviewState.REJECTED: "Rechazó la adjudicación {code}.",
}


class AlreadyUnderWay(Refused):
    """The stage has an adjudication that is a draft, waits for its review or is approved."""

    def __init__(self, adjudication: Adjudication) -> None:
        super().__init__(
            f"{adjudication.stage} ya tiene la adjudicación {adjudication.code}, "
            f"«{adjudication.get_review_state_display()}». Solo hay una a la vez: ábrala para "
            "ver cómo va."
        )
        self.adjudication = adjudication


@transaction.atomic
def adjudication_open(
    *, stage_id: int, exchange: Exchange | None, session_on: date, user: User
) -> Adjudication:
    """Register a draft with the job that will run it; the caller enqueues the job.

    `exchange`: None where the Fund adjudicates, because the decree asks for none. Raises
    Refused, or AlreadyUnderWay where the stage has one already.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor puede preparar una adjudicación.")
    stage = _stage_locked(stage_id)
    terms = check_can_open(stage=stage, exchange=exchange, session_on=session_on)
    last = stage.adjudications.order_by("-version").first()
    opened = Adjudication(
        stage=stage,
        version=last.version + 1 if last else 1,
        exchange=exchange,
        session_on=session_on,
        prepared_by=user,
    )
    opened.full_clean()
    opened.save()
    opened.job = _job(opened, user)
    opened.save(update_fields=["job"])
    decision_record(
        act="adjudication_open",
        sentence=f"Preparó la adjudicación {opened.code}, versión {opened.version}, de la sesión "
        f"{opened.held_by}, del {write_date(session_on)}.",
        article=adjudication_terms(terms).valid_cite,
        actor=user,
        subject=opened,
        legal_at=_legal_at(opened),
    )
    return opened


def _stage_locked(stage_id: int) -> Stage:
    stages = Stage.objects.select_for_update(of=("self",)).select_related("programme", "rules")
    return stages.get(pk=stage_id)


def _job(adjudication: Adjudication, user: User) -> Job:
    return job_open(
        kind="adjudication",
        title="Adjudicación",
        context=str(adjudication.stage),
        task=TASK,
        arguments={"adjudication": adjudication.pk},
        steps=STEPS,
        user=user,
    )


def check_can_open(*, stage: Stage, exchange: Exchange | None, session_on: date) -> Terms:
    """The terms under which `stage` can be adjudicated in that session; Refused if it cannot."""
    check_stage_ready(stage)
    terms = _terms_of(stage)
    _check_exchange(exchange, terms)
    _check_session(stage, session_on, terms)
    return terms


def _check_exchange(exchange: Exchange | None, terms: Terms) -> None:
    if exchange is None:
        required = intermediaries_required(terms)
        if required.value:
            cites = "".join(f" ({cite})" for cite in required.cites)
            raise Refused(
                f"Elija la bolsa que adjudica: el decreto pide comisionista y bolsa{cites}.",
                "exchange",
            )
    elif not exchange.is_active:
        raise Refused(f"{exchange} ya no está activa: elija la bolsa que adjudica.", "exchange")


def check_stage_ready(stage: Stage) -> None:
    """Refuse a stage that is not closed, is the auction's, or has an adjudication already."""
    if stage.number != FIRST_STAGE:
        raise Refused(
            "Esta etapa se vende en martillo: la adjudica la bolsa y aquí se carga su resultado."
        )
    if stage.state != StageState.CLOSED:
        raise Refused(
            f"La etapa está «{stage.get_state_display()}»: solo se adjudica una etapa cerrada. "
            "Ciérrela primero, con su fecha."
        )
    current = adjudication_under_way(stage)
    if current:
        raise AlreadyUnderWay(current)


def _terms_of(stage: Stage) -> Terms:
    terms = terms_from_data(stage.rules.terms)
    try:
        adjudication_terms(terms)
    except NotCovered as gap:
        raise Refused(gap.message) from gap
    return terms


def _check_session(stage: Stage, session_on: date, terms: Terms) -> None:
    check_day_not_future(session_on, "session_on")
    closed_on = bogota_day(stage.closed_at)
    if session_on < closed_on:
        raise Refused(
            f"La sesión del {write_date(session_on)} es anterior al cierre de la etapa, el "
            f"{write_date(closed_on)}: escriba la fecha de la sesión en que se adjudicó.",
            "session_on",
        )
    _check_after_annulment(stage, session_on)
    latest = terms.stage.latest_day
    if latest and session_on > latest.value:
        raise Refused(
            f"El programa terminó el {write_date(latest.value)} ({latest.cite}): la sesión no "
            "puede ser posterior.",
            "session_on",
        )


def _check_after_annulment(stage: Stage, session_on: date) -> None:
    """Refuse a session before the act that annulled the version before: until that day it stood,
    and two are never in force together."""
    acts = AdjudicationAnnulment.objects.filter(
        adjudication__stage=stage, review_state=ReviewState.APPROVED
    )
    last = acts.select_related("adjudication").order_by("-act_on").first()
    if last and session_on < last.act_on:
        raise Refused(
            f"{last.adjudication.code} se anuló por un acto del {write_date(last.act_on)}, y "
            "hasta ese día estaba en firme: la sesión en que se adjudica de nuevo no puede ser "
            "anterior.",
            "session_on",
        )


def _legal_at(adjudication: Adjudication) -> datetime:
    """The session's day has no hour: its first moment, or the closing's where that is later."""
    return max(bogota_moment(adjudication.session_on, time()), adjudication.stage.closed_at)


@transaction.atomic
def adjudication_run(*, adjudication_id: int, report: Report) -> bool:
    """Work out a draft and leave it waiting for its review; False if it was done before.

    All or nothing: until the commit nobody sees a line. `report(step, done, total, unit)` tells
    how far it is. Raises Refused where the programme's terms do not say how to adjudicate.
    """
    run = _adjudication_locked(adjudication_id)
    if run.review_state != ReviewState.DRAFT:
        return False
    terms = _terms_of(run.stage)
    result = adjudication_results.worked_out(run.stage, terms, report)
    adjudication_results.lines_write(run, result, report)
    adjudication_results.figures_keep(run, result, terms)
    run.review_state = ReviewState.PENDING
    run.full_clean()
    run.save()
    decision_record(
        act="adjudication_run",
        sentence=f"Hizo la adjudicación {run.code}: {write_quantity(int(run.awarded))} de "
        f"{write_quantity(int(run.supply))} acciones, entre "
        f"{write_count(run.lines, 'aceptación', 'aceptaciones')}.",
        article=adjudication_terms(terms).valid_cite,
        actor=run.prepared_by,
        subject=run,
        legal_at=_legal_at(run),
        data={
            "lines": run.lines,
            "input_sha256": run.input_sha256,
            "result_sha256": run.summary["result_sha256"],
            "terms_sha256": run.terms_sha256,
        },
    )
    return True


def _adjudication_locked(adjudication_id: int) -> Adjudication:
    runs = Adjudication.objects.select_for_update(of=("self",)).select_related(
        "stage__programme", "stage__rules", "exchange", "prepared_by"
    )
    return runs.get(pk=adjudication_id)


@transaction.atomic
def adjudication_decide(
    *, adjudication_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> Adjudication:
    """Approve, send back or reject what another prepared; approved, it never changes.

    Raises Refused: not a supervisor, the one who prepared it, decided already, without a
    reason, or with a check that does not hold.
    """
    run = _adjudication_locked(adjudication_id)
    if outcome == ReviewState.APPROVED and not review_block(run, user):
        _check_sound(run)
    review_decide(act=run, user=user, outcome=outcome, reason=reason)
    awarded = write_shares(int(run.awarded))
    decision_record(
        act=f"adjudication_{outcome.value}",
        sentence=OUTCOME_SENTENCES[outcome].format(
            code=run.code,
            awarded=awarded,
            deserted="; la etapa queda desierta" if run.is_deserted else "",
        ),
        article=adjudication_terms(terms_from_data(run.terms)).valid_cite,
        reason=reason.strip(),
        actor=user,
        subject=run,
        legal_at=_legal_at(run) if outcome == ReviewState.APPROVED else None,
    )
    return run


def _check_sound(run: Adjudication) -> None:
    failed = [check.label for check in adjudication_checks(run) if not check.holds]
    if failed:
        raise Refused(f"No se puede aprobar; no se cumple: {'; '.join(failed)}. Devuélvala.")
