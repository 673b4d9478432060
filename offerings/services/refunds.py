"""Giving money back: what was paid over, or for what was annulled or left without effect."""

from datetime import time
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Sum

from offerings.enums import PaymentMeans
from offerings.models import Award, Refund
from offerings.selectors.payments import NOTHING_PAID, left_to_return, refund_alike
from offerings.selectors.standing import ended_on
from offerings.services.payments import PaymentEntry, award_locked
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused, check_day_not_future
from office.roles import Capability


@transaction.atomic
def refund_record(
    *, award_id: int, user: User, entry: PaymentEntry, submission_key: UUID
) -> Refund:
    """Record money given back for an award; the same submission again gives the first one's.

    Raises Refused with the field at fault. The award's row stays locked until the commit, so that
    never more is given back than what is owed.
    """
    award = award_locked(award_id)
    known = Refund.objects.filter(submission_key=submission_key, award=award).first()
    if known:
        return known
    owed = refund_check(award=award, user=user, entry=entry)
    refund = Refund(
        award=award,
        means=entry.means,
        reference=entry.reference,
        paid_on=entry.paid_on,
        amount=entry.amount,
        submission_key=submission_key,
        recorded_by=user,
    )
    _save(refund)
    _record(refund, owed - entry.amount)
    return refund


def refund_check(*, award: Award, user: User, entry: PaymentEntry) -> Decimal:
    """Refuse what cannot be given back; otherwise what is owed before it, in pesos."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra devoluciones.")
    owed = left_to_return(award)
    if not owed:
        raise Refused("No hay nada por devolver de esta adjudicación.")
    _check_entry(entry)
    last = award.payments.latest("paid_on").paid_on
    if entry.paid_on < last:
        raise Refused(
            f"No puede ser anterior al último pago recibido, del {write_date(last)}.", "paid_on"
        )
    if entry.amount > owed:
        raise Refused(f"Pasa de lo que se debe devolver: {write_amount(owed)}.", "amount")
    _check_owed_then(award, entry)
    _check_new(entry)
    return owed


def _check_owed_then(award: Award, entry: PaymentEntry) -> None:
    """Refuse a day before the act for which it is given back: until then it was due and paid."""
    act_on = ended_on(award)
    if act_on is None or entry.paid_on >= act_on:
        return
    over = award.payments.aggregate(total=Sum("amount"))["total"] - award.total
    given = award.refunds.aggregate(total=Sum("amount"))["total"] or NOTHING_PAID
    if entry.amount > over - given:
        raise Refused(
            "No puede ser anterior al acto por el que se devuelve, del "
            f"{write_date(act_on)}: hasta ese día se debía.",
            "paid_on",
        )


def _check_new(entry: PaymentEntry) -> None:
    twin = refund_alike(entry.reference, entry.paid_on, entry.amount)
    if twin:
        raise Refused(
            f"Ya hay una devolución con esa referencia, fecha y valor, la de "
            f"{twin.award.acceptance.code} ({twin.award.adjudication.code}): no se registró otra "
            "vez. Si es otra, escriba su propia referencia.",
            "reference",
        )


def _save(refund: Refund) -> None:
    refund.full_clean()
    try:
        with transaction.atomic():
            refund.save()
    except IntegrityError as error:
        # Somebody else wrote the same one, for another award, a moment ago.
        raise Refused(
            "La misma devolución se registró hace un instante: revise las de esta fecha.",
            "reference",
        ) from error


def _check_entry(entry: PaymentEntry) -> None:
    check_day_not_future(entry.paid_on, "paid_on")
    if entry.means not in PaymentMeans.values:
        raise Refused("Elija dinero efectivo o cheque.", "means")
    if not entry.reference.strip():
        raise Refused(
            "Escriba la referencia de la devolución o el número del cheque.", "reference"
        )
    if entry.amount <= 0:
        raise Refused("El valor devuelto debe ser mayor que cero.", "amount")


def _record(refund: Refund, left: Decimal) -> None:
    rest = (
        f"; quedan por devolver {write_amount(left)}" if left else "; no queda nada por devolver"
    )
    decision_record(
        act="refund_record",
        sentence=f"Devolvió {write_amount(refund.amount)}{rest}.",
        actor=refund.recorded_by,
        subject=refund.award,
        legal_at=bogota_moment(refund.paid_on, time()),
        data={"amount": str(refund.amount), "left": str(left)},
    )
