"""Releasing at term what a programme's pledges have left: prepared as one act, approved, and
carried out by a job in short transactions that can be begun again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, time

from django.db import connection, transaction
from django.db.models import Q, Sum
from django.utils import timezone

from offerings.models import Programme
from offerings.selectors.programmes import programme_terms
from office.dates import bogota_moment, write_date
from office.decisions import decision_draft, decision_record
from office.jobs import job_open
from office.models import Decision, Job, User
from office.numbers import write_count, write_quantity, write_shares
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState
from office.roles import Capability
from pledges.enums import Ground, LineState, PledgeState
from pledges.models import Pledge, Release, ReleaseLine
from pledges.selectors.movements import last_movement
from pledges.selectors.releases import pledges_held_back, pledges_over, pledges_to_release

JOB_KIND = "release_carry_out"
TASK = "pledges.tasks.releases.release_carry_out_task"
CHUNK = 500

# Each pledge's free shares become a line and are counted as about to be released, in one
# statement: its row is held from then on, and nothing of it is read into this process.
PLAN = """
    WITH due AS (
        SELECT pledge.id, pledge.shares - pledge.released - pledge.passed_on
                          - pledge.in_process - pledge.attached AS free
        FROM pledges_pledge pledge
        WHERE pledge.id IN ({over})
          AND pledge.shares - pledge.released - pledge.passed_on
              - pledge.in_process - pledge.attached > 0
        ORDER BY pledge.id FOR UPDATE
    ), held AS (
        UPDATE pledges_pledge pledge SET in_process = pledge.in_process + due.free
        FROM due WHERE pledge.id = due.id
    ), planned AS (
        INSERT INTO pledges_releaseline (release_id, pledge_id, shares, state, skipped_why)
        SELECT %s, due.id, due.free, 'planned', '' FROM due ORDER BY due.id
        RETURNING shares
    )
    SELECT count(*), COALESCE(sum(shares), 0) FROM planned
"""
DROP = """
    WITH held AS (
        SELECT pledge.id AS pledge_id, line.id AS line_id, line.shares
        FROM pledges_pledge pledge
        JOIN pledges_releaseline line ON line.pledge_id = pledge.id
        WHERE line.release_id = %s AND line.state = 'planned'
        ORDER BY pledge.id FOR UPDATE OF pledge
    ), freed AS (
        UPDATE pledges_pledge pledge SET in_process = pledge.in_process - held.shares
        FROM held WHERE pledge.id = held.pledge_id
    )
    UPDATE pledges_releaseline line SET state = 'dropped'
    FROM held WHERE line.id = held.line_id
"""


@transaction.atomic
def releases_matured_prepare(*, programme_id: int, released_on: date, user: User) -> Release:
    """Prepare the release of all that a programme's pledges have free once their term is over.

    What a measure holds, or is asked for, is left out and told. Asked again alike, with nothing
    new to release, give the one that waits. Raises Refused.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara un levantamiento.")
    check_day_not_future(released_on, "released_on")
    # Two batches of a programme take turns; whoever only refers to it need not wait.
    programme = Programme.objects.select_for_update(no_key=True).get(pk=programme_id)
    if not pledges_to_release(programme, released_on).exists():
        return _nothing_new(programme, released_on, user)
    release = Release(
        programme=programme,
        ground=Ground.TERM,
        released_on=released_on,
        lines_planned=0,
        shares_planned=0,
        prepared_by=user,
        review_state=ReviewState.DRAFT,
    )
    release.full_clean()
    release.save()
    release.lines_planned, release.shares_planned = _plan(release)
    if not release.lines_planned:  # taken meanwhile by requests, or measures
        raise Refused("Las acciones se pidieron o se embargaron mientras tanto: vuelva a mirar.")
    release.review_state = ReviewState.PENDING
    release.save(update_fields=["lines_planned", "shares_planned", "review_state"])
    _record_prepared(release, user)
    return release


def _nothing_new(programme: Programme, released_on: date, user: User) -> Release:
    waiting = Release.objects.filter(
        programme=programme,
        ground=Ground.TERM,
        released_on=released_on,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    ).last()
    if waiting:
        return waiting
    raise Refused(
        f"Al {write_date(released_on)} no hay prendas cumplidas con acciones por levantar en "
        f"{programme}: una prenda se puede levantar desde el día siguiente a su último día.",
        "released_on",
    )


