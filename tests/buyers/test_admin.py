"""The reference data in the admin: what is said once they are saved."""

import pytest
from django.contrib.auth.models import Group
from django.contrib.messages import get_messages
from django.urls import reverse

from buyers.models import Broker, BrokerUser, Buyer, Exchange
from buyers.services import buyer_merge
from office.decisions import decisions_on
from tests.buyers.conftest import person
from tests.conftest import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_admin(client, adela):
    client.force_login(adela)
    return client


def said(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_what_is_added_is_named_without_a_gender(at_admin):
    answer = at_admin.post(
        reverse("admin:buyers_broker_add"), {"name": "Valores de Prueba", "nit": "860530751-7"}
    )
    assert said(answer) == [f"Se guardó: {Broker.objects.get()}."]


@pytest.mark.parametrize("button", ["_save", "_continue", "_addanother"])
def test_what_is_changed_is_named_without_a_gender(at_admin, exchange, button):
    answer = at_admin.post(
        reverse("admin:buyers_exchange_change", args=[exchange.pk]),
        {"name": "Bolsa de Muestra", "is_active": "on", button: "1"},
    )
    assert Exchange.objects.get().name == "Bolsa de Muestra"
    assert said(answer) == ["Se guardó: Bolsa de Muestra."]


def test_rows_taken_out_of_use_are_still_counted(at_admin, exchange):
    answer = at_admin.post(
        reverse("admin:buyers_exchange_changelist"),
        {"action": "make_inactive", "_selected_action": [exchange.pk]},
    )
    assert said(answer) == ["Desactivadas: 1"]


BUYER = {
    "kind": "natural",
    "identity_type": "CC",
    "identity_number": "53.000.789",
    "name": "Rosa Inventada Güiza",
}


@pytest.fixture
def at_tables(client, db):
    """An analyst, whom its role lets into the admin."""
    analyst = make_user("analista", "analista", "Ana", "Lista Prueba", is_staff=True)
    client.force_login(analyst)
    client.analyst = analyst
    return client


def correction(client, buyer, **changes):
    page = client.get(reverse("admin:buyers_buyer_change", args=[buyer.pk]))
    form = page.context["adminform"].form
    typed = {name: form[name].value() or "" for name in form.fields} | changes
    return client.post(reverse("admin:buyers_buyer_change", args=[buyer.pk]), typed)


def test_a_buyer_is_registered_in_the_admin_as_in_the_workspace(at_tables):
    answer = at_tables.post(reverse("admin:buyers_buyer_add"), BUYER)
    buyer = Buyer.objects.get()
    assert said(answer) == ["Se guardó: Rosa Inventada Güiza."]
    assert (buyer.identity, buyer.name_folded) == ("C.C. 53.000.789", "rosa inventada guiza")
    assert buyer.registered_by == at_tables.analyst
    assert decisions_on([buyer]).get().act == "buyer_register"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"identity_number": "12"}, "no se puede leer"),
        ({"identity_type": "NIT", "identity_number": "860530751-1"}, "debe ser 7"),
        ({"kind": "organisation"}, "Una organización se identifica con NIT"),
        ({"name": "María \u202eolpmejE"}, "U+202E"),
        ({"name": "123"}, "Escriba el nombre o la razón social"),
        ({"attorney_name": "Tomasa Prueba"}, "Elija el tipo de documento"),
        ({"identity_number": "51000123"}, "Ya está registrado: María Fernanda"),
    ],
)
def test_the_admin_saves_no_buyer_that_the_service_refuses(at_tables, nanez, changes, words):
    answer = at_tables.post(reverse("admin:buyers_buyer_add"), BUYER | changes)
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert Buyer.objects.get() == nanez


def test_a_correction_in_the_admin_needs_its_reason_and_leaves_its_trace(at_tables, nanez):
    answer = correction(at_tables, nanez, name="María Fernanda Supuesta")
    assert "Escriba por qué se corrige" in answer.content.decode()

    assert correction(at_tables, nanez, name="María Supuesta", reason="Cédula.").status_code == 302
    nanez.refresh_from_db()
    assert nanez.name_folded == "maria supuesta"
    decision = decisions_on([nanez]).last()
    assert (decision.act, decision.reason) == ("buyer_change", "Cédula.")

    stale = correction(at_tables, nanez, name="Otra Prueba", reason="Cédula.", seen="x" * 32)
    assert "Otra persona cambió este comprador" in stale.content.decode()


def test_a_merged_buyer_is_only_looked_at(at_tables, nanez, irene, ana):
    twin = person(irene, "510001234", nanez.name)
    buyer_merge(
        user=ana, merged_id=twin.pk, kept_id=nanez.pk, typed="510001234", reason="Una de más."
    )
    address = reverse("admin:buyers_buyer_change", args=[twin.pk])
    assert 'name="name"' not in at_tables.get(address).content.decode()
    assert at_tables.post(address, BUYER | {"reason": "x"}).status_code == 403


@pytest.mark.parametrize("who", ["adela", "root"])
def test_neither_administrator_nor_superuser_writes_a_buyer(request, client, nanez, who):
    client.force_login(request.getfixturevalue(who))
    assert client.post(reverse("admin:buyers_buyer_add"), BUYER).status_code == 403
    address = reverse("admin:buyers_buyer_change", args=[nanez.pk])
    assert client.post(address, BUYER | {"reason": "x"}).status_code == 403


def test_two_exchanges_do_not_differ_in_accents_alone(at_admin):
    Exchange.objects.create(name="Bolsa de Bogotá")
    answer = at_admin.post(reverse("admin:buyers_exchange_add"), {"name": "BOLSA de Bogota"})
    assert "Ya hay una bolsa con ese nombre" in answer.content.decode()
    assert Exchange.objects.count() == 1


@pytest.mark.parametrize(
    ("nit", "words"),
    [("860530751-1", "debe ser 7"), ("860530751", "Falta el dígito"), ("x", "no se puede leer")],
)
def test_a_broker_has_a_right_nit(at_admin, nit, words):
    answer = at_admin.post(
        reverse("admin:buyers_broker_add"), {"name": "Valores de Prueba", "nit": nit}
    )
    assert words in answer.content.decode()
    assert not Broker.objects.exists()


def test_nobody_is_put_to_work_for_a_broker_out_of_use(at_admin, broker):
    Broker.objects.update(is_active=False)
    carlos = make_user("carlos", "comisionista", "Carlos", "Corredor Prueba")
    answer = at_admin.post(
        reverse("admin:buyers_brokeruser_add"), {"user": carlos.pk, "broker": broker.pk}
    )
    assert "no está activa" in answer.content.decode()
    assert not BrokerUser.objects.exists()


@pytest.mark.parametrize("roles", [["analista"], ["comisionista", "analista"], []])
def test_a_brokers_person_gets_no_other_role(at_admin, bruno, roles):
    groups = [Group.objects.get_or_create(name=name)[0].pk for name in roles]
    answer = at_admin.post(
        reverse("admin:office_user_change", args=[bruno.pk]),
        {"username": "bruno", "is_active": "on", "groups": groups},
    )
    page = answer.content.decode()
    assert "Trabaja para un comisionista" in page or "no tiene otro rol" in page
    assert [group.name for group in bruno.groups.all()] == ["comisionista"]
