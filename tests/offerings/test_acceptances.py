"""Taking in acceptances: documents, one limit for several, late entries, the 5 % rule."""

import uuid
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest

from buyers.enums import BuyerClass, DeclarationKind, DocumentKind
from buyers.services.register import buyer_register
from offerings.enums import StageState
from offerings.models import Acceptance, Participation
from offerings.rules.terms import Base
from offerings.services.acceptances import AcceptanceGiven, acceptance_register
from offerings.services.participations import PaperGiven, PartGiven
from offerings.services.stages import stage_close
from offerings.services.withdrawals import acceptance_withdraw
from office.decisions import decisions_on
from office.refusals import Refused
from tests.conftest import BOGOTA, CLOSED, OPENED
from tests.offerings.programme_1995 import (
    OUTSTANDING,
    open_stage_of,
)

WORKER = PartGiven(buyer_class=BuyerClass.WORKER, files_tax_return=True)
COOPERATIVE = PartGiven(buyer_class=BuyerClass.COOPERATIVE)
RECEIVED = datetime(1995, 9, 14, 10, 42, tzinfo=BOGOTA)


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def maria(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51.000.123",
        name="María Fernanda Ejemplo Ñáñez",
    )


@pytest.fixture
def cooperative(irene):
    return buyer_register(
        user=irene,
        kind="organisation",
        identity_type="NIT",
        identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle",
        representative_name="Rosa Inventada Peña",
        representative_identity_type="CC",
        representative_identity_number="41.000.902",
    )


def class_proof(exchange, reference="CL-1"):
    return PaperGiven(DocumentKind.CLASS_PROOF, exchange, reference)


def tax_return(exchange, equity=10_000_000, year=1994, reference="DR-1"):
    return PaperGiven(
        DocumentKind.TAX_RETURN,
        exchange,
        reference,
        year=year,
        figures={Base.GROSS_EQUITY: Decimal(equity)},
    )


def existence(exchange):
    return PaperGiven(DocumentKind.EXISTENCE_CERTIFICATE, exchange, "EX-1")


def given(broker, exchange, requested, **fields):
    fields.setdefault("received_at", RECEIVED)
    fields.setdefault("attested_on", date(1995, 9, 14))
    fields.setdefault("declarations", [DeclarationKind.NOT_DISQUALIFIED])
    return AcceptanceGiven(requested=requested, broker=broker, exchange=exchange, **fields)


@pytest.fixture
def register(stage, maria, irene, broker, exchange):
    """Register an acceptance of María, who files a return with 10,000,000 of gross equity."""

    def run(requested, *, buyer=maria, part=WORKER, papers=None, key=None, user=irene, **fields):
        fields.setdefault("broker", broker)
        papers = [class_proof(exchange), tax_return(exchange)] if papers is None else papers
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=part,
            papers=papers,
            given=given(exchange=exchange, requested=requested, **fields),
            submission_key=key or uuid.uuid4(),
            user=user,
        )

    return run


def test_an_acceptance_above_the_limit_is_read_as_presented_for_the_maximum(register):
    acceptance = register(600_000)

    assert acceptance.code == "A-000001"
    assert acceptance.standing == "cut"
    assert (acceptance.admitted, acceptance.limit_shares) == (495_049, 495_049)
    assert acceptance.total == Decimal("29999969.40")
    shown = [step["shown"] for step in acceptance.ruling["steps"]]
    assert shown == [
        "$10.000.000,00", "$30.000.000,00", "495.049,50…", "495.049", "0", "495.049",
    ]  # fmt: skip
    assert "art. 6-3" in acceptance.ruling["cites"]


@pytest.mark.parametrize(
    ("requested", "standing"), [(495_049, "complete"), (495_050, "cut"), (1, "complete")]
)
def test_an_acceptance_at_the_limit_is_complete_and_one_share_more_is_cut(
    register, requested, standing
):
    acceptance = register(requested)
    assert (acceptance.standing, acceptance.admitted) == (standing, min(requested, 495_049))


