"""Certifying all that is paid, in the background."""

from datetime import date

from celery import shared_task

from offerings.certificates import certificates_issue_paid
from offerings.selectors.certificates import certificates_pending
from office.jobs import job_running
from office.models import User
from office.tasks import draw_reported


@shared_task
def certificates_issue_paid_task(job_id: int) -> None:
    """Number the certificates of a programme's paid awards, then draw what waits for its PDF.

    Arguments of the job: `programme` (id) and `legal_date`. Delivered twice or started again, it
    goes on where it was: an award has one certificate, and a certificate one PDF.
    """
    with job_running(job_id) as run:
        if run is None:
            return
        programme_id = run.job.arguments["programme"]
        certificates_issue_paid(
            programme_id=programme_id,
            # The job was read through another alias, and a relation keeps to one.
            user=User.objects.get(pk=run.job.requested_by_id),
            legal_date=date.fromisoformat(run.job.arguments["legal_date"]),
            report=lambda done, total: run.report(1, done, total, "certificados"),
        )
        draw_reported(run, certificates_pending(programme_id), step=2)
