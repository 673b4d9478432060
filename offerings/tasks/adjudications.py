"""The adjudication as background work."""

from celery import shared_task
from django.urls import reverse

from offerings.models import Adjudication
from offerings.services.adjudications import adjudication_run
from office.jobs import job_running


@shared_task
def adjudication_run_task(job_id: int) -> None:
    """Run the adjudication named in the job's arguments; delivered again, do nothing."""
    with job_running(job_id) as run:
        if run is None:
            return
        pk = run.job.arguments["adjudication"]
        done_now = adjudication_run(adjudication_id=pk, report=run.report)
        adjudication = Adjudication.objects.get(pk=pk)
        said = (
            "espera la revisión de un supervisor" if done_now else "ya estaba hecha: no se repitió"
        )
        run.link_to(
            reverse("adjudication", args=[pk]), f"La adjudicación {adjudication.code} {said}."
        )
