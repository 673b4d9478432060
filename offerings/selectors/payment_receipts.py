"""What the receipt of a payment states, from what is stored."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import QuerySet, Sum

from buyers.models import brokers_of
from offerings.models import Payment
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.payments import APPLIED, NOTHING_PAID
from offerings.selectors.returns import reasons_nothing_due
from office.identities import write_identity_long
from office.models import User
from office.roles import Capability


@dataclass(frozen=True)
class PaymentReceipt:
    """A payment in its place among those of its award. Money in pesos: `applied`, what of it
    counts for the award; `balance`, what was still due after it; `nothing_due`, that it came when
    the award was annulled or without effect; `ended`: the act since which nothing is due, "" while
    the award stands. `reference`: that of the award; `identity`: the buyer's, in full.
    """

    due: Decimal
    applied: Decimal
    balance: Decimal
    nothing_due: bool
    ended: str
    last_day: date | None
    is_late: bool
    reference: str
    identity: str


def payments_shown(user: User) -> QuerySet[Payment]:
    """The payments that `user` may see: all for staff, for a broker those of what it presented."""
    payments = Payment.objects.select_related(
        "award__adjudication__exchange",
        "award__acceptance__stage__programme",
        "award__acceptance__stage__rules",
        "award__acceptance__participation__buyer",
        "award__acceptance__broker",
        "recorded_by",
    )
    if user.may(Capability.READ):
        return payments
    return payments.filter(award__acceptance__broker__in=brokers_of(user))


def payment_receipt(payment: Payment) -> PaymentReceipt:
    """What the receipt says beside the payment's own columns, as it was when it was taken in."""
    award = payment.award
    buyer = award.acceptance.participation.buyer
    so_far = award.payments.filter(pk__lte=payment.pk).aggregate(total=Sum(APPLIED))["total"]
    left = award.total - (so_far or NOTHING_PAID)
    # What is due takes its part of every payment: none of one that found a balance means that the
    # award was not due any more.
    nothing_due = payment.excess == payment.amount and left > 0
    term = payment_term(award.adjudication)
    last_day = term.value if term else None
    return PaymentReceipt(
        due=award.total,
        applied=payment.amount - payment.excess,
        balance=NOTHING_PAID if nothing_due else left,
        nothing_due=nothing_due,
        ended=reasons_nothing_due([award]).get(award.pk, ""),
        last_day=last_day,
        is_late=not nothing_due and last_day is not None and payment.paid_on > last_day,
        reference=payment_reference(award.pk),
        identity=write_identity_long(
            buyer.identity_type, buyer.identity_number, buyer.check_digit
        ),
    )