def test_three_acceptances_share_one_limit_in_order_of_receipt(register):
    first = register(300_000, received_at=RECEIVED)
    second = register(300_000, received_at=RECEIVED + timedelta(hours=1))
    third = register(10, received_at=RECEIVED + timedelta(hours=2))

    first.refresh_from_db()
    assert [first.admitted, second.admitted, third.admitted] == [300_000, 195_049, 0]
    assert [first.standing, second.standing, third.standing] == ["complete", "cut", "nothing_left"]


def test_one_entered_late_with_an_earlier_legal_time_goes_first(register):
    entered_first = register(400_000, received_at=RECEIVED)
    late = register(400_000, received_at=RECEIVED - timedelta(days=3))

    entered_first.refresh_from_db()
    assert late.serial == 2
    assert (late.admitted, entered_first.admitted) == (400_000, 95_049)
    assert "A-000001" in decisions_on([late]).get().sentence


def test_two_brokers_with_one_buyer_share_its_limit(register, other_broker):
    register(400_000)
    second = register(400_000, broker=other_broker, received_at=RECEIVED + timedelta(minutes=1))

    assert second.admitted == 95_049


def test_what_lacks_a_document_is_incomplete_and_takes_nothing_from_the_limit(register, exchange):
    incomplete = register(400_000, attested_on=None)
    complete = register(400_000, received_at=RECEIVED + timedelta(minutes=1))

    assert incomplete.standing == "incomplete"
    assert incomplete.admitted == 0
    assert "broker_attestation" in [gap["code"] for gap in incomplete.missing]
    assert complete.admitted == 400_000


def test_without_the_return_the_missing_paper_is_named_with_its_article(register, exchange):
    acceptance = register(1_000, papers=[class_proof(exchange)])

    gap = next(gap for gap in acceptance.missing if gap["code"] == "tax_return")
    assert gap["cite"] == "art. 6-1"
    assert acceptance.limit_shares is None


def test_without_the_declaration_it_is_incomplete(register):
    assert register(1_000, declarations=[]).missing[0]["code"] == "not_disqualified"


def test_a_return_of_1993_does_not_count_once_that_of_1994_was_filed(register, exchange):
    part = PartGiven(buyer_class=BuyerClass.WORKER, files_tax_return=True, last_year_filed=1994)
    acceptance = register(
        1_000, part=part, papers=[class_proof(exchange), tax_return(exchange, year=1993)]
    )

    assert acceptance.standing == "incomplete"
    assert "1994" in acceptance.missing[0]["why"]


def test_an_organisation_of_1995_has_no_limit(register, cooperative, exchange):
    acceptance = register(
        200_000_000,
        buyer=cooperative,
        part=COOPERATIVE,
        papers=[class_proof(exchange), existence(exchange)],
    )

    assert acceptance.standing == "complete"
    assert acceptance.admitted == 200_000_000
    assert acceptance.limit_shares is None


@pytest.mark.parametrize(
    ("requested", "standing"), [(280_495_299, "complete"), (280_495_300, "incomplete")]
)
def test_who_reaches_five_per_cent_needs_the_authorisation(
    register, cooperative, exchange, requested, standing
):
    assert OUTSTANDING == 5_609_906_000  # 5 % = 280,495,300
    acceptance = register(
        requested,
        buyer=cooperative,
        part=COOPERATIVE,
        papers=[class_proof(exchange), existence(exchange)],
    )

    assert acceptance.standing == standing


def test_what_it_already_holds_counts_for_the_five_per_cent(register, cooperative, exchange):
    part = PartGiven(buyer_class=BuyerClass.COOPERATIVE, present_holding=280_495_299)
    papers = [class_proof(exchange), existence(exchange)]

    acceptance = register(1, buyer=cooperative, part=part, papers=papers)

    assert acceptance.missing[0]["code"] == "superintendency_authorisation"
    assert acceptance.missing[0]["cite"] == "art. 16"


def test_with_the_authorisation_it_is_complete(register, cooperative, exchange):
    papers = [
        class_proof(exchange),
        existence(exchange),
        PaperGiven(DocumentKind.SUPERINTENDENCY_AUTHORISATION, exchange, "SB-1"),
    ]

    acceptance = register(300_000_000, buyer=cooperative, part=COOPERATIVE, papers=papers)

    assert acceptance.standing == "complete"


