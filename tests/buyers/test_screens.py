"""Registering and correcting a buyer on screen."""

import pytest
from django.urls import reverse

from buyers.models import Buyer
from buyers.services import buyer_change, buyer_token
from tests.buyers.conftest import PERSON

pytestmark = pytest.mark.django_db


def typed(**changes):
    return {
        **PERSON,
        "identity_number": "53.000.789",
        "name": "Rosa Inventada Güiza",
        "submission_key": "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a11",
    } | changes


def test_a_buyer_is_registered_and_shown(at_desk):
    answer = at_desk.post(reverse("buyer_new"), typed(), follow=True)

    page = answer.content.decode()
    assert "Comprador registrado: C.C. 53.000.789." in page
    assert "Irene Ejemplo Ñáñez registró el comprador." in page


def test_the_button_pressed_twice_leaves_one_buyer(at_desk):
    answers = [at_desk.post(reverse("buyer_new"), typed()) for _ in range(2)]

    buyer = Buyer.objects.get()
    assert [answer["Location"] for answer in answers] == [reverse("buyer", args=[buyer.pk])] * 2


def test_a_buyer_that_is_there_is_linked_and_nothing_typed_is_lost(at_desk, nanez):
    answer = at_desk.post(
        reverse("buyer_new"), typed(identity_number="51000123", name="Otra Escritura Prueba")
    )

    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'href="{reverse("buyer", args=[nanez.pk])}"' in page
    assert "Ya está registrado: María Fernanda Ñáñez Ejemplo" in page
    assert 'value="Otra Escritura Prueba"' in page
    assert "<title>Error: " in page


def test_the_hint_beside_a_cedula_with_a_fault_is_not_about_the_nit_alone(at_desk):
    page = at_desk.post(reverse("buyer_new"), typed(identity_number="12")).content.decode()
    assert "La cédula, con puntos o sin ellos; el NIT, con guion" in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"identity_number": ""}, "Escriba el número del documento."),
        ({"identity_number": "12"}, "no se puede leer"),
        ({"identity_type": "NIT", "identity_number": "860530751-1"}, "debe ser 7"),
        ({"kind": "organisation"}, "Una organización se identifica con NIT."),
        ({"name": "María \u202eolpmejE"}, "U+202E"),
        ({"name": "María\x00Ejemplo"}, "U+0000"),
        ({"name": "W" * 201}, "200"),
        ({"kind": ""}, "Diga si es persona natural u organización."),
    ],
)
def test_a_form_with_a_fault_says_where_and_how_to_mend_it(at_desk, changes, words):
    answer = at_desk.post(reverse("buyer_new"), typed(**changes))

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Buyer.objects.exists()


def test_the_way_back_leads_nowhere_outside_the_site(at_desk):
    answer = at_desk.post(reverse("buyer_new") + "?next=https://fuera.example/", typed())
    assert answer["Location"] == reverse("buyer", args=[Buyer.objects.get().pk])

    answer = at_desk.post(
        reverse("buyer_new") + "?next=/programas/", typed(identity_number="54000111",
        submission_key="6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a12"),
    )  # fmt: skip
    assert answer["Location"] == "/programas/"


def test_a_correction_is_told_with_before_and_after(at_desk, nanez):
    address = reverse("buyer_change", args=[nanez.pk])
    form = at_desk.get(address).context["form"]
    answer = at_desk.post(
        address,
        form.initial
        | {"name": "María Fernanda Núñez Ejemplo", "reason": "Así está en la cédula."},
        follow=True,
    )

    page = answer.content.decode()
    assert "<td>María Fernanda Ñáñez Ejemplo</td>" in page
    assert "<td>María Fernanda Núñez Ejemplo</td>" in page
    assert "«Así está en la cédula.»" in page


def test_a_stale_correction_shows_both_values_and_can_then_be_saved(at_desk, nanez, mateo):
    address = reverse("buyer_change", args=[nanez.pk])
    form = at_desk.get(address).context["form"]
    buyer_change(
        user=mateo, buyer_id=nanez.pk, seen=buyer_token(nanez), reason="Cédula.",
        **PERSON, identity_number="51000123", name="María Primera Prueba",
    )  # fmt: skip
    mine = form.initial | {"name": "María Segunda Prueba", "reason": "Registro civil."}

    stale = at_desk.post(address, mine)

    page = stale.content.decode()
    assert stale.status_code == 422
    assert "María Primera Prueba" in page
    assert 'value="María Segunda Prueba"' in page
    assert stale.context["differences"] == [
        {
            "field": "Nombre o razón social",
            "now": "María Primera Prueba",
            "yours": "María Segunda Prueba",
        }
    ]
    nanez.refresh_from_db()
    assert nanez.name == "María Primera Prueba"

    again = mine | {"seen": stale.context["form"].data["seen"]}
    assert at_desk.post(address, again).status_code == 302
    nanez.refresh_from_db()
    assert nanez.name == "María Segunda Prueba"


def test_a_change_past_the_services_is_told_too(at_desk, nanez):
    Buyer.objects.filter(pk=nanez.pk).update(name="Cambiada por Fuera Prueba")

    page = at_desk.get(reverse("buyer", args=[nanez.pk])).content.decode()
    assert "Los datos cambiaron sin un acto registrado." in page
    assert "<td>María Fernanda Ñáñez Ejemplo</td>" in page
