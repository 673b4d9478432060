"""Release at term: one batch for a programme, carried out in pieces, each line once."""

from datetime import date

import pytest

from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import LineState, PledgeState
from pledges.models import Pledge, Release, ReleaseLine
from pledges.selectors.releases import pledges_held_back, pledges_to_release
from pledges.services.release_batches import release_carry_out
from tests.pledges.release_rows import (
    FREE_DAY,
    LAST_DAY,
    attach,
    decide,
    make_paid_request,
    prepare_term,
    release_at_term,
)
from tests.pledges.rows import make_pledges
from tests.pledges.test_releases import counts, sums_hold

DONE, SKIPPED = LineState.DONE, LineState.SKIPPED


@pytest.fixture
def pledges(irene, ana):
    return make_pledges(irene, ana, (10, 20, 30))


@pytest.fixture
def programme(pledges):
    return pledges[0].award.adjudication.stage.programme


def states(release):
    return list(release.lines.order_by("pledge_id").values_list("state", flat=True))


def test_the_day_after_the_last_day_all_is_released(pledges, programme, irene, ana):
    release = release_at_term(programme, irene, ana)

    assert (release.lines_planned, release.shares_planned) == (3, 60)
    assert states(release) == [DONE] * 3
    assert [counts(pledge) for pledge in pledges] == [
        (0, 0, shares, PledgeState.RELEASED) for shares in (10, 20, 30)
    ]
    assert release.done_at is not None
    sums_hold()


def test_on_the_last_day_nothing_is_free_yet(programme, irene):
    with pytest.raises(Refused, match="no hay prendas cumplidas") as refusal:
        prepare_term(programme, irene, LAST_DAY)
    assert refusal.value.field == "released_on"


def test_a_day_in_the_future_is_refused(programme, irene):
    with pytest.raises(Refused, match="está en el futuro"):
        prepare_term(programme, irene, date(2100, 1, 1))


def test_what_a_measure_holds_or_is_asked_for_is_left_out_and_told(pledges, programme, irene, ana):
    attach(pledges[0], irene, 10)
    attach(pledges[1], irene, 5)
    make_paid_request(pledges[2], irene, 8)

    held = pledges_held_back(programme, FREE_DAY)
    release = release_at_term(programme, irene, ana)

    assert (held.attached, held.attached_shares, held.asked, held.asked_shares) == (2, 15, 1, 8)
    assert dict(release.lines.values_list("pledge_id", "shares")) == {
        pledges[1].pk: 15,
        pledges[2].pk: 22,
    }
    assert [counts(pledge)[:3] for pledge in pledges] == [(10, 0, 0), (5, 0, 15), (8, 8, 22)]
    sums_hold()


def test_prepared_its_shares_are_held_and_a_second_batch_finds_none(
    pledges, programme, irene, mateo
):
    first = prepare_term(programme, irene)
    assert [counts(pledge)[1] for pledge in pledges] == [10, 20, 30]
    assert prepare_term(programme, irene) == first
    with pytest.raises(Refused, match="no hay prendas cumplidas"):
        prepare_term(programme, mateo)
    sums_hold()


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_not_approved_its_shares_are_let_go_and_it_can_be_prepared_again(
    pledges, programme, irene, ana, outcome
):
    release = decide(prepare_term(programme, irene), ana, outcome, "Falta revisar.")
    assert states(release) == [LineState.DROPPED] * 3
    assert [counts(pledge)[1] for pledge in pledges] == [0, 0, 0]
    sums_hold()
    assert prepare_term(programme, irene).lines_planned == 3


def test_attached_after_the_approval_its_line_is_skipped_with_why(pledges, programme, irene, ana):
    release = decide(prepare_term(programme, irene), ana)
    attach(pledges[1], irene, 1)

    carried = release_carry_out(release_id=release.pk)

    skipped = release.lines.get(state=SKIPPED)
    assert (carried.done, carried.skipped) == (2, 1)
    assert skipped.pledge == pledges[1]
    assert "Embargo, oficio 77 de Juzgado 1 Civil de Prueba" in skipped.skipped_why
    assert counts(pledges[1]) == (20, 0, 0, PledgeState.IN_FORCE)
    assert pledges_to_release(programme, FREE_DAY).get().free_shares == 19
    sums_hold()


@pytest.mark.parametrize(
    ("attached", "why"),
    [
        ((5,), "quedan 20 en prenda; sin medida quedan 15, que pueden ir en otro levantamiento."),
        ((5, 14), "quedan 20 en prenda; sin medida queda 1, que puede ir en otro levantamiento."),
        ((20,), "quedan 20 en prenda."),
    ],
)
def test_skipped_it_says_how_many_of_its_shares_can_go_in_another_release(
    pledges, programme, irene, ana, attached, why
):
    release = decide(prepare_term(programme, irene), ana)
    for number, shares in enumerate(attached):
        attach(pledges[1], irene, shares, number=f"8{number}")
    release_carry_out(release_id=release.pk)
    assert release.lines.get(state=SKIPPED).skipped_why.endswith(f": {why}")


def test_however_long_the_name_of_the_authority_the_shares_left_are_told(
    pledges, programme, irene, ana
):
    release = decide(prepare_term(programme, irene), ana)
    attach(pledges[1], irene, 5, number="8" * 80, authority="Juzgado " * 25)
    release_carry_out(release_id=release.pk)
    why = release.lines.get(state=SKIPPED).skipped_why
    assert why.startswith("Embargo, oficio 888")
    assert why.endswith("que pueden ir en otro levantamiento.")


def test_carried_out_twice_each_line_is_released_once(pledges, programme, irene, ana):
    release = release_at_term(programme, irene, ana)
    ended = release.done_at
    release_carry_out(release_id=release.pk)
    release.refresh_from_db()
    assert release.done_at == ended
    assert [counts(pledge)[2] for pledge in pledges] == [10, 20, 30]


def test_stopped_between_two_pieces_it_goes_on_with_the_rest(pledges, programme, irene, ana):
    release = decide(prepare_term(programme, irene), ana)

    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop

    with pytest.raises(Stop):
        release_carry_out(release_id=release.pk, report=stop, chunk=1)
    assert states(release) == [DONE, LineState.PLANNED, LineState.PLANNED]
    told = []
    release_carry_out(
        release_id=release.pk, report=lambda done, total: told.append((done, total)), chunk=1
    )
    assert told == [(2, 3), (3, 3)]
    assert states(release) == [DONE] * 3
    sums_hold()


def test_what_nobody_approved_is_not_carried_out(programme, irene):
    release = prepare_term(programme, irene)
    with pytest.raises(Refused, match="Espera revisión"):
        release_carry_out(release_id=release.pk)
    assert not ReleaseLine.objects.filter(state=DONE).exists()


def test_the_number_of_queries_to_prepare_does_not_grow_with_the_pledges(
    pledges, programme, irene, django_assert_max_num_queries
):
    assert Pledge.objects.count() == 3
    with django_assert_max_num_queries(30):
        prepare_term(programme, irene)
    assert Release.objects.get().lines_planned == 3
