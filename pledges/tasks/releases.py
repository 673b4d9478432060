"""Carrying releases out, in the background."""

from celery import shared_task
from django.urls import reverse

from office.jobs import job_running
from office.numbers import write_count, write_quantity
from pledges.services.release_batches import CarriedOut, release_carry_out


@shared_task
def release_carry_out_task(job_id: int) -> None:
    """Free the lines of the release named in the job's arguments; delivered again, or started
    again after its worker died, it goes on with what is left."""
    with job_running(job_id) as run:
        if run is None:
            return
        pk = run.job.arguments["release"]
        run.link_to(reverse("release", args=[pk]))
        carried = release_carry_out(
            release_id=pk,
            report=lambda done, total: run.report(1, done, total, "prendas"),
            chunk=run.job.arguments["chunk"],
        )
        run.link_to(run.job.link, _said(carried))


def _said(carried: CarriedOut) -> str:
    done = write_count(carried.done, "prenda levantada", "prendas levantadas")
    if not carried.skipped:
        return f"{done}."
    return f"{done}; {write_quantity(carried.skipped)} no se levantaron: vea por qué en cada una."
