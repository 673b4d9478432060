"""What a list does not understand in its address: nothing is shown, and it says so."""

import pytest
from django.urls import reverse

from tests.answers import table_of, text_of
from tests.offerings.paid import make_awards
from tests.offerings.rows import make_acceptance, make_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client, irene, ana):
    make_awards([make_acceptance(make_stage(irene, ana), 1, 10)], irene, ana)
    client.force_login(irene)
    return client


def export(client, name, asked):
    return client.get(reverse(f"{name}_export", args=["csv"]), asked)


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("acceptances", {"etapa": "99"}, "Programa y etapa: «99», que no se entiende"),
        ("acceptances", {"etapa": "abc"}, "Programa y etapa: «abc», que no se entiende"),
        ("acceptances", {"clase": "zz"}, "Clase: «zz», que no se entiende"),
        ("acceptances", {"dia": "32/01/1995"}, "Recibida: «32/01/1995», que no se entiende"),
        ("buyers", {"documento": "XX"}, "Tipo de documento: «XX», que no se entiende"),
        ("payments", {"programa": "ninguno"}, "Programa: «ninguno», que no se entiende"),
        ("payments", {"vista": "zz"}, "Vista: «zz», que no se entiende"),
        ("programmes", {"etapa": "zz"}, "Etapa 1: «zz», que no se entiende"),
        ("documents", {"registro": "zz"}, "Quién lo registró: «zz», que no se entiende"),
        ("certificates", {"programa": "ninguno"}, "Programa: «ninguno», que no se entiende"),
        ("adjudications", {"programa": "ninguno"}, "Programa: «ninguno», que no se entiende"),
    ],
)
def test_a_filter_that_is_not_understood_lists_nothing_and_is_named(desk, name, asked, said):
    page = desk.get(reverse(name), asked)
    assert page.status_code == 200
    assert said in text_of(page)
    assert page.context["page"].paginator.count == 0
    assert page.context["list"]["known_url"] == reverse(name)
    assert "save_url" not in page.context["list"]

    lines = text_of(export(desk, name, asked)).splitlines()
    assert f"Filtro;{said}" in [line.replace('"', "") for line in lines]
    assert lines[-1] == "Filas;0"


def test_what_is_understood_stays_when_the_other_is_taken_off(desk):
    page = desk.get(reverse("acceptances"), {"clase": "zz", "situacion": "complete"})
    assert page.context["list"]["known_url"] == f"{reverse('acceptances')}?situacion=complete"
    left = desk.get(page.context["list"]["known_url"])
    assert left.context["page"].paginator.count == 1
    assert "que no se entiende" not in text_of(left)


def test_a_name_and_an_order_that_the_list_does_not_have_change_nothing(desk):
    asked = {"desconocido": "1", "orden": "zz"}
    assert desk.get(reverse("acceptances"), asked).context["page"].paginator.count == 1
    assert len(table_of(export(desk, "acceptances", asked))) == 2


def test_a_buyer_that_a_broker_may_not_see_is_not_understood(desk, bruno):
    desk.force_login(bruno)
    page = desk.get(reverse("acceptances"), {"comprador": "1"})
    assert "Comprador: «1», que no se entiende" in text_of(page)
