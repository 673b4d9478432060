"""Pages of many things: a broker finds its own there, and nothing of another."""

import pytest
from django.urls import reverse

from tests.test_access import PAGES, answer, body
from tests.world import World


@pytest.fixture
def world(db):
    return World()


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/programas/",
        "/programas/banco-popular-1995/",
        "/procesos/",
        "/aceptaciones/",
        "/aceptaciones/exportar.csv",
        "/compradores/",
        "/compradores/exportar.csv",
        "/certificados/",
        "/certificados/exportar.csv",
        "/procesos/exportar.csv",
        "/buscar/?q=persona",
    ],
)
def test_page_of_many_shows_a_broker_nothing_of_another(world, address):
    assert world.certificates["broker"]
    for person, other in (("broker", "Ajena"), ("other", "Propia")):
        response = answer(world, person, "get", address)
        assert response.status_code == 200
        assert other not in body(response)


@pytest.mark.parametrize(
    "name",
    [
        "acceptances",
        "acceptances_export",
        "buyers",
        "buyers_export",
        "certificates",
        "certificates_export",
    ],
)
def test_list_shows_staff_both_brokers_and_each_broker_its_own(world, name):
    assert world.certificates["broker"]
    address = reverse(name, kwargs=PAGES[name].about(world))
    for person, names in (
        ("analista", {"Propia", "Ajena"}),
        ("auditor", {"Propia", "Ajena"}),
        ("broker", {"Propia"}),
        ("other", {"Ajena"}),
    ):
        page = body(answer(world, person, "get", address))
        assert {word for word in ("Propia", "Ajena") if word in page} == names
