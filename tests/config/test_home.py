"""Home: what waits for whoever looks, and nothing that it may not act on."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from config import queue
from offerings.models import FundRules, Programme
from offerings.services.fund_rules import fund_rules_review, fund_rules_start, fund_rules_submit
from office.jobs import job_open
from office.models import JobProgress, JobState
from office.review import ReviewState
from tests.offerings.paid import SESSION, make_awards, pay, pay_in_full
from tests.offerings.programme_1995 import SLUG, draft_of, pending_of
from tests.offerings.rows import make_acceptance, make_stage

LAST_DAY = SESSION + timedelta(days=30)


@pytest.fixture
def programme(irene):
    return Programme.objects.create(
        slug=SLUG, name="Programa de prueba", short_name="Banco Popular 1995", opened_by=irene
    )


@pytest.fixture
def pending(programme, irene):
    return pending_of(programme, irene)


@pytest.fixture
def awards(irene, ana):
    stage = make_stage(irene, ana, closed=True)
    return make_awards([make_acceptance(stage, 1, 100), make_acceptance(stage, 2, 50)], irene, ana)


def labels(rows):
    return [row["label"] for row in rows]


def home_of(client, person, **query):
    client.force_login(person)
    answer = client.get(reverse("home"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_another_prepared_waits_for_a_supervisor(client, pending, ana):
    page = home_of(client, ana)
    assert "Reglamento del Fondo, versión 1" in page
    assert reverse("fund_rules_version", args=[SLUG, 1]) in page
    assert "Irene Ejemplo Ñáñez" in page


@pytest.mark.parametrize("name", ["irene", "mateo", "aura", "adela", "bruno", "root"])
def test_who_may_not_review_is_asked_for_nothing(pending, name, request):
    assert not queue.acts_to_review(request.getfixturevalue(name))


def test_what_one_prepared_does_not_wait_for_oneself(programme, ana, tomas):
    pending_of(programme, ana)
    assert not queue.acts_to_review(ana)
    assert len(queue.acts_to_review(tomas)) == 1


def test_who_typed_a_value_is_not_asked_to_review_it(programme, irene, ana, tomas):
    rules = draft_of(programme, ana)
    fund_rules_submit(rules=rules, user=irene)
    assert not queue.acts_to_review(ana)
    assert len(queue.acts_to_review(tomas)) == 1


def test_act_that_waits_since_today_says_the_hour(pending, ana):
    assert queue.acts_to_review(ana)[0]["since"].startswith("hoy, ")


def test_what_came_back_is_shown_to_who_prepared_it_with_its_reason(client, pending, irene, ana):
    fund_rules_review(
        rules=pending, user=ana, outcome=ReviewState.RETURNED, reason="Falta la fuente."
    )
    assert labels(queue.acts_returned(irene)) == ["Reglamento del Fondo, versión 1"]
    assert "«Falta la fuente.»" in home_of(client, irene)
    assert not queue.acts_returned(ana)


def test_what_came_back_goes_away_with_its_new_version(pending, irene, ana):
    fund_rules_review(
        rules=pending, user=ana, outcome=ReviewState.RETURNED, reason="Falta la fuente."
    )
    fund_rules_start(programme=pending.programme, user=irene)
    assert not queue.acts_returned(irene)


def test_adjudication_waits_with_its_lines_and_session(irene, ana):
    stage = make_stage(irene, ana, closed=True)
    make_awards([make_acceptance(stage, 1, 100)], irene, None, state="pending")
    act = queue.acts_to_review(ana)[0]
    assert act["detail"] == "1 aceptaciones; sesión del 15/09/1995"


@pytest.mark.parametrize(("days", "count"), [(7, 1), (8, 0), (0, 1), (-1, 1)])
def test_payments_fall_due_within_the_week_and_stay_when_the_day_is_past(
    awards, irene, days, count
):
    assert len(queue.dues(irene, today=LAST_DAY - timedelta(days=days))) == count


def test_due_payments_count_those_who_still_owe(awards, irene):
    pay_in_full(awards[0], irene)
    pay(awards[1], irene, "60.60", "Consignación parcial")
    due = queue.dues(irene, today=LAST_DAY)[0]
    assert due["label"] == "Último día de pago de 1 aceptación"
    assert due["today"]
    pay(awards[1], irene, awards[1].total - Decimal("60.60"), "Consignación final")
    assert not queue.dues(irene, today=LAST_DAY)


def test_past_deadline_says_the_day_that_it_passed(awards, irene):
    due = queue.dues(irene, today=LAST_DAY + timedelta(days=1))[0]
    assert "Pasó el 15/10/1995." in due["detail"]
    assert (due["weekday"], due["day"]) == ("1995", "15/10")


def test_what_is_past_is_not_said_to_fall_due_this_week(client, awards, irene, time_machine):
    time_machine.move_to(LAST_DAY, tick=False)
    page = home_of(client, irene)
    assert "Plazos que pasaron" not in page
    assert 'href="?ver=vencen">1</a>' in page
    time_machine.move_to(LAST_DAY + timedelta(days=2), tick=False)
    page = home_of(client, irene)
    assert 'href="?ver=vencidos">1</a>' in page
    assert 'href="?ver=vencen">0</a>' in page
    alone = home_of(client, irene, ver="vencidos")
    assert "Pasó el 15/10/1995." in alone
    assert "Vencen esta semana" not in alone


def test_stage_to_close_is_shown_to_who_may_close_it(irene, ana, aura):
    make_stage(irene, ana)
    assert labels(queue.dues(ana, today=date(1995, 9, 14))) == ["Cerrar la etapa 1"]
    for other in (irene, aura):
        assert not queue.dues(other, today=date(1995, 9, 14))


def test_link_of_what_falls_due_leads_to_those_who_owe(client, awards, irene):
    address = queue.dues(irene, today=LAST_DAY)[0]["url"]
    client.force_login(irene)
    page = client.get(address).content.decode()
    assert "A-000001" in page
    pay_in_full(awards[0], irene)
    page = client.get(address).content.decode()
    assert "A-000001" not in page
    assert "A-000002" in page


def job_of(user, **progress):
    job = job_open(kind="prueba", title="Exportación", task="x", user=user, steps=["Uno", "Dos"])
    if progress:
        job.state = JobState.RUNNING
        job.save()
        JobProgress.objects.create(job=job, **progress)
    return job


def test_job_under_way_says_how_far_it_is(client, ana):
    job_of(ana, step=1, done=21_400, total=40_998, unit="líneas")
    page = home_of(client, ana)
    assert "Paso 1 de 2: 21.400 de 40.998 líneas" in page
    assert "<progress" in page


def test_job_that_ended_is_no_work_of_today(ana):
    job = job_of(ana)
    assert len(queue.jobs_under_way(ana)) == 1
    job.state, job.ended_at = JobState.DONE, timezone.now()
    job.save()
    assert not queue.jobs_under_way(ana)


def test_broker_sees_no_job_of_another(bruno, ana):
    job_of(ana)
    assert not queue.jobs_under_way(bruno)


def test_section_alone_is_shown_whole(client, irene, ana):
    for number in range(12):
        programme = Programme.objects.create(
            slug=f"programa-{number}", name="Prueba", short_name="Prueba", opened_by=irene
        )
        FundRules.objects.create(
            programme=programme, version=1, prepared_by=irene, review_state="pending"
        )
    first = home_of(client, ana)
    assert first.count("Reglamento del Fondo, versión 1") == 10
    assert 'href="?ver=por-revisar">12</a>' in first
    alone = home_of(client, ana, ver="por-revisar")
    assert alone.count("Reglamento del Fondo, versión 1") == 12
    assert "Devueltas a usted" not in alone


@pytest.mark.parametrize("asked", ["", "otra", "<b>", "\x00"])
def test_unknown_section_shows_all(client, ana, asked):
    page = home_of(client, ana, ver=asked)
    assert "Esperan su revisión" in page
    assert "Vencen esta semana" in page


def test_open_stage_offers_its_acceptance_to_who_prepares(client, irene, ana, aura):
    make_stage(irene, ana)
    new = reverse("acceptance_new", args=[SLUG, 1])
    assert new in home_of(client, irene)
    assert new not in home_of(client, aura)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("aura", "Qué puede ver"),
        ("bruno", "Lo que presentó su sociedad"),
        ("adela", "Datos de referencia"),
        ("root", "Datos de referencia"),
    ],
)
def test_who_prepares_nothing_is_shown_where_to_look(client, name, words, request):
    page = home_of(client, request.getfixturevalue(name))
    assert words in page
    assert "Esperan su revisión" not in page
    assert "Devueltas a usted" not in page
