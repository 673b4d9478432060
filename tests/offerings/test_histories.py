"""What the pages tell of what happened: acts on one thing that were done through another."""

import re

import pytest
from django.urls import reverse

from offerings.models import Acceptance, Award
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.stages import stage_close
from office.review import ReviewState
from tests.conftest import CLOSED
from tests.offerings.import_files import csv_of, loaded, many
from tests.offerings.paid import SESSION
from tests.offerings.programme_1995 import SLUG, open_stage_of


@pytest.fixture
def adjudicated(ana, irene, broker, exchange):
    """Two acceptances of one file, in an adjudication that Ana approved."""
    stage = open_stage_of(irene, ana)
    loaded(stage, irene, csv_of(*many(2)))
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    opened = adjudication_open(
        stage_id=stage.pk, exchange=exchange, session_on=SESSION, user=irene
    )
    adjudication_run(adjudication_id=opened.pk, report=lambda *told: None)
    return adjudication_decide(adjudication_id=opened.pk, user=ana, outcome=ReviewState.APPROVED)


def history(client, address):
    page = client.get(address).content.decode()
    listed = re.search(r'<ol class="timeline">.*?</ol>', page, re.DOTALL)[0]
    return re.sub(r"<[^>]+>|\s+", " ", listed).replace("\u2011", "-").replace("\u00a0", " ")


def acceptance_address():
    return reverse("acceptance", args=[Acceptance.objects.get(serial=2).pk])


def test_the_programme_tells_of_its_adjudication_and_who_approved_it(client, adjudicated, irene):
    client.force_login(irene)
    told = history(client, reverse("programme", args=[SLUG]))
    assert f"hizo la adjudicación {adjudicated.code}" in told
    assert f"aprobó la adjudicación {adjudicated.code}" in told


def test_an_acceptance_tells_of_its_file_and_of_the_adjudication(client, adjudicated, irene):
    client.force_login(irene)
    told = history(client, acceptance_address())
    source = Acceptance.objects.get(serial=2).source_import
    assert f"registró A-000002, de la fila 3 del archivo {source.code}" in told
    assert f"aprobó la adjudicación {adjudicated.code}" in told
    assert "A-000001" not in told


def test_a_broker_reads_of_its_acceptance_and_not_of_what_all_of_them_came_to(
    client, adjudicated, bruno
):
    client.force_login(bruno)
    told = history(client, acceptance_address())
    assert "registró A-000002" in told
    assert adjudicated.code not in told
    assert Award.objects.filter(adjudication=adjudicated).count() == 2