def _plan(release: Release) -> tuple[int, int]:
    over = pledges_over(release.programme, release.released_on).order_by().values("pk")
    sql, params = over.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(PLAN.format(over=sql), [*params, release.pk])
        count, shares = cursor.fetchone()
    return count, int(shares)


def _record_prepared(release: Release, user: User) -> None:
    held = pledges_held_back(release.programme, release.released_on)
    left = ""
    if held.attached:
        left += (
            f" Quedan fuera {write_shares(held.attached_shares)} bajo medida de una autoridad, de "
            f"{write_count(held.attached, 'prenda', 'prendas')}."
        )
    if held.asked:
        left += (
            f" Y {write_shares(held.asked_shares)} pedidas en solicitudes, de "
            f"{write_count(held.asked, 'prenda', 'prendas')}."
        )
    decision_record(
        act="release_prepare",
        sentence=f"Preparó el levantamiento {release.code} al {write_date(release.released_on)}: "
        f"{write_count(release.lines_planned, 'prenda cumplida', 'prendas cumplidas')}, "
        f"{write_shares(int(release.shares_planned))}.{left}",
        article=term_article(release.programme),
        actor=user,
        subject=release,
        legal_at=bogota_moment(release.released_on, time()),
        data={
            "attached": held.attached,
            "attached_shares": held.attached_shares,
            "asked": held.asked,
            "asked_shares": held.asked_shares,
        },
    )


def batch_drop(release: Release) -> None:
    """Give back the shares of a release that is not approved; its lines stay, without effect."""
    with connection.cursor() as cursor:
        cursor.execute(DROP, [release.pk])


def batch_job_open(release: Release, user: User) -> Job:
    """The job that carries a release out, for the screen to enqueue."""
    return job_open(
        kind=JOB_KIND,
        title=f"Levantamiento {release.code}",
        context=str(release.programme),
        task=TASK,
        user=user,
        steps=["Levantar las prendas"],
        arguments={"release": release.pk, "chunk": CHUNK},
    )


@dataclass(frozen=True)
class CarriedOut:
    """How many lines were freed, and how many could not be any more."""

    done: int
    skipped: int


def release_carry_out(
    *,
    release_id: int,
    report: Callable[[int, int], None] = lambda done, total: None,
    chunk: int = CHUNK,
) -> CarriedOut:
    """Free the lines of an approved release, `chunk` of them in each transaction.

    Stopped or killed, what was committed stays and the rest goes on the next time: a line is
    freed once. One whose shares a measure holds by now is passed over, with why.
    """
    release = Release.objects.select_related("reviewed_by", "programme").get(pk=release_id)
    if release.review_state != ReviewState.APPROVED:
        raise Refused(f"{release.code} está «{release.get_review_state_display()}».")
    while _chunk_carry_out(release, chunk):
        left = release.lines.filter(state=LineState.PLANNED).count()
        report(release.lines_planned - left, release.lines_planned)
    _end(release)
    return CarriedOut(
        done=release.lines.filter(done_at__isnull=False).count(),
        skipped=release.lines.filter(state=LineState.SKIPPED).count(),
    )


@transaction.atomic
def _chunk_carry_out(release: Release, chunk: int) -> bool:
    """Free the next lines; False where none is left."""
    planned = release.lines.filter(state=LineState.PLANNED).order_by("pledge_id")
    wanted = list(planned.values_list("pledge_id", flat=True)[:chunk])
    if not wanted:
        return False
    held = Pledge.objects.select_for_update(of=["self"]).filter(pk__in=wanted).order_by("pk")
    pledges = {pledge.pk: pledge for pledge in held}
    lines = list(planned.select_for_update(of=["self"]).filter(pledge_id__in=wanted))
    now = timezone.now()
    for line in lines:
        _line_decide(line, pledges[line.pledge_id], now)
    Pledge.objects.bulk_update(pledges.values(), ["released", "in_process", "state"])
    ReleaseLine.objects.bulk_update(lines, ["state", "still_pledged", "done_at", "skipped_why"])
    Decision.objects.bulk_create(_told(release, lines, pledges))
    return True


