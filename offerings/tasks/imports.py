"""The loading of a file of acceptances as background work."""

from celery import shared_task
from django.urls import reverse

from offerings.enums import ImportState
from offerings.models import AcceptanceImport
from offerings.services.imports import import_run
from office.jobs import job_running
from office.numbers import write_quantity


@shared_task
def import_run_task(job_id: int) -> None:
    """Load the file named in the job's arguments, or refuse it; delivered again, do nothing."""
    with job_running(job_id) as run:
        if run is None:
            return
        pk = run.job.arguments["import"]
        run.link_to(reverse("import", args=[pk]))
        import_run(import_id=pk, report=run.report)
        run.link_to(run.job.link, _said(AcceptanceImport.objects.get(pk=pk)))


def _said(source: AcceptanceImport) -> str:
    if source.state == ImportState.REFUSED:
        return f"{source.code} tiene errores: no se guardó nada. Corríjalos y súbalo de nuevo."
    if source.rows == 1:
        return f"{source.code}: quedó registrada una aceptación."
    return f"{source.code}: quedaron registradas {write_quantity(source.rows)} aceptaciones."
