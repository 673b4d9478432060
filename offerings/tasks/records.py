"""The act of adjudication and its annex, drawn in the background."""

from celery import shared_task

from offerings.certificates import annex_pages_write, annex_workbook_write
from offerings.models import AdjudicationRecord
from office.jobs import job_running
from office.numbers import write_count
from office.pdf import PdfError
from office.refusals import Refused
from office.tasks import draw_reported


@shared_task
def record_draw_task(job_id: int) -> None:
    """Draw the act, then its annex part by part; argument of the job: `record` (id).

    Delivered twice or started again, it goes on with the part that is not there yet.
    """
    with job_running(job_id) as run:
        if run is None:
            return
        records = AdjudicationRecord.objects.select_related(
            "adjudication__stage__programme", "adjudication__exchange", "certificate__series"
        )
        record = records.get(pk=run.job.arguments["record"])
        draw_reported(run, [record.certificate_id], step=1)
        annex_workbook_write(record, lambda done, total: run.report(2, done, total, "líneas"))
        try:
            annex_pages_write(record, lambda done, total: run.report(3, done, total, "líneas"))
        except PdfError as error:
            raise Refused(f"No se pudo generar una parte del anexo. {error}") from error
        parts = write_count(record.annexes.count(), "archivo", "archivos")
        run.link_to(run.job.link, f"El acta {record.certificate} y su anexo están: {parts}.")
