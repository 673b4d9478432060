"""Issuing many certificates of pledge release, in the background."""

from datetime import date

from celery import shared_task

from office.jobs import job_running
from office.models import User
from office.refusals import Refused
from office.tasks import draw_reported
from pledges.certificates import release_certificates_issue
from pledges.selectors.release_certificates import release_certificates_pending


@shared_task
def release_certificates_task(job_id: int) -> None:
    """Number what is lacking in a programme or in one release of it, then draw what waits for its
    PDF. Delivered twice or started again, it goes on where it was.

    Arguments of the job: `programme`, `release` (id or null), `legal_date` and `count`
    (how many were lacking).
    """
    with job_running(job_id) as run:
        if run is None:
            return
        asked = run.job.arguments
        programme_id, release_id = asked["programme"], asked.get("release")
        issued = release_certificates_issue(
            programme_id=programme_id,
            release_id=release_id,
            # The job was read through another alias, and a relation keeps to one.
            user=User.objects.get(pk=run.job.requested_by_id),
            legal_date=date.fromisoformat(asked["legal_date"]),
            report=lambda done, total: run.report(1, done, total, "certificados"),
            asked=asked.get("count", 0),
            since=run.job.requested_at,
        )
        pending = release_certificates_pending(programme_id, release_id)
        draw_reported(run, pending, step=2, before=max(issued.done - len(pending), 0))
        if issued.cut_short:
            raise Refused(issued.cut_short)
