"""Having certificates' PDFs drawn in the background, for the screens that ask for it."""

from collections.abc import Sequence
from datetime import date

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse

from office.dates import write_date
from office.jobs import job_enqueue, job_open
from office.models import Certificate, Job, JobState, User

TASK = "office.tasks.certificates_draw_task"
KIND, ALL_KIND = "certificate_draw", "certificates_draw_pending"
ACTIVE = (JobState.QUEUED, JobState.RUNNING)


def told_already(request: HttpRequest, found: Certificate, legal_date: date) -> bool:
    """Whether another issued it first, or it bears another date; then that is said, so that
    whoever asked does not take it for its own."""
    if found.issued_by_id == request.user.pk and found.legal_date == legal_date:
        return False
    messages.warning(
        request,
        f"{found.label} ya estaba: lo expidió {found.issued_by} con fecha del "
        f"{write_date(found.legal_date)}. No se expidió otro, ni con otra fecha.",
    )
    return True


def draw(found: Certificate, user: User) -> Job:
    """Have one PDF drawn once the transaction is through."""
    return _opened(
        kind=KIND,
        title=f"PDF de {found.label}",
        context=found.title,
        user=user,
        certificates=[found.pk],
        link=reverse("certificate", args=[found.pk]),
    )


def draw_all(certificates: Sequence[int], user: User, *, context: str, link: str) -> Job:
    """Have many drawn; while such a job waits or runs, it is the answer."""
    under_way = Job.objects.filter(kind=ALL_KIND, state__in=ACTIVE).first()
    return under_way or _opened(
        kind=ALL_KIND,
        title="PDF por generar",
        context=context,
        user=user,
        certificates=list(certificates),
        link=link,
    )


def _opened(
    *, kind: str, title: str, context: str, user: User, certificates: list[int], link: str
) -> Job:
    job = job_open(
        kind=kind,
        title=title,
        context=context,
        task=TASK,
        user=user,
        steps=["Generar el PDF"],
        arguments={"certificates": certificates},
    )
    job.link = link
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job


def draw_job(found: Certificate, *, active: bool = False) -> Job | None:
    """The last job that was asked to draw it; with `active`, one that waits or runs."""
    jobs = Job.objects.filter(
        kind__in=(KIND, ALL_KIND), arguments__certificates__contains=[found.pk]
    )
    if active:
        jobs = jobs.filter(state__in=ACTIVE)
    return jobs.first()
