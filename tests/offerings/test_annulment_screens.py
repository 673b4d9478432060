"""Annulments by their screens: asked for by one, decided by another, told wherever it matters."""

from datetime import date
from io import BytesIO

import pytest
from django.urls import reverse
from pdfminer.high_level import extract_text

from offerings.certificates import award_notice_issue, certificate_allotment_issue
from offerings.enums import DefaultMeasure
from offerings.models import AdjudicationAnnulment
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.annulments import adjudication_annulment_prepare
from offerings.services.defaults import award_default_decide, award_default_prepare
from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.certificates import certificate_draw
from office.decisions import timeline
from office.models import Certificate, CertificateAnnulment, CertificateState
from office.review import ReviewState
from tests.offerings.paid import PAID_ON, SESSION, pay, pay_in_full
from tests.offerings.rows import make_acceptance, places

ISSUED_ON = date(1995, 10, 3)
ORDER = {
    "ordered_by": "Bolsa de Prueba",
    "act": "Acta 9",
    "act_on": "20/10/1995",
    "cause": "La sesión no tuvo quórum.",
}


@pytest.fixture
def awards(broker, closed_stage, irene, ana):
    """Ten shares paid and certified, twenty paid in part."""
    for n in (1, 2):
        make_acceptance(closed_stage, n, 10 * n, broker=broker)
    opened = adjudication_open(
        stage_id=closed_stage.pk, user=irene, exchange=places()["exchange"], session_on=SESSION
    )
    adjudication_run(adjudication_id=opened.pk, report=lambda *told: None)
    run = adjudication_decide(adjudication_id=opened.pk, user=ana, outcome=ReviewState.APPROVED)
    awards = list(run.awards.order_by("acceptance__serial"))
    pay_in_full(awards[0], irene)
    pay(awards[1], irene, "60.60", "Consignación 2")
    award_notice_issue(award_id=awards[1].pk, user=irene, legal_date=SESSION)
    return awards


@pytest.fixture
def certificate(awards, irene):
    issued = certificate_allotment_issue(award_id=awards[0].pk, user=irene, legal_date=ISSUED_ON)
    return certificate_draw(issued.pk)


@pytest.fixture
def run(certificate, awards):
    return awards[0].adjudication


def address(name, thing):
    return reverse(name, args=[thing.pk])


def words(page):
    return " ".join(page.content.decode().split())


def seen(client, person, name, thing):
    client.force_login(person)
    return words(client.get(address(name, thing)))


# A certificate


def asked_for(certificate, user):
    return certificate_annulment_prepare(
        certificate_id=certificate.pk,
        annulled_on=ISSUED_ON,
        cause="El nombre está mal escrito.",
        user=user,
    )


def ask(client, certificate, number="", step=""):
    typed = {
        "annulled_on": "04/10/1995",
        "cause": "El nombre está mal escrito.",
        "number": number or certificate.label,
    }
    return client.post(
        address("certificate_annul", certificate), typed | ({"paso": step} if step else {})
    )


def test_the_review_of_what_is_asked_for_does_nothing_yet(client, certificate, irene):
    client.force_login(irene)
    page = ask(client, certificate)
    assert "sigue vigente hasta que otra persona" in words(page)
    assert "4 de octubre de 1995" in words(page)
    assert not CertificateAnnulment.objects.exists()


def test_asked_for_it_waits_and_the_certificate_stands(client, certificate, irene):
    client.force_login(irene)
    page = ask(client, certificate, step="confirmar")
    assert page.headers["location"] == address("certificate", certificate)
    certificate.refresh_from_db()
    assert certificate.state == CertificateState.ISSUED
    assert "Se pidió su anulación" in seen(client, irene, "certificate", certificate)
    again = ask(client, certificate, step="confirmar")
    assert again.status_code == 422
    assert "ya espera revisión" in words(again)
    assert CertificateAnnulment.objects.count() == 1


