"""The pages of the acts that open and close a stage."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from offerings.enums import StageState
from offerings.services.adjudications import adjudication_open
from offerings.services.programmes import programme_open
from tests.conftest import OPENED
from tests.offerings.programme_1995 import (
    SLUG,
    closed_stage_of,
    notice_of,
    open_stage_of,
    ready_stage_of,
)
from tests.offerings.rows import make_acceptance

OPENING = {"opened_on": "14/07/1995", "opened_time": "9:00"}


@pytest.fixture
def as_(client):
    """The client, logged in as that person."""

    def log_in(user):
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


def text_of(response):
    return " ".join(response.content.decode().replace("\u00a0", " ").split())


def test_a_stage_is_opened_after_its_review(as_, irene, ana):
    stage = ready_stage_of(irene, ana)
    client, address = as_(ana), reverse("stage_open", args=[SLUG, 1])
    review = text_of(client.post(address, OPENING))
    assert "cinco mil doscientos treinta y cuatro millones" in review
    assert "14 de septiembre de 1995" in review
    assert "sesenta pesos con sesenta centavos" in review
    stage.refresh_from_db()
    assert stage.state == StageState.PLANNED
    done = client.post(address, OPENING | {"paso": "confirmar"})
    assert done.url == reverse("programme", args=[SLUG])
    stage.refresh_from_db()
    assert stage.state == StageState.OPEN


def test_an_opening_that_is_refused_keeps_what_was_typed(as_, irene, ana, programme):
    notice_of(programme, irene)
    page = as_(ana).post(reverse("stage_open", args=[SLUG, 1]), OPENING)
    assert page.status_code == 422
    assert "Falta el reglamento del Fondo" in text_of(page)
    assert 'value="14/07/1995"' in page.content.decode()


def test_a_stage_is_closed_after_its_review_and_early_is_told(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    client, address = as_(ana), reverse("stage_close", args=[SLUG, 1])
    early = client.post(address, {"closed_on": "01/09/1995", "closed_time": "17:00"})
    assert "el cierre que registra es anterior" in text_of(early)
    typed = {"closed_on": "14/09/1995", "closed_time": "17:00"}
    assert "Antes del plazo" not in text_of(client.post(address, typed))
    client.post(address, typed | {"paso": "confirmar"})
    stage.refresh_from_db()
    assert stage.state == StageState.CLOSED


def test_a_close_is_refused_while_a_later_acceptance_stands(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    make_acceptance(stage, 1, 10, received_at=OPENED + timedelta(days=3))
    page = as_(ana).post(
        reverse("stage_close", args=[SLUG, 1]),
        {"closed_on": "15/07/1995", "closed_time": "9:00", "paso": "confirmar"},
    )
    assert page.status_code == 422
    assert "A-000001" in text_of(page)


def test_a_closed_stage_offers_its_adjudication_and_no_close(as_, irene, ana):
    closed_stage_of(irene, ana)
    page = as_(ana).get(reverse("programme", args=[SLUG])).content.decode()
    assert reverse("stage_close", args=[SLUG, 1]) not in page
    assert reverse("adjudication_new", args=[SLUG, 1]) in page


def test_a_stage_with_an_adjudication_leads_to_it_and_offers_no_second_one(
    as_, irene, ana, aura, exchange
):
    stage = closed_stage_of(irene, ana)
    run = adjudication_open(
        stage_id=stage.pk, exchange=exchange, session_on=date(1995, 9, 15), user=irene
    )
    for reader in (irene, ana, aura):
        page = as_(reader).get(reverse("programme", args=[SLUG])).content.decode()
        assert reverse("adjudication_new", args=[SLUG, 1]) not in page
        assert f"Ver la adjudicación {run.code}" in page
