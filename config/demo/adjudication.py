"""The adjudication of the closed stage: irene prepares it, Celery runs it, ana approves it."""

from config.demo import SESSION_ON
from config.demo.jobs import Tell, job_finish
from config.demo.people import acting, exchange_that_adjudicates
from offerings.models import Adjudication, Stage
from offerings.selectors.adjudications import adjudication_under_way
from offerings.services.adjudications import adjudication_decide, adjudication_open
from office.review import ReviewState


def adjudication_ready(stage: Stage, tell: Tell) -> Adjudication:
    """The stage's approved adjudication."""
    run = adjudication_under_way(stage) or _opened(stage)
    if run.review_state == ReviewState.DRAFT:
        job_finish(run.job, tell)
        run.refresh_from_db()
    if run.review_state != ReviewState.PENDING:
        return run
    with acting("ana") as ana:
        return adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)


def _opened(stage: Stage) -> Adjudication:
    with acting("irene") as irene:
        return adjudication_open(
            stage_id=stage.pk,
            exchange=exchange_that_adjudicates(),
            session_on=SESSION_ON,
            user=irene,
        )
