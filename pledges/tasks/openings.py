"""Opening the pledges of all that is paid in a programme, in the background."""

from celery import shared_task
from django.urls import reverse

from offerings.models import Programme
from office.jobs import job_running
from office.models import User
from office.numbers import write_count
from pledges.enums import Rank
from pledges.services.openings import pledges_open
from pledges.services.pledges import PledgeEntry


@shared_task
def pledges_open_task(job_id: int) -> None:
    """Pledge what is paid in a programme; delivered twice or started again, it goes on with what
    is left: an award has one pledge.

    Arguments of the job: `programme` (id), `rank`, `lender`.
    """
    with job_running(job_id) as run:
        if run is None:
            return
        asked = run.job.arguments
        programme = Programme.objects.get(pk=asked["programme"])
        opened = pledges_open(
            programme=programme,
            # The job was read through another alias, and a relation keeps to one.
            user=User.objects.get(pk=run.job.requested_by_id),
            entry=PledgeEntry(rank=Rank(asked["rank"]), lender=asked["lender"]),
            report=lambda done, total: run.report(1, done, total, "prendas"),
        )
        run.link_to(
            f"{reverse('pledges')}?programa={programme.slug}",
            f"Se constituyeron {write_count(opened, 'prenda', 'prendas')}.",
        )
