"""Issuing many papers: of a programme, of a broker, or of both, as one job."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from buyers.models import Broker
from offerings.certificates import allotments, notices
from offerings.certificates.issuing import (
    AwardPaper,
    Issued,
    issue_each,
    may_issue,
    paper_issue,
)
from offerings.models import Award, Programme
from offerings.selectors.certificates import ALLOTMENT, NOTICE, Scope, certificates_issued
from offerings.selectors.payments import awards_to_certify, awards_to_notify
from office.dates import write_date
from office.decisions import decision_record
from office.jobs import job_open
from office.models import Job, JobState, User
from office.numbers import write_count
from office.refusals import Refused

JOB_KIND = "certificates_issue_paid"
TASK = "offerings.tasks.certificates.certificates_issue_paid_task"


@dataclass(frozen=True)
class Batch:
    """What a batch issues: its paper, the awards that lack it on a day, and its words."""

    paper: AwardPaper
    lacking: Callable[..., QuerySet[Award]]
    one: str
    many: str
    title: str
    none_left: str


BATCHES = {
    NOTICE: Batch(
        paper=notices.PAPER,
        lacking=awards_to_notify,
        one="constancia",
        many="constancias",
        title="Expedición de constancias de adjudicación",
        none_left="Al {day} no hay aceptaciones adjudicadas sin constancia.",
    ),
    ALLOTMENT: Batch(
        paper=allotments.PAPER,
        lacking=awards_to_certify,
        one="certificado",
        many="certificados",
        title="Expedición de certificados de lo pagado",
        none_left="Al {day} no hay adjudicaciones pagadas sin certificado.",
    ),
}


@transaction.atomic
def certificates_job_open(*, kind: str, scope: Scope, user: User, legal_date: date) -> Job:
    """Open the job that issues what is lacking of a kind, for the screen to enqueue.

    Asked again for the same while it waits or runs, the answer is the same job. Raises Refused.
    """
    subject = _locked(scope)
    arguments: dict[str, Any] = {
        "kind": kind, "programme": scope.programme_id, "broker": scope.broker_id,
    }  # fmt: skip
    running = Job.objects.filter(
        kind=JOB_KIND,
        arguments__contains=arguments,
        state__in=(JobState.QUEUED, JobState.RUNNING),
    ).first()
    if running:
        return running
    count = certificates_count(kind=kind, scope=scope, user=user, legal_date=legal_date)
    batch = BATCHES[kind]
    job = job_open(
        kind=JOB_KIND,
        title=batch.title,
        context=scope.label,
        task=TASK,
        user=user,
        steps=["Numerar", "Generar los PDF"],
        arguments=arguments | {"legal_date": legal_date.isoformat(), "count": count},
    )
    decision_record(
        act="certificates_issue_paid" if kind == ALLOTMENT else "notices_issue",
        sentence=f"Pidió expedir con fecha {write_date(legal_date)} "
        f"{write_count(count, batch.one, batch.many)} de {scope.label} ({job.code}).",
        actor=user,
        subject=subject,
    )
    return job


def _locked(scope: Scope) -> Programme | Broker:
    """What the batch is about, held so that two people at once open one job."""
    if scope.programme_id:
        return Programme.objects.select_for_update().get(pk=scope.programme_id)
    if scope.broker_id:
        return Broker.objects.select_for_update().get(pk=scope.broker_id)
    raise Refused("Elija un programa o un comisionista.", "programme")


def certificates_count(*, kind: str, scope: Scope, user: User, legal_date: date) -> int:
    """How many would be issued with that date; Refused if there are none."""
    may_issue(user, legal_date)
    batch = BATCHES[kind]
    count = batch.lacking(scope, by=legal_date).count()
    if not count:
        raise Refused(batch.none_left.format(day=write_date(legal_date)), "legal_date")
    return count


def certificates_issue(
    *,
    kind: str,
    scope: Scope,
    user: User,
    legal_date: date,
    report: Callable[[int, int], None] = lambda done, total: None,
    asked: int = 0,
    since: datetime | None = None,
) -> Issued:
    """Number what is lacking of a kind on `legal_date`.

    Each in a transaction of its own, so that other people's numbers never wait for the whole
    lot; done again, it goes on with what is left of the `asked` since that moment. One that
    cannot be issued any more, as its adjudication was annulled meanwhile, is passed over and told.
    """
    may_issue(user, legal_date)
    batch = BATCHES[kind]
    wanted = list(batch.lacking(scope, by=legal_date).values_list("pk", flat=True))
    return issue_each(
        wanted,
        lambda award_id: paper_issue(
            paper=batch.paper, award_id=award_id, user=user, legal_date=legal_date
        ),
        report,
        asked=asked,
        before=certificates_issued(kind, scope, since=since) if since else 0,
    )
