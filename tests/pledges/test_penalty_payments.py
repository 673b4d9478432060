"""A penalty is paid when its last centavo is; what was paid for a closed request goes back."""

from datetime import date
from decimal import Decimal
from uuid import uuid4

import pytest

from offerings.services.payments import PaymentEntry, payment_record
from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import RequestState
from pledges.models import PenaltyPayment
from pledges.selectors.penalty_payments import penalty_to_return, requests_to_refund, with_paid
from pledges.services.penalty_payments import penalty_refund_record
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.early import ASKED_ON, DUE, UNTIL, ask, make_case, money, pay, settled


@pytest.fixture
def request_(irene, ana):
    """Settled: $141.702,20 are owed."""
    found = ask(make_case(irene, ana), irene)
    settled(found, irene)
    return found


def close(request, preparer, reviewer):
    closing = request_closing_prepare(request_id=request.pk, user=preparer, cause="Era de otro.")
    return request_closing_decide(
        closing_id=closing.pk, user=reviewer, outcome=ReviewState.APPROVED
    )


def give_back(request, user, amount, **said):
    return penalty_refund_record(
        request_id=request.pk,
        user=user,
        entry=money(amount, said.pop("reference", "Egreso 1"), **said),
        submission_key=said.pop("key", None) or uuid4(),
    )


def test_request_is_paid_with_the_last_centavo(request_, irene):
    first = pay(request_, irene, "141702.19")
    request_.refresh_from_db()
    assert request_.state == RequestState.SETTLED
    assert with_paid(type(request_).objects.all()).get().balance == Decimal("0.01")
    second = pay(request_, irene, "0.01", reference="Consignación 901")
    request_.refresh_from_db()
    assert request_.state == RequestState.PAID
    assert first.receipt.startswith("PG-1997-")
    assert second.receipt > first.receipt
    with pytest.raises(Refused, match="«Pagada»: no se debe nada"):
        pay(request_, irene, 1, reference="Consignación 902")


@pytest.mark.parametrize(
    ("amount", "said", "told"),
    [
        ("141702.21", {}, r"el saldo es \$141\.702,20"),
        ("0", {}, "mayor que cero"),
        ("1", {"on": date(1997, 1, 19)}, "anterior a la liquidación"),
        ("1", {"on": date(2999, 1, 1)}, "está en el futuro"),
        ("1", {"on": date(1997, 2, 16)}, "venció el 15/02/1997 sin pago"),
        ("1", {"means": "transferencia"}, "efectivo o cheque"),
        ("1", {"reference": " "}, "Escriba la referencia"),
    ],
)
def test_payment_that_cannot_be_is_refused(request_, irene, amount, said, told):
    with pytest.raises(Refused, match=told):
        pay(request_, irene, amount, **said)
    assert not PenaltyPayment.objects.exists()


def test_what_began_to_be_paid_in_time_is_paid_to_its_end(request_, irene):
    pay(request_, irene, 1, on=UNTIL)
    assert pay(request_, irene, "141701.20", on=date(1997, 3, 1)).amount == Decimal("141701.20")


def test_before_its_quote_is_settled_nothing_is_paid(irene, ana):
    with pytest.raises(Refused, match="no tiene una liquidación fijada"):
        pay(ask(make_case(irene, ana), irene), irene, 1)


def test_same_reference_date_and_amount_twice_is_stopped(request_, irene):
    paid = pay(request_, irene, 1, reference="Consignación ñ")
    with pytest.raises(Refused, match=f"recibo {paid.receipt}"):
        pay(request_, irene, 1, reference="CONSIGNACIÓN Ñ")
    with refused_by("penaltypayment_not_twice"):
        repeat(paid, receipt="PG-1997-999999", submission_key=uuid4())


def test_money_taken_in_for_an_award_is_not_taken_in_again_for_a_penalty(request_, irene):
    award = request_.pledge.award
    known = award.payments.get()
    with pytest.raises(Refused, match="anterior a la liquidación"):
        pay(request_, irene, known.amount, reference=known.reference, on=known.paid_on)
    over = PaymentEntry("cheque", "Consignación 77", ASKED_ON, Decimal("5.00"), gives_back=True)
    extra = payment_record(award_id=award.pk, user=irene, entry=over, submission_key=uuid4())
    with pytest.raises(Refused, match=f"recibo {extra.receipt}"):
        pay(request_, irene, "5.00", reference="consignación 77")


def test_same_submission_twice_is_one_payment(request_, irene):
    key = uuid4()
    assert pay(request_, irene, 5, key=key) == pay(request_, irene, 5, key=key)
    assert PenaltyPayment.objects.count() == 1


def test_only_who_prepares_takes_money_in_or_gives_it_back(request_, irene, aura, ana):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        pay(request_, aura, 1)
    pay(request_, irene, 1)
    close(request_, irene, ana)
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        give_back(request_, aura, 1)


def test_what_was_paid_for_a_closed_request_goes_back_and_no_more(request_, irene, ana):
    pay(request_, irene)
    assert penalty_to_return(request_) == 0
    close(request_, irene, ana)
    request_.refresh_from_db()
    assert requests_to_refund().get().to_return == DUE
    give_back(request_, irene, "141702.19")
    assert penalty_to_return(request_) == Decimal("0.01")
    with pytest.raises(Refused, match=r"\$0,01"):
        give_back(request_, irene, "0.02", reference="Egreso 2")
    give_back(request_, irene, "0.01", reference="Egreso 2")
    with pytest.raises(Refused, match="No hay nada por devolver"):
        give_back(request_, irene, "0.01", reference="Egreso 3")


def test_the_same_money_does_not_go_back_twice(request_, irene, ana):
    pay(request_, irene)
    close(request_, irene, ana)
    give_back(request_, irene, 1)
    with pytest.raises(Refused, match="Ya hay una devolución"):
        give_back(request_, irene, 1, reference="EGRESO 1")
    assert give_back(request_, irene, 1, reference="Egreso 2")


def test_money_does_not_go_back_before_it_came(request_, irene, ana):
    pay(request_, irene, on=date(1997, 1, 25))
    close(request_, irene, ana)
    with pytest.raises(Refused, match="anterior al último pago"):
        give_back(request_, irene, 1, on=date(1997, 1, 24))


# --- past the services ---


def test_database_keeps_payments_and_refunds_as_they_were(request_, irene, ana):
    paid = pay(request_, irene)
    close(request_, irene, ana)
    refund = give_back(request_, irene, 1)
    for row, guard in ((paid, "penaltypayment_kept"), (refund, "penaltyrefund_kept")):
        with refused_by(guard):
            change(row, amount=2)
        with refused_by(guard):
            strike_out(row)


def test_database_refuses_money_of_nothing(request_, irene, ana):
    paid = pay(request_, irene)
    close(request_, irene, ana)
    refund = give_back(request_, irene, 1)
    with refused_by("penaltypayment_amount_positive"):
        repeat(paid, amount=0, receipt="PG-1997-999999", submission_key=uuid4())
    with refused_by("penaltyrefund_amount_positive"):
        repeat(refund, amount=0, submission_key=uuid4())
