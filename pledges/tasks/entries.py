"""Entering a programme's pledges in the register, in the background."""

from datetime import date

from celery import shared_task
from django.urls import reverse

from offerings.models import Programme
from office.jobs import job_running
from office.models import User
from office.numbers import write_count
from pledges.services.entries import ListEntered, pledges_enter


@shared_task
def pledges_enter_task(job_id: int) -> None:
    """Enter what is lacking in a programme; delivered twice or started again, it goes on with
    what is left.

    Arguments of the job: `programme` (id), `kept_by`, `reference`, `entered_on`.
    """
    with job_running(job_id) as run:
        if run is None:
            return
        asked = run.job.arguments
        programme = Programme.objects.get(pk=asked["programme"])
        entered = pledges_enter(
            programme=programme,
            # The job was read through another alias, and a relation keeps to one.
            user=User.objects.get(pk=run.job.requested_by_id),
            entry=ListEntered(
                asked["kept_by"], asked["reference"], date.fromisoformat(asked["entered_on"])
            ),
            report=lambda done, total: run.report(1, done, total, "prendas"),
        )
        run.link_to(
            f"{reverse('pledges')}?programa={programme.slug}",
            f"Se anotaron {write_count(entered, 'prenda', 'prendas')}.",
        )
