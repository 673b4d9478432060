"""The acts that open and close a stage: what must precede them, and what stays fixed after."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from offerings.enums import StageState
from offerings.rules.terms import Cited
from offerings.selectors.programmes import fund_rules_in_force
from offerings.services import stages
from offerings.services.fund_rules import fund_rules_start
from offerings.services.programmes import programme_open
from offerings.services.stages import stage_close, stage_open
from office.dates import BOGOTA, end_of_day
from office.decisions import decisions_on
from office.refusals import Refused
from tests.conftest import CLOSED, OPENED
from tests.offerings.programme_1995 import (
    OLD_SLUG,
    SLUG,
    closed_stage_of,
    confirmed_of,
    credit_line_of,
    given_1994,
    notice_of,
    open_stage_of,
    pending_of,
    ready_stage_of,
)


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


@pytest.fixture
def pending_rules(programme, irene):
    return pending_of(programme, irene)


@pytest.fixture
def confirmed_rules(programme, irene, ana):
    return confirmed_of(programme, irene, ana)


@pytest.fixture
def notice(programme, irene):
    return notice_of(programme, irene)


@pytest.fixture
def credit_line(programme, irene):
    return credit_line_of(programme, irene)


@pytest.fixture
def ready_stage(irene, ana):
    return ready_stage_of(irene, ana)


@pytest.fixture
def open_stage(irene, ana):
    return open_stage_of(irene, ana)


@pytest.fixture
def closed_stage(irene, ana):
    return closed_stage_of(irene, ana)


def at(year, month, day, hour=9, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=BOGOTA)


# The ordinary way


def test_a_stage_opens_with_the_figures_of_its_decree(open_stage):
    assert open_stage.state == StageState.OPEN
    assert open_stage.supply == 5_234_634_742
    assert open_stage.price == Decimal("60.60")
    assert open_stage.rules == fund_rules_in_force(open_stage.programme)
    assert open_stage.opened_at == OPENED
    assert open_stage.last_moment == end_of_day(date(1995, 9, 14))


def test_the_opening_is_in_the_log_with_its_legal_time_and_articles(open_stage, ana):
    decision = decisions_on([open_stage]).get()
    assert decision.actor == ana
    assert decision.legal_at == OPENED
    assert decision.article == "art. 1; art. 4-1; art. 7; art. 8; arts. 15 y 18"
    assert "5.234.634.742 acciones a $60,60" in decision.sentence


def test_a_window_that_ends_on_a_holiday_runs_to_the_next_working_day(ready_stage, ana):
    # Two months from 16/08/1995 end on 16/10/1995, a Monday and a holiday (12 October, moved).
    opened = stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 8, 16))
    assert opened.last_moment == end_of_day(date(1995, 10, 17))


def test_the_decree_s_last_day_does_not_move_and_cuts_the_window(ready_stage, ana):
    opened = stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 11, 20))
    assert opened.last_moment == end_of_day(date(1995, 12, 29))


def test_the_stage_closes_with_its_legal_time(closed_stage, ana):
    assert closed_stage.state == StageState.CLOSED
    assert closed_stage.closed_at == CLOSED
    assert decisions_on([closed_stage]).last().legal_at == CLOSED


def test_days_are_those_of_bogota(ready_stage, ana):
    # 02:30 in UTC on the 12th is still the 11th in Bogotá, the day before the notice.
    with pytest.raises(Refused, match="aviso público"):
        stage_open(stage=ready_stage, user=ana, opened_at=datetime(1995, 7, 12, 2, 30, tzinfo=UTC))


# Opening refused


@pytest.mark.parametrize("person", ["irene", "aura", "adela", "root", "bruno"])
def test_nobody_but_a_supervisor_opens_a_stage(ready_stage, person, request):
    with pytest.raises(Refused, match="Solo un supervisor"):
        stage_open(stage=ready_stage, user=request.getfixturevalue(person), opened_at=OPENED)
    ready_stage.refresh_from_db()
    assert ready_stage.state == StageState.PLANNED


def confirmed_with(monkeypatch, **figures):
    """Read the confirmed terms with other figures than those that this programme has."""
    read = stages.terms_from_data
    cited = {name: Cited(value, "art. 1") for name, value in figures.items()}
    monkeypatch.setattr(stages, "terms_from_data", lambda data: replace(read(data), **cited))


def test_a_stage_does_not_open_with_fewer_shares_outstanding_than_offered(
    ready_stage, ana, monkeypatch
):
    confirmed_with(monkeypatch, outstanding=1)
    with pytest.raises(Refused, match=r"menos que las ofrecidas.*en una versión nueva"):
        stage_open(stage=ready_stage, user=ana, opened_at=OPENED)


def test_one_share_on_offer_is_told_in_the_singular(ready_stage, ana, monkeypatch):
    confirmed_with(monkeypatch, shares=1)
    opened = stage_open(stage=ready_stage, user=ana, opened_at=OPENED)
    assert "etapa 1: 1 acción a $60,60" in decisions_on([opened]).get().sentence


def test_an_opening_of_tomorrow_is_refused(ready_stage, ana):
    with pytest.raises(Refused, match="está en el futuro") as refusal:
        stage_open(stage=ready_stage, user=ana, opened_at=timezone.now() + timedelta(days=1))
    assert refusal.value.field == "opened_on"


def test_without_rules_nothing_opens(programme, notice, credit_line, ana):
    with pytest.raises(Refused, match="Falta el reglamento"):
        stage_open(stage=programme.stages.get(), user=ana, opened_at=OPENED)


def test_with_rules_that_wait_for_review_nothing_opens(
    programme, pending_rules, notice, credit_line, ana
):
    with pytest.raises(Refused, match="termine su revisión"):
        stage_open(stage=programme.stages.get(), user=ana, opened_at=OPENED)


def test_with_a_newer_draft_under_way_nothing_opens(ready_stage, irene, ana):
    fund_rules_start(programme=ready_stage.programme, user=irene)
    with pytest.raises(Refused, match="Borrador"):
        stage_open(stage=ready_stage, user=ana, opened_at=OPENED)


def test_without_a_public_notice_nothing_opens(programme, confirmed_rules, credit_line, ana):
    with pytest.raises(Refused, match=r"aviso público.*arts\. 15 y 18"):
        stage_open(stage=programme.stages.get(), user=ana, opened_at=OPENED)


def test_a_notice_of_the_day_is_enough_and_one_of_the_next_day_is_not(ready_stage, ana):
    with pytest.raises(Refused, match="aviso público"):
        stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 7, 11, 23, 59))
    assert stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 7, 12, 0, 0)).opened_at


def test_without_a_credit_line_nothing_opens(programme, confirmed_rules, notice, ana):
    with pytest.raises(Refused, match=r"línea de crédito.*art\. 7"):
        stage_open(stage=programme.stages.get(), user=ana, opened_at=OPENED)


def test_a_credit_line_of_the_day_after_is_not_enough(
    programme, confirmed_rules, notice, irene, ana
):
    credit_line_of(programme, irene, date(1995, 7, 15))
    with pytest.raises(Refused, match="línea de crédito"):
        stage_open(stage=programme.stages.get(), user=ana, opened_at=OPENED)


def test_nothing_opens_before_the_decree_was_published(ready_stage, irene, ana):
    notice_of(ready_stage.programme, irene, date(1995, 6, 1))
    credit_line_of(ready_stage.programme, irene, date(1995, 6, 1))
    with pytest.raises(Refused, match="se publicó el 30/06/1995"):
        stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 6, 29))


def test_nothing_opens_after_the_decree_s_last_day(ready_stage, ana):
    with pytest.raises(Refused, match=r"no va más allá del 29/12/1995.*art\. 17"):
        stage_open(stage=ready_stage, user=ana, opened_at=at(1995, 12, 30))


def test_an_open_stage_is_not_opened_again(open_stage, ana):
    with pytest.raises(Refused, match="no se abre otra vez"):
        stage_open(stage=open_stage, user=ana, opened_at=OPENED)
    assert decisions_on([open_stage]).count() == 1


# The 1994 programme, repealed by the decree of 1995 (art. 25)


@pytest.fixture
def old_stage(irene, ana):
    programme = programme_open(slug=OLD_SLUG, user=irene)
    confirmed_of(programme, irene, ana, given_1994())
    notice_of(programme, irene, date(1994, 5, 2))
    return programme.stages.get()


def test_the_repealed_programme_opens_until_the_day_before_the_publication(
    old_stage, confirmed_rules, ana
):
    with pytest.raises(Refused, match="quedó derogado el 30/06/1995"):
        stage_open(stage=old_stage, user=ana, opened_at=at(1995, 6, 30, 0, 0))
    assert stage_open(stage=old_stage, user=ana, opened_at=at(1995, 6, 29, 23, 59)).supply


def test_with_the_repeal_s_publication_unknown_the_old_programme_does_not_open(old_stage, ana):
    with pytest.raises(Refused, match="Decreto 1118 de 1995 derogó este decreto"):
        stage_open(stage=old_stage, user=ana, opened_at=at(1994, 5, 16))


def test_a_fragment_s_stage_also_waits_for_its_notice(old_stage, confirmed_rules, ana):
    with pytest.raises(Refused, match="aviso público"):
        stage_open(stage=old_stage, user=ana, opened_at=at(1994, 5, 1))


# Closing refused


@pytest.mark.parametrize("person", ["irene", "aura", "root", "bruno"])
def test_nobody_but_a_supervisor_closes_a_stage(open_stage, person, request):
    with pytest.raises(Refused, match="Solo un supervisor"):
        stage_close(stage=open_stage, user=request.getfixturevalue(person), closed_at=CLOSED)


def test_a_close_before_or_at_the_opening_is_refused(open_stage, ana):
    for moment in (OPENED, OPENED - timedelta(minutes=1)):
        with pytest.raises(Refused, match="debe ser posterior"):
            stage_close(stage=open_stage, user=ana, closed_at=moment)


def test_a_close_of_tomorrow_is_refused(open_stage, ana):
    with pytest.raises(Refused, match="está en el futuro"):
        stage_close(stage=open_stage, user=ana, closed_at=timezone.now() + timedelta(days=1))


def test_a_planned_and_a_closed_stage_are_not_closed(ready_stage, ana):
    with pytest.raises(Refused, match="solo se cierra una abierta"):
        stage_close(stage=ready_stage, user=ana, closed_at=CLOSED)
    stage_open(stage=ready_stage, user=ana, opened_at=OPENED)
    stage_close(stage=ready_stage, user=ana, closed_at=CLOSED)
    with pytest.raises(Refused, match="solo se cierra una abierta"):
        stage_close(stage=ready_stage, user=ana, closed_at=CLOSED)


# What the database holds


def run_sql(sql, *values):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


@pytest.mark.parametrize("change", ["price = 60.00", "rules_id = NULL"])
def test_the_database_takes_another_price_from_approved_rules_alone(open_stage, change):
    with pytest.raises(DatabaseError, match="stage_price_by_rules"):
        run_sql(f"UPDATE offerings_stage SET {change} WHERE id = %s", open_stage.pk)


@pytest.mark.parametrize(
    "change",
    [
        "supply = 1",
        "opened_at = opened_at - interval '1 day'",
        "last_moment = last_moment + interval '1 day'",
        "state = 'planned', opened_at = NULL",
    ],
)
def test_the_database_keeps_an_open_stage_to_its_terms(open_stage, change):
    with pytest.raises(DatabaseError, match="Cannot update"):
        run_sql(f"UPDATE offerings_stage SET {change} WHERE id = %s", open_stage.pk)


@pytest.mark.parametrize("change", ["state = 'open', closed_at = NULL", "closed_at = now()"])
def test_the_database_keeps_a_closed_stage_closed(closed_stage, change):
    with pytest.raises(DatabaseError, match="Cannot update"):
        run_sql(f"UPDATE offerings_stage SET {change} WHERE id = %s", closed_stage.pk)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("price = 0", "stage_price_positive"),
        ("supply = 0", "stage_supply_positive"),
        ("state = 'open'", "stage_opened_has_terms"),
    ],
)
def test_the_database_refuses_a_stage_that_cannot_be(ready_stage, change, name):
    with pytest.raises(IntegrityError, match=name):
        run_sql(f"UPDATE offerings_stage SET {change} WHERE id = %s", ready_stage.pk)


def test_the_database_refuses_a_close_before_the_opening(open_stage):
    with pytest.raises(IntegrityError, match="stage_closed_after_opening"):
        run_sql(
            "UPDATE offerings_stage SET state = 'closed', "
            "closed_at = opened_at - interval '1 hour' WHERE id = %s",
            open_stage.pk,
        )


def test_a_stage_is_never_deleted(ready_stage):
    with pytest.raises(DatabaseError, match="Cannot delete"):
        run_sql("DELETE FROM offerings_stage WHERE id = %s", ready_stage.pk)