@pytest.mark.parametrize("number", ["ADJ-1995-000002", "ADJ-1995-1", "x\x00"])
def test_another_number_typed_is_refused_with_what_was_typed(client, certificate, irene, number):
    client.force_login(irene)
    page = ask(client, certificate, number, "confirmar")
    assert page.status_code == 422
    assert "id_number" in page.content.decode()
    assert "El nombre está mal escrito." in words(page)
    assert not CertificateAnnulment.objects.exists()


@pytest.mark.parametrize("number", ["adj-1995-000001", " ADJ–1995–000001 "])
def test_the_number_may_be_typed_small_or_with_another_dash(client, certificate, irene, number):
    client.force_login(irene)
    assert ask(client, certificate, number, "confirmar").status_code == 302


def decide(client, annulment, outcome, **typed):
    name = f"{'adjudication' if 'act' in vars(annulment) else 'certificate'}_annulment_{outcome}"
    return client.post(address(name, annulment), typed)


def test_another_supervisor_approves_with_the_number_and_all_pages_say_so(
    client, certificate, awards, irene, ana, bruno
):
    annulment = asked_for(certificate, irene)
    client.force_login(ana)
    assert "Aprobar…" in seen(client, ana, "certificate", certificate)
    assert decide(client, annulment, "approve").status_code == 422
    page = decide(client, annulment, "approve", number=certificate.label)
    assert page.headers["location"] == address("certificate", certificate)
    for person in (irene, bruno):
        text = seen(client, person, "certificate", certificate)
        assert "Anulado</span>" in text
        assert "ya no certifica nada" in text
        assert "El nombre está mal escrito." in text
    assert "Expedir otro en su lugar" in seen(client, irene, "certificate", certificate)
    early = client.post(address("certificate_new", awards[0]), {"legal_date": "02/10/1995"})
    assert early.status_code == 422
    anew = client.post(
        address("certificate_new", awards[0]),
        {"legal_date": "04/10/1995", "paso": "confirmar"},
    )
    second = Certificate.objects.latest("pk")
    assert anew.headers["location"] == address("certificate", second)
    assert second.label in seen(client, bruno, "certificate", certificate)
    assert f'Reemplaza a <a href="{address("certificate", certificate)}">' in seen(
        client, bruno, "certificate", second
    )
    listed = words(client.get(reverse("certificates")))
    assert "en su lugar, <a" in listed
    assert "reemplaza a <a" in listed


def test_of_what_is_annulled_staff_keep_the_pdf_and_the_broker_does_not(
    client, certificate, irene, ana, aura, bruno
):
    client.force_login(ana)
    decide(client, asked_for(certificate, irene), "approve", number=certificate.label)
    client.force_login(aura)
    answer = client.get(address("certificate_pdf", certificate))
    assert b"".join(answer.streaming_content)
    assert "ADJ-1995-000001-ANULADO.pdf" in answer.headers["content-disposition"]
    page = seen(client, aura, "certificate", certificate)
    assert "Descargar copia con sello de anulado" in page
    assert "Descargar el original, sin sello" in page
    copy = client.get(address("certificate_pdf", certificate), {"sello": ""})
    assert "ADJ-1995-000001-ANULADO-copia" in copy.headers["content-disposition"]
    said = extract_text(BytesIO(copy.content)).replace("\u00a0", " ")
    assert "Documento anulado el" in said
    # The cause is the office's own: whoever is handed the copy reads the day alone.
    assert "porque" not in said
    assert "mal escrito" not in " ".join(said.split())
    assert "Certificado de adjudicación" in said
    assert "Descargar" not in seen(client, bruno, "certificate", certificate)
    assert client.get(address("certificate_pdf", certificate)).status_code == 404


