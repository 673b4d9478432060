"""The annulment of a release: two people, and the pledge stands again."""

from datetime import date

import pytest

from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import LineState, PledgeState, RequestState
from pledges.services.maturing import pledges_mature
from pledges.services.release_annulments import (
    release_annulment_decide,
    release_annulment_prepare,
)
from tests.guards import refused_by, repeat
from tests.pledges.release_rows import (
    FREE_DAY,
    annul,
    ask_annulment,
    make_paid_request,
    release_at_term,
    release_early,
    sell,
)
from tests.pledges.rows import make_pledge
from tests.pledges.test_releases import counts, sums_hold


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def line(pledge, irene, ana):
    """Of an early exit with four of its ten shares."""
    return release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()


@pytest.fixture
def term_line(pledge, irene, ana):
    programme = pledge.award.adjudication.stage.programme
    return release_at_term(programme, irene, ana).lines.get()


def test_its_request_is_paid_again_and_its_shares_are_pledged(pledge, line, irene, ana):
    annul(line, irene, ana)
    line.refresh_from_db()
    assert line.state == LineState.ANNULLED
    assert counts(pledge) == (10, 4, 0, PledgeState.IN_FORCE)
    assert line.release.request.state == RequestState.PAID
    sums_hold()


def test_released_again_after_it_they_are_free(pledge, line, irene, ana):
    annul(line, irene, ana)
    release_early(line.release.request, irene, ana)
    assert counts(pledge) == (6, 0, 4, PledgeState.IN_FORCE)
    sums_hold()


def test_released_again_it_is_not_before_the_annulment(line, irene, ana):
    annul(line, irene, ana, annulled_on=date(1997, 2, 3))
    with pytest.raises(Refused, match="anterior a la anulación de su levantamiento"):
        release_early(line.release.request, irene, ana)
    assert release_early(line.release.request, irene, ana, date(1997, 2, 3))


def test_released_at_term_it_is_in_force_or_matured_as_the_daily_task_has_looked(
    pledge, term_line, irene, ana
):
    annul(term_line, irene, ana)
    assert counts(pledge) == (10, 0, 0, PledgeState.IN_FORCE)
    pledges_mature(day=FREE_DAY)
    again = release_at_term(term_line.release.programme, irene, ana).lines.get()
    annul(again, irene, ana)
    assert counts(pledge) == (10, 0, 0, PledgeState.MATURED)
    sums_hold()


def test_until_another_approves_it_stays_released(pledge, line, irene):
    ask_annulment(line, irene)
    assert counts(pledge)[0] == 6


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_not_approved_nothing_changes_and_it_can_be_asked_again(pledge, line, irene, ana, outcome):
    asked = ask_annulment(line, irene)
    release_annulment_decide(annulment_id=asked.pk, user=ana, outcome=outcome, reason="No.")
    assert counts(pledge)[0] == 6
    annul(line, irene, ana)
    assert counts(pledge)[0] == 10


def test_shares_that_were_sold_do_not_come_back(line, irene, ana):
    asked = ask_annulment(line, irene)
    sell(line.release.request, irene)
    with pytest.raises(Refused, match="ya pasaron a Comprador Supuesto, el 27/01/1997"):
        ask_annulment(line, irene)
    with pytest.raises(Refused, match="ya pasaron"):
        release_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    line.refresh_from_db()
    assert line.state == LineState.DONE


def test_one_at_a_time_and_once(line, irene, ana):
    asked = ask_annulment(line, irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        ask_annulment(line, irene)
    with refused_by("releaseannulment_one_under_way"):
        repeat(asked)
    release_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    with pytest.raises(Refused, match="ya está anulado"):
        ask_annulment(line, irene)


@pytest.mark.parametrize(
    ("day", "why"),
    [(date(1997, 1, 23), "anterior al levantamiento"), (date(2100, 1, 1), "en el futuro")],
)
def test_dated_wrongly_it_is_refused(line, irene, day, why):
    with pytest.raises(Refused, match=why):
        ask_annulment(line, irene, day)


def test_without_a_cause_or_by_an_auditor_it_is_refused(line, irene, aura):
    with pytest.raises(Refused, match="Escriba por qué"):
        release_annulment_prepare(line_id=line.pk, annulled_on=FREE_DAY, cause=" ", user=irene)
    with pytest.raises(Refused, match="Solo un analista"):
        ask_annulment(line, aura)


def test_who_asked_for_it_does_not_approve_it(line, ana):
    asked = ask_annulment(line, ana)
    with pytest.raises(Refused, match="Usted lo preparó"):
        release_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
