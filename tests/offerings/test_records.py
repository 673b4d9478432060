"""The act of adjudication and its annex: what they state, once, and what is left of a crash."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from offerings.certificates import (
    record_draft_pdf,
    record_facts,
    record_issue,
)
from offerings.enums import AcceptanceState, Standing
from offerings.models import AdjudicationRecord
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.certificates import certificate_draw, certificate_pdf
from office.files import file_read
from office.models import Certificate, CertificateState, Job
from office.pdf import page_count
from office.refusals import Refused
from office.review import ReviewState
from tests.offerings.conftest import ISSUED_ON
from tests.offerings.rows import make_acceptance, make_acceptances
from tests.pdfs import letters_of, rows_of

MISSING = [{"code": "return", "label": "Declaración de renta.", "cite": "art. 6-1", "why": ""}]


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda name, args, **_: messages.append((name, args))
    )
    return messages


def drawn_text(record) -> str:
    certificate = certificate_draw(record.certificate_id)
    return rows_of(file_read(certificate.file))


# What the act states


def test_the_act_states_session_offer_demand_rule_and_totals(closed_stage, record):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    issued = record()
    text = drawn_text(issued)
    for said in (
        "Acta de adjudicación",
        "ACT-1995-000001",
        "en la sesión de la Bolsa de Prueba del 15 de septiembre de 1995",
        "El contrato de compraventa queda perfeccionado con la adjudicación (art. 24)",
        "quinientas (500) acciones del Banco Popular",
        "treinta mil trescientos pesos ($30.300,00)",
        "Decreto 1118 de 1995",
        "500 ÷ 605",
        "0,826446280",
        "121,00 % de la oferta",
        "es la fecha de compra de todas las acciones adjudicadas",
        "cero (0) acciones",
        "Trabajadores activos 6 605 500 100,00",
        "Representante legal de la Bolsa de Prueba",
        "Por el Fondo, supervisión de enajenaciones: aprobó la",
        "con 6 líneas",
        "a los dieciocho (18) días del mes de septiembre",
    ):
        assert said in text, said
    assert "BORRADOR" not in text


@pytest.mark.parametrize("supply", [10])
def test_the_act_tells_how_the_remainders_of_6_6_and_2_were_decided(closed_stage, record):
    make_acceptances(closed_stage, [6, 6, 2])
    text = drawn_text(record())
    assert "Por residuo se dio una (1) acción" in text
    assert "Ningún empate en los restos hubo que decidir" in text


@pytest.mark.parametrize("supply", [11])
def test_the_act_names_who_tied_and_what_decided(closed_stage, record):
    late = closed_stage.opened_at + timedelta(days=9)
    make_acceptance(closed_stage, 1, 3, received_at=late)
    for serial in (2, 3, 4, 6):
        make_acceptance(closed_stage, serial, 3)
    issued = record()
    (tie,) = record_facts(issued.adjudication)["ties"]
    assert tie["won"] == ["A-000002"]
    assert tie["lost"] == ["A-000001", "A-000003 y A-000004", "A-000006"]
    text = drawn_text(issued)
    assert "quedaba una (1) acción para 5 aceptaciones" in text
    assert "Decidió el orden de recibo: la última que recibió una es la A-000002" in text
    assert "la primera que no, la A-000003 (14/07/1995, 9:03 a. m.)." in text


def test_the_act_tells_each_cause_of_what_got_nothing_with_its_article(closed_stage, record):
    make_acceptance(closed_stage, 1, 400)
    make_acceptance(closed_stage, 2, 400, minimum=400)
    make_acceptance(closed_stage, 3, 300, admitted=200, limit_shares=200, standing=Standing.CUT)
    make_acceptance(closed_stage, 4, 7, admitted=0, standing=Standing.INCOMPLETE, missing=MISSING)
    make_acceptance(closed_stage, 5, 5, state=AcceptanceState.WITHDRAWN)
    issued = record()
    text = drawn_text(issued)
    assert record_facts(issued.adjudication)["causes"] == [
        {"label": "Incompleta: falta la declaración de renta", "cite": "art. 6-1", "lines": 1},
        {"label": "No admiten reducción", "cite": "art. 9-2, inciso 2", "lines": 1},
        {"label": "Retiradas", "cite": "art. 9-1", "lines": 1},
    ]
    assert "Incompleta: falta la declaración de renta" in text
    assert "El límite recortó 1 aceptación, en cien (100) acciones (art. 6-3)" in text
    assert "Retiradas 1 5 – 0" in text


@pytest.mark.parametrize("supply", [100])
def test_the_act_says_that_all_were_met_where_demand_is_below_supply(closed_stage, record):
    make_acceptances(closed_stage, [10, 20])
    text = drawn_text(record())
    assert "La demanda que entra no pasa la oferta" in text
    assert "setenta (70) acciones" in text


def test_the_act_of_a_deserted_stage_says_so_and_nothing_is_to_pay(closed_stage, record):
    make_acceptance(closed_stage, 1, 7, admitted=0, standing=Standing.INCOMPLETE, missing=MISSING)
    text = drawn_text(record())
    assert "se declaró desierta la etapa: ninguna aceptación es válida y completa" in text
    assert "quinientas (500) acciones del Banco Popular quedan para la segunda etapa" in text
    assert "pagarnada" in text.replace(" ", "").lower()


def test_the_act_is_frozen_and_drawn_with_the_same_bytes(closed_stage, record):
    make_acceptances(closed_stage, [98, 92])
    issued = record()
    certificate = certificate_draw(issued.certificate_id)
    assert certificate_pdf(certificate) == file_read(certificate.file)
    assert page_count(file_read(certificate.file)) > 1


@pytest.mark.parametrize("supply", [42_212_620_563_213])
def test_the_largest_figures_and_a_long_name_stay_on_the_pages(closed_stage, record):
    from buyers.models import Broker

    broker = Broker.objects.create(name="W" * 100, nit="800197268-4")
    make_acceptance(closed_stage, 1, 42_212_620_563_213, broker=broker)
    make_acceptance(closed_stage, 2, 42_212_620_563_213)
    text = drawn_text(record())
    assert "42.212.620.563.213 ÷ 84.425.241.126.426" in text
    assert text.replace(" ", "").count("W" * 100) == 1


# Its draft


def test_the_draft_bears_its_word_and_neither_number_nor_code(closed_stage, pending):
    make_acceptances(closed_stage, [98, 92])
    data = record_draft_pdf(pending())
    text = letters_of(data)
    assert text.count("BORRADOR") == 2 * page_count(data)
    assert "Borrador,sinnúmero" in text
    assert "ACT-" not in text
    assert "verificar" not in text
    assert not Certificate.objects.exists()


def test_a_draft_is_offered_until_the_act_is_issued(closed_stage, pending, client, ana, mateo):
    make_acceptances(closed_stage, [98, 92])
    run = pending()
    client.force_login(ana)
    address = reverse("adjudication_record_draft", args=[run.pk])
    page = reverse("adjudication", args=[run.pk])
    assert address in client.get(page).content.decode()
    assert client.get(address).content.startswith(b"%PDF")
    adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    record_issue(adjudication_id=run.pk, user=mateo, legal_date=ISSUED_ON)
    assert address not in client.get(page).content.decode()


def test_what_was_sent_back_has_no_draft(closed_stage, pending, client, ana):
    run = pending()
    adjudication_decide(
        adjudication_id=run.pk, user=ana, outcome=ReviewState.RETURNED, reason="Prueba"
    )
    client.force_login(ana)
    assert client.get(reverse("adjudication_record_draft", args=[run.pk])).status_code == 404


# Issuing it


def test_asked_for_twice_the_act_is_one(closed_stage, record, mateo):
    make_acceptances(closed_stage, [98])
    first = record()
    again = record_issue(
        adjudication_id=first.adjudication_id, user=mateo, legal_date=date(1995, 10, 1)
    )
    assert again == first
    assert Certificate.objects.count() == 1


@pytest.mark.parametrize(
    ("legal_date", "words"),
    [(date(1995, 9, 14), "anterior a la sesión"), (date(2099, 1, 1), "en el futuro")],
)
def test_an_act_dated_before_its_session_or_after_today_is_refused(
    closed_stage, approved, mateo, legal_date, words
):
    with pytest.raises(Refused, match=words):
        record_issue(adjudication_id=approved().pk, user=mateo, legal_date=legal_date)


def test_a_run_that_is_not_approved_has_no_act(closed_stage, pending, mateo):
    with pytest.raises(Refused, match="no está aprobada"):
        record_issue(adjudication_id=pending().pk, user=mateo, legal_date=ISSUED_ON)


def test_an_auditor_issues_no_act(closed_stage, approved, aura):
    with pytest.raises(Refused, match="Solo un analista"):
        record_issue(adjudication_id=approved().pk, user=aura, legal_date=ISSUED_ON)


def test_the_act_goes_with_an_annulled_adjudication_and_is_not_issued_anew(
    closed_stage, record, mateo, ana, client
):
    make_acceptances(closed_stage, [98])
    issued = record()
    certificate_draw(issued.certificate_id)
    asked = adjudication_annulment_prepare(
        adjudication_id=issued.adjudication_id,
        user=mateo,
        ordered_by="Bolsa de Prueba",
        act="Resolución 9",
        act_on=date(1995, 10, 20),
        cause="La sesión no tuvo quórum.",
    )
    adjudication_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    certificate = Certificate.objects.get(pk=issued.certificate_id)
    assert certificate.state == CertificateState.ANNULLED
    with pytest.raises(Refused, match="su acta no se expide de nuevo"):
        record_issue(adjudication_id=issued.adjudication_id, user=mateo, legal_date=ISSUED_ON)
    client.force_login(mateo)
    page = client.get(reverse("adjudication_record_new", args=[issued.adjudication_id]))
    assert "su acta no se expide de nuevo" in page.content.decode()


def test_the_act_of_a_second_version_names_the_one_it_comes_after(
    closed_stage, record, exchange, mateo, ana
):
    make_acceptances(closed_stage, [98])
    first = record()
    assert record_facts(first.adjudication)["basis"]["after"] == []
    asked = adjudication_annulment_prepare(
        adjudication_id=first.adjudication_id,
        user=mateo,
        ordered_by="Bolsa de Prueba",
        act="Resolución 9.",
        act_on=date(1995, 10, 20),
        cause="La sesión no tuvo quórum.",
    )
    adjudication_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    run = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=date(1995, 10, 23), user=mateo
    )
    adjudication_run(adjudication_id=run.pk, report=lambda *told: None)
    adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    second = record_issue(adjudication_id=run.pk, user=mateo, legal_date=date(1995, 10, 24))
    text = drawn_text(second)
    assert second.adjudication.version == 2
    assert (
        f"{first.adjudication.code}, versión 1, se anuló por Resolución 9 del 20 de octubre de "
        "1995, de Bolsa de Prueba; su acta, ACT-1995-000001, también está anulada."
    ) in " ".join(text.split())
    assert "quórum" not in text


def test_an_act_issued_before_the_versions_were_named_is_still_drawn(closed_stage, record):
    make_acceptances(closed_stage, [98])
    certificate = record().certificate
    del certificate.facts["basis"]["after"]
    assert "versión anulada" not in rows_of(certificate_pdf(certificate))


def test_an_act_annulled_by_itself_is_replaced_under_the_next_number(
    closed_stage, record, mateo, ana
):
    make_acceptances(closed_stage, [98])
    issued = record()
    asked = certificate_annulment_prepare(
        certificate_id=issued.certificate_id,
        annulled_on=issued.certificate.legal_date,
        user=mateo,
        cause="Firmó quien no debía",
    )
    certificate_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    again = record_issue(adjudication_id=issued.adjudication_id, user=mateo, legal_date=ISSUED_ON)
    assert str(again.certificate) == "ACT-1995-000002"
    assert str(again.certificate.replaces) == "ACT-1995-000001"
    assert AdjudicationRecord.objects.count() == 1


def test_form_check_and_issue_start_the_job(
    closed_stage, approved, client, mateo, sent, django_capture_on_commit_callbacks
):
    make_acceptances(closed_stage, [98, 92])
    run = approved()
    client.force_login(mateo)
    address = reverse("adjudication_record_new", args=[run.pk])
    wrong = client.post(address, {"legal_date": "14/09/1995", "paso": "revisar"})
    assert wrong.status_code == 422
    assert "anterior a la sesión" in wrong.content.decode()
    review = client.post(address, {"legal_date": "18/09/1995", "paso": "revisar"})
    assert "18 de septiembre de 1995" in review.content.decode()
    assert not Certificate.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(address, {"legal_date": "18/09/1995", "paso": "confirmar"})
    job = Job.objects.get(kind="adjudication_record")
    assert sent == [("offerings.tasks.records.record_draw_task", [job.pk])]
    with django_capture_on_commit_callbacks(execute=True):
        client.post(address, {"legal_date": "18/09/1995", "paso": "confirmar"})
    assert len(sent) == 1


def test_an_act_that_waits_for_its_pdf_has_its_page_and_is_drawn_again_from_it(
    closed_stage, record, client, mateo, sent, django_capture_on_commit_callbacks
):
    make_acceptances(closed_stage, [98])
    issued = record()
    client.force_login(mateo)
    address = reverse("certificate", args=[issued.certificate_id])
    assert (
        address
        in client.get(reverse("adjudication", args=[issued.adjudication_id])).content.decode()
    )
    assert "Por generar" in client.get(address).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("certificate_redraw", args=[issued.certificate_id]))
    assert [name for name, _ in sent] == ["office.tasks.certificates_draw_task"]


def test_whoever_verifies_an_act_sees_the_run_and_no_buyer(closed_stage, record, client):
    make_acceptances(closed_stage, [98])
    certificate = record().certificate
    page = client.get(reverse("verify", args=[certificate.code])).content.decode()
    assert "Acta de adjudicación" in page
    assert "98" in page
    assert "Ejemplo" not in page
