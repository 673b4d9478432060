"""The release of an early exit that is paid: two people; free shares, and the rest pledged."""

from datetime import date

import pytest
from django.db import connection

from office.models import Decision
from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import LineState, PledgeState, RequestState
from pledges.models import Release, ReleaseLine
from pledges.services.releases import release_decide, release_prepare
from tests.guards import refused_by
from tests.pledges.release_rows import (
    PAID_ON,
    RELEASED_ON,
    annul,
    attach,
    decide,
    detach,
    make_paid_request,
    release_early,
)
from tests.pledges.rows import make_pledge


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def request_paid(pledge, irene):
    return make_paid_request(pledge, irene, 4)


def prepare(request, user, released_on=RELEASED_ON):
    return release_prepare(request_id=request.pk, released_on=released_on, user=user)


def counts(pledge):
    pledge.refresh_from_db()
    return pledge.pledged, pledge.in_process, pledge.released, pledge.state


def sums_hold():
    """What waits for the end of the transaction, asked now."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_of_ten_pledged_four_are_released_and_six_stay_pledged(pledge, request_paid, irene, ana):
    release = release_early(request_paid, irene, ana)

    request_paid.refresh_from_db()
    line = release.lines.get()
    assert counts(pledge) == (6, 0, 4, PledgeState.IN_FORCE)
    assert (line.state, line.still_pledged) == (LineState.DONE, 6)
    assert request_paid.state == RequestState.RELEASED
    assert release.done_at is not None
    sums_hold()


def test_released_whole_nothing_of_it_is_pledged(pledge, irene, ana):
    release_early(make_paid_request(pledge, irene, 10), irene, ana)
    assert counts(pledge) == (0, 0, 10, PledgeState.RELEASED)
    sums_hold()


def test_of_six_still_pledged_seven_are_not_asked_for(pledge, request_paid, irene, ana):
    release_early(request_paid, irene, ana)
    with refused_by("pledge_never_asked_twice"):
        make_paid_request(pledge, irene, 7, number="R-2")


def test_annulled_its_ten_are_pledged_again(pledge, request_paid, irene, ana):
    release = release_early(request_paid, irene, ana)
    annul(release.lines.get(), irene, ana)
    assert counts(pledge) == (10, 4, 0, PledgeState.IN_FORCE)
    sums_hold()


def test_until_another_approves_nothing_is_free(pledge, request_paid, irene):
    prepare(request_paid, irene)
    assert counts(pledge) == (10, 4, 0, PledgeState.IN_FORCE)


def test_asked_twice_alike_there_is_one_and_by_another_it_is_refused(request_paid, irene, mateo):
    first = prepare(request_paid, irene)
    assert prepare(request_paid, irene) == first
    with pytest.raises(Refused, match="ya espera revisión: LV-"):
        prepare(request_paid, mateo)


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_not_approved_its_line_is_dropped_and_it_can_be_prepared_again(
    pledge, request_paid, irene, ana, outcome
):
    release = decide(prepare(request_paid, irene), ana, outcome, "Falta un papel.")
    assert release.lines.get().state == LineState.DROPPED
    assert counts(pledge) == (10, 4, 0, PledgeState.IN_FORCE)
    release_early(request_paid, irene, ana)
    assert counts(pledge)[0] == 6


def test_request_that_is_released_already_is_not_released_again(request_paid, irene, ana):
    release_early(request_paid, irene, ana)
    with pytest.raises(Refused, match="está «Levantada»"):
        prepare(request_paid, irene)


def test_before_the_last_payment_or_in_the_future_it_is_refused(request_paid, irene):
    with pytest.raises(Refused, match="anterior al último pago, del 23/01/1997") as refusal:
        prepare(request_paid, irene, date(1997, 1, 22))
    assert refusal.value.field == "released_on"
    with pytest.raises(Refused, match="está en el futuro"):
        prepare(request_paid, irene, date(2100, 1, 1))
    assert prepare(request_paid, irene, PAID_ON)


def test_with_a_quote_of_nothing_its_acceptance_is_the_first_day(pledge, irene):
    request = make_paid_request(pledge, irene, 4, amount=0)
    with pytest.raises(Refused, match="anterior a la aceptación de la liquidación"):
        prepare(request, irene, date(1997, 1, 20))
    assert prepare(request, irene, date(1997, 1, 21))


def test_attached_meanwhile_it_is_refused_with_the_measure(pledge, request_paid, irene):
    attach(pledge, irene, 7)
    with pytest.raises(Refused, match=r"Embargo, oficio 77 de Juzgado 1 Civil .*\(7 acciones\)"):
        prepare(request_paid, irene)


def test_shares_that_no_measure_holds_are_released(pledge, request_paid, irene, ana):
    attach(pledge, irene, 6)
    release_early(request_paid, irene, ana)
    assert counts(pledge)[0] == 6


def test_attached_while_it_waited_it_is_not_approved_and_lifted_it_is(
    pledge, request_paid, irene, ana
):
    release = prepare(request_paid, irene)
    measure = attach(pledge, irene, 7)
    with pytest.raises(Refused, match="sin medida quedan 3"):
        decide(release, ana)
    release.refresh_from_db()
    assert release.review_state == ReviewState.PENDING
    detach(measure, irene)
    decide(release, ana)
    assert counts(pledge)[0] == 6


def test_who_prepared_it_does_not_approve_it_nor_does_an_analyst(request_paid, ana, irene, mateo):
    release = prepare(request_paid, ana)
    with pytest.raises(Refused, match="Usted lo preparó"):
        decide(release, ana)
    with pytest.raises(Refused, match="Solo un supervisor"):
        decide(release, mateo)
    assert not ReleaseLine.objects.filter(state=LineState.DONE).exists()


def test_an_auditor_prepares_none(request_paid, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        prepare(request_paid, aura)


def test_the_release_keeps_who_what_and_the_article(request_paid, irene, ana):
    release = release_early(request_paid, irene, ana)
    told = Decision.objects.get(act="release_approved")
    assert (told.subject_kind, told.subject_id) == ("pledges.release", release.pk)
    assert (told.actor, told.article) == (ana, "art. 6-4")
    assert "quedaron libres 4 acciones; siguen en prenda 6" in told.sentence


def test_decided_it_is_not_decided_again(request_paid, irene, ana, tomas):
    release = release_early(request_paid, irene, ana)
    with pytest.raises(Refused, match="No espera revisión"):
        release_decide(release_id=release.pk, user=tomas, outcome=ReviewState.APPROVED)
    assert Release.objects.count() == 1
