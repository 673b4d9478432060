"""An acceptance typed in a browser: the limit appears while one types, and why."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from buyers.models import Broker, Exchange
from buyers.services.register import buyer_register
from offerings.models import Acceptance
from tests.conftest import make_user
from tests.offerings.programme_1995 import open_stage_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def irene(transactional_db):
    return make_user("irene", "analista", "Irene", "Ejemplo Ñáñez")


@pytest.fixture
def ana(transactional_db):
    return make_user("ana", "supervisor", "Ana", "Ficticia Rey")


@pytest.fixture
def address(irene, ana, live_server):
    """The form of María, who is registered, in the open stage of 1995."""
    open_stage_of(irene, ana)
    Broker.objects.create(name="Valores Ficticios S. A.", nit="800197268-4")
    Exchange.objects.create(name="Bolsa de Prueba")
    maria = buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51.000.123",
        name="María Fernanda Ejemplo Ñáñez",
    )
    path = "/programas/banco-popular-1995/etapas/1/aceptaciones/nueva/"
    return f"{live_server.url}{path}?comprador={maria.pk}"


def fill_papers(page):
    page.select_option("[name=buyer_class]", "worker")
    page.check("[name=files_tax_return][value=si]")
    page.wait_for_selector("[name=paper2_reference]", state="detached")
    page.fill("[name=paper0_reference]", "CL-7781")
    page.fill("[name=paper1_gross_equity]", "10.000.000")
    page.fill("[name=paper1_year]", "1994")
    page.fill("[name=paper1_reference]", "DR-118, folio 3")


def fill_receipt(page):
    page.fill("[name=received_on]", "14/09/1995")
    page.fill("[name=received_time]", "10:42")
    page.select_option("[name=broker]", label="Valores Ficticios S. A.")
    page.select_option("[name=exchange]", label="Bolsa de Prueba")
    page.fill("[name=attested_on]", "14/09/1995")
    page.check("[name=declares_not_disqualified]")


def test_a_quantity_is_typed_and_the_limit_is_read(page, address, log_in, irene, refusals):
    log_in(irene)
    page.goto(address)
    fill_papers(page)
    fill_receipt(page)
    page.locator("#limite h2", has_text="Hasta 495.049 acciones").wait_for()

    page.locator("[name=requested]").press_sequentially("600.000")

    page.locator("#limite h2", has_text="Por qué 495.049 acciones").wait_for()
    assert page.locator("#limite .tag").inner_text() == "Recortada al límite"
    assert "495.049,50…" in page.inner_text("#limite")
    assert page.inner_text("#id_requested_words") == "seiscientas mil acciones"
    page.click("button[value=revisar]")
    page.wait_for_selector("text=Revise y confirme")
    assert "$29.999.969,40" in page.inner_text("main")
    page.click("button[value=registrar]")
    page.wait_for_url("**/aceptaciones/*/")
    assert Acceptance.objects.get().admitted == 495_049
    assert refusals == []


def test_what_was_typed_is_there_again_after_cambiar(page, address, log_in, irene):
    log_in(irene)
    page.goto(address)
    fill_papers(page)
    fill_receipt(page)
    page.fill("[name=requested]", "600.000")
    page.click("button[value=revisar]")

    page.get_by_role("button", name="Cambiar Cantidad solicitada").click()

    assert page.input_value("[name=requested]") == "600.000"
    assert page.input_value("[name=paper1_reference]") == "DR-118, folio 3"
    assert not Acceptance.objects.exists()


def test_errors_stand_on_top_and_at_their_fields_with_the_focus(page, address, log_in, irene):
    log_in(irene)
    page.goto(address)
    fill_papers(page)
    fill_receipt(page)
    page.fill("[name=requested]", "600,000")
    page.fill("[name=received_on]", "15/09/1995")
    page.click("button[value=revisar]")
    page.wait_for_selector(".error-summary")

    assert page.title().startswith("Error:")
    summary = page.inner_text(".error-summary")
    assert "«600,000» no se puede leer. Escriba 600.000 si son seiscientas mil" in summary
    assert "El plazo terminó el 14/09/1995" in summary
    assert page.input_value("[name=requested]") == "600,000"
    assert page.evaluate("document.activeElement.className") == "error-summary"


@pytest.mark.parametrize("width", [1440, 390])
def test_the_form_has_no_barrier_and_does_not_scroll_sideways(page, address, log_in, irene, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(irene)
    page.goto(address)
    fill_papers(page)

    found = Axe().run(page)

    assert found.response["violations"] == []
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_the_page_of_one_of_several_does_not_scroll_sideways_on_a_telephone(
    page, address, log_in, irene
):
    page.set_viewport_size({"width": 390, "height": 900})
    log_in(irene)
    for _ in range(2):
        page.goto(address)
        fill_papers(page)
        page.fill("[name=requested]", "400.000")
        fill_receipt(page)
        page.click("button[value=revisar]")
        page.click("button[value=registrar]")
        page.wait_for_selector("#historia")

    assert page.locator("[aria-labelledby=otras] td").first.is_visible()
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
