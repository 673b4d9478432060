"""Acceptances without broker or exchange, where the decree leaves them out; and where any
acceptance's papers lie."""

import uuid
from dataclasses import replace
from datetime import date

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass, BuyerKind, DocumentKind
from buyers.models import Presentation
from offerings.models import Acceptance
from offerings.rules.documents import ChecklistFacts, checklist
from offerings.rules.terms import DocumentTerm
from offerings.selectors.programmes import stage_terms
from offerings.services.acceptances import AcceptanceGiven, acceptance_register
from offerings.services.participations import PartGiven
from offerings.services.withdrawals import acceptance_withdraw
from office.refusals import Refused
from tests.answers import table_of
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.programme_fes import (
    DECLARED,
    FES,
    FES_RECEIVED,
    class_proof_on_file,
    fes_stage_of,
)
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import WORKER, class_proof, given, tax_return
from tests.offerings.test_receipts import words_of

FES_WORKER = PartGiven(buyer_class=BuyerClass.WORKER)
NEW = reverse("acceptance_new", args=[FES, 1])


@pytest.fixture
def stage(irene, ana):
    return fes_stage_of(irene, ana)


@pytest.fixture
def buyer(irene):
    return make_buyer(irene, 1)


@pytest.fixture
def register(stage, buyer, irene):
    """Register an acceptance of 300 shares that came straight to the Fund."""

    def run(*, user=irene, papers=(), **fields):
        fields = {
            "requested": 300,
            "received_at": FES_RECEIVED,
            "broker": None,
            "exchange": None,
            "declarations": DECLARED,
        } | fields
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=FES_WORKER,
            papers=papers,
            given=AcceptanceGiven(**fields),
            submission_key=uuid.uuid4(),
            user=user,
        )

    return run


def test_an_acceptance_straight_to_the_fund_is_complete_on_the_papers_that_have_their_file(
    register, buyer, irene
):
    class_proof_on_file(buyer, irene)

    acceptance = register(papers_reference="Caja 3, carpeta 14")

    assert (acceptance.standing, acceptance.admitted) == ("complete", 300)
    assert (acceptance.broker, acceptance.exchange) == (None, None)
    assert acceptance.papers_reference == "Caja 3, carpeta 14"
    assert not Presentation.objects.filter(buyer=buyer).exists()


def test_the_funds_own_papers_count_for_what_a_broker_brings(
    register, buyer, irene, bruno, broker, exchange
):
    class_proof_on_file(buyer, irene)
    Presentation.objects.create(buyer=buyer, broker=broker)
    through = {"broker": broker, "exchange": exchange, "attested_on": date(2004, 11, 15)}

    by_the_fund = register(**through)
    by_its_people = register(user=bruno, **through)

    assert by_the_fund.standing == "complete"
    assert by_its_people.standing == "complete"


def test_a_file_that_another_broker_brought_counts_not_for_what_a_broker_presents(
    register, buyer, bruno, olga, broker, other_broker, exchange
):
    Presentation.objects.create(buyer=buyer, broker=other_broker)
    class_proof_on_file(buyer, olga)
    Presentation.objects.create(buyer=buyer, broker=broker)

    acceptance = register(user=bruno, broker=broker, exchange=exchange)

    assert acceptance.standing == "incomplete"
    assert not acceptance.participation.documents.exists()


def test_without_a_file_it_is_incomplete_and_says_which_paper(register):
    acceptance = register()

    assert acceptance.standing == "incomplete"
    assert [gap["code"] for gap in acceptance.missing] == ["class_proof"]


def test_a_paper_at_an_exchange_rests_on_the_brokers_attestation_there_too(
    register, broker, exchange
):
    papers = [class_proof(exchange)]

    unattested = register(broker=broker, exchange=exchange, papers=papers)
    attested = register(broker=broker, exchange=exchange, attested_on=date(2004, 11, 15))

    assert unattested.standing == "incomplete"
    assert attested.standing == "complete"


def test_an_attestation_without_a_broker_is_refused(register):
    with pytest.raises(Refused, match="es de un comisionista") as refusal:
        register(attested_on=date(2004, 11, 15))
    assert refusal.value.field == "attested_on"


@pytest.mark.parametrize(
    ("left_out", "says"),
    [("broker", r"Falta el comisionista.*art\. 14"), ("exchange", r"Falta la bolsa.*art\. 14")],
)
def test_in_1995_neither_broker_nor_exchange_can_be_left_out(
    irene, ana, broker, exchange, left_out, says
):
    places = {"broker": broker, "exchange": exchange} | {left_out: None}

    with pytest.raises(Refused, match=says) as refusal:
        acceptance_register(
            stage=open_stage_of(irene, ana),
            buyer=make_buyer(irene, 1),
            part=WORKER,
            papers=[class_proof(exchange), tax_return(exchange)],
            given=given(places["broker"], places["exchange"], 100),
            submission_key=uuid.uuid4(),
            user=irene,
        )
    assert refusal.value.field == left_out
    assert not Acceptance.objects.exists()


