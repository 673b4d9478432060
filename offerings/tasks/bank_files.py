"""The review and the recording of a bank's file as background work."""

from collections.abc import Callable

from celery import shared_task
from django.urls import reverse

from offerings.enums import ImportState
from offerings.models import BankFile
from offerings.selectors.bank_files import bank_file_counts
from offerings.services.bank_files import bank_file_load, bank_file_review
from office.jobs import job_running
from office.numbers import write_count, write_quantity
from office.refusals import Refused


@shared_task
def bank_file_review_task(job_id: int) -> None:
    """Review the file named in the job's arguments; delivered again, do nothing."""
    _work(job_id, bank_file_review)


@shared_task
def bank_file_load_task(job_id: int) -> None:
    """Record the payments of the file named in the job's arguments; delivered again, go on with
    what is left."""
    _work(job_id, bank_file_load)


def _work(job_id: int, act: Callable[..., bool]) -> None:
    with job_running(job_id) as run:
        if run is None:
            return
        pk = run.job.arguments["bank_file"]
        run.link_to(reverse("bank_file", args=[pk]))
        act(bank_file_id=pk, report=run.report)
        source = BankFile.objects.get(pk=pk)
        if source.state == ImportState.REFUSED:  # it was read to no end: not what was asked for
            raise Refused(_unreadable(source))
        run.link_to(run.job.link, _said(source))


def _unreadable(source: BankFile) -> str:
    return f"{source.code} no se puede leer: {source.problems[0]}"


def _said(source: BankFile) -> str:
    if source.state == ImportState.COLUMNS:
        return f"{source.code}: diga qué columna lleva cada título del archivo."
    if source.state == ImportState.LOADED:
        recorded = write_count(source.loaded, "pago registrado", "pagos registrados")
        return f"{source.code}: {recorded}."
    counts = bank_file_counts(source)
    return (
        f"{source.code}: se leyeron {write_count(counts.rows, 'fila', 'filas')}; "
        f"{write_quantity(counts.errors + counts.unmatched)} no se pueden registrar. Revíselas y "
        "confirme."
    )
