"""What the frame of every page shows: where one may go, who one is, the hour."""

import pytest
import time_machine
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import resolve, reverse

from config.frame import NAVIGATION, workspace

ALL = [label for label, _, _ in NAVIGATION]
BROKERS = [
    "Inicio",
    "Programas",
    "Compradores",
    "Aceptaciones",
    "Prendas",
    "Certificados",
    "Procesos",
]


def frame_of(user, path="/"):
    request = RequestFactory().get(path)
    request.user, request.resolver_match = user, None
    return workspace(request)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("irene", ALL),
        ("ana", ALL),
        ("aura", ALL),
        ("bruno", BROKERS),
        ("adela", ["Inicio", "Índices y precios"]),
        ("root", ["Inicio"]),
    ],
)
def test_navigation_shows_what_the_person_may_use_and_no_more(client, name, labels, request):
    person = request.getfixturevalue(name)
    items = frame_of(person)["nav_items"]
    assert [item["label"] for item in items] == labels
    client.force_login(person)
    for item in items:
        assert client.get(item["url"]).status_code == 200


def current_at(user, path):
    request = RequestFactory().get(path)
    request.user, request.resolver_match = user, resolve(path)
    return [item["label"] for item in workspace(request)["nav_items"] if item["current"]]


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/", "Inicio"),
        ("/compradores/7/", "Compradores"),
        ("/documentos/7/archivo/", "Compradores"),
        ("/programas/x/reglamento/", "Programas"),
        ("/programas/x/etapas/1/cerrar/", "Programas"),
        ("/programas/x/etapas/1/aceptaciones/nueva/", "Aceptaciones"),
        ("/programas/x/etapas/1/importar/", "Aceptaciones"),
        ("/programas/x/etapas/1/adjudicar/", "Adjudicación"),
        ("/adjudicaciones/lineas/7/", "Adjudicación"),
        ("/pagos/7/", "Pagos"),
        ("/pagos/7/nuevo/", "Pagos"),
        ("/pagos/7/certificado/", "Certificados"),
        ("/procesos/7/", "Procesos"),
    ],
)
def test_section_is_lit_on_all_its_pages(ana, path, section):
    assert current_at(ana, path) == [section]


def test_page_of_no_section_lights_none(ana):
    assert current_at(ana, "/buscar/") == []


def test_role_is_named_and_its_lack_too(ana, root):
    assert frame_of(ana)["role_label"] == "supervisor"
    assert frame_of(root)["role_label"] == "sin rol"


@time_machine.travel("1995-09-18T14:42:00+00:00", tick=False)
def test_hour_is_that_of_bogota(ana):
    assert frame_of(ana)["bogota_now"] == "18/09/1995, 9:42\xa0a.\xa0m."


def test_page_without_a_person_has_no_navigation(client, db):
    page = client.get(reverse("login")).content.decode()
    assert "mainnav" not in page
    assert "Salir" not in page


def test_large_number_in_an_address_keeps_its_form(db):
    """Grouped, /procesos/12.345/ would lead nowhere."""
    shown = Template("{% url 'job' pk %} {{ pk }}").render(Context({"pk": 12_345}))
    assert shown == "/procesos/12345/ 12345"
