"""The receipt of an acceptance: what it states, drawn anew from what is stored."""

import re
import uuid
from io import BytesIO

import pikepdf
import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from offerings.certificates import FUND
from offerings.selectors.acceptances import acceptances_shown
from offerings.selectors.receipts import receipt_facts
from offerings.services.acceptances import acceptance_register
from office.models import Certificate
from office.pdf import page_count
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptances import WORKER, class_proof, given, tax_return


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def register(stage, irene, broker, exchange):
    def run(requested, *, papers=None, **fields):
        return acceptance_register(
            stage=stage,
            buyer=make_buyer(irene, 1),
            part=WORKER,
            papers=[class_proof(exchange), tax_return(exchange)] if papers is None else papers,
            given=given(broker, exchange, requested, **fields),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return run


def words_of(acceptance, user):
    """What the receipt says, blanks in one."""
    shown = acceptances_shown(user).get(pk=acceptance.pk)
    html = render_to_string(
        "certificates/receipt.html",
        {
            "fund": FUND,
            "acceptance": shown,
            "stage": shown.stage,
            "buyer": shown.participation.buyer,
            "facts": receipt_facts(shown),
        },
    )
    plain = re.sub(r"<[^>]+>", " ", html).replace("\u00a0", " ").replace("\u2011", "-")
    return re.sub(r"\s+", " ", plain)


def test_it_states_what_was_presented_and_what_the_limit_left(register, irene):
    said = words_of(register(600_000), irene)

    for words in (
        "Número A-000001",
        "María Ejemplo Ñáñez 1",
        "cédula de ciudadanía 51.000.001",
        "Trabajador",
        "seiscientas mil (600.000) acciones",
        "cuatrocientas noventa y cinco mil cuarenta y nueve (495.049) acciones",
        "14 de septiembre de 1995, 10:42 a. m., hora de Bogotá",
        "Valores Ficticios S. A., que certificó los límites el 14 de septiembre de 1995",
        "Bolsa de Prueba",
        "Declara: no estar inhabilitado para comprar",
        "Recortada al límite",
        "(art. 22)",
        "(art. 20)",
        "No es certificado de adjudicación",
    ):
        assert words in said, words
    assert "Falta" not in said


def test_it_names_what_is_missing_with_its_article(register, exchange, irene):
    said = words_of(
        register(600_000, papers=[class_proof(exchange)], attested_on=None, minimum=600_000), irene
    )

    assert "Incompleta" in said
    assert "renta (art. 6-1)" in said
    assert "sin certificación de los límites" in said
    assert "no entra a la adjudicación" in said
    assert "ninguna (0) acciones" not in said


def test_it_is_one_page_the_same_each_time_and_no_certificate(client, register, irene):
    address = reverse("acceptance_receipt", args=[register(600_000).pk])
    client.force_login(irene)

    answers = [client.get(address) for _ in range(2)]

    assert answers[0]["Content-Type"] == "application/pdf"
    assert answers[0]["Content-Disposition"] == (
        'attachment; filename="recibo-banco-popular-1995-A-000001.pdf"'
    )
    assert answers[0].content == answers[1].content
    assert page_count(answers[0].content) == 1
    with pikepdf.open(BytesIO(answers[0].content)) as document:
        assert document.docinfo["/Title"] == "Recibo de la aceptación A-000001"
    assert not Certificate.objects.exists()


def test_a_name_that_cannot_be_printed_is_told_on_the_page(client, register, irene):
    acceptance = register(600_000)
    buyer = acceptance.participation.buyer
    buyer.name = "Persona Ficticia 漢"
    buyer.save()
    client.force_login(irene)

    answer = client.get(reverse("acceptance_receipt", args=[acceptance.pk]), follow=True)

    assert answer.redirect_chain
    assert "No se pudo generar el recibo" in answer.content.decode()


def test_its_page_leads_to_it(client, register, bruno):
    acceptance = register(600_000)
    client.force_login(bruno)
    page = client.get(reverse("acceptance", args=[acceptance.pk])).content.decode()
    assert reverse("acceptance_receipt", args=[acceptance.pk]) in page
