"""The reference data in the admin: what is said once they are saved."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from buyers.models import Broker, Exchange

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
