"""What the database itself keeps true of programmes, acceptances, awards and payments."""

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest

from buyers.models import Document
from offerings.models import (
    AcceptanceImport,
    Adjudication,
    AdjudicationRecord,
    AnnexFile,
    Award,
    BankFile,
    BankFileRow,
    FundRules,
    ImportRow,
    ParticipationDocument,
)
from office.files import file_store
from tests.conftest import CLOSED, OPENED
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.paid import make_awards, pay
from tests.offerings.programme_1995 import credit_line_of, notice_of
from tests.offerings.rows import make_acceptance, places
from tests.office.certificate_rows import make_certificate

MOST = 2**63 - 1


@pytest.fixture
def acceptance(open_stage):
    return make_acceptance(open_stage, 1, 100)


@pytest.fixture
def award(closed_stage, irene, ana):
    return make_awards([make_acceptance(closed_stage, 1, 100)], irene, ana)[0]


@pytest.fixture
def pending(closed_stage, irene):
    """An adjudication that waits for its review."""
    acceptances = [make_acceptance(closed_stage, 1, 100)]
    return make_awards(acceptances, irene, None, state="pending")[0].adjudication


@pytest.fixture
def draft(closed_stage, irene):
    """An adjudication that has not run."""
    return Adjudication.objects.create(
        stage=closed_stage,
        version=1,
        exchange=places()["exchange"],
        session_on=CLOSED.date(),
        prepared_by=irene,
    )


@pytest.fixture
def payment(award, irene):
    return pay(award, irene, "60.60")


@pytest.mark.parametrize(
    ("guard", "columns"),
    [
        ("acceptance_requested_positive", {"requested": 0, "admitted": 0}),
        ("acceptance_minimum_within_requested", {"minimum": 101}),
        ("acceptance_minimum_within_requested", {"minimum": -1}),
        ("acceptance_admitted_within_requested", {"admitted": 101}),
        ("acceptance_admitted_within_requested", {"admitted": -1}),
        ("acceptance_admitted_within_limit", {"limit_shares": 99}),
    ],
)
def test_acceptance_keeps_its_figures_in_order(acceptance, guard, columns):
    with refused_by(guard):
        change(acceptance, **columns)


def test_acceptance_holds_what_its_limit_just_allows(acceptance):
    change(acceptance, limit_shares=100, minimum=100)
    acceptance.refresh_from_db()
    assert (acceptance.limit_shares, acceptance.minimum) == (100, 100)


def test_two_acceptances_of_a_stage_never_bear_one_number(acceptance):
    with refused_by("acceptance_serial_once"):
        repeat(acceptance, submission_key=uuid4())


def test_participation_is_one_for_each_buyer_and_programme(acceptance):
    with refused_by("participation_once"):
        repeat(acceptance.participation)


@pytest.mark.parametrize("column", ["present_holding", "held_through_others"])
def test_participation_holds_no_negative_shares(acceptance, column):
    with refused_by("participation_holdings_not_negative"):
        change(acceptance.participation, **{column: -1})


def test_document_is_invoked_once_in_a_programme(acceptance, irene):
    document = Document.objects.create(
        buyer=acceptance.participation.buyer,
        kind="existence",
        exchange=places()["exchange"],
        exchange_reference="carpeta 7",
        seen_by=irene,
    )
    invoked = ParticipationDocument.objects.create(
        participation=acceptance.participation, document=document
    )
    with refused_by("participationdocument_once"):
        repeat(invoked)


def test_file_waits_once_in_a_stage_and_is_loaded_once_confirmed(open_stage, irene):
    stored = file_store(data=b"x", name="a.csv", content_type="text/csv")
    first = AcceptanceImport.objects.create(
        stage=open_stage, file=stored, sha256=stored.sha256, uploaded_by=irene, state="refused"
    )
    repeat(first, state="uploaded")
    with refused_by("acceptanceimport_file_once"):
        repeat(first, state="reviewed")
    for state in ("confirmed", "loaded"):
        with refused_by("acceptanceimport_confirmed"):
            change(first, state=state)
    line = ImportRow.objects.create(source=first, number=2, outcome="ready")
    with refused_by("importrow_once"):
        repeat(line)


@pytest.mark.parametrize(
    ("guard", "columns"),
    [
        ("stage_price_by_rules", {"price": Decimal("60.00")}),
        ("stage_terms_fixed", {"supply": 501}),
        ("stage_terms_fixed", {"opened_at": OPENED - timedelta(days=1)}),
        ("stage_terms_fixed", {"last_moment": CLOSED + timedelta(days=1)}),
        ("stage_terms_fixed", {"state": "planned", "opened_at": None}),
    ],
)
def test_open_stage_keeps_to_the_terms_under_which_it_was_opened(open_stage, guard, columns):
    with refused_by(guard):
        change(open_stage, **columns)


@pytest.mark.parametrize(
    "columns",
    [{"state": "open", "closed_at": None}, {"closed_at": CLOSED + timedelta(days=1)}],
)
def test_closed_stage_stays_closed(closed_stage, columns):
    with refused_by("stage_closed_stays"):
        change(closed_stage, **columns)


def test_stage_number_is_given_once_in_a_programme(open_stage):
    with refused_by("stage_number_once"):
        repeat(open_stage)


def test_reglamento_version_is_given_once_in_a_programme(open_stage):
    with refused_by("fundrules_version_once"):
        repeat(FundRules.objects.get())


