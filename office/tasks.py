"""What office does in the background: watch the jobs and draw certificates."""

from collections.abc import Sequence

from celery import shared_task

from office.certificates import certificates_draw, paper_words
from office.jobs import JobRun, job_running, jobs_interrupted, jobs_send_again
from office.models import Certificate, CertificateState
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


def draw_reported(run: JobRun, wanted: Sequence[int], *, step: int, before: int = 0) -> None:
    """Draw certificates as a step of a job; `before`: how many an earlier start of it had drawn.

    Refused, after all were tried, if some failed or were annulled before their turn came.
    """
    titles = Certificate.objects.filter(pk__in=wanted).order_by().values_list("title", flat=True)
    one, many = paper_words(titles.distinct())
    failed = certificates_draw(
        wanted, lambda done, total: run.report(step, before + done, before + total, many)
    )
    if failed:
        raise Refused(_failure_message(failed, one, many))
    annulled = Certificate.objects.filter(
        pk__in=wanted, state=CertificateState.ANNULLED, file=None
    ).count()
    drawn = before + len(wanted) - annulled
    if annulled:
        raise Refused(
            f"Quedó incompleto: {_done_message(drawn, one, many)} "
            f"Antes de generar su PDF se anuló lo demás: {write_count(annulled, one, many)}."
        )
    run.link_to(run.job.link, _done_message(drawn, one, many))


def _done_message(count: int, one: str, many: str) -> str:
    if not count:
        return f"No había {many} por generar."
    verb = "Se generó" if count == 1 else "Se generaron"
    return f"{verb} {write_count(count, one, many)}."


def _failure_message(failed: Sequence[str], one: str, many: str) -> str:
    more = len(failed) - SHOWN_FAILURES
    rest = f" Y {write_quantity(more)} más." if more > 0 else ""
    return (
        f"Por generar: {write_count(len(failed), one, many)}, con su número. "
        f"{' '.join(failed[:SHOWN_FAILURES])}{rest} Cuando se corrija la causa, vuelva a empezar "
        "el proceso."
    )
