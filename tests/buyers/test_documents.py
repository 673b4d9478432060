"""A buyer's papers: what is let in, once a kind and year, and how one takes another's place."""

import zlib
from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pikepdf
import pytest
from django.utils import timezone

from buyers.models import Document
from buyers.services import (
    DocumentExists,
    buyer_register,
    document_add,
    document_replace,
)
from office.decisions import decisions_on
from office.files import file_read
from office.models import StoredFile
from office.refusals import Refused
from tests.buyers.files import image_bytes, pdf_bytes, upload

pytestmark = pytest.mark.django_db

EQUITY = Decimal("10000000.00")
EQUITY_OF = {"gross_equity": EQUITY}


@pytest.fixture
def maria(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="María Fernanda Ejemplo Ñáñez",
    )


@pytest.fixture
def at_exchange(exchange):
    return {"exchange": exchange, "exchange_reference": "BB-1995-0042"}


@pytest.fixture
def tax_return(irene, maria, at_exchange):
    return document_add(
        user=irene,
        buyer=maria,
        kind="tax_return",
        year=1993,
        figures=EQUITY_OF,
        **at_exchange,
    )


def test_a_paper_that_the_exchange_keeps_is_taken_in_by_its_reference(irene, tax_return):
    tax_return.refresh_from_db()

    assert tax_return.gross_equity == EQUITY
    assert (tax_return.seen_by, tax_return.file) == (irene, None)
    assert timezone.now() - tax_return.seen_at < timedelta(minutes=1)
    [decision] = decisions_on([tax_return])
    assert decision.sentence == "Registró el documento «Declaración de renta 1993»."


@pytest.mark.parametrize(
    ("data", "name", "kept_as"),
    [
        (pdf_bytes(), "C:\\Datos\\declaración 1993.pdf", "application/pdf"),
        (image_bytes("PNG"), "declaracion.png", "image/png"),
        (image_bytes("JPEG"), "../../declaracion.jpg", "image/jpeg"),
    ],
)
def test_a_file_is_kept_by_what_it_is_under_a_name_that_cannot_be_guessed(
    irene, maria, data, name, kept_as
):
    document = document_add(user=irene, buyer=maria, kind="class_proof", file=upload(data, name))

    assert document.file.content_type == kept_as
    assert document.file.original_name == name.replace("\\", "/").split("/")[-1]
    assert document.file.path.endswith(document.file.sha256)
    assert file_read(document.file) == data


def javascript(pdf):
    pdf.Root.OpenAction = pikepdf.Dictionary(
        S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)")
    )


def hidden_javascript(pdf):
    action = pdf.make_indirect(
        pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pdf.make_stream(b"app.alert(1)"))
    )
    pdf.pages[0].AA = pikepdf.Dictionary(O=action)


def attachment(pdf):
    pdf.attachments["programa.exe"] = b"MZ"


def launch(pdf):
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.Launch, F=pikepdf.String("cmd"))


def packed_zeros(megabytes):
    packer = zlib.compressobj(9)
    chunks = [packer.compress(bytes(1024 * 1024)) for _ in range(megabytes)]
    return b"".join([*chunks, packer.flush()])


def bomb(pdf):
    stream = pikepdf.Stream(pdf, packed_zeros(210))
    stream.Filter = pikepdf.Name.FlateDecode
    pdf.pages[0].Contents = pdf.make_indirect(stream)


def bomb_of_bombs(pdf):
    stream = pikepdf.Stream(pdf, zlib.compress(packed_zeros(1100), 9))
    stream.Filter = pikepdf.Array([pikepdf.Name.FlateDecode, pikepdf.Name.FlateDecode])
    pdf.pages[0].Contents = pdf.make_indirect(stream)


def no_page(pdf):
    del pdf.pages[0]


