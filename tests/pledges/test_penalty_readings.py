"""The Fund confirms how it reads what the decree leaves open; a later version is another one."""

from datetime import date

import pytest

from offerings.models import Programme
from office.refusals import Refused
from office.review import ReviewState
from pledges.selectors.penalty_readings import readings_in_force, readings_lines, readings_open
from pledges.services.penalty_readings import penalty_readings_decide, penalty_readings_prepare
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.rows import make_stage
from tests.pledges.early import confirm_readings, pending_readings, proposed_readings


@pytest.fixture
def programme(irene, ana):
    return make_stage(irene, ana).programme


def test_last_approved_version_is_in_force(programme, irene, ana):
    first = confirm_readings(programme, irene, ana)
    second = pending_readings(programme, irene, cpi_factor="lagged")
    assert readings_in_force(programme) == first
    penalty_readings_decide(readings_id=second.pk, user=ana, outcome=ReviewState.APPROVED)
    assert readings_in_force(programme) == second
    assert (second.version, second.readings["cpi_factor"]) == (2, "lagged")


def test_every_open_point_is_answered_by_one_of_its_readings(programme, irene):
    with pytest.raises(Refused, match="Elija cómo se lee: meses del ipc") as refusal:
        pending_readings(programme, irene, cpi_factor="other")
    assert refusal.value.field == "cpi_factor"
    kept = pending_readings(programme, irene, something="else").readings
    assert set(kept) == set(readings_open(programme))


def test_decree_that_leaves_nothing_open_asks_for_no_readings(irene, ana):
    programme = Programme.objects.create(
        slug="fiduciaria-fes-2004", name="FES", short_name="FES", opened_by=irene
    )
    with pytest.raises(Refused, match="no deja abierto ningún punto"):
        pending_readings(programme, irene)


def test_they_bear_the_act_of_the_fund_and_its_day(programme, irene, aura):
    said = {"programme_id": programme.pk, "readings": proposed_readings(programme)}
    with pytest.raises(Refused, match="Escriba el acto"):
        penalty_readings_prepare(**said, user=irene, act=" ", act_on=date(1995, 7, 7))
    with pytest.raises(Refused, match="está en el futuro"):
        penalty_readings_prepare(**said, user=irene, act="Acta 1", act_on=date(2999, 1, 1))
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        penalty_readings_prepare(**said, user=aura, act="Acta 1", act_on=date(1995, 7, 7))


def test_one_version_at_a_time_waits_for_its_review(programme, irene):
    waiting = pending_readings(programme, irene)
    with pytest.raises(Refused, match="Ya hay unas"):
        pending_readings(programme, irene)
    with refused_by("penaltyreadings_one_under_way"):
        repeat(waiting, version=2)


def test_each_point_is_told_with_its_alternatives_clause_and_note(programme, irene, ana):
    version = confirm_readings(programme, irene, ana)
    (line,) = [one for one in readings_lines(programme, version) if one["name"] == "cpi_factor"]
    assert line["cite"].startswith("art. 6-4")
    assert "sin decir qué meses" in line["note"]
    assert [one.proposed for one in line["alternatives"]] == [True, False]
    assert line["words"] == "Mes anterior a la solicitud ÷ mes de la compra"


def test_database_keeps_each_version_once_and_what_it_says(programme, irene, ana):
    version = pending_readings(programme, irene)
    with refused_by("penaltyreadings_content_fixed"):
        change(version, act="Acta 2")
    with refused_by("penaltyreadings_kept"):
        strike_out(version)
    penalty_readings_decide(readings_id=version.pk, user=ana, outcome=ReviewState.APPROVED)
    version.refresh_from_db()
    with refused_by("penaltyreadings_version_once"):
        repeat(version)