@pytest.mark.parametrize("outcome", ["return", "reject"])
def test_sent_back_or_rejected_it_needs_a_reason_and_the_certificate_stands(
    client, certificate, irene, ana, outcome
):
    annulment = asked_for(certificate, irene)
    client.force_login(ana)
    assert decide(client, annulment, outcome).status_code == 422
    decide(client, annulment, outcome, reason="El nombre está bien.")
    certificate.refresh_from_db()
    assert certificate.state == CertificateState.ISSUED
    client.force_login(irene)
    home = words(client.get(reverse("home")))
    assert f"Anulación de {certificate.label}" in home
    assert "El nombre está bien." in home


def test_who_asked_for_it_cannot_approve_it(client, certificate, ana, tomas):
    annulment = asked_for(certificate, ana)
    client.force_login(ana)
    page = client.get(address("certificate_annulment_approve", annulment))
    assert "Usted lo preparó" in words(page)
    assert decide(client, annulment, "approve", number=certificate.label).status_code == 422
    assert f"Anulación de {certificate.label}" not in words(client.get(reverse("home")))
    client.force_login(tomas)
    assert f"Anulación de {certificate.label}" in words(client.get(reverse("home")))


def test_approved_twice_the_second_is_told(client, certificate, irene, ana):
    annulment = asked_for(certificate, irene)
    client.force_login(ana)
    for status in (302, 422):
        page = decide(client, annulment, "approve", number=certificate.label)
        assert page.status_code == status


# An adjudication


def order(client, run, step="", **changes):
    typed = ORDER | {"number": run.code} | changes
    return client.post(
        address("adjudication_annul", run), typed | ({"paso": step} if step else {})
    )


def test_the_review_says_how_many_lines_shares_pesos_and_papers(client, run, irene):
    client.force_login(irene)
    text = words(order(client, run))
    for told in (
        "30 acciones",
        "de 2 aceptaciones adjudicadas, por $1.818,00",
        "$666,60",
        "pagado por 2 compradores",
        "1 constancia; 1 certificado de adjudicación",
    ):
        assert told in text
    assert not AdjudicationAnnulment.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"number": "AD-999999"}, "id_number"),
        ({"act_on": "14/09/1995"}, "id_act_on"),
        ({"act_on": "31/02/1995"}, "id_act_on"),
        ({"act": ""}, "id_act"),
        ({"ordered_by": ""}, "id_ordered_by"),
        ({"cause": " "}, "id_cause"),
    ],
)
def test_what_is_wrong_in_it_is_said_at_its_field(client, run, irene, changes, field):
    client.force_login(irene)
    page = order(client, run, "confirmar", **changes)
    assert page.status_code == 422
    assert f'href="#{field}"' in page.content.decode()
    assert not AdjudicationAnnulment.objects.exists()


def test_approved_every_page_says_it_and_what_follows(
    client, run, certificate, awards, irene, ana, bruno
):
    client.force_login(irene)
    order(client, run, "confirmar")
    annulment = AdjudicationAnnulment.objects.get()
    assert "Se pidió su anulación" in seen(client, irene, "adjudication", run)
    client.force_login(ana)
    assert run.code in words(client.get(reverse("home")))
    decide(client, annulment, "approve", number=run.code)

    page = seen(client, irene, "adjudication", run)
    for told in (
        "Anulada", "Se anuló el 20/10/1995.", "Acta 9", "$666,60", "2 documentos",
        "Adjudicar de nuevo",
    ):  # fmt: skip
        assert told in page
    assert "Anulada" in words(client.get(reverse("adjudications")))
    assert "Etapas por adjudicar" in words(client.get(reverse("adjudications")))
    stage = run.stage
    programme = words(client.get(reverse("programme", args=[stage.programme.slug])))
    assert f"{run.code} se anuló; por adjudicar de nuevo" in programme
    assert f"Ver {run.code}, anulada" in programme
    for person in (irene, bruno):
        assert "Anulada" in seen(client, person, "award", awards[0])
        client.force_login(person)
        acceptance = client.get(reverse("acceptance", args=[awards[0].acceptance_id]))
        assert "no queda nada adjudicado por ella" in words(acceptance)
        assert "no se expide nada en su lugar" in seen(client, person, "certificate", certificate)
    client.force_login(irene)
    told = f"La adjudicación {run.code} se anuló el 20/10/1995"
    for name in ("certificate_new", "certificate_notice"):
        assert told in words(client.get(address(name, awards[0])))
        stale = client.post(address(name, awards[0]), {"legal_date": "21/10/1995"})
        assert (stale.status_code, told in words(stale)) == (422, True)
    assert told in words(client.get(address("default_new", awards[0]), follow=True))
    typed = {"measure": "undo", "decided_on": "20/11/1995", "cause": "No pagó en el plazo."}
    stale = client.post(address("default_new", awards[0]), typed)
    assert stale.status_code == 422
    assert told in words(stale)
    assert "No pagó en el plazo." in words(stale)


