"""Issuing the certificates that releases lack: of one release or of a programme, as one job."""

from collections.abc import Callable
from datetime import date, datetime

from django.db import transaction
from django.db.models import QuerySet

from offerings.certificates.issuing import Issued, issue_each, may_issue
from offerings.models import Programme
from office.dates import write_date
from office.decisions import decision_record
from office.jobs import job_open
from office.models import Job, JobState, User
from office.numbers import write_count
from office.refusals import Refused
from pledges.certificates.release import release_certificate_issue
from pledges.models import Release, ReleaseLine
from pledges.selectors.release_certificates import (
    lines_uncertified,
    release_certificates_issued,
)

JOB_KIND = "release_certificates"
TASK = "pledges.tasks.certificates.release_certificates_task"
ONE, MANY = "certificado de levantamiento", "certificados de levantamiento"


@transaction.atomic
def release_certificates_job_open(
    *, programme_id: int, user: User, legal_date: date, release_id: int | None = None
) -> Job:
    """Open the job that certifies what is released in a programme, or in one release of it, for
    the screen to enqueue. Asked again while it waits or runs, the answer is the same job."""
    programme = Programme.objects.select_for_update(no_key=True).get(pk=programme_id)
    release = Release.objects.filter(pk=release_id).first()
    arguments = {"programme": programme_id, "release": release_id}
    running = Job.objects.filter(
        kind=JOB_KIND,
        arguments__contains=arguments,
        state__in=(JobState.QUEUED, JobState.RUNNING),
    ).first()
    if running:
        return running
    count = release_certificates_count(
        programme_id=programme_id, release_id=release_id, user=user, legal_date=legal_date
    )
    about = f"{release.code}, {programme}" if release else str(programme)
    job = job_open(
        kind=JOB_KIND,
        title="Certificados de levantamiento de prenda",
        context=about,
        task=TASK,
        user=user,
        steps=["Numerar", "Generar los PDF"],
        arguments={**arguments, "legal_date": legal_date.isoformat(), "count": count},
    )
    decision_record(
        act="release_certificates",
        sentence=f"Pidió expedir con fecha {write_date(legal_date)} "
        f"{write_count(count, ONE, MANY)} de {about} ({job.code}).",
        actor=user,
        subject=release or programme,
    )
    return job


def release_certificates_count(
    *, programme_id: int, user: User, legal_date: date, release_id: int | None = None
) -> int:
    """How many would be issued with that date; Refused if there are none."""
    may_issue(user, legal_date)
    count = _wanted(programme_id, release_id, legal_date).count()
    if not count:
        raise Refused(
            f"Al {write_date(legal_date)} no hay levantamientos sin certificado.", "legal_date"
        )
    return count


def release_certificates_issue(
    *,
    programme_id: int,
    user: User,
    legal_date: date,
    release_id: int | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
    asked: int = 0,
    since: datetime | None = None,
) -> Issued:
    """Number what is lacking on `legal_date`, each in a transaction of its own; done again, it
    goes on with what is left of the `asked` since that moment. One whose release was annulled
    meanwhile is passed over and told."""
    may_issue(user, legal_date)
    wanted = list(_wanted(programme_id, release_id, legal_date).values_list("pk", flat=True))
    return issue_each(
        wanted,
        lambda line_id: release_certificate_issue(
            line_id=line_id, user=user, legal_date=legal_date
        ),
        report,
        asked=asked,
        before=release_certificates_issued(programme_id, release_id, since) if since else 0,
    )


def _wanted(programme_id: int, release_id: int | None, legal_date: date) -> QuerySet[ReleaseLine]:
    lines = lines_uncertified(programme_id, by=legal_date)
    return lines.filter(release_id=release_id) if release_id else lines