ENCRYPTED = {"encryption": pikepdf.Encryption(owner="dueño", user="")}
LOCKED = {"encryption": pikepdf.Encryption(owner="dueño", user="clave")}
HTML = b"<!DOCTYPE html><script>alert(1)</script>"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: HTML, "no es un PDF ni una imagen"),
        (lambda: b"", "vacío"),
        (lambda: b"MZ\x90\x00", "no es un PDF ni una imagen"),
        (lambda: b"%PDF-1.7\nnada", "dañado"),
        (lambda: b"%PDF-1.7\n" + bytes(10 * 1024 * 1024), "más de 10 MB"),
        (lambda: pdf_bytes(javascript), "JavaScript"),
        (lambda: pdf_bytes(hidden_javascript), "JavaScript"),
        (lambda: pdf_bytes(attachment), "adjuntos"),
        (lambda: pdf_bytes(launch), "órdenes"),
        (lambda: pdf_bytes(**ENCRYPTED), "cifrado"),
        (lambda: pdf_bytes(**LOCKED), "cifrado"),
        (lambda: pdf_bytes(no_page), "no tiene páginas"),
        (lambda: pdf_bytes(bomb, compress_streams=False), "crece demasiado"),
        (lambda: pdf_bytes(bomb_of_bombs, compress_streams=False), "crece demasiado"),
        (lambda: image_bytes("PNG", (9_000, 9_000)), "crece demasiado"),
        (lambda: image_bytes("PNG")[:40], "dañado"),
    ],
    ids=[
        "html", "empty", "program", "no-pdf", "large", "javascript", "javascript-apart",
        "attachment", "launch", "encrypted", "locked", "no-page", "bomb", "bomb-of-bombs",
        "image-bomb", "cut-image",
    ],
)  # fmt: skip
def test_a_file_called_declaracion_pdf_is_refused_when_it_is_none(irene, maria, data, words):
    with pytest.raises(Refused, match=words) as refusal:
        document_add(user=irene, buyer=maria, kind="class_proof", file=upload(data()))

    assert refusal.value.field == "file"
    assert not Document.objects.exists()
    assert not StoredFile.objects.exists()


def test_a_file_name_that_hides_its_ending_is_refused(irene, maria):
    with pytest.raises(Refused, match="nombre del archivo"):
        document_add(
            user=irene, buyer=maria, kind="class_proof", file=upload(pdf_bytes(), "a\u202efdp.exe")
        )


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"kind": "factura"}, "kind", "Elija"),
        ({"year": None}, "year", "año gravable"),
        ({"year": 19694}, "year", "entre 1900"),
        ({"year": 1899}, "year", "entre 1900"),
        ({"figures": {}}, "gross_equity", "Escriba la cifra"),
        ({"figures": {"gross_equity": Decimal(-1)}}, "gross_equity", "negativo"),
        (
            {"figures": {"annual_remuneration": EQUITY}},
            "annual_remuneration",
            "no prueba este dato",
        ),
        ({"issued_on": date(2999, 1, 1)}, "issued_on", "futuro"),
        ({"exchange_reference": ""}, "exchange_reference", "referencia"),
        ({"exchange": None}, "exchange", "Elija la bolsa"),
        ({"exchange": None, "exchange_reference": ""}, "file", "Adjunte"),
        ({"exchange_reference": "X" * 81}, "exchange_reference", "81 caracteres"),
        ({"label": "\x00"}, "label", r"U\+0000"),
    ],
)
def test_a_paper_is_refused_at_the_field_that_is_wrong(
    irene, maria, at_exchange, said, field, words
):
    paper = {
        "kind": "tax_return",
        "year": 1993,
        "figures": EQUITY_OF,
        **at_exchange,
        **said,
    }
    with pytest.raises(Refused, match=words) as refusal:
        document_add(user=irene, buyer=maria, **paper)

    assert refusal.value.field == field
    assert not Document.objects.exists()


def test_too_many_members_are_refused_before_the_database_is_asked(irene, maria, at_exchange):
    with pytest.raises(Refused, match="demasiado grande"):
        document_add(
            user=irene, buyer=maria, kind="members_certificate", members=2**31, **at_exchange
        )


