"""A broker's person at work: a buyer, an acceptance with its papers, its receipt."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from buyers.models import Broker, BrokerUser, Exchange
from offerings.models import Acceptance
from tests.browser.test_acceptance_form import fill_papers
from tests.conftest import make_user
from tests.offerings.programme_1995 import open_stage_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "/programas/banco-popular-1995/etapas/1/aceptaciones/nueva/"


@pytest.fixture
def bruno(transactional_db):
    irene = make_user("irene", "analista", "Irene", "Ejemplo Ñáñez")
    ana = make_user("ana", "supervisor", "Ana", "Ficticia Rey")
    open_stage_of(irene, ana)
    Exchange.objects.create(name="Bolsa de Prueba")
    Broker.objects.create(name="Comisionistas de Muestra S. A.", nit="890903938-8")
    user = make_user("bruno", "comisionista", "Bruno", "Corredor Prueba")
    own = Broker.objects.create(name="Valores Ficticios S. A.", nit="800197268-4")
    BrokerUser.objects.create(user=user, broker=own)
    return user


def register_buyer(page, live_server):
    page.goto(f"{live_server.url}/compradores/nuevo/")
    page.check("[name=kind][value=natural]")
    page.select_option("[name=identity_type]", "CC")
    page.fill("[name=identity_number]", "51.000.123")
    page.fill("[name=name]", "María Fernanda Ejemplo Ñáñez")
    page.click("main button[type=submit]")
    page.wait_for_url("**/compradores/*/")


def test_a_broker_registers_a_buyer_and_presents_its_acceptance(
    page, log_in, bruno, live_server, refusals
):
    log_in(bruno)
    register_buyer(page, live_server)

    page.goto(f"{live_server.url}{NEW}")
    page.fill("[name=buyer]", "51.000.123")
    fill_papers(page)
    page.fill("[name=received_on]", "14/09/1995")
    page.fill("[name=received_time]", "10:42")
    assert page.locator("select[name=broker]").count() == 0
    assert "Valores Ficticios S. A." in page.inner_text("#acceptance")
    page.select_option("[name=exchange]", label="Bolsa de Prueba")
    page.fill("[name=attested_on]", "14/09/1995")
    page.check("[name=declares_not_disqualified]")
    page.fill("[name=requested]", "600.000")
    page.locator("#limite h2", has_text="Por qué 495.049 acciones").wait_for()
    page.click("button[value=revisar]")
    page.wait_for_selector("text=Revise y confirme")
    page.click("button[value=registrar]")
    page.wait_for_url("**/aceptaciones/*/")

    acceptance = Acceptance.objects.get()
    assert (acceptance.broker.name, acceptance.admitted) == ("Valores Ficticios S. A.", 495_049)
    with page.expect_download() as download:
        page.get_by_role("link", name="Recibo (PDF)").click()
    assert download.value.suggested_filename == "recibo-banco-popular-1995-A-000001.pdf"
    assert refusals == []


@pytest.mark.parametrize("width", [1440, 390])
def test_its_home_and_form_have_no_barrier_and_do_not_scroll_sideways(
    page, log_in, bruno, live_server, width
):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(bruno)
    for path in ("/", NEW):
        page.goto(f"{live_server.url}{path}")
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
