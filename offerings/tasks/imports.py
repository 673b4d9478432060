"""The review and the loading of a file of acceptances as background work."""

from collections.abc import Callable

from celery import shared_task
from django.urls import reverse

from offerings.enums import ImportState
from offerings.models import AcceptanceImport
from offerings.selectors.imports import import_counts
from offerings.services.imports import import_load, import_review
from office.jobs import job_running
from office.numbers import write_quantity
from office.refusals import Refused


@shared_task
def import_review_task(job_id: int) -> None:
    """Review the file named in the job's arguments; delivered again, do nothing."""
    _work(job_id, import_review)


@shared_task
def import_load_task(job_id: int) -> None:
    """Load the confirmed file named in the job's arguments; delivered again, do nothing."""
    _work(job_id, import_load)


def _work(job_id: int, act: Callable[..., bool]) -> None:
    with job_running(job_id) as run:
        if run is None:
            return
        pk = run.job.arguments["import"]
        run.link_to(reverse("import", args=[pk]))
        act(import_id=pk, report=run.report)
        source = AcceptanceImport.objects.get(pk=pk)
        if source.state == ImportState.REFUSED:  # it was read to no end: not what was asked for
            raise Refused(_unreadable(source))
        run.link_to(run.job.link, _said(source))


def _unreadable(source: AcceptanceImport) -> str:
    return f"{source.code} no se puede cargar: {source.problems[0]}"


def _said(source: AcceptanceImport) -> str:
    if source.state == ImportState.COLUMNS:
        return f"{source.code}: diga qué columna lleva cada título del archivo."
    if source.state == ImportState.LOADED:
        return f"{source.code}: quedaron registradas {write_quantity(source.loaded)} aceptaciones."
    counts = import_counts(source)
    return (
        f"{source.code}: se leyeron {write_quantity(counts.rows)} filas, "
        f"{write_quantity(counts.errors)} con errores. Revíselas y confirme la carga."
    )