def test_the_same_form_sent_twice_makes_one_record(register):
    key = uuid.uuid4()

    assert register(1_000, key=key).pk == register(1_000, key=key).pk
    assert Acceptance.objects.count() == 1


def test_another_figure_for_the_same_return_is_refused_and_nothing_is_saved(register, exchange):
    register(1_000)

    with pytest.raises(Refused, match=r"ya consta con patrimonio bruto \$10\.000\.000,00"):
        register(1_000, papers=[class_proof(exchange), tax_return(exchange, 99)])
    assert Acceptance.objects.count() == 1


def test_another_class_in_the_same_programme_is_refused(register):
    register(1_000)

    with pytest.raises(Refused, match="la clase del comprador") as refusal:
        register(1_000, part=PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True))
    assert refusal.value.field == "buyer_class"


def test_a_class_of_organisations_is_refused_for_a_person(register):
    with pytest.raises(Refused, match="persona natural"):
        register(1_000, part=COOPERATIVE)
    assert Participation.objects.count() == 0


@pytest.mark.parametrize(
    ("received_at", "says"),
    [
        (OPENED - timedelta(minutes=1), "La etapa se abrió"),
        (datetime(1995, 9, 15, 0, 0, tzinfo=BOGOTA), "El plazo terminó el 14/09/1995"),
        (datetime(2999, 1, 1, tzinfo=BOGOTA), "futuro"),
    ],
)
def test_a_receipt_outside_the_window_is_refused(register, received_at, says):
    with pytest.raises(Refused, match=says) as refusal:
        register(1_000, received_at=received_at)
    assert refusal.value.field == "received_at"


def test_the_last_minute_of_the_window_is_in_time(register):
    assert register(1_000, received_at=datetime(1995, 9, 14, 23, 59, tzinfo=BOGOTA)).pk


def test_a_closed_stage_takes_nothing(register, stage, ana):
    stage_close(stage=stage, user=ana, closed_at=CLOSED)

    with pytest.raises(Refused, match="se cerró"):
        register(1_000)
    stage.refresh_from_db()
    assert stage.state == StageState.CLOSED


@pytest.mark.parametrize("person", ["aura", "adela", "root"])
def test_whoever_may_not_present_registers_nothing(register, request, person):
    with pytest.raises(Refused, match="un analista o un supervisor"):
        register(1_000, user=request.getfixturevalue(person))


def test_a_minimum_above_the_quantity_is_refused(register):
    with pytest.raises(Refused, match="es mayor que la cantidad solicitada"):
        register(600, minimum=601)


def test_the_broker_sees_the_buyer_that_it_presented_and_the_other_does_not(
    register, maria, bruno, olga
):
    acceptance = register(1_000)

    assert list(Acceptance.objects.visible_to(bruno)) == [acceptance]
    assert not Acceptance.objects.visible_to(olga).exists()
    assert type(maria).objects.visible_to(bruno).get() == maria
    assert not type(maria).objects.visible_to(olga).exists()


def withdraw(acceptance, user, asked_at=RECEIVED + timedelta(hours=5), reason="Carta 3"):
    return acceptance_withdraw(
        acceptance_id=acceptance.pk, asked_at=asked_at, reason=reason, user=user
    )


def test_without_the_funds_leave_nothing_is_withdrawn(register, irene):
    acceptance = register(1_000)

    with pytest.raises(Refused, match="no permite retirarla"):
        withdraw(acceptance, irene)


def test_a_withdrawal_before_its_receipt_or_without_reason_is_refused(register, irene):
    acceptance = register(1_000)

    with pytest.raises(Refused, match="es anterior"):
        withdraw(acceptance, irene, asked_at=RECEIVED - timedelta(minutes=1))
    with pytest.raises(Refused, match="en qué papel consta"):
        withdraw(acceptance, irene, reason=" ")


def test_the_auditor_withdraws_nothing(register, aura):
    acceptance = register(1_000)

    with pytest.raises(Refused, match="un analista o un supervisor"):
        withdraw(acceptance, aura)