def test_notice_and_credit_line_are_recorded_once(open_stage, irene):
    with refused_by("publicnotice_once"):
        repeat(notice_of(open_stage.programme, irene))
    with refused_by("creditline_once"):
        repeat(credit_line_of(open_stage.programme, irene))


def test_adjudication_version_is_given_once_in_a_stage(award):
    change(award.acceptance, state="presented")
    with refused_by("adjudication_version_once"):
        repeat(award.adjudication, review_state="returned", review_reason="Falta la sesión.")


def test_stage_has_one_adjudication_that_is_not_refused(award):
    with refused_by("adjudication_one_per_stage"):
        repeat(
            award.adjudication,
            version=2,
            review_state="pending",
            reviewed_by=None,
            reviewed_at=None,
        )


def test_adjudication_waits_for_review_only_with_its_result(draft):
    with refused_by("adjudication_pending_has_result"):
        change(draft, review_state="pending")
    with refused_by("adjudication_awarded_plus_unsold_is_supply"):
        change(draft, supply=500, awarded=400, unsold=99)


@pytest.mark.parametrize(
    "columns",
    [
        {"awarded": 99, "unsold": 401},
        {"session_on": "1995-09-16"},
        {"summary": '{"ratio": "1"}'},
        {"terms_sha256": "0" * 64},
        {"review_state": "draft"},
    ],
)
def test_result_that_waits_for_review_does_not_change(pending, columns):
    with refused_by("adjudication_result_fixed"):
        change(pending, **columns)


@pytest.mark.parametrize(
    ("guard", "fields"),
    [
        ("award_never_above_admitted", {"awarded": 101}),
        ("award_never_above_admitted", {"awarded": -1}),
        ("award_admitted_within_requested", {"admitted": 101}),
    ],
)
def test_line_never_gives_more_than_was_asked_for(draft, guard, fields):
    acceptance = make_acceptance(draft.stage, 1, 100)
    line = {"requested": 100, "admitted": 100, "awarded": 100, "reason": "in_full"}
    with refused_by(guard):
        Award.objects.create(adjudication=draft, acceptance=acceptance, **{**line, **fields})
    kept = Award.objects.create(adjudication=draft, acceptance=acceptance, **line)
    with refused_by("award_acceptance_once"):
        repeat(kept)


def test_line_enters_only_while_the_adjudication_runs(award, closed_stage):
    second = make_acceptance(closed_stage, 2, 50)
    with refused_by("award_only_while_running"):
        repeat(award, acceptance=second)


@pytest.mark.parametrize("columns", [{"awarded": 99}, {"admitted": 101}, {"reason": "pro_rata"}])
def test_line_never_changes(award, columns):
    with refused_by("award_figures_fixed"):
        change(award, **columns)


def test_payment_is_above_zero_and_never_changes(payment):
    with refused_by("payment_fixed"):
        change(payment, amount="60.61")
    with refused_by("payment_amount_positive"):
        repeat(payment, amount=0, receipt="PG-1995-999998", submission_key=uuid4())


def test_same_reference_date_and_amount_is_not_paid_twice(payment):
    again = {"receipt": "PG-1995-999999", "submission_key": uuid4()}
    other_means = "cash" if payment.means == "cheque" else "cheque"
    for alike in ({}, {"reference": payment.reference.swapcase()}, {"means": other_means}):
        with refused_by("payment_not_twice"):
            repeat(payment, **again, **alike)


def test_nothing_that_the_law_rests_on_can_be_deleted(payment, award):
    acceptance = award.acceptance
    kept = {
        "payment_kept": payment,
        "award_kept": award,
        "adjudication_kept": award.adjudication,
        "acceptance_kept": acceptance,
        "participation_kept": acceptance.participation,
        "stage_kept": acceptance.stage,
        "fundrules_kept": acceptance.stage.rules,
    }
    for guard, row in kept.items():
        with refused_by(guard):
            strike_out(row)


def test_act_and_its_annexes_are_drawn_once_and_kept(award, irene):
    record = AdjudicationRecord.objects.create(
        adjudication=award.adjudication, certificate=make_certificate(irene)
    )
    stored = file_store(data=b"PK", name="anexo.xlsx", content_type="application/zip")
    annex = AnnexFile.objects.create(
        record=record, kind="xlsx", number=1, first_line=1, last_line=1, file=stored
    )
    other = file_store(data=b"PK2", name="anexo.xlsx", content_type="application/zip")
    with refused_by("annexfile_part_once"):
        repeat(annex, file=other)
    with refused_by("annexfile_lines_in_order"):
        repeat(annex, number=2, file=other, first_line=2, last_line=1)
    with refused_by("annexfile_kept"):
        change(annex, last_line=2)
    with refused_by("adjudicationrecord_kept"):
        strike_out(record)


def test_bank_file_waits_once_and_is_loaded_once_confirmed(award, irene):
    stored = file_store(data=b"x", name="banco.csv", content_type="text/csv")
    first = BankFile.objects.create(
        programme=award.acceptance.stage.programme,
        file=stored,
        sha256=stored.sha256,
        uploaded_by=irene,
    )
    with refused_by("bankfile_file_once"):
        repeat(first, state="reviewed")
    with refused_by("bankfile_confirmed"):
        change(first, state="loaded")
    line = BankFileRow.objects.create(source=first, number=2, outcome="ready")
    with refused_by("bankfilerow_once"):
        repeat(line)
