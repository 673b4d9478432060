"""The second look: a document that one person typed, another types again without seeing it."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from buyers.models import Document
from buyers.services import buyer_register, document_add, document_replace
from buyers.services.verification import document_difference_send, document_verify
from office.decisions import decisions_on
from office.models import Decision
from office.refusals import Refused
from tests.buyers.files import book_bytes, image_bytes, pdf_bytes, upload

READ = {"year": 1994, "gross_equity": Decimal("10000000.50")}
TYPED = {"year": "1994", "gross_equity": "10.000.000,50", "looked": "on"}


def text(response):
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain).replace("\u00a0", " ")


@pytest.fixture
def nanez(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="María Fernanda Ñáñez Ejemplo",
    )


@pytest.fixture
def tax_return(irene, nanez, exchange):
    return document_add(
        user=irene,
        buyer=nanez,
        kind="tax_return",
        year=1994,
        figures={"gross_equity": Decimal("10000000.50")},
        exchange=exchange,
        exchange_reference="DR-118",
    )


@pytest.fixture
def proof(irene, nanez):
    return document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))


@pytest.fixture
def desk(client, mateo):
    """At it sits somebody else than who registered the documents."""
    client.force_login(mateo)
    return client


def page_of(document):
    return reverse("document_verify", args=[document.pk])


def test_a_document_typed_alike_by_another_is_verified(mateo, tax_return):
    assert document_verify(user=mateo, document_id=tax_return.pk, read=READ) == ()
    tax_return.refresh_from_db()
    assert tax_return.verified_by == mateo
    assert tax_return.verified_at >= tax_return.seen_at
    assert decisions_on([tax_return]).last().act == "document_verify"


def test_a_document_verified_twice_by_the_same_person_is_verified_once(mateo, tax_return):
    for _ in range(2):
        assert document_verify(user=mateo, document_id=tax_return.pk, read=READ) == ()
    assert Decision.objects.filter(act="document_verify").count() == 1


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("gross_equity", Decimal("10000000.51"), ("$10.000.000,50", "$10.000.000,51")),
        ("year", 1993, ("1994", "1993")),
    ],
)
def test_a_difference_is_written_down_with_both_values(mateo, tax_return, name, value, told):
    read = READ | {name: value}
    [difference] = document_verify(user=mateo, document_id=tax_return.pk, read=read)
    assert (difference.known, difference.given) == told
    tax_return.refresh_from_db()
    assert (tax_return.verified_by, tax_return.verified_at) == (None, None)
    sentence = decisions_on([tax_return]).last().sentence
    assert all(value in sentence for value in told)


@pytest.mark.parametrize(
    ("person", "words"),
    [("irene", "otra persona"), ("aura", "Solo analistas"), ("bruno", "Solo analistas")],
)
def test_who_registered_it_or_has_no_role_does_not_verify(request, tax_return, person, words):
    user = request.getfixturevalue(person)
    with pytest.raises(Refused, match=words):
        document_verify(user=user, document_id=tax_return.pk, read=READ)


def test_what_another_verified_or_took_the_place_of_is_not_verified(
    mateo, ana, tax_return, exchange
):
    document_verify(user=mateo, document_id=tax_return.pk, read=READ)
    with pytest.raises(Refused, match="Ya lo verificó"):
        document_verify(user=ana, document_id=tax_return.pk, read=READ)
    new = document_replace(
        user=ana,
        document_id=tax_return.pk,
        reason="Trae la corregida",
        kind="tax_return",
        year=1994,
        figures={"gross_equity": Decimal(5)},
        exchange=exchange,
        exchange_reference="DR-119",
    )
    assert new.verified_at is None
    with pytest.raises(Refused, match="fue reemplazado"):
        document_verify(user=ana, document_id=tax_return.pk, read=READ)


def test_who_read_something_else_before_verifies_with_a_reason_alone(mateo, tax_return):
    document_verify(user=mateo, document_id=tax_return.pk, read=READ | {"year": 1993})
    said = {"user": mateo, "document_id": tax_return.pk, "read": READ}
    for reason in ("", "   "):
        with pytest.raises(Refused, match="escriba por qué") as caught:
            document_verify(**said, reason=reason)
        assert caught.value.field == "reason"
    tax_return.refresh_from_db()
    assert tax_return.verified_at is None
    assert document_verify(**said, reason="Leí el renglón de arriba") == ()
    decision = decisions_on([tax_return]).last()
    assert (decision.act, decision.reason) == ("document_verify", "Leí el renglón de arriba")


def test_another_than_who_read_something_else_gives_no_reason(mateo, ana, tax_return):
    document_verify(user=mateo, document_id=tax_return.pk, read=READ | {"year": 1993})
    assert document_verify(user=ana, document_id=tax_return.pk, read=READ) == ()
    assert decisions_on([tax_return]).last().reason == ""


def test_a_figure_that_is_not_typed_is_asked_for(mateo, tax_return):
    with pytest.raises(Refused) as caught:
        document_verify(user=mateo, document_id=tax_return.pk, read={"year": 1994})
    assert caught.value.field == "gross_equity"


def test_a_norm_is_confirmed_and_not_typed(mateo, irene, nanez, exchange):
    document = document_add(
        user=irene,
        buyer=nanez,
        kind="no_statutory_limit",
        norm="Ley ficticia 1 de 1990",
        exchange=exchange,
        exchange_reference="L-1",
    )
    [difference] = document_verify(user=mateo, document_id=document.pk, read={"norm": False})
    assert difference.known == "«Ley ficticia 1 de 1990»"
    right = {"read": {"norm": True}, "reason": "Está en el segundo folio"}
    assert document_verify(user=mateo, document_id=document.pk, **right) == ()


def test_a_difference_is_sent_once_and_only_after_it_was_found(mateo, tax_return):
    said = {"user": mateo, "document_id": tax_return.pk, "note": "Mire el renglón 5"}
    with pytest.raises(Refused, match="ninguna diferencia"):
        document_difference_send(**said)
    document_verify(user=mateo, document_id=tax_return.pk, read=READ | {"year": 1993})
    with pytest.raises(Refused, match="Escriba qué"):
        document_difference_send(**said | {"note": "  "})
    first, second = document_difference_send(**said), document_difference_send(**said)
    assert first == second
    assert "consta 1994 y el papel dice 1993" in first.sentence


# --- the page ---


def test_the_page_shows_nothing_of_what_was_typed(desk, tax_return):
    page = desk.get(page_of(tax_return)).content.decode()
    assert "DR-118" in page
    for shown in ("1994", "10.000.000", "10000000"):
        assert shown not in page


def test_an_image_stands_beside_and_a_pdf_opens_apart_and_a_workbook_is_kept(
    desk, irene, nanez, proof
):
    def added(data):
        return document_add(
            user=irene, buyer=nanez, kind="other", label="Carta", file=upload(data)
        )

    image, book = added(image_bytes("PNG")), added(book_bytes())
    file_of = {one.pk: reverse("document_file", args=[one.pk]) for one in (image, book, proof)}
    shown = desk.get(page_of(image)).content.decode()
    assert f'src="{file_of[image.pk]}?ver"' in shown
    apart = desk.get(page_of(proof)).content.decode()
    assert f'href="{file_of[proof.pk]}?ver"' in apart
    assert "paper-image" not in apart
    kept = desk.get(page_of(book)).content.decode()
    assert f'href="{file_of[book.pk]}"' in kept
    assert "Descargar el archivo" in kept


def test_a_match_leads_to_the_next_that_waits_and_at_last_to_the_list(
    desk, tax_return, proof, mateo
):
    first = desk.post(page_of(tax_return), TYPED | {"paso": "siguiente"})
    assert first.url == page_of(proof)
    last = desk.post(page_of(proof), {"looked": "on", "paso": "siguiente"})
    assert last.url == reverse("documents")
    assert set(Document.objects.values_list("verified_by", flat=True)) == {mateo.pk}
    again = desk.post(page_of(tax_return), TYPED | {"paso": "verificar"})
    assert again.url == reverse("buyer", args=[tax_return.buyer_id])


def test_a_document_that_was_not_looked_at_is_not_verified(desk, proof):
    answer = desk.post(page_of(proof), {"paso": "verificar"})
    assert answer.status_code == 422
    assert "sin mirarlo no se verifica" in text(answer)
    proof.refresh_from_db()
    assert proof.verified_at is None


def test_a_difference_is_shown_with_both_values_and_its_ways_out(desk, tax_return):
    wrong = TYPED | {"gross_equity": "1.000.000,50"}
    answer = desk.post(page_of(tax_return), wrong | {"paso": "siguiente"})
    assert answer.status_code == 422
    page = text(answer)
    assert "$10.000.000,50" in page
    assert "$1.000.000,50" in page
    assert 'value="1.000.000,50"' in answer.content.decode()
    assert reverse("document_replace", args=[tax_return.pk]) in answer.content.decode()
    empty = desk.post(page_of(tax_return), {"paso": "enviar", "note": ""})
    assert empty.status_code == 422
    sent = desk.post(page_of(tax_return), {"paso": "enviar", "note": "Mire el renglón 5"})
    assert sent.url == reverse("buyer", args=[tax_return.buyer_id])
    assert "Mire el renglón 5" in text(desk.get(page_of(tax_return)))


def test_after_a_difference_the_page_asks_why_it_agrees_now(desk, mateo, tax_return):
    assert 'name="reason"' not in desk.get(page_of(tax_return)).content.decode()
    differs = desk.post(page_of(tax_return), TYPED | {"gross_equity": "1", "paso": "verificar"})
    assert "Por qué ahora coincide" in text(differs)
    assert "escriba por qué" not in text(differs)
    silent = desk.post(page_of(tax_return), TYPED | {"paso": "verificar"})
    assert silent.status_code == 422
    assert "escriba por qué ahora coincide" in text(silent)
    assert 'value="10.000.000,50"' in silent.content.decode()
    done = desk.post(page_of(tax_return), TYPED | {"paso": "verificar", "reason": "Leí mal"})
    assert done.status_code == 302
    tax_return.refresh_from_db()
    assert tax_return.verified_by == mateo
    assert "Leí mal" in text(desk.get(reverse("buyer", args=[tax_return.buyer_id])))


def test_whoever_registered_it_is_told_that_another_must(client, irene, tax_return):
    client.force_login(irene)
    page = client.get(page_of(tax_return))
    assert "debe verificarlo otra persona" in text(page)
    assert client.post(page_of(tax_return), TYPED).status_code == 409


# --- where it is asked for and told ---


def test_home_counts_what_waits_and_leads_to_the_list_of_it(
    desk, client, irene, tax_return, proof
):
    page = desk.get(reverse("home")).content.decode()
    address = "/documentos/?vista=sin-verificar&amp;registro=otros"
    assert f'section-count" href="{address}">2</a>' in page
    assert page_of(tax_return) in page
    listed = desk.get(reverse("documents") + "?vista=sin-verificar&registro=otros")
    assert "2 documentos" in text(listed)
    client.force_login(irene)
    assert "2 documentos" in text(client.get(reverse("documents") + "?registro=mios"))
    mine = text(client.get(reverse("documents") + "?registro=otros"))
    assert "Ningún documento cumple" in mine


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=nanez", {"Declaración", "Constancia"}),
        ("q=51.000.123", {"Declaración", "Constancia"}),
        ("q=DR-118", {"Declaración"}),
        ("q=DR-1", set()),
        ("tipo=class_proof", {"Constancia"}),
        ("tipo=factura", set()),
        ("vista=verificados", {"Declaración"}),
        ("vista=sin-verificar", {"Constancia"}),
        ("vista=reemplazados", set()),
        ("comisionista=x", set()),
        ("q=%00", {"Declaración", "Constancia"}),
    ],
)
def test_the_list_is_narrowed_by_what_the_address_asks(
    desk, mateo, tax_return, proof, query, names
):
    document_verify(user=mateo, document_id=tax_return.pk, read=READ)
    page = desk.get(f"{reverse('documents')}?{query}").content.decode()
    table = text_of_table(page)
    assert {name for name in ("Declaración", "Constancia") if name in table} == names


def text_of_table(page):
    found = re.search(r"<tbody>.*</tbody>", page, re.DOTALL)
    return found[0] if found else ""


def test_next_stays_within_the_list_that_one_comes_from(desk, irene, nanez, tax_return, proof):
    other = document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))
    address = f"{page_of(proof)}?tipo=class_proof"
    answer = desk.post(address, {"looked": "on", "paso": "siguiente"})
    assert answer.url == f"{page_of(other)}?tipo=class_proof"
    last = desk.post(answer.url, {"looked": "on", "paso": "siguiente"})
    assert last.url == f"{reverse('documents')}?tipo=class_proof"


def test_who_registered_it_finds_the_difference_at_home_and_where_it_is_mended(
    desk, client, irene, mateo, tax_return
):
    document_verify(user=mateo, document_id=tax_return.pk, read=READ | {"year": 1993})
    document_difference_send(user=mateo, document_id=tax_return.pk, note="Mire el renglón 5")
    assert "Diferencias que encontró" not in text(desk.get(reverse("home")))
    client.force_login(irene)
    assert "Diferencias que encontró otra persona" in text(client.get(reverse("home")))
    mending = text(client.get(reverse("document_replace", args=[tax_return.pk])))
    assert "consta 1994 y el papel dice 1993" in mending
    assert "Mire el renglón 5" in mending
    client.force_login(mateo)
    document_verify(user=mateo, document_id=tax_return.pk, read=READ, reason="Leí otro renglón")
    client.force_login(irene)
    assert "Diferencias que encontró" not in text(client.get(reverse("home")))


def test_a_broker_hears_of_a_difference_in_its_own_document_and_not_by_whom(
    client, bruno, broker, mateo, exchange
):
    buyer = buyer_register(
        user=bruno,
        kind="natural",
        identity_type="CC",
        identity_number="52000456",
        name="Eva Prueba",
    )
    document = document_add(
        user=bruno,
        buyer=buyer,
        kind="tax_return",
        year=1994,
        figures={"gross_equity": Decimal("10000000.50")},
        exchange=exchange,
        exchange_reference="DR-7",
    )
    document_verify(user=mateo, document_id=document.pk, read=READ | {"year": 1993})
    document_difference_send(user=mateo, document_id=document.pk, note="Mire el renglón 5")
    client.force_login(bruno)
    assert "Declaración de renta 1994" in text(client.get(reverse("home")))
    mending = text(client.get(reverse("document_replace", args=[document.pk])))
    assert "El Fondo pide: «Mire el renglón 5»" in mending
    assert client.get(page_of(document)).status_code == 403
    document_verify(user=mateo, document_id=document.pk, read=READ, reason="Leí otro renglón")
    for address in (reverse("documents"), reverse("buyer", args=[buyer.pk])):
        page = text(client.get(address))
        assert "Mateo" not in page
        assert "Leí otro renglón" not in page
        assert "Verificado" in page
