"""What of a stage nobody has verified is told where the stage is closed and adjudicated."""

import re

import pytest
from django.urls import reverse

from buyers.services import document_add
from buyers.services.verification import document_verify
from offerings.models import ParticipationDocument
from offerings.selectors.documents import unverified_count
from offerings.services.stages import stage_close
from tests.buyers.files import pdf_bytes, upload
from tests.conftest import CLOSED
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.rows import make_acceptance, places


def text(response):
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain).replace("\u00a0", " ")


@pytest.fixture
def stage(irene, ana):
    return open_stage_of(irene, ana)


@pytest.fixture
def proof(stage, irene):
    """A paper that a worker's two acceptances rest on."""
    first = make_acceptance(stage, 1, 100)
    make_acceptance(stage, 2, 50, buyer=first.participation.buyer)
    document = document_add(
        user=irene, buyer=first.participation.buyer, kind="class_proof", file=upload(pdf_bytes())
    )
    ParticipationDocument.objects.create(participation=first.participation, document=document)
    return document


def test_a_document_counts_once_until_another_has_verified_it(stage, proof, mateo):
    assert unverified_count(stage) == 1
    document_verify(user=mateo, document_id=proof.pk, read={})
    assert unverified_count(stage) == 0


def test_a_document_that_no_acceptance_rests_on_does_not_count(stage, proof, irene):
    document_add(user=irene, buyer=proof.buyer, kind="class_proof", file=upload(pdf_bytes()))
    assert unverified_count(stage) == 1
    proof.participations.get().acceptances.update(state="withdrawn")
    assert unverified_count(stage) == 0


def test_closing_a_stage_says_how_many_nobody_verified_and_leads_to_them(
    client, ana, stage, proof
):
    client.force_login(ana)
    said = {"closed_on": "14/09/1995", "closed_time": "17:00"}
    page = client.post(reverse("stage_close", args=[stage.programme.slug, 1]), said)
    assert "Documentos sin verificar 1 " in text(page)
    address = f"/documentos/?etapa={stage.pk}&amp;vista=sin-verificar"
    assert f'href="{address}"' in page.content.decode()
    assert "1 documento" in text(client.get(address.replace("&amp;", "&")))


def test_an_adjudication_says_it_at_its_review(client, irene, ana, stage, proof, mateo):
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    client.force_login(irene)
    said = {"exchange": places()["exchange"].pk, "session_on": "18/09/1995", "step": "review"}
    address = reverse("adjudication_new", args=[stage.programme.slug, 1])
    assert "Documentos sin verificar 1 " in text(client.post(address, said))
    document_verify(user=mateo, document_id=proof.pk, read={})
    page = text(client.post(address, said))
    assert "Documentos sin verificar 0 Otra persona leyó cada uno" in page


def test_an_acceptance_says_of_each_paper_who_verified_it(client, irene, mateo, stage, proof):
    acceptance = proof.participations.get().acceptances.first()
    client.force_login(irene)
    pages = [
        reverse("acceptance", args=[acceptance.pk]),
        reverse("participation", args=[acceptance.participation_id]),
    ]
    for address in pages:
        assert "Sin verificar" in text(client.get(address))
    document_verify(user=mateo, document_id=proof.pk, read={})
    for address in pages:
        assert "Verificado por Mateo Quiñones Prueba el" in text(client.get(address))
