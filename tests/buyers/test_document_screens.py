"""A buyer's papers on screen: taken in, replaced, kept from others."""

import pytest
from django.urls import reverse

from buyers.models import Document
from buyers.services import buyer_present, document_add
from office.files import file_read
from tests.buyers.files import pdf_bytes, upload

pytestmark = pytest.mark.django_db


def test_a_file_is_given_to_staff_and_to_the_broker_that_brought_it_and_to_nobody_else(
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
    assert client.get(address).status_code == 404
    own = document_add(user=bruno, buyer=paper.buyer, kind="class_proof", file=upload(pdf_bytes()))
    address = reverse("document_file", args=[own.pk])
    answer = client.get(address)
    assert answer.getvalue() == file_read(own.file)
    assert answer["Content-Disposition"] == f'attachment; filename="documento-{own.pk}.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    client.force_login(olga)
    assert client.get(address).status_code == 404


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
