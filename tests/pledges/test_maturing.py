"""The daily task: who has come to the end of the term, each once, whenever it runs."""

from datetime import date, datetime
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from offerings.rules.months import last_day
from pledges.enums import PledgeState
from pledges.models import DailyRun
from pledges.services.maturing import pledges_mature
from pledges.tasks import pledges_mature_task
from tests.guards import refused_by, repeat
from tests.pledges.release_rows import FREE_DAY, LAST_DAY, attach, release_at_term
from tests.pledges.rows import make_pledges

BOGOTA = ZoneInfo("America/Bogota")


@pytest.fixture
def pledges(irene, ana):
    return make_pledges(irene, ana, (10, 20))


def states(pledges):
    for pledge in pledges:
        pledge.refresh_from_db()
    return [pledge.state for pledge in pledges]


def at(monkeypatch, *moment):
    monkeypatch.setattr(timezone, "now", lambda: datetime(*moment, tzinfo=BOGOTA))


def test_at_23_59_of_the_last_day_it_stands_and_at_00_01_it_is_matured_once(pledges, monkeypatch):
    for _ in range(2):
        at(monkeypatch, 1997, 9, 15, 23, 59)
        pledges_mature_task()
    assert states(pledges) == [PledgeState.IN_FORCE] * 2
    for _ in range(2):
        at(monkeypatch, 1997, 9, 16, 0, 1)
        pledges_mature_task()
    assert states(pledges) == [PledgeState.MATURED] * 2
    assert list(DailyRun.objects.order_by("day").values_list("day", "matured")) == [
        (LAST_DAY, 0),
        (FREE_DAY, 2),
    ]


def test_a_day_that_was_missed_is_made_up_for(pledges):
    assert pledges_mature(day=date(1997, 12, 1)).count == 2
    assert pledges_mature(day=FREE_DAY).count == 0


def test_a_day_has_one_record(pledges):
    pledges_mature(day=FREE_DAY)
    with refused_by("pledges_dailyrun_day"):
        repeat(DailyRun.objects.get())


def test_the_command_takes_either_way_of_writing_a_day_and_tells(pledges, irene):
    attach(pledges[1], irene, 5)
    said = StringIO()
    call_command("pledges_mature", "--date", "16/09/1997", stdout=said)
    call_command("pledges_mature", "--date", "1997-09-16", stdout=said)
    first, held, again, _ = said.getvalue().splitlines()
    assert first == "16/09/1997: 2 prendas cumplidas."
    assert "1 prenda cumplida con medida de una autoridad: 5 acciones" in held
    assert again == "16/09/1997: 0 prendas cumplidas."


def test_without_a_day_it_is_today(db):
    said = StringIO()
    call_command("pledges_mature", stdout=said)
    assert DailyRun.objects.get().day == timezone.localdate()


@pytest.mark.parametrize("day", ["2100-01-01", "31/02/1997", "ayer"])
def test_a_day_that_has_not_come_or_is_none_is_refused(db, day):
    with pytest.raises(CommandError):
        call_command("pledges_mature", "--date", day)
    assert not DailyRun.objects.exists()


def test_attached_it_is_matured_and_keeps_its_measure(pledges, irene):
    attach(pledges[0], irene, 10)
    found = pledges_mature(day=FREE_DAY)
    assert (found.count, found.attached, found.attached_shares) == (2, 1, 10)
    assert states(pledges) == [PledgeState.MATURED] * 2
    assert pledges[0].pledged == 10


def test_what_is_released_already_is_left_alone(pledges, irene, ana):
    release_at_term(pledges[0].award.adjudication.stage.programme, irene, ana)
    assert pledges_mature(day=FREE_DAY).count == 0
    assert states(pledges) == [PledgeState.RELEASED] * 2


def test_bought_on_29_february_it_ends_on_28_february_two_years_later():
    assert last_day(date(2004, 2, 29), 24) == date(2006, 2, 28)
