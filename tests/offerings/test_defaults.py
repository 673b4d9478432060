"""What was not paid in time: no lapse by itself, but an act that another person approves."""

from datetime import date
from decimal import Decimal

import pytest

from offerings.enums import DefaultMeasure
from offerings.models import AwardDefault
from offerings.selectors.payments import awards_due, left_to_return
from offerings.services.defaults import award_default_decide, award_default_prepare
from office.refusals import Refused
from office.review import ReviewState
from tests.guards import refused_by, repeat, strike_out
from tests.offerings.paid import make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptances

LAST_DAY = date(1995, 10, 15)  # thirty days after the session of 15 September


@pytest.fixture
def award(closed_stage, irene, ana):
    return make_awards(make_acceptances(closed_stage, [100]), irene, ana)[0]


def propose(award, user, measure=DefaultMeasure.UNDO, decided_on=date(1995, 10, 16)):
    return award_default_prepare(
        award_id=award.pk, measure=measure, decided_on=decided_on, cause="No pagó.", user=user
    )


def approve(default, user):
    return award_default_decide(default_id=default.pk, user=user, outcome=ReviewState.APPROVED)


def test_undone_award_owes_nothing_and_what_was_paid_goes_back(award, irene, ana):
    pay(award, irene, "60.60")
    approve(propose(award, irene), ana)
    assert not awards_due().exists()
    assert left_to_return(award) == Decimal("60.60")
    with pytest.raises(Refused, match=r"sin efecto.*se devuelve entero"):
        pay(award, irene, "100", "Consignación 2")


def test_claim_leaves_the_award_due(award, irene, ana):
    approve(propose(award, irene, DefaultMeasure.CLAIM), ana)
    assert awards_due().get().balance == Decimal("6060.00")


def test_on_the_last_day_there_is_no_default_yet(award, irene):
    with pytest.raises(Refused, match="15/10/1995"):
        propose(award, irene, decided_on=LAST_DAY)


def test_paid_award_is_in_no_default(award, irene):
    pay_in_full(award, irene)
    with pytest.raises(Refused, match="Está pagada"):
        propose(award, irene)


def test_paid_while_it_waited_for_review_it_cannot_be_approved(award, irene, ana):
    default = propose(award, irene)
    pay_in_full(award, irene)
    with pytest.raises(Refused, match="Está pagada"):
        approve(default, ana)
    default.refresh_from_db()
    assert default.review_state == ReviewState.PENDING


def test_one_proposal_of_a_measure_at_a_time(award, irene, ana):
    default = propose(award, irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        propose(award, irene)
    with refused_by("awarddefault_one_under_way"):
        repeat(default)
    approve(default, ana)
    with pytest.raises(Refused, match="sin efecto"):
        propose(award, irene)


def test_proposal_is_never_deleted(award, irene):
    propose(award, irene)
    with refused_by("awarddefault_kept"):
        strike_out(AwardDefault.objects.get())
