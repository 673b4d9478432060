"""Opening the pledges of all that is paid in a programme, as one job that can be cut short."""

from collections.abc import Callable
from uuid import uuid4

from django.db import transaction

from offerings.decrees.reader import terms_from_data
from offerings.models import Adjudication, Award, Programme
from office.decisions import decision_record
from office.jobs import job_open
from office.models import Decision, Job, JobState, User
from office.numbers import write_count
from office.refusals import Refused
from office.roles import Capability
from pledges.models import Pledge
from pledges.selectors.opening import awards_to_pledge, paid_since, run_to_pledge
from pledges.services.pledges import (
    PledgeEntry,
    check_rank,
    opening_draft,
    pledge_article,
    pledge_drafted,
)

JOB_KIND = "pledges_open"
TASK = "pledges.tasks.openings.pledges_open_task"
CHUNK = 500
Report = Callable[[int, int], None]


@transaction.atomic
def pledges_job_open(*, programme_id: int, user: User, entry: PledgeEntry) -> Job:
    """Open the job that pledges what is paid in a programme, for the screen to enqueue.

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
    run = _run_checked(programme, user, entry)
    count = awards_to_pledge(programme).count()
    if not count:
        raise Refused("No hay adjudicaciones pagadas sin prenda en este programa.")
    job = job_open(
        kind=JOB_KIND,
        title="Constitución de prendas de lo pagado",
        context=str(programme),
        task=TASK,
        user=user,
        steps=["Constituir"],
        arguments={"programme": programme.pk, "rank": entry.rank, "lender": entry.lender},
    )
    decision_record(
        act="pledges_open",
        sentence=f"Pidió constituir {write_count(count, 'prenda', 'prendas')} de {programme}, "
        f"en {entry.rank.label.lower()} ({job.code}).",
        article=pledge_article(terms_from_data(run.terms)),
        actor=user,
        subject=programme,
    )
    return job


def pledges_open(
    *, programme: Programme, user: User, entry: PledgeEntry, report: Report = lambda *told: None
) -> int:
    """Pledge all that is paid in a programme, some hundreds at a time; how many were opened.

    Each lot is a transaction of its own: cut short, what it opened stays, and done again it goes
    on with what is left. Raises Refused.
    """
    run = _run_checked(programme, user, entry)
    wanted = list(awards_to_pledge(programme).order_by("pk").values_list("pk", flat=True))
    opened = 0
    for start in range(0, len(wanted), CHUNK):
        report(start, len(wanted))
        opened += _lot_open(run, wanted[start : start + CHUNK], user, entry)
    report(len(wanted), len(wanted))
    return opened


def _run_checked(programme: Programme, user: User, entry: PledgeEntry) -> Adjudication:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor constituye prendas.")
    run = run_to_pledge(programme)
    if run is None:
        raise Refused("No hay una adjudicación vigente cuyas acciones se pignoren.")
    check_rank(terms_from_data(run.terms), entry)
    return run


@transaction.atomic
def _lot_open(run: Adjudication, ids: list[int], user: User, entry: PledgeEntry) -> int:
    held = Award.objects.select_for_update(of=["self"]).filter(pk__in=ids)
    list(held.order_by("pk").values_list("pk", flat=True))
    # Read after the wait: what was annulled, undone or pledged meanwhile is left out.
    awards = awards_to_pledge(run.stage.programme).filter(pk__in=ids).annotate(since=paid_since())
    terms = terms_from_data(run.terms)
    pledges = Pledge.objects.bulk_create(
        pledge_drafted(award=award, entry=entry, terms=terms, since=award.since, user=user,
                       submission_key=uuid4())
        for award in awards.order_by("pk")
    )  # fmt: skip
    Decision.objects.bulk_create(opening_draft(pledge, terms, user) for pledge in pledges)
    return len(pledges)
