"""Entering all of a programme's pledges in the share register or depository, as one job: a list
goes there under one reference."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date, time

from django.db import transaction
from django.db.models import Max, QuerySet

from offerings.models import Programme
from office.dates import bogota_moment, write_date
from office.decisions import decision_draft, decision_record
from office.jobs import job_open
from office.models import Decision, Job, JobState, User
from office.numbers import write_count
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.models import Pledge
from pledges.selectors.pledges import TO_ENTER

JOB_KIND = "pledges_enter"
TASK = "pledges.tasks.entries.pledges_enter_task"
CHUNK = 500
Report = Callable[[int, int], None]


@dataclass(frozen=True)
class ListEntered:
    """Where the list was entered, under which reference, on which day."""

    kept_by: str
    reference: str
    entered_on: date


def pledges_to_enter(programme: Programme) -> QuerySet[Pledge]:
    """A programme's standing pledges that are not in the register yet."""
    return Pledge.objects.filter(TO_ENTER, award__acceptance__stage__programme=programme)


@transaction.atomic
def pledges_enter_job_open(*, programme_id: int, user: User, entry: ListEntered) -> Job:
    """Open the job that enters what is lacking in a programme, for the screen to enqueue.

    Asked again while it waits or runs, the answer is the same job. Raises Refused.
    """
    # Its row is held, so that two people at once open one job.
    programme = Programme.objects.select_for_update().get(pk=programme_id)
    running = Job.objects.filter(
        kind=JOB_KIND,
        arguments__programme=programme.pk,
        state__in=(JobState.QUEUED, JobState.RUNNING),
    ).first()
    if running:
        return running
    count = _checked(programme, user, entry)
    job = job_open(
        kind=JOB_KIND,
        title="Anotación de prendas en el registro",
        context=str(programme),
        task=TASK,
        user=user,
        steps=["Anotar"],
        arguments={
            "programme": programme.pk,
            **asdict(entry),
            "entered_on": entry.entered_on.isoformat(),
        },
    )
    decision_record(
        act="pledges_enter",
        sentence=f"Pidió registrar la anotación de {write_count(count, 'prenda', 'prendas')} de "
        f"{programme} en {entry.kept_by}: {entry.reference} ({job.code}).",
        actor=user,
        subject=programme,
        legal_at=bogota_moment(entry.entered_on, time()),
    )
    return job


def pledges_enter(
    *, programme: Programme, user: User, entry: ListEntered, report: Report = lambda *told: None
) -> int:
    """Enter what was opened up to the day and is not entered yet, some hundreds at a time; how
    many were entered. Cut short, what it entered stays, and done again it goes on. Raises Refused.
    """
    _check_may(user)
    until = pledges_to_enter(programme).filter(opened_on__lte=entry.entered_on)
    wanted = list(until.order_by("pk").values_list("pk", flat=True))
    entered = 0
    for start in range(0, len(wanted), CHUNK):
        report(start, len(wanted))
        entered += _lot_enter(wanted[start : start + CHUNK], user, entry)
    report(len(wanted), len(wanted))
    return entered


def _checked(programme: Programme, user: User, entry: ListEntered) -> int:
    """How many would be entered; Refused where it may not be, or where one is opened later."""
    _check_may(user)
    check_day_not_future(entry.entered_on, "entered_on")
    lacking = pledges_to_enter(programme)
    count = lacking.count()
    if not count:
        raise Refused("Todas las prendas de este programa están anotadas.")
    last = lacking.aggregate(last=Max("opened_on"))["last"]
    if entry.entered_on < last:
        raise Refused(
            f"La última de ellas se constituyó el {write_date(last)}: la anotación de todas no "
            "puede ser anterior.",
            "entered_on",
        )
    return count


def _check_may(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra la anotación.")


@transaction.atomic
def _lot_enter(ids: list[int], user: User, entry: ListEntered) -> int:
    # What was entered alone, released or annulled meanwhile is left as it is.
    held = Pledge.objects.select_for_update(of=["self"]).filter(TO_ENTER, pk__in=ids)
    pledges = list(held.order_by("pk"))
    Pledge.objects.filter(pk__in=[one.pk for one in pledges]).update(
        kept_by=entry.kept_by, entry_reference=entry.reference, entered_on=entry.entered_on
    )
    Decision.objects.bulk_create(
        decision_draft(
            act="pledge_enter",
            sentence=f"Registró la anotación de {one.code} en {entry.kept_by}: {entry.reference}.",
            actor=user,
            subject=one,
            legal_at=bogota_moment(entry.entered_on, time()),
        )
        for one in pledges
    )
    return len(pledges)
