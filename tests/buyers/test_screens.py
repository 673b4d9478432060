"""The screens of buyers: found, shown, corrected, their papers kept from others."""

import csv
import io

import pytest
from django.urls import reverse

from buyers.models import Buyer, Document
from buyers.services import buyer_change, buyer_present, buyer_register, buyer_token, document_add
from office.files import file_read
from tests.buyers.files import pdf_bytes, upload

pytestmark = pytest.mark.django_db

PERSON = {"kind": "natural", "identity_type": "CC"}


def person(user, number, name):
    return buyer_register(user=user, **PERSON, identity_number=number, name=name)


@pytest.fixture
def nanez(irene):
    return person(irene, "51000123", "María Fernanda Ñáñez Ejemplo")


@pytest.fixture
def aleman(irene):
    return person(irene, "52000456", "Julián Supuesto D’Alemán")


@pytest.fixture
def cooperative(irene):
    return buyer_register(
        user=irene,
        kind="organisation",
        identity_type="NIT",
        identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle",
        representative_name="María Fernanda Ñáñez Ejemplo",
        representative_identity_type="CC",
        representative_identity_number="51000123",
    )


@pytest.fixture
def paper(irene, nanez):
    return document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))


@pytest.fixture
def at_desk(client, irene):
    client.force_login(irene)
    return client


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
    ],
)
def test_a_buyer_is_found_by_what_people_type(
    at_desk, nanez, aleman, cooperative, asked, found, request
):
    page = at_desk.get(reverse("buyers"), {"q": asked})

    assert names(page) == [request.getfixturevalue(found).name]


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
    assert [chip["label"] for chip in page.context["chips"]] == ["«valle»", "Organización", "NIT"]
    assert page.context["chips"][0]["url"] == "/compradores/?quien=organisation&documento=NIT"


def test_a_filter_that_does_not_exist_filters_nothing(at_desk, nanez):
    assert names(at_desk.get(reverse("buyers"), {"quien": "nadie", "page": "x"})) == [nanez.name]


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
    answer = at_desk.get(reverse("buyers_export"), {"q": "hyperlink"})

    assert answer["Content-Type"] == "text/csv"
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    assert len(rows) == 2
    assert rows[1][2:4] == ["52.000.456", '\'=HYPERLINK("http://ejemplo.example","Prueba")']


def test_a_name_with_markup_is_shown_as_text(at_desk, irene):
    buyer = person(irene, "52000456", '<img src=x onerror="alert(1)"> Prueba')
    for page in (reverse("buyers"), reverse("buyer", args=[buyer.pk])):
        shown = at_desk.get(page).content.decode()
        assert "<img src=x" not in shown
        assert "&lt;img src=x" in shown


# --- who sees what ---


def test_a_broker_finds_exports_and_opens_only_those_it_presented(
    client, nanez, aleman, broker, bruno, olga
):
    buyer_present(buyer=nanez, broker=broker)
    client.force_login(bruno)
    assert names(client.get(reverse("buyers"))) == [nanez.name]
    assert client.get(reverse("buyer", args=[nanez.pk])).status_code == 200
    assert client.get(reverse("buyer", args=[aleman.pk])).status_code == 404
    exported = client.get(reverse("buyers_export")).content.decode()
    assert "Ñáñez" in exported
    assert "Alemán" not in exported

    client.force_login(olga)
    assert client.get(reverse("buyer", args=[nanez.pk])).status_code == 404


def test_a_file_is_given_to_those_who_may_see_its_buyer_and_to_nobody_else(
    client, paper, broker, irene, aura, bruno, olga, adela, root
):
    address = reverse("document_file", args=[paper.pk])
    assert client.get(address).status_code == 302
    for user, status in [(irene, 200), (aura, 200), (bruno, 404), (adela, 403), (root, 403)]:
        client.force_login(user)
        answer = client.get(address)
        assert answer.status_code == status, user
        if status == 200:
            assert answer.getvalue() == file_read(paper.file)

    buyer_present(buyer=paper.buyer, broker=broker)
    client.force_login(bruno)
    answer = client.get(address)
    assert answer.getvalue() == file_read(paper.file)
    assert answer["Content-Disposition"] == f'attachment; filename="documento-{paper.pk}.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    client.force_login(olga)
    assert client.get(address).status_code == 404


