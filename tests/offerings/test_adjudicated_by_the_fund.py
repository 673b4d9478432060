"""An adjudication without an exchange, where the decree asks for none: the Fund adjudicates."""

import uuid
from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from buyers.enums import BuyerClass
from offerings.certificates import (
    award_notice_issue,
    certificate_allotment_issue,
    record_draft_pdf,
    record_issue,
)
from offerings.models import Adjudication
from offerings.services.acceptances import AcceptanceGiven, acceptance_register
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.participations import PartGiven
from offerings.services.payments import PaymentEntry, payment_record
from offerings.services.stages import stage_close
from office.certificates import certificate_draw
from office.files import file_read
from office.refusals import Refused
from office.review import ReviewState
from tests.answers import table_of
from tests.offerings.programme_fes import (
    DECLARED,
    FES,
    FES_CLOSED,
    FES_RECEIVED,
    class_proof_on_file,
    fes_stage_of,
)
from tests.offerings.rows import SLUG, make_buyer
from tests.offerings.walks import silent, text_of
from tests.pdfs import rows_of

SESSION = date(2005, 1, 4)
PAID_ON = date(2005, 1, 10)
SAID = "sesión del Fondo del 4 de enero de 2005"
NEW = reverse("adjudication_new", args=[FES, 1])


@pytest.fixture
def stage(irene, ana):
    """Closed, with 300 shares asked straight of the Fund."""
    stage, buyer = fes_stage_of(irene, ana), make_buyer(irene, 1)
    class_proof_on_file(buyer, irene)
    acceptance_register(
        stage=stage,
        buyer=buyer,
        part=PartGiven(buyer_class=BuyerClass.WORKER),
        papers=(),
        given=AcceptanceGiven(
            requested=300,
            received_at=FES_RECEIVED,
            broker=None,
            exchange=None,
            declarations=DECLARED,
        ),
        submission_key=uuid.uuid4(),
        user=irene,
    )
    return stage_close(stage=stage, user=ana, closed_at=FES_CLOSED)


@pytest.fixture
def run(stage, irene, ana):
    """Adjudicated by the Fund, and approved."""
    opened = adjudication_open(stage_id=stage.pk, exchange=None, session_on=SESSION, user=irene)
    adjudication_run(adjudication_id=opened.pk, report=silent)
    return adjudication_decide(adjudication_id=opened.pk, user=ana, outcome=ReviewState.APPROVED)


@pytest.fixture
def paid(run, irene):
    """Its only award, paid."""
    award = run.awards.get()
    entry = PaymentEntry("cheque", "Cheque 118", PAID_ON, Decimal(award.total))
    payment_record(award_id=award.pk, user=irene, entry=entry, submission_key=uuid.uuid4())
    return award


def drawn(certificate) -> str:
    return rows_of(file_read(certificate_draw(certificate.pk).file))


def test_the_form_asks_for_no_exchange_and_the_review_says_who_adjudicates(
    stage, exchange, client, irene
):
    client.force_login(irene)
    assert "Bolsa que adjudica (opcional)" in text_of(client.get(NEW))
    typed = {"exchange": "", "session_on": "04/01/2005"}
    assert "Ninguna: adjudica el Fondo" in text_of(client.post(NEW, typed | {"step": "review"}))
    assert client.post(NEW, typed | {"step": "confirm"}).status_code == 302
    opened = Adjudication.objects.get()
    assert opened.exchange is None
    assert opened.held_by == "del Fondo"


def test_one_that_adjudicates_is_taken_there_too(stage, exchange, client, irene):
    client.force_login(irene)
    client.post(NEW, {"exchange": exchange.pk, "session_on": "04/01/2005", "step": "confirm"})
    assert Adjudication.objects.get().held_by == "de la Bolsa de Prueba"


def test_where_the_decree_asks_for_one_it_is_required(closed_stage, client, irene):
    client.force_login(irene)
    page = client.post(
        reverse("adjudication_new", args=[SLUG, 1]),
        {"exchange": "", "session_on": "15/09/1995", "step": "confirm"},
    )
    assert page.status_code == 422
    assert "Elija la bolsa que adjudica" in text_of(page)
    with pytest.raises(Refused, match=r"el decreto pide comisionista y bolsa \(art\. 14\)"):
        adjudication_open(
            stage_id=closed_stage.pk, exchange=None, session_on=date(1995, 9, 15), user=irene
        )
    assert not Adjudication.objects.exists()


def test_the_database_lets_no_run_be_without_one_where_its_terms_ask_for_it(run):
    silent_terms = {key: value for key, value in run.terms.items() if key != "through_broker"}
    for asked in ({"through_broker": {"value": True, "cite": "art. 9"}}, {}):
        made = Adjudication(
            stage=run.stage,
            version=2,
            exchange=None,
            session_on=SESSION,
            prepared_by=run.prepared_by,
            review_state=ReviewState.RETURNED,
            reviewed_by=run.reviewed_by,
            reviewed_at=run.reviewed_at,
            review_reason="Prueba",
            supply=1,
            awarded=0,
            unsold=1,
            terms=silent_terms | asked,
        )
        with (
            pytest.raises(IntegrityError, match="adjudication_exchange_where_asked_for"),
            transaction.atomic(),
        ):
            made.save()


def test_its_act_says_who_adjudicated_and_has_no_place_for_an_exchange_to_sign(run, irene):
    record = record_issue(adjudication_id=run.pk, user=irene, legal_date=SESSION)
    text = drawn(record.certificate)
    assert f"en la {SAID}" in text
    assert "Representante legal de la" not in text
    assert "Ana Ficticia Rey" in text
    assert "preparó la adjudicación" in text


def test_its_draft_is_drawn_too(stage, irene):
    opened = adjudication_open(stage_id=stage.pk, exchange=None, session_on=SESSION, user=irene)
    adjudication_run(adjudication_id=opened.pk, report=silent)
    opened.refresh_from_db()
    assert "del Fondo" in rows_of(record_draft_pdf(opened))


def test_notice_and_certificate_say_who_adjudicated(paid, irene):
    for issue in (award_notice_issue, certificate_allotment_issue):
        issued = issue(award_id=paid.pk, user=irene, legal_date=PAID_ON)
        assert issued.facts["adjudication"]["exchange"] == ""
        text = drawn(issued)
        assert SAID in text
        assert "None" not in text


def test_its_pages_lists_and_papers_open_and_say_so(paid, run, client, irene):
    client.force_login(irene)
    for name, args in (
        ("adjudication", [run.pk]),
        ("award", [paid.pk]),
        ("payment_award", [paid.pk]),
        ("programme_reports", [FES, 1]),
    ):
        page = client.get(reverse(name, args=args))
        assert page.status_code == 200, name
        assert "None" not in text_of(page), name
        assert "del Fondo" in text_of(page), name
    listed = text_of(client.get(reverse("adjudications")))
    assert "04/01/2005 del Fondo" in listed
    headings, row = table_of(client.get(reverse("adjudications_export", args=["csv"])))
    assert dict(zip(headings, row, strict=True))["Bolsa"] == ""
