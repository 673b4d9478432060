"""Allotment certificates: when, once, with consecutive numbers, from frozen facts."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from io import BytesIO
from threading import Barrier

import pytest
from django.db import DatabaseError, connection, connections, transaction
from pdfminer.high_level import extract_text

from buyers.models import Buyer
from offerings.certificates import (
    allotment_facts,
    certificate_allotment_issue,
)
from offerings.selectors.certificates import Scope
from office.annulments import certificate_annul
from office.certificates import certificate_draw, certificate_html
from office.files import file_read
from office.models import Certificate, CertificateState
from office.refusals import Refused
from tests.offerings.paid import PAID_ON, make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance, make_buyer

ISSUED_ON = date(1995, 10, 3)


@pytest.fixture
def awards(broker, closed_stage, irene, ana):
    """Ten, twenty and thirty shares, all unpaid."""
    acceptances = [make_acceptance(closed_stage, n, 10 * n, broker=broker) for n in (1, 2, 3)]
    return make_awards(acceptances, irene, ana)


@pytest.fixture
def award(awards, irene):
    """Ten shares, paid on 02/10/1995."""
    pay_in_full(awards[0], irene)
    return awards[0]


def issue(award, user, legal_date=ISSUED_ON):
    return certificate_allotment_issue(award_id=award.pk, user=user, legal_date=legal_date)


def scope_of(award):
    return Scope(programme=award.acceptance.stage.programme)


def squeezed(text):
    return "".join(text.split()).replace("\u2011", "-")


def text_of(certificate):
    return squeezed(extract_text(BytesIO(file_read(certificate.file))))


# When, and once


def test_a_paid_award_gets_the_first_number_of_its_legal_year(award, irene):
    certificate = issue(award, irene)
    award.refresh_from_db()
    assert certificate.label == "ADJ-1995-000001"
    assert award.certificate == certificate
    assert certificate.get_state_display() == "Por generar"


def test_no_certificate_before_the_last_centavo_and_then_at_once(awards, irene):
    owing = awards[0]
    pay(owing, irene, "605.99", "A")
    with pytest.raises(Refused, match=r"\$0,01"):
        issue(owing, irene)
    pay(owing, irene, "0.01", "B")
    assert issue(owing, irene).label == "ADJ-1995-000001"


def test_asked_twice_the_same_certificate_is_the_answer(award, irene, mateo):
    assert issue(award, irene) == issue(award, mateo)
    assert Certificate.objects.count() == 1


def test_the_day_of_issue_is_not_before_the_last_payment(award, irene):
    with pytest.raises(Refused, match="02/10/1995") as refusal:
        issue(award, irene, date(1995, 10, 1))
    assert refusal.value.field == "legal_date"
    assert issue(award, irene, PAID_ON)


def test_the_day_of_issue_is_not_in_the_future(award, irene, time_machine):
    time_machine.move_to("1995-10-03 23:30:00-05:00", tick=False)
    with pytest.raises(Refused, match="futuro"):
        issue(award, irene, date(1995, 10, 4))
    assert issue(award, irene, ISSUED_ON)


@pytest.mark.parametrize("person", ["aura", "adela", "root", "bruno"])
def test_who_may_not_prepare_issues_nothing(award, person, request):
    with pytest.raises(Refused, match="analista o un supervisor"):
        issue(award, request.getfixturevalue(person))


@pytest.mark.django_db(transaction=True)
def test_two_people_at_once_get_consecutive_numbers(awards, irene, mateo):
    for award in awards[:2]:
        pay_in_full(award, irene)
    barrier = Barrier(2)

    def issue_now(award, user):
        barrier.wait(10)
        try:
            return issue(award, user).label
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        asked = [
            pool.submit(issue_now, *pair) for pair in zip(awards[:2], (irene, mateo), strict=True)
        ]
        labels = {answer.result() for answer in asked}
    assert labels == {"ADJ-1995-000001", "ADJ-1995-000002"}


@pytest.mark.django_db(transaction=True)
def test_a_double_click_at_once_gives_both_the_same_certificate(award, irene):
    barrier = Barrier(2)

    def issue_now():
        barrier.wait(10)
        try:
            return issue(award, irene).label
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(issue_now) for _ in range(2)]
        labels = {answer.result() for answer in asked}
    assert labels == {"ADJ-1995-000001"}
    assert Certificate.objects.count() == 1


def test_after_an_annulled_certificate_the_next_number_follows(awards, irene):
    for award in awards[:2]:
        pay_in_full(award, irene)
    first = issue(awards[0], irene)
    certificate_annul(first, "Por prueba.", first.legal_date)
    assert issue(awards[1], irene).label == "ADJ-1995-000002"


# What it states


def test_it_states_what_was_asked_awarded_paid_and_until_when(award, irene, ana):
    facts = allotment_facts(award)
    assert facts["award"] == {
        "quantity": 10,
        "price": "60.60",
        "total": "606.00",
        "price_cites": ["art. 4-1"],
    }
    assert facts["acceptance"]["requested"] == 10
    assert facts["adjudication"]["session_on"] == "1995-09-15"
    assert facts["adjudication"]["cites"] == ["art. 9-2"]
    assert facts["payment"] == {"paid_on": "1995-10-02", "receipts": ["PG-1995-000001"]}
    assert facts["lock_up"] == {"months": 24, "last_day": "1997-09-15", "cites": ["art. 6-4"]}
    assert facts["pledge"] == {"rank": 1}
    assert facts["cover"] == {"cites": ["art. 22"]}
    assert facts["seller"] == {"name": "la Nación", "represented": True}
    assert facts["issuer"]["of"] == "del Banco Popular"
    assert facts["signatories"] == [
        {"name": "Rosa Muestra Peña", "post": "Directora de Prueba"},
        {"name": "Ana Ficticia Rey", "post": "Por el Fondo, supervisión de enajenaciones"},
    ]
    assert json.loads(json.dumps(facts)) == facts


def test_the_limit_that_cut_it_is_cited_by_its_clauses(closed_stage, irene, ana):
    cut = make_acceptance(
        closed_stage, 1, 600, admitted=450, limit_shares=450,
        ruling={"steps": [], "readings": ["Una lectura."],
                "cites": ["art. 6-1", "art. 4-1", "art. 6-3"]},
    )  # fmt: skip
    award = make_awards([cut], irene, ana)[0]
    pay_in_full(award, irene)
    facts = allotment_facts(award)
    assert facts["limit"] == {"admitted": 450, "cites": ["art. 6-1", "art. 6-3"]}
    assert facts["readings"] == ["Una lectura."]


def test_an_organisation_bears_its_legal_name_and_its_representative_beside_it(
    closed_stage, irene, ana
):
    buyer = make_buyer(irene, 7, "cooperative")
    Buyer.objects.filter(pk=buyer.pk).update(
        name="Cooperativa Ficticia Ñáñez Güiza $ º",
        representative_name="Rosa Inventada Peña",
        representative_identity_type="CC",
        representative_identity_number="41000902",
    )
    buyer.refresh_from_db()
    acceptance = make_acceptance(closed_stage, 1, 10, buyer=buyer, buyer_class="cooperative")
    award = make_awards([acceptance], irene, ana)[0]
    pay_in_full(award, irene)
    certificate = certificate_draw(issue(award, irene).pk)
    text = text_of(certificate)
    assert squeezed("Cooperativa Ficticia Ñáñez Güiza $ º") in text
    assert squeezed("representada por Rosa Inventada Peña, C.C. 41.000.902") in text
    assert squeezed("el artículo 6 no fija límite a las organizaciones") in text


@pytest.mark.parametrize(
    "name",
    [
        '<link rel=attachment href="file:///etc/passwd">',
        "<img src=https://ejemplo.example/x.png> Ejemplo",
    ],
)
def test_html_in_a_name_is_printed_as_text(closed_stage, irene, ana, name):
    buyer = make_buyer(irene, 7)
    Buyer.objects.filter(pk=buyer.pk).update(name=name)
    buyer.refresh_from_db()
    award = make_awards([make_acceptance(closed_stage, 1, 10, buyer=buyer)], irene, ana)[0]
    pay_in_full(award, irene)
    certificate = certificate_draw(issue(award, irene).pk)
    assert squeezed(name) in text_of(certificate)
    assert b"/EmbeddedFile" not in file_read(certificate.file)


# Frozen


def test_a_later_change_of_name_decree_or_template_moves_nothing(
    award, irene, monkeypatch, settings, tmp_path
):
    certificate = certificate_draw(issue(award, irene).pk)
    before, facts = file_read(certificate.file), certificate.facts
    buyer = award.acceptance.participation.buyer
    Buyer.objects.filter(pk=buyer.pk).update(name="Otra Persona Inventada")
    monkeypatch.setattr("offerings.decrees.reader._bundled", lambda slug: None)
    monkeypatch.setattr("office.certificates.certificate_html", lambda known: "<p>otra</p>")
    again = certificate_draw(certificate.pk)
    award.refresh_from_db()
    assert issue(award, irene) == certificate
    assert file_read(again.file) == before
    assert again.facts == facts
    assert again.facts["holder"]["name"] == "María Ejemplo Ñáñez 1"
    assert hashlib.sha256(before).hexdigest() == again.file.sha256


def test_a_name_changed_before_the_drawing_is_not_the_name_that_is_drawn(award, irene):
    certificate = issue(award, irene)
    buyer = award.acceptance.participation.buyer
    Buyer.objects.filter(pk=buyer.pk).update(name="Otra Persona Inventada")
    html = certificate_html(Certificate.objects.select_related("series").get(pk=certificate.pk))
    assert "María Ejemplo Ñáñez 1" in html
    assert "Otra Persona" not in html


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE office_certificate SET facts = '{}' WHERE id = %s",
        "UPDATE office_certificate SET number = 9 WHERE id = %s",
        "UPDATE office_certificate SET code = 'AAAA' WHERE id = %s",
        "UPDATE office_certificate SET legal_date = '1996-01-01' WHERE id = %s",
        "UPDATE office_certificate SET file_id = NULL, state = 'pending' WHERE id = %s",
        "DELETE FROM office_certificate WHERE id = %s",
    ],
)
def test_raw_sql_cannot_change_a_certificate(award, irene, statement):
    certificate = certificate_draw(issue(award, irene).pk)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [certificate.pk])


# After its annulment


def test_after_its_annulment_an_award_is_certified_anew_and_both_stay(award, irene):
    first = certificate_draw(issue(award, irene).pk)
    certificate_annul(first, "El nombre está mal escrito.", first.legal_date)
    second = issue(award, irene)
    first.refresh_from_db()
    assert second.replaces == first
    assert f"en lugar de</span> {first.label}<span>, que se anuló" in certificate_html(second)
    assert (first.state, first.file is not None) == (CertificateState.ANNULLED, True)
    assert issue(award, irene) == second
