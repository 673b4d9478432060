"""The second look at a document, and what is known of a buyer, in a real browser."""

from decimal import Decimal

import pytest
from django.urls import reverse

from buyers.services import buyer_register, document_add
from tests.buyers.files import image_bytes, pdf_bytes, upload
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.rows import make_acceptance

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def nanez(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="María Fernanda Ñáñez Ejemplo",
    )


def test_a_scanned_paper_is_seen_beside_its_blank_fields_and_verified(
    page, live_server, log_in, refusals, irene, mateo, nanez
):
    scan = document_add(
        user=irene,
        buyer=nanez,
        kind="tax_return",
        year=1994,
        figures={"gross_equity": Decimal("10000000.50")},
        file=upload(image_bytes("PNG", (600, 800)), "escaneo.png"),
    )
    log_in(mateo)
    page.click("text=Empezar por el más antiguo")
    page.wait_for_selector(".paper-image")
    page.wait_for_load_state("load")
    width = page.evaluate("document.querySelector('.paper-image').naturalWidth")
    assert width == 600
    page.fill("[name=year]", "1994")
    page.fill("[name=gross_equity]", "1.000.000,50")
    page.check("[name=looked]")
    page.click("button[value=siguiente]")
    page.wait_for_selector("text=No coincide con lo registrado")
    page.fill("[name=gross_equity]", "10.000.000,50")
    page.fill("[name=reason]", "Leí mal una cifra del papel.")
    page.click("button[value=siguiente]")
    page.wait_for_selector("text=Verificado: Declaración de renta 1994")
    scan.refresh_from_db()
    assert scan.verified_by == mateo
    assert [heard for heard in refusals if "422" not in heard] == []


def test_naming_a_known_buyer_fills_in_its_class_and_papers(
    page, live_server, log_in, refusals, irene, ana, nanez, exchange
):
    stage = open_stage_of(irene, ana)
    part = make_acceptance(stage, 1, 100, buyer=nanez, buyer_class="pensioner").participation
    proof = document_add(
        user=irene, buyer=nanez, kind="class_proof", exchange=exchange, exchange_reference="CL-7"
    )
    part.documents.add(proof)
    log_in(irene)
    page.goto(live_server.url + reverse("acceptance_new", args=[SLUG, 1]))
    page.fill("[name=buyer]", "51.000.123")
    page.press("[name=buyer]", "Tab")
    page.wait_for_selector("text=Ya consta en este programa")
    assert page.input_value("[name=buyer_class]") == "pensioner"
    assert page.input_value("[name=paper0_reference]") == "CL-7"
    page.check("[name=files_tax_return][value=no]")
    page.wait_for_selector("legend:has-text('Último certificado de ingresos')")
    page.wait_for_selector("legend:has-text('Declaración de renta')", state="detached")
    assert page.input_value("[name=paper0_reference]") == "CL-7"
    assert refusals == []


def test_a_pdf_is_shown_by_the_browser_in_a_tab_of_its_own(
    page, live_server, log_in, irene, mateo, nanez
):
    paper = document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))
    log_in(mateo)
    page.goto(live_server.url + reverse("document_verify", args=[paper.pk]))
    link = page.get_attribute("a:has-text('Abrir el archivo en otra pestaña')", "href")
    answer = page.request.get(live_server.url + link)
    assert answer.headers["content-disposition"].startswith("inline")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["x-content-type-options"] == "nosniff"
