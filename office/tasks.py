"""What office does in the background: watch the jobs and draw certificates."""

from celery import shared_task

from office.certificates import certificate_draw
from office.jobs import job_running, jobs_interrupted
from office.models import Certificate


@shared_task
def jobs_watch_task() -> None:
    """Mark the jobs whose worker is gone."""
    jobs_interrupted()


@shared_task
def certificates_draw_task(job_id: int) -> None:
    """Draw the certificates named in the job's arguments (`certificates`: their ids)."""
    with job_running(job_id) as run:
        if run is None:
            return
        wanted = run.job.arguments["certificates"]
        for done, pk in enumerate(wanted, start=1):
            certificate_draw(pk)
            run.report(1, done, len(wanted), "certificados")
        run.link_to(run.job.link, f"Se generaron {len(wanted)} certificados.")


def certificates_pending(kind: str) -> list[int]:
    """The ids of the certificates of a series' kind that wait for their PDF, oldest first."""
    return list(
        Certificate.objects.filter(series__kind=kind, file=None).order_by("pk").values_list(
            "pk", flat=True
        )
    )