def test_of_what_was_left_without_effect_nothing_is_offered_in_its_place(
    client, awards, irene, ana
):
    awards[1].refresh_from_db()
    notice = certificate_draw(awards[1].notice_id)
    undone = award_default_prepare(
        award_id=awards[1].pk,
        measure=DefaultMeasure.UNDO,
        decided_on=date(1995, 11, 20),
        cause="No pagó.",
        user=irene,
    )
    award_default_decide(default_id=undone.pk, user=ana, outcome=ReviewState.APPROVED)
    page = seen(client, irene, "certificate", notice)
    assert "Se anuló el 20 de noviembre de 1995" in page
    assert "Expedir otro en su lugar" not in page
    assert "no se expide nada en su lugar" in page
    told = words(client.get(address("certificate_notice", awards[1])))
    assert "Ya no se puede expedir" in told
    assert "quedó sin efecto por falta de pago" in told


def test_what_is_not_in_force_has_no_annulment_to_ask_for(client, run, irene, ana):
    adjudication_annulment_prepare(
        adjudication_id=run.pk, user=irene, **(ORDER | {"act_on": PAID_ON})
    )
    annulment = AdjudicationAnnulment.objects.get()
    client.force_login(ana)
    decide(client, annulment, "approve", number=run.code)
    client.force_login(irene)
    page = client.get(address("adjudication_annul", run))
    assert page.headers["location"] == address("adjudication", run)


# What two people do at once, and what the pages call things


def test_issued_by_another_meanwhile_says_by_whom_and_with_which_date(
    client, awards, certificate, mateo
):
    client.force_login(mateo)
    typed = {"legal_date": "05/10/1995", "paso": "confirmar"}
    page = client.post(address("certificate_new", awards[0]), typed, follow=True)
    told = "ADJ-1995-000001 ya estaba: lo expidió Irene Ejemplo Ñáñez con fecha del 03/10/1995"
    assert told in words(page)
    assert Certificate.objects.filter(series__kind="ADJ").count() == 1


def test_the_queue_tells_the_programme_of_what_is_to_be_annulled(client, certificate, irene, ana):
    asked_for(certificate, irene)
    client.force_login(ana)
    stage = certificate.issued_for.award.acceptance.stage
    row = words(client.get(reverse("home"))).split(f"Anulación de {certificate.label}")[1]
    assert str(stage) in row.split("</tr>")[0]


def test_sending_back_and_rejecting_say_what_each_does(client, certificate, irene, ana):
    annulment = asked_for(certificate, irene)
    back = seen(client, ana, "certificate_annulment_return", annulment)
    rejected = seen(client, ana, "certificate_annulment_reject", annulment)
    assert "para corregir lo que usted diga y pedirla de nuevo" in back
    assert "la petición queda rechazada" in rejected
    assert 'class="btn btn-outline-danger" type="submit">Rechazar' in rejected


def test_who_approves_is_not_quoted_with_the_words_of_who_asked(certificate, irene, ana):
    certificate_annulment_decide(
        annulment_id=asked_for(certificate, irene).pk, user=ana, outcome=ReviewState.APPROVED
    )
    *_, asked, approved = timeline([certificate])
    assert (asked["reason"], approved["reason"]) == ("El nombre está mal escrito.", "")