def _line_decide(line: ReleaseLine, pledge: Pledge, now) -> None:
    pledge.in_process -= line.shares
    if pledge.pledged - pledge.attached < line.shares:
        line.state, line.skipped_why = LineState.SKIPPED, _why_not(pledge)
        return
    later = _moved_later(line, pledge)
    if later:
        line.state, line.skipped_why = LineState.SKIPPED, later
        return
    pledge.released += line.shares
    if not pledge.pledged:
        pledge.state = PledgeState.RELEASED
    line.state, line.done_at, line.still_pledged = LineState.DONE, now, pledge.pledged


def _moved_later(line: ReleaseLine, pledge: Pledge) -> str:
    """Why a pledge of which something moved after the day of the release waits for another."""
    if not (pledge.released or pledge.passed_on or pledge.inherited_from_id):
        return ""  # as nearly all: nothing of it has moved
    latest = last_movement(pledge)
    if latest is None or latest[0] <= line.release.released_on:
        return ""
    return (
        f"Consta {latest[1]} del {write_date(latest[0])}: levántela con esa fecha o una posterior."
    )


def _why_not(pledge: Pledge) -> str:
    """What holds the shares; and how many are left that nothing holds, for another release."""
    measure = pledge.attachments.filter(lifted_on=None).order_by("pk").last()
    held = f"{measure} de {measure.authority}" if measure else "ya no tiene acciones libres"
    left = f": quedan {write_quantity(pledge.pledged)} en prenda{_left_without(pledge)}."
    longest = ReleaseLine._meta.get_field("skipped_why").max_length
    return f"{held[: longest - len(left)]}{left}"


def _left_without(pledge: Pledge) -> str:
    if not pledge.free:
        return ""
    if pledge.free == 1:
        return "; sin medida queda 1, que puede ir en otro levantamiento"
    free = write_quantity(pledge.free)
    return f"; sin medida quedan {free}, que pueden ir en otro levantamiento"


def _told(
    release: Release, lines: Iterable[ReleaseLine], pledges: dict[int, Pledge]
) -> list[Decision]:
    """What became of each pledge, for its own history."""
    article = term_article(release.programme)
    return [
        decision_draft(
            act="release_done" if line.state == LineState.DONE else "release_skipped",
            sentence=_line_words(line, release),
            article=article,
            actor=release.reviewed_by,
            subject=pledges[line.pledge_id],
            legal_at=bogota_moment(release.released_on, time()),
            data={"release": release.pk},
        )
        for line in lines
    ]


def _line_words(line: ReleaseLine, release: Release) -> str:
    if line.state == LineState.SKIPPED:
        return f"No levantó la prenda en {release.code}: {line.skipped_why}"
    left = (
        f"siguen en prenda {write_quantity(line.still_pledged)}"
        if line.still_pledged
        else "no queda ninguna en prenda"
    )
    return (
        f"Levantó la prenda de {write_shares(line.shares)} por cumplimiento del término "
        f"({release.code}); {left}."
    )


@transaction.atomic
def _end(release: Release) -> None:
    """Say once that a release has been carried out."""
    held = Release.objects.select_for_update(of=["self"]).get(pk=release.pk)
    if held.done_at:
        return
    held.done_at = timezone.now()
    held.save(update_fields=["done_at"])
    sums = held.lines.aggregate(
        done=Sum("shares", filter=Q(state=LineState.DONE), default=0),
        skipped=Sum("shares", filter=Q(state=LineState.SKIPPED), default=0),
    )
    skipped = f" No se levantaron {write_shares(int(sums['skipped']))}." if sums["skipped"] else ""
    decision_record(
        act="release_ended",
        sentence=f"Terminó el levantamiento {held.code}: quedaron libres "
        f"{write_shares(int(sums['done']))}.{skipped}",
        actor=release.reviewed_by,
        subject=held,
        legal_at=bogota_moment(held.released_on, time()),
    )


def term_article(programme: Programme) -> str:
    """The clause that sets the term, as in force in the programme."""
    terms = programme_terms(programme)
    return terms.lock_up.cite if terms.lock_up else ""