# --- registering and correcting ---


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


# --- papers ---


def typed_paper(kept_at, **changes):
    return {
        "kind": "tax_return",
        "year": "1993",
        "gross_equity": "10.000.000",
        "exchange": str(kept_at.pk),
        "exchange_reference": "BB-1995-0042",
        "submission_key": "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a22",
    } | changes


def test_a_paper_is_taken_in_with_its_figures_read_as_colombia_writes_them(
    at_desk, nanez, exchange
):
    answer = at_desk.post(
        reverse("document_new", args=[nanez.pk]),
        typed_paper(exchange, gross_equity="$1.234.567,50"),
        follow=True,
    )

    page = answer.content.decode()
    assert "1.234.567,50" in page
    assert "BB-1995-0042" in page
    assert "Irene Ejemplo Ñáñez registró el documento «Declaración de renta 1993»." in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gross_equity": "1,234.50"}, "Separadores cambiados. Escriba 1.234,50."),
        ({"gross_equity": "16.829718"}, "Agrupación incorrecta"),
        ({"gross_equity": "1e3"}, "no se puede leer"),
        ({"gross_equity": "9" * 23}, "demasiado grande"),
        ({"gross_equity": "１２"}, "no se puede leer"),
        ({"members": "99999999999999999999"}, "demasiado grande"),
        ({"year": "19694"}, "cuatro cifras"),
        ({"year": "1994\x00"}, "caracteres nulos"),
        ({"issued_on": "31/02/1995"}, "31/02/1995"),
        ({"exchange": "999999999999999999999"}, "opción válida"),
        ({"submission_key": "x"}, "UUID"),
    ],
)
def test_a_paper_with_a_fault_says_where_and_nothing_is_saved(
    at_desk, nanez, exchange, changes, words
):
    answer = at_desk.post(
        reverse("document_new", args=[nanez.pk]), typed_paper(exchange, **changes)
    )

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Document.objects.exists()


def test_html_called_declaracion_pdf_is_refused_on_the_screen(at_desk, nanez):
    answer = at_desk.post(
        reverse("document_new", args=[nanez.pk]),
        {
            "kind": "class_proof",
            "submission_key": "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a33",
            "file": upload(b"<html><script>alert(1)</script>", "declaracion.pdf"),
        },
    )

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Por su contenido no es un PDF ni una imagen." in page
    assert "Elija el archivo de nuevo." in page


def test_a_second_return_of_the_year_leads_to_replacing_the_first(at_desk, nanez, exchange):
    address = reverse("document_new", args=[nanez.pk])
    at_desk.post(address, typed_paper(exchange))
    first = Document.objects.get()
    key = "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a44"
    answer = at_desk.post(address, typed_paper(exchange, submission_key=key))

    replace = reverse("document_replace", args=[first.pk])
    assert answer.status_code == 422
    assert f'href="{replace}"' in answer.content.decode()

    form = at_desk.get(replace)
    assert 'value="10.000.000,00"' in form.content.decode()
    answer = at_desk.post(
        replace,
        typed_paper(exchange, gross_equity="20.000.000", reason="Corrección.", submission_key=key),
        follow=True,
    )
    page = answer.content.decode()
    assert "Reemplazado el" in page
    assert "20.000.000,00" in page


def test_the_form_of_a_paper_leads_back_to_where_it_was_reached_from(at_desk, nanez, exchange):
    address = reverse("document_new", args=[nanez.pk]) + "?next=/programas/"
    assert at_desk.post(address, typed_paper(exchange))["Location"] == "/programas/"
