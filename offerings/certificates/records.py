"""The act of adjudication: issued for an approved run, or drawn as a draft before that."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from offerings.certificates.record_facts import record_facts
from offerings.decrees.reader import terms_from_data
from offerings.models import Adjudication, AdjudicationRecord
from offerings.rules.adjudication import adjudication_terms
from offerings.selectors.certificates import RECORD
from office.certificates import DOCUMENT_STYLESHEET, certificate_issue
from office.dates import write_date
from office.jobs import job_open
from office.models import Certificate, CertificateState, Job, JobState, User
from office.pdf import render_pdf
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability

TITLE = "Acta de adjudicación"
TEMPLATE = "certificates/documents/record.html"
RECORD_JOB = "adjudication_record"
TASK = "offerings.tasks.records.record_draw_task"
STEPS = ["Generar el acta", "Escribir el anexo en Excel", "Generar el anexo en PDF"]


@transaction.atomic
def record_issue(*, adjudication_id: int, user: User, legal_date: date) -> AdjudicationRecord:
    """Issue the act of an adjudication in force, once: asked again, the answer is the same;
    after its certificate's annulment, another takes its place. Raises Refused.

    The adjudication's row is locked first and the series last, as where it is annulled.
    """
    runs = Adjudication.objects.select_for_update(of=["self"])
    run = runs.select_related("stage__programme", "exchange", "prepared_by").get(
        pk=adjudication_id
    )
    # Read after the lock: one joined to the waited-for row would be as it was before the wait.
    record = AdjudicationRecord.objects.filter(adjudication=run).first()
    before = _certificate_of(record)
    if record and before and before.state != CertificateState.ANNULLED:
        return record
    _check(run, user, legal_date)
    certificate = certificate_issue(
        kind=RECORD,
        title=TITLE,
        template=TEMPLATE,
        facts=record_facts(run),
        legal_date=legal_date,
        user=user,
        article=adjudication_terms(terms_from_data(run.terms)).valid_cite,
        replaces=before,
    )
    if record is None:
        return AdjudicationRecord.objects.create(adjudication=run, certificate=certificate)
    record.certificate = certificate
    record.save(update_fields=["certificate"])
    return record


def _certificate_of(record: AdjudicationRecord | None) -> Certificate | None:
    if record is None:
        return None
    return Certificate.objects.select_related("series").get(pk=record.certificate_id)


def _check(run: Adjudication, user: User, legal_date: date) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor expide el acta.")
    if run.annulled_at is not None:
        raise Refused(f"{run.code} está anulada: su acta no se expide de nuevo.")
    if run.review_state != ReviewState.APPROVED:
        raise Refused(f"{run.code} no está aprobada: el acta se expide después.")
    if legal_date > timezone.localdate():
        raise Refused(
            f"El {write_date(legal_date)} está en el futuro: escriba cuándo se expide.",
            "legal_date",
        )
    if legal_date < run.session_on:
        raise Refused(
            f"No puede ser anterior a la sesión, del {write_date(run.session_on)}.", "legal_date"
        )


@transaction.atomic
def record_job_open(*, record: AdjudicationRecord, user: User) -> Job:
    """Open the job that draws the act and its annex, for the screen to enqueue.

    Asked again while it waits or runs, the answer is the same job.
    """
    AdjudicationRecord.objects.select_for_update().get(pk=record.pk)
    running = Job.objects.filter(
        kind=RECORD_JOB,
        arguments__record=record.pk,
        state__in=(JobState.QUEUED, JobState.RUNNING),
    ).first()
    if running:
        return running
    return job_open(
        kind=RECORD_JOB,
        title=f"Acta y anexo de {record.adjudication.code}",
        context=str(record.adjudication.stage),
        task=TASK,
        user=user,
        steps=STEPS,
        arguments={"record": record.pk},
    )


# Before it is issued


@dataclass(frozen=True)
class _Draft:
    """What the act's template reads of a certificate, where there is none yet."""

    title: str
    issued_at: datetime
    label: str = ""


def record_draft_pdf(run: Adjudication) -> bytes:
    """The act as it would be, BORRADOR across each page: no number, no code, and not stored."""
    draft = _Draft(title=TITLE, issued_at=run.prepared_at)
    context: dict[str, Any] = {"certificate": draft, "facts": record_facts(run), "draft": True}
    html = render_to_string(TEMPLATE, context)
    return render_pdf(html, stylesheet=DOCUMENT_STYLESHEET, one_page=False)
