"""The Fund exercises the shareholder's rights where the decree lets it (FES, numeral 5)."""

from datetime import date
from uuid import uuid4

import pytest

from office.refusals import Refused
from pledges.models import ShareholderRights
from pledges.services import rights as services
from pledges.services.measures import attachment_lift
from pledges.services.rights import RightsEntry, rights_begin, rights_end
from tests.pledges.rows import make_pledge
from tests.pledges.test_measures import record

CLAUSE = services.Cited("El Fondo ejerce los derechos.", "numeral 5")


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def let(monkeypatch):
    """A decree that gives the Fund the rights, as that of FES does."""
    monkeypatch.setattr(services, "rights_clause", lambda pledge: CLAUSE)


def begin(pledge, user, **changes):
    said = {"detail": "Carta 12", "since": date(1996, 2, 6)} | changes
    return rights_begin(
        pledge_id=pledge.pk, user=user, entry=RightsEntry(**said), submission_key=uuid4()
    )


def test_where_the_decree_is_silent_the_fund_exercises_no_rights(pledge, irene):
    with pytest.raises(Refused, match="no da al Fondo los derechos"):
        begin(pledge, irene)


def test_rights_run_from_a_day_to_another_with_their_cause(let, pledge, irene):
    rights = begin(pledge, irene)
    with pytest.raises(Refused, match="ya los ejerce"):
        begin(pledge, irene)
    with pytest.raises(Refused, match="no termina antes"):
        rights_end(rights_id=rights.pk, user=irene, until=date(1996, 2, 5), why="Pagó")

    rights_end(rights_id=rights.pk, user=irene, until=date(1996, 3, 1), why="Pagó")

    rights.refresh_from_db()
    assert (rights.until, rights.ended_why) == (date(1996, 3, 1), "Pagó")
    assert rights.get_cause_display() == "Incumplimiento del deudor o comprador"


def test_lifting_the_measure_that_is_the_cause_ends_them(let, pledge, irene):
    measure = record(pledge, irene)
    begin(pledge, irene, attachment=measure)

    attachment_lift(
        attachment_id=measure.pk, user=irene, lifted_on=date(1996, 5, 2), lifted_act="Oficio 9"
    )

    assert ShareholderRights.objects.get().until == date(1996, 5, 2)


def test_a_measure_of_another_pledge_or_lifted_is_no_cause(let, pledge, irene):
    measure = record(pledge, irene)
    attachment_lift(
        attachment_id=measure.pk, user=irene, lifted_on=date(1996, 2, 6), lifted_act="Oficio 9"
    )
    measure.refresh_from_db()

    with pytest.raises(Refused, match="Elija una medida vigente"):
        begin(pledge, irene, attachment=measure)


def test_they_do_not_begin_before_the_pledge(let, pledge, irene):
    with pytest.raises(Refused, match="no se ejercen antes"):
        begin(pledge, irene, since=date(1995, 10, 1))
