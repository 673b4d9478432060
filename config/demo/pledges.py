"""What is pledged in the demonstration, from the payment to the end of the term."""

from collections.abc import Callable
from datetime import date, datetime
from uuid import uuid5

from django.db.models import QuerySet

from config.demo import SOURCE, SUBMISSIONS
from config.demo.exits import exit_ready, readings_ready, waiting_ready
from config.demo.jobs import Tell, job_finish
from config.demo.people import acting
from offerings.models import Programme
from office.dates import BOGOTA
from office.models import Job
from office.review import ReviewState
from pledges.certificates import JOB_KIND as CERTIFICATES_JOB
from pledges.certificates import release_certificates_job_open
from pledges.enums import Ground, Measure, Rank
from pledges.models import Pledge, Release
from pledges.services.maturing import pledges_mature
from pledges.services.measures import MeasureEntry, attachment_record
from pledges.services.openings import JOB_KIND, pledges_job_open
from pledges.services.pledges import PledgeEntry
from pledges.services.release_batches import releases_matured_prepare
from pledges.services.releases import release_decide

ORDERED_ON = date(1996, 3, 4)
RECEIVED_AT = datetime(1996, 3, 6, 10, 15, tzinfo=BOGOTA)
FREE_ON = date(1997, 9, 16)  # the day after the last of the term


def pledges_ready(programme: Programme, tell: Tell) -> None:
    """A pledge for each award that is wholly paid, opened by the worker."""
    job = Job.objects.filter(kind=JOB_KIND, arguments__programme=programme.pk).first()
    if job is None:
        with acting("mateo") as mateo:
            job = pledges_job_open(
                programme_id=programme.pk, user=mateo, entry=PledgeEntry(rank=Rank.FIRST)
            )
    job_finish(job, tell)


def exits_ready(programme: Programme) -> None:
    """One exit of a whole pledge, one of a part, one that waits, and one pledge embargoed."""
    readings_ready(programme)
    for happens, pledge in zip(HAPPENS, _pledges(programme), strict=False):
        happens(pledge)


def _pledges(programme: Programme) -> QuerySet[Pledge]:
    """The first ones, as they were opened."""
    found = Pledge.objects.filter(award__acceptance__stage__programme=programme)
    return found.select_related("award__acceptance").order_by("pk")[: len(HAPPENS)]


def _embargo(pledge: Pledge) -> None:
    with acting("irene") as irene:
        attachment_record(
            pledge_id=pledge.pk,
            user=irene,
            entry=MeasureEntry(
                measure=Measure.EMBARGO,
                authority="Juzgado Ficticio de Muestra",
                number="118 (ficticio)",
                ordered_on=ORDERED_ON,
                received_at=RECEIVED_AT,
                shares=pledge.shares,
                detail=SOURCE,
            ),
            submission_key=uuid5(SUBMISSIONS, f"embargo {pledge.award.acceptance.code}"),
        )


# What happens to each of the first pledges.
HAPPENS: tuple[Callable[[Pledge], None], ...] = (
    lambda pledge: exit_ready(pledge, pledge.shares),
    lambda pledge: exit_ready(pledge, pledge.shares * 2 // 5),
    waiting_ready,
    _embargo,
)


def term_ready(programme: Programme, tell: Tell) -> None:
    """The end of the term: what is free is released by the worker, and certified."""
    pledges_mature(day=FREE_ON)
    release = Release.objects.filter(programme=programme, ground=Ground.TERM).first()
    if release is None:
        with acting("irene") as irene:
            release = releases_matured_prepare(
                programme_id=programme.pk, released_on=FREE_ON, user=irene
            )
    if release.review_state == ReviewState.PENDING:
        with acting("ana") as ana:
            release = release_decide(release_id=release.pk, user=ana, outcome=ReviewState.APPROVED)
    if release.job is not None:
        job_finish(release.job, tell)
    _certificates(programme, tell)


def _certificates(programme: Programme, tell: Tell) -> None:
    job = Job.objects.filter(kind=CERTIFICATES_JOB, arguments__programme=programme.pk).first()
    if job is None:
        with acting("mateo") as mateo:
            job = release_certificates_job_open(
                programme_id=programme.pk, user=mateo, legal_date=FREE_ON
            )
    job_finish(job, tell)
