"""The tabs of a buyer's page: what it has in the programmes, and all that happened to it."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from buyers.models import Presentation
from offerings.services.participation_acts import participation_change
from tests.offerings.paid import make_awards, pay
from tests.offerings.rows import make_acceptance, make_buyer, make_stage
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import WORKER, maria, register, stage

__all__ = ["maria", "register", "stage"]

TABS = ("buyer", "buyer_parts", "buyer_payments", "buyer_history")


def opened(client, user, name, buyer):
    client.force_login(user)
    answer = client.get(reverse(name, args=[buyer.pk]))
    assert answer.status_code == 200
    return answer


@pytest.mark.parametrize("name", TABS)
def test_every_tab_of_a_buyer_without_anything_says_what_will_be_there(client, irene, name):
    buyer = make_buyer(irene, 1)
    page = opened(client, irene, name, buyer).content.decode()
    assert page.count('aria-current="page"') == 3  # the section, the crumb, the tab
    for other in TABS:
        assert f'href="{reverse(other, args=[buyer.pk])}"' in page
    assert "Aquí estará" in page or name == "buyer_history"


def test_its_parts_and_acceptances_are_on_their_tab(client, irene, ana):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 1_500)
    page = text(opened(client, ana, "buyer_parts", acceptance.participation.buyer))
    assert "Banco Popular 1995" in page
    assert "A-000001" in page
    assert "1.500" in page
    assert "Corredores de Prueba S. A." in page


def test_what_it_owes_paid_and_was_certified_is_on_its_tab(client, irene, ana, bruno, broker):
    acceptance = make_acceptance(make_stage(irene, ana, closed=True), 1, 100, broker=broker)
    buyer = acceptance.participation.buyer
    Presentation.objects.create(buyer=buyer, broker=broker)
    [award] = make_awards([acceptance], irene, ana)
    pay(award, irene, "60.60", "Consignación 1")

    page = text(opened(client, ana, "buyer_payments", buyer))
    assert "6.060,00" in page
    assert "5.999,40" in page
    assert "Pago parcial" in page

    page = text(opened(client, bruno, "buyer_payments", buyer))
    assert "A-000001" in page
    assert "5.999,40" not in page
    assert "6.060,00" not in page


def test_its_history_tells_what_happened_to_its_parts_too(client, register, irene, bruno, broker):
    acceptance = register(600, broker=broker)
    part = acceptance.participation
    participation_change(
        participation_id=part.pk, part=replace(WORKER, present_holding=5), reason="Certificado.",
        user=irene,
    )  # fmt: skip
    page = text(opened(client, irene, "buyer_history", part.buyer))
    assert "registró el comprador" in page
    assert "registró A-000001" in page
    assert "corrigió las acciones que ya tiene" in page

    page = text(opened(client, bruno, "buyer_history", part.buyer))
    assert "A-000001" not in page
    assert "Irene" not in page


def test_a_tab_of_a_broker_shows_nothing_of_another(client, irene, ana, bruno, broker, olga):
    stage = make_stage(irene, ana)
    own = make_acceptance(stage, 1, 100, broker=broker)
    buyer = own.participation.buyer
    Presentation.objects.create(buyer=buyer, broker=broker)
    make_acceptance(stage, 2, 70, buyer=buyer)
    page = text(opened(client, bruno, "buyer_parts", buyer))
    assert "A-000001" in page
    assert "A-000002" not in page
    assert "Corredores de Prueba" not in page
    client.force_login(olga)
    for name in TABS:
        assert client.get(reverse(name, args=[buyer.pk])).status_code == 404


@pytest.mark.parametrize("name", ["buyer_parts", "buyer_payments", "buyer_history"])
def test_a_tab_takes_as_many_queries_for_50_acceptances_as_for_5(client, irene, ana, name):
    stage = make_stage(irene, ana, supply=10_000, closed=True)
    few, many = make_buyer(irene, 1), make_buyer(irene, 2)
    acceptances = [make_acceptance(stage, serial, 10, buyer=few) for serial in range(1, 6)]
    acceptances += [make_acceptance(stage, serial, 10, buyer=many) for serial in range(6, 56)]
    make_awards(acceptances, irene, ana)
    client.force_login(ana)

    def taken(buyer):
        address = reverse(name, args=[buyer.pk])
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        return len(captured)

    assert taken(few) == taken(many)