def test_the_attestation_is_asked_only_where_there_is_a_broker_or_must_be(stage):
    terms = stage_terms(stage)
    asked = DocumentTerm((DocumentKind.BROKER_ATTESTATION,), "Certificación", "art. ficticio")
    terms = replace(terms, documents=replace(terms.documents, required=(asked,)))
    facts = ChecklistFacts(BuyerKind.NATURAL, BuyerClass.WORKER, declarations=frozenset(DECLARED))

    def missing(facts, terms):
        return [line.code for line in checklist(facts, terms).value.missing]

    direct = replace(facts, through_broker=False)
    assert missing(facts, terms) == ["broker_attestation"]
    assert missing(direct, terms) == []
    assert missing(direct, replace(terms, through_broker=None)) == ["broker_attestation"]


def test_a_brokers_person_presents_and_withdraws_only_through_its_broker(
    register, buyer, bruno, broker, irene
):
    Presentation.objects.create(buyer=buyer, broker=broker)
    with pytest.raises(Refused, match="por su sociedad comisionista"):
        register(user=bruno)

    direct = register()
    with pytest.raises(Refused, match="solo lo que presentó"):
        acceptance_withdraw(
            acceptance_id=direct.pk, asked_at=FES_RECEIVED, reason="Carta", user=bruno
        )


# --- the form ---


@pytest.fixture
def typed(stage, buyer):
    return {
        "buyer": buyer.name,
        "buyer_class": "worker",
        "requested": "300",
        "received_on": "15/11/2004",
        "received_time": "10:42",
        "papers_reference": "Caja 3, carpeta 14",
        "declares_no_transfer": "on",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid.uuid4()),
    }


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def test_the_form_lets_broker_and_exchange_be_left_blank_and_names_what_is_on_file(
    desk, typed, buyer, irene
):
    class_proof_on_file(buyer, irene)
    form = text(desk.get(f"{NEW}?comprador={buyer.pk}"))
    assert "Comisionista (opcional)" in form
    assert "Ya constan con su archivo: Constancia de la clase" in form
    assert "art. 14" not in form
    assert "art. 20" not in form
    assert "al 10 % del emisor (Resolución ficticia 7 de 2004 del Fondo)" in form

    review = text(desk.post(NEW, typed | {"paso": "revisar"}))
    assert "contingencias" not in review
    assert "Directamente al Fondo · conserva los papeles el Fondo" in review
    assert "Caja 3, carpeta 14" in review

    desk.post(NEW, typed | {"paso": "registrar"})
    acceptance = Acceptance.objects.get()
    assert acceptance.standing == "complete"
    page = text(desk.get(reverse("acceptance", args=[acceptance.pk])))
    assert "Directamente al Fondo" in page
    assert "Caja 3, carpeta 14" in page
    assert "None" not in page


def test_references_that_an_exchange_keeps_are_not_filled_in_for_one_straight_to_the_fund(
    desk, typed, register, buyer, broker, exchange
):
    through = {"broker": broker, "exchange": exchange, "attested_on": date(2004, 11, 15)}
    register(papers=[class_proof(exchange)], **through)

    form = desk.get(f"{NEW}?comprador={buyer.pk}").context["form"]
    review = desk.post(NEW, typed | {"paso": "revisar"})

    assert form["buyer_class"].value() == "worker"
    assert not [name for name in form.initial if name.endswith("_reference")]
    assert review.status_code == 200


def test_references_of_an_exchange_that_is_not_named_are_refused_at_its_field(desk, typed):
    response = desk.post(NEW, typed | {"paper0_reference": "CL-1", "paso": "revisar"})

    assert response.status_code == 422
    assert "Elija la bolsa que conserva los documentos" in text(response)


def test_in_1995_the_form_asks_for_both_with_their_article(desk, irene, ana):
    open_stage_of(irene, ana)
    address = reverse("acceptance_new", args=["banco-popular-1995", 1])

    form = text(desk.get(address))
    assert "Responde ante el Fondo (art. 14)." in form
    assert "(art. 20)" in form
    assert "al 5 % del emisor (art. 16)" in form

    refused = text(desk.post(address, {"paso": "revisar"}))
    assert "Elija el comisionista." in refused
    assert "Elija la bolsa." in refused


# --- what reads them ---


def test_lists_receipt_and_export_cope_with_one_that_has_neither(desk, register, irene):
    acceptance = register(papers_reference="Caja 3, carpeta 14")

    listed = text(desk.get(reverse("acceptances")))
    assert "Directa" in listed
    assert "None" not in listed
    narrowed = text(desk.get(reverse("acceptances") + "?comisionista=directas"))
    assert "llegaron directamente al Fondo" in narrowed
    assert acceptance.code in narrowed

    heads, row = table_of(desk.get(reverse("acceptances_export", args=["csv"])))
    line = dict(zip(heads, row, strict=True))
    assert line["Comisionista"] == "Directa"
    assert line["Dónde reposan los papeles"] == "Caja 3, carpeta 14"

    receipt = words_of(acceptance, irene)
    assert "ninguno; llegó directamente al Fondo" in receipt
    assert "Los papeles reposan en Caja 3, carpeta 14" in receipt
    assert "None" not in receipt
    assert desk.get(reverse("acceptance_receipt", args=[acceptance.pk])).status_code == 200


def test_the_broker_sees_nothing_of_what_came_straight_to_the_fund(client, register, bruno):
    acceptance = register()
    client.force_login(bruno)

    assert client.get(reverse("acceptance", args=[acceptance.pk])).status_code == 404
    assert acceptance.code not in client.get(reverse("acceptances")).content.decode()
