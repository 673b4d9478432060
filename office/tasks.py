"""What office does in the background: watch the jobs and draw certificates."""

from collections.abc import Sequence

from celery import shared_task

from office.certificates import certificates_draw
from office.jobs import JobRun, job_running, jobs_interrupted, jobs_send_again
from office.numbers import write_count, write_quantity
from office.refusals import Refused

SHOWN_FAILURES = 5


@shared_task
def jobs_watch_task() -> None:
    """Mark the jobs whose worker is gone, and send those that the broker did not get."""
    jobs_interrupted()
    jobs_send_again()


@shared_task
def certificates_draw_task(job_id: int) -> None:
    """Draw the certificates named in the job's arguments (`certificates`: their ids)."""
    with job_running(job_id) as run:
        if run is not None:
            draw_reported(run, run.job.arguments["certificates"], step=1)


def draw_reported(run: JobRun, wanted: Sequence[int], *, step: int) -> None:
    """Draw certificates as a step of a job; Refused, after all were tried, if some failed."""
    failed = certificates_draw(
        wanted, lambda done, total: run.report(step, done, total, "certificados")
    )
    if failed:
        raise Refused(_failure_message(failed))
    run.link_to(run.job.link, _done_message(len(wanted)))


def _done_message(count: int) -> str:
    if not count:
        return "No había certificados por generar."
    if count == 1:
        return "Se generó un certificado."
    return f"Se generaron {write_quantity(count)} certificados."


def _failure_message(failed: Sequence[str]) -> str:
    more = len(failed) - SHOWN_FAILURES
    rest = f" Y {write_quantity(more)} más." if more > 0 else ""
    return (
        f"Por generar: {write_count(len(failed), 'certificado', 'certificados')}, con su número. "
        f"{' '.join(failed[:SHOWN_FAILURES])}{rest} Cuando se corrija la causa, vuelva a empezar "
        "el proceso."
    )
