"""Money that came in excess, or for what no longer holds, and its way back."""

from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from offerings.models import Payment, Refund
from offerings.selectors.payments import awards_due, left_to_return
from offerings.services.payments import PaymentEntry, payment_record
from offerings.services.refunds import refund_record
from office.refusals import Refused
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.paid import PAID_ON, make_awards, pay
from tests.offerings.rows import make_acceptances
from tests.offerings.test_payment_screens import annul


@pytest.fixture
def award(closed_stage, irene, ana):
    """One share at 60,60."""
    return make_awards(make_acceptances(closed_stage, [1]), irene, ana)[0]


def pay_over(award, user, amount, reference="Consignación 1"):
    entry = PaymentEntry("cheque", reference, PAID_ON, Decimal(amount), gives_back=True)
    return payment_record(award_id=award.pk, user=user, entry=entry, submission_key=uuid4())


def give_back(award, user, amount, *, key=None, **changes):
    given = {"means": "cheque", "reference": "Cheque 7", "paid_on": PAID_ON} | changes
    entry = PaymentEntry(amount=Decimal(amount), **given)
    return refund_record(award_id=award.pk, user=user, entry=entry, submission_key=key or uuid4())


def test_sixty_one_pesos_for_sixty_and_sixty_centavos_leave_forty_centavos_to_return(award, irene):
    payment = pay_over(award, irene, "61")
    assert payment.excess == Decimal("0.40")
    assert awards_due().get().balance == 0
    assert left_to_return(award) == Decimal("0.40")


def test_what_passes_is_refused_where_nobody_said_that_it_goes_back(award, irene):
    with pytest.raises(Refused, match="se devuelve"):
        pay(award, irene, "61")
    assert not Payment.objects.exists()


def test_second_payment_of_what_is_paid_goes_back_whole(award, irene):
    pay(award, irene, "60.60")
    second = pay_over(award, irene, "60.60", "Consignación 2")
    assert (second.excess, left_to_return(award)) == (Decimal("60.60"), Decimal("60.60"))


def test_refund_in_parts_ends_what_is_owed(award, irene):
    pay_over(award, irene, "61")
    give_back(award, irene, "0.15")
    assert left_to_return(award) == Decimal("0.25")
    give_back(award, irene, "0.25", reference="Cheque 8")
    assert left_to_return(award) == 0
    with pytest.raises(Refused, match="No hay nada por devolver"):
        give_back(award, irene, "0.01", reference="Cheque 9")


def test_same_submission_gives_back_once(award, irene):
    pay_over(award, irene, "61")
    key = uuid4()
    first = give_back(award, irene, "0.40", key=key)
    assert give_back(award, irene, "0.40", key=key) == first
    assert Refund.objects.count() == 1


def test_the_same_money_is_not_given_back_twice(award, irene):
    pay_over(award, irene, "62")
    give_back(award, irene, "0.40")
    with pytest.raises(Refused, match=r"Ya hay una devolución .* A-000001") as caught:
        give_back(award, irene, "0.40", reference="CHEQUE 7")
    assert caught.value.field == "reference"
    with refused_by("refund_not_twice"):
        repeat(Refund.objects.get(), reference="CHEQUE 7", submission_key=uuid4())
    assert give_back(award, irene, "0.40", reference="Cheque 8")


def test_what_is_annulled_is_not_given_back_before_the_act(award, irene, ana):
    """Annulled by an act of 2 November: until then the price was due; what was over was not."""
    pay_over(award, irene, "61")
    annul(award, irene, ana)
    with pytest.raises(Refused, match="02/11/1995") as caught:
        give_back(award, irene, "60.60", paid_on=date(1995, 11, 1))
    assert caught.value.field == "paid_on"
    give_back(award, irene, "0.40", paid_on=date(1995, 11, 1))
    assert give_back(award, irene, "60.60", paid_on=date(1995, 11, 2))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": "0.41"}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"paid_on": PAID_ON - timedelta(days=1)}, "paid_on"),
        ({"paid_on": timezone.localdate() + timedelta(days=1)}, "paid_on"),
        ({"reference": "  "}, "reference"),
        ({"means": "transfer"}, "means"),
    ],
)
def test_refund_that_cannot_be_is_refused_at_its_field(award, irene, changes, field):
    pay_over(award, irene, "61")
    with pytest.raises(Refused) as caught:
        give_back(award, irene, **({"amount": "0.40"} | changes))
    assert caught.value.field == field


@pytest.mark.parametrize("name", ["aura", "bruno", "adela"])
def test_who_may_not_prepare_gives_nothing_back(award, irene, name, request):
    pay_over(award, irene, "61")
    with pytest.raises(Refused, match="Solo un analista"):
        give_back(award, request.getfixturevalue(name), "0.40")


def test_database_keeps_refunds_and_excess_in_order(award, irene):
    payment = pay_over(award, irene, "61")
    refund = give_back(award, irene, "0.40")
    with refused_by("refund_fixed"):
        change(refund, amount="0.41")
    with refused_by("refund_kept"):
        strike_out(refund)
    with refused_by("refund_amount_positive"):
        repeat(refund, amount=0, submission_key=uuid4())
    with refused_by("payment_excess_within_amount"):
        repeat(
            payment,
            excess=Decimal("61.01"),
            receipt="PG-1995-999997",
            reference="otra",
            submission_key=uuid4(),
        )
