"""Issuing many certificates or notices, in the background."""

from datetime import date

from celery import shared_task

from buyers.models import Broker
from offerings.certificates import BATCHES, certificates_issue
from offerings.models import Programme
from offerings.selectors.certificates import ALLOTMENT, Scope, certificates_pending
from office.jobs import job_running
from office.models import User
from office.refusals import Refused
from office.tasks import draw_reported


@shared_task
def certificates_issue_paid_task(job_id: int) -> None:
    """Number what is lacking of a kind in a programme, of a broker, or of both; then draw what
    waits for its PDF.

    Arguments of the job: `kind` (that of the series), `programme` and `broker` (ids or null) and
    `legal_date`, `count` (how many were lacking). Delivered twice or started again, it goes on
    where it was: an award has one paper of a kind in force, and a paper one PDF.
    """
    with job_running(job_id) as run:
        if run is None:
            return
        asked = run.job.arguments
        kind, scope = asked.get("kind", ALLOTMENT), _scope(asked)
        name = BATCHES[kind].many
        issued = certificates_issue(
            kind=kind,
            scope=scope,
            # The job was read through another alias, and a relation keeps to one.
            user=User.objects.get(pk=run.job.requested_by_id),
            legal_date=date.fromisoformat(asked["legal_date"]),
            report=lambda done, total: run.report(1, done, total, name),
            asked=asked.get("count", 0),
            since=run.job.requested_at,
        )
        pending = certificates_pending(kind, scope)
        draw_reported(run, pending, step=2, before=max(issued.done - len(pending), 0))
        if issued.cut_short:
            raise Refused(issued.cut_short)


def _scope(asked: dict) -> Scope:
    return Scope(
        programme=Programme.objects.filter(pk=asked.get("programme")).first(),
        broker=Broker.objects.filter(pk=asked.get("broker")).first(),
    )
