"""What the database itself holds of releases, past every service; and acts at the same instant."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from django.db import connections, transaction
from django.utils import timezone

from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import LineState
from pledges.models import Pledge, Release, ReleaseLine
from pledges.services.release_batches import release_carry_out
from pledges.services.releases import release_prepare
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.release_rows import (
    FREE_DAY,
    RELEASED_ON,
    ask_annulment,
    attach,
    decide,
    make_paid_request,
    prepare_term,
    release_at_term,
    release_early,
)
from tests.pledges.rows import make_pledge, make_pledges


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def pending(pledge, irene):
    request = make_paid_request(pledge, irene, 4)
    return release_prepare(request_id=request.pk, released_on=RELEASED_ON, user=irene)


@pytest.fixture
def line(pledge, irene, ana):
    paid = make_paid_request(pledge, irene, 4, number="R-2")
    return release_early(paid, irene, ana).lines.get()


def test_an_early_release_is_of_one_request_and_one_at_term_of_none(pending):
    with refused_by("release_ground_agrees_with_request"):
        repeat(pending, ground="term")
    with refused_by("release_ground_agrees_with_request"):
        repeat(pending, request=None)


def test_one_release_of_a_request_waits_at_a_time(pending):
    with refused_by("release_one_under_way"):
        repeat(pending)


def test_what_is_done_was_approved(pending):
    with refused_by("release_done_was_approved"):
        repeat(pending, request=None, ground="term", done_at=timezone.now())


@pytest.mark.parametrize(
    "column", [{"lines_planned": 2}, {"shares_planned": 5}, {"released_on": date(1997, 1, 25)}]
)
def test_what_waits_or_is_decided_does_not_change(pending, line, column):
    with refused_by("release_content_fixed"):
        change(pending, **column)
    with refused_by("release_decided_is_final"):
        change(line.release, **column)
    with refused_by("release_decided_is_final"):
        change(line.release, done_at=timezone.now())


def test_releases_their_lines_and_annulments_are_kept(pending, line, irene):
    asked = ask_annulment(line, irene)
    for row, guard in (
        (asked, "releaseannulment_kept"),
        (line, "releaseline_kept"),
        (pending, "release_kept"),
    ):
        with refused_by(guard):
            strike_out(row)
    with refused_by("releaseannulment_content_fixed"):
        change(asked, cause="Otra")


def test_a_line_is_done_by_an_approved_act_alone(pending):
    waiting = pending.lines.get()
    with refused_by("releaseline_done_by_approved_act"):
        change(waiting, state="done", done_at=timezone.now(), still_pledged=6)


def test_a_line_that_is_done_says_what_is_left_and_one_skipped_why(pending, line):
    waiting = pending.lines.get()
    with refused_by("releaseline_done_says_what_is_left"):
        change(waiting, still_pledged=6)
    with refused_by("releaseline_done_says_what_is_left"):
        change(line, still_pledged=None)
    with refused_by("releaseline_skipped_says_why"):
        change(waiting, state="skipped")


@pytest.mark.parametrize("column", [{"shares": 5}, {"shares": 3}])
def test_a_lines_shares_do_not_change(line, column):
    with refused_by("releaseline_shares_fixed"):
        change(line, **column)


def test_a_line_goes_one_way(line, pending):
    with refused_by("releaseline_moves"):
        change(line, state="planned", done_at=None, still_pledged=None)
    with refused_by("releaseline_moves"):
        change(pending.lines.get(), state="annulled", done_at=timezone.now(), still_pledged=6)


def test_a_pledge_stands_once_in_a_release_with_a_share_or_more(line):
    with refused_by("releaseline_pledge_once"):
        repeat(line)
    with refused_by("releaseline_shares_positive"):
        repeat(line, shares=0)


def test_the_sums_of_a_pledge_are_those_of_its_lines(pledge, line):
    with refused_by("pledge_counts_hold"):  # by the trigger releaseline_counted
        change(line, state="annulled")
    with refused_by("pledge_counts_hold"):
        change(pledge, released=5)


# --- at the same instant ---


def at_once(*acts):
    """Each act in a thread and a connection of its own, begun together: results and refusals."""
    begin = Barrier(len(acts))

    def run(act):
        begin.wait()
        try:
            return act()
        except Refused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [done.result(timeout=60) for done in [threads.submit(run, act) for act in acts]]


def refusals(results):
    return [one for one in results if isinstance(one, Refused)]


@pytest.mark.django_db(transaction=True)
def test_two_supervisors_approve_at_once_and_it_is_released_once(irene, ana, tomas):
    pledge = make_pledge(irene, ana, 10)
    request = make_paid_request(pledge, irene, 4)
    release = release_prepare(request_id=request.pk, released_on=RELEASED_ON, user=irene)

    results = at_once(lambda: decide(release, ana), lambda: decide(release, tomas))

    assert len(refusals(results)) == 1
    pledge.refresh_from_db()
    assert (pledge.released, pledge.in_process) == (4, 0)


@pytest.mark.django_db(transaction=True)
def test_two_people_prepare_the_same_batch_at_once_and_one_has_it(irene, mateo, ana):
    pledges = make_pledges(irene, ana, (10, 20, 30))
    programme = pledges[0].award.adjudication.stage.programme

    results = at_once(
        lambda: prepare_term(programme, irene), lambda: prepare_term(programme, mateo)
    )

    assert len(refusals(results)) == 1
    assert Release.objects.count() == 1
    assert ReleaseLine.objects.count() == 3
    assert list(Pledge.objects.order_by("pk").values_list("in_process", flat=True)) == [10, 20, 30]


@pytest.mark.django_db(transaction=True)
def test_an_embargo_and_the_batch_at_once_never_free_what_is_attached(irene, ana):
    pledge = make_pledge(irene, ana, 10)
    programme = pledge.award.adjudication.stage.programme
    release = decide(prepare_term(programme, irene), ana)

    def slow_embargo():
        with transaction.atomic():
            held = attach(pledge, irene, 10)
            time.sleep(0.3)
            return held

    def late_batch():
        time.sleep(0.1)
        return release_carry_out(release_id=release.pk)

    _, carried = at_once(slow_embargo, late_batch)

    assert (carried.done, carried.skipped) == (0, 1)
    assert release.lines.get().state == LineState.SKIPPED
    pledge.refresh_from_db()
    assert (pledge.released, pledge.attached, pledge.in_process) == (0, 10, 0)


@pytest.mark.django_db(transaction=True)
def test_every_batch_commits_with_its_sums_right(irene, ana):
    """The deferred trigger speaks at the commit: prepared, sent back, prepared, carried out."""
    pledges = make_pledges(irene, ana, (10, 20))
    programme = pledges[0].award.adjudication.stage.programme
    decide(prepare_term(programme, irene), ana, ReviewState.RETURNED, "Falta un papel.")
    release_at_term(programme, irene, ana, FREE_DAY)
    assert list(Pledge.objects.order_by("pk").values_list("released", flat=True)) == [10, 20]
