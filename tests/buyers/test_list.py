"""The list of buyers: what finds them, its filters, its export, who sees whom."""

import pytest
from django.urls import reverse

from buyers.services import buyer_present, buyer_register
from tests.answers import table_of, text_of
from tests.buyers.conftest import person

pytestmark = pytest.mark.django_db


def names(page):
    return [buyer.name for buyer in page.context["page"]]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("nanez", "nanez"),
        ("ÑÁÑEZ", "nanez"),
        ("maria nanez", "nanez"),
        ("D'Alemán", "aleman"),
        ("d’aleman", "aleman"),
        ("51.000.123", "nanez"),
        (" 51000123 ", "nanez"),
        ("C.C. 51.000.123", "nanez"),
        ("C.C. 51.000", "nanez"),
        ("860.530.751-7", "cooperative"),
        ("NIT 860530751", "cooperative"),
        ("valle ficticia", "cooperative"),
        ("D´Alemán", "aleman"),
        ("dalemán", "aleman"),
        ("JULIÁN D'ALEMAN", "aleman"),
        ("c.c.51000123", "nanez"),
    ],
)
def test_a_buyer_is_found_by_what_people_type(
    at_desk, nanez, aleman, cooperative, asked, found, request
):
    page = at_desk.get(reverse("buyers"), {"q": asked})

    assert names(page) == [request.getfixturevalue(found).name]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("51.000.123", {"nanez", "foreigner"}),
        ("C.C. 51.000.123", {"nanez"}),
        ("CE 51000123", {"foreigner"}),
        ("c.e.51.000", {"foreigner"}),
        ("pasaporte AB51000", {"traveller"}),
        ("ab51000", {"traveller"}),
        ("NIT 51000123", set()),
    ],
)
def test_a_type_before_the_number_narrows_to_that_type(at_desk, irene, nanez, asked, found):
    said = {"kind": "natural", "name": "Rosa Inventada Güiza"}
    buyers = {
        "nanez": nanez,
        "foreigner": buyer_register(
            user=irene, identity_type="CE", identity_number="51000123", **said
        ),
        "traveller": buyer_register(
            user=irene, identity_type="PA", identity_number="AB51000123", **said
        ),
    }
    page = at_desk.get(reverse("buyers"), {"q": asked}).context["page"]
    assert set(page) == {buyers[name] for name in found}


@pytest.mark.parametrize("asked", ["%", "_", "\x00\x00\u202e", "Nadie", "9" * 300])
def test_nothing_is_found_and_the_page_says_what_to_do_when_nobody_matches(at_desk, nanez, asked):
    page = at_desk.get(reverse("buyers"), {"q": asked + "zz"})

    assert page.status_code == 200
    assert names(page) == []
    assert "Ningún comprador responde a este filtro" in page.content.decode()


def test_filters_stand_in_the_address_and_come_off_one_by_one(at_desk, nanez, cooperative):
    page = at_desk.get(
        reverse("buyers"), {"quien": "organisation", "documento": "NIT", "q": "valle"}
    )

    assert names(page) == [cooperative.name]
    chips = page.context["list"]["chips"]
    assert [chip["label"] for chip in chips] == [
        "«valle»",
        "Quién compra: organización",
        "Tipo de documento: NIT",
    ]
    assert chips[0]["url"] == "/compradores/?quien=organisation&documento=NIT"


def test_a_filter_that_is_not_understood_shows_nobody(at_desk, nanez):
    assert names(at_desk.get(reverse("buyers"), {"quien": "nadie", "page": "x"})) == []
    assert names(at_desk.get(reverse("buyers"), {"nada": "nadie", "page": "x"})) == [nanez.name]


def test_an_empty_register_says_what_will_be_there(at_desk, client, aura):
    assert "Registrar un comprador" in at_desk.get(reverse("buyers")).content.decode()
    client.force_login(aura)
    page = client.get(reverse("buyers")).content.decode()
    assert "Registrar un comprador" not in page
    assert "Todavía no hay ninguno" in page


def test_the_list_has_fifty_a_page_and_its_queries_do_not_grow(
    at_desk, irene, django_assert_max_num_queries
):
    for number in range(51_000_000, 51_000_060):
        person(irene, str(number), f"Persona de Prueba {number}")
    with django_assert_max_num_queries(10):
        first = at_desk.get(reverse("buyers"))
    second = at_desk.get(reverse("buyers"), {"page": 2})

    assert (len(names(first)), len(names(second))) == (50, 10)
    assert "1 a 50 de 60" in first.content.decode()


def test_the_export_holds_what_the_filter_holds_and_runs_nothing(at_desk, irene, nanez):
    person(irene, "52000456", '=HYPERLINK("http://ejemplo.example","Prueba")')
    answer = at_desk.get(reverse("buyers_export", args=["csv"]), {"q": "hyperlink"})

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = table_of(answer)
    assert len(rows) == 2
    assert rows[1][1] == "CC"
    assert rows[1][2:4] == ["52.000.456", '\'=HYPERLINK("http://ejemplo.example","Prueba")']


def test_a_name_with_markup_is_shown_as_text(at_desk, irene):
    buyer = person(irene, "52000456", '<img src=x onerror="alert(1)"> Prueba')
    for page in (reverse("buyers"), reverse("buyer", args=[buyer.pk])):
        shown = at_desk.get(page).content.decode()
        assert "<img src=x" not in shown
        assert "&lt;img src=x" in shown


def test_a_broker_finds_exports_and_opens_only_those_it_presented(
    client, nanez, aleman, broker, bruno, olga
):
    buyer_present(buyer=nanez, broker=broker)
    client.force_login(bruno)
    assert names(client.get(reverse("buyers"))) == [nanez.name]
    assert client.get(reverse("buyer", args=[nanez.pk])).status_code == 200
    assert client.get(reverse("buyer", args=[aleman.pk])).status_code == 404
    exported = text_of(client.get(reverse("buyers_export", args=["csv"])))
    assert "Ñáñez" in exported
    assert "Alemán" not in exported

    client.force_login(olga)
    assert client.get(reverse("buyer", args=[nanez.pk])).status_code == 404