def test_the_largest_amount_is_kept_to_the_centavo(irene, maria, at_exchange):
    largest = Decimal("9999999999999999999999.99")
    document = document_add(
        user=irene,
        buyer=maria,
        kind="tax_return",
        year=1994,
        figures={"gross_equity": largest},
        **at_exchange,
    )

    document.refresh_from_db()
    assert document.gross_equity == largest


def test_a_second_return_of_a_year_is_refused_and_another_year_is_not(
    irene, maria, tax_return, at_exchange
):
    paper = {"kind": "tax_return", "figures": EQUITY_OF, **at_exchange}
    with pytest.raises(DocumentExists, match="reemplácelo") as refusal:
        document_add(user=irene, buyer=maria, year=1993, **paper)

    assert refusal.value.document == tax_return
    assert document_add(user=irene, buyer=maria, year=1994, **paper).year == 1994


def test_the_form_sent_twice_leaves_one_document(irene, maria, at_exchange):
    key = uuid4()
    first, second = (
        document_add(
            user=irene, buyer=maria, kind="class_proof", submission_key=key, **at_exchange
        )
        for _ in range(2)
    )

    assert first == second
    assert Document.objects.count() == 1


def test_a_document_takes_the_place_of_another_which_stays_in_the_history(
    mateo, tax_return, at_exchange
):
    new = document_replace(
        user=mateo, document_id=tax_return.pk, reason="Era la corrección.", kind="tax_return",
        year=1993, figures={"gross_equity": EQUITY * 2}, **at_exchange,
    )  # fmt: skip

    tax_return.refresh_from_db()
    assert tax_return.replaced_at is not None
    assert tax_return.gross_equity == EQUITY
    assert (new.replaced_at, new.gross_equity) == (None, EQUITY * 2)
    decision = decisions_on([new]).get()
    assert (decision.reason, decision.data) == ("Era la corrección.", {"replaced": tax_return.pk})


def test_a_replacement_sent_twice_leaves_one(mateo, tax_return, at_exchange):
    key = uuid4()
    first, second = (
        document_replace(
            user=mateo, document_id=tax_return.pk, reason="Corrección.", kind="tax_return",
            year=1993, figures=EQUITY_OF, submission_key=key, **at_exchange,
        )
        for _ in range(2)
    )  # fmt: skip

    assert first == second
    assert Document.objects.count() == 2


@pytest.mark.parametrize(
    ("reason", "kind", "words"),
    [("", "tax_return", "por qué se reemplaza"), ("Otro.", "income_certificate", "mismo tipo")],
)
def test_a_replacement_needs_a_reason_and_the_same_kind(
    mateo, tax_return, at_exchange, reason, kind, words
):
    with pytest.raises(Refused, match=words):
        document_replace(
            user=mateo, document_id=tax_return.pk, reason=reason, kind=kind, year=1993,
            figures={"annual_income": EQUITY}, **at_exchange,
        )  # fmt: skip

    tax_return.refresh_from_db()
    assert tax_return.replaced_at is None


def test_a_replaced_document_is_not_replaced_again(mateo, tax_return, at_exchange):
    paper = {
        "kind": "tax_return",
        "year": 1993,
        "figures": EQUITY_OF,
        **at_exchange,
    }
    document_replace(user=mateo, document_id=tax_return.pk, reason="Corrección.", **paper)

    with pytest.raises(Refused, match="ya fue reemplazado"):
        document_replace(user=mateo, document_id=tax_return.pk, reason="Corrección.", **paper)


@pytest.mark.parametrize("person", ["aura", "adela", "root"])
def test_nobody_takes_in_a_paper_without_the_role(person, request, maria, at_exchange):
    with pytest.raises(Refused, match="Solo un analista"):
        document_add(
            user=request.getfixturevalue(person), buyer=maria, kind="class_proof", **at_exchange
        )
