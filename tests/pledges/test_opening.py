"""A pledge is opened when its award is wholly paid, once, as the programme says."""

from datetime import date

import pytest

from office.refusals import Refused
from pledges.enums import PledgeState, Rank
from pledges.models import Pledge
from pledges.services.pledges import PledgeEntry, pledge_enter, pledge_open
from tests.offerings.paid import make_awards, pay
from tests.offerings.rows import make_acceptances, make_stage
from tests.pledges.rows import make_pledge

FIRST = PledgeEntry(rank=Rank.FIRST)


@pytest.fixture
def award(irene, ana):
    stage = make_stage(irene, ana, supply=100, closed=True)
    return make_awards(make_acceptances(stage, [10]), irene, ana)[0]


def test_a_paid_award_is_pledged_from_its_payment_to_the_end_of_two_years(irene, ana):
    pledge = make_pledge(irene, ana, 10_000)

    assert (pledge.shares, pledge.pledged, pledge.free) == (10_000, 10_000, 10_000)
    assert pledge.opened_on == date(1995, 10, 2)
    assert pledge.last_day == date(1997, 9, 15)
    assert pledge.state == PledgeState.IN_FORCE


def test_an_award_not_wholly_paid_has_no_pledge(award, irene):
    pay(award, irene, "605.99")

    with pytest.raises(Refused, match=r"faltan \$0,01 por pagar"):
        pledge_open(award_id=award.pk, user=irene, entry=FIRST)

    pay(award, irene, "0.01", "Consignación 2")
    assert pledge_open(award_id=award.pk, user=irene, entry=FIRST).shares == 10


def test_opened_twice_there_is_one_pledge(irene, ana):
    pledge = make_pledge(irene, ana)

    assert pledge_open(award_id=pledge.award_id, user=ana, entry=FIRST) == pledge
    assert Pledge.objects.count() == 1


def test_a_rank_that_the_programme_does_not_admit_is_refused(award, irene):
    pay(award, irene, award.total)

    with pytest.raises(Refused, match="no admite la prenda en ese grado"):
        pledge_open(award_id=award.pk, user=irene, entry=PledgeEntry(Rank.SECOND, "Banco"))


def test_an_entry_before_the_pledge_is_refused_and_a_second_one_corrects_it(irene, ana):
    pledge = make_pledge(irene, ana)
    where = {"pledge_id": pledge.pk, "user": irene, "kept_by": "Depósito de Prueba"}

    with pytest.raises(Refused, match="no puede ser anterior a la prenda"):
        pledge_enter(**where, reference="A-1", entered_on=date(1995, 10, 1))
    pledge_enter(**where, reference="A-1", entered_on=date(1995, 10, 3))
    pledge_enter(**where, reference="A-2", entered_on=date(1995, 10, 3))

    pledge.refresh_from_db()
    assert pledge.entry_reference == "A-2"


def test_an_auditor_opens_no_pledge(award, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        pledge_open(award_id=award.pk, user=aura, entry=FIRST)
