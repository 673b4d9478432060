"""Taking in the money of a penalty, and giving it back where its request was closed."""

from datetime import date, time
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction

from offerings.enums import PaymentMeans
from offerings.selectors.payment_references import award_referred_to
from offerings.services.payments import SERIES, TWICE, PaymentEntry
from office.certificates import series_next
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.enums import RequestState
from pledges.models import PenaltyPayment, PenaltyRefund, Quote, ReleaseRequest
from pledges.selectors.penalty_payments import (
    penalty_paid,
    penalty_to_return,
    quote_settled,
    receipt_alike,
)
from pledges.services.holding import request_locked


@transaction.atomic
def penalty_payment_record(
    *, request_id: int, user: User, entry: PaymentEntry, submission_key: UUID
) -> PenaltyPayment:
    """Take in a payment of a settled penalty; the same submission again gives the first one's.

    With the last centavo the request is paid. Raises Refused with the field at fault.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra pagos.")
    request = request_locked(request_id)
    known = request.payments.filter(submission_key=submission_key).first()
    if known:
        return known
    quote = _owing(request)
    left = quote.amount - penalty_paid(request)
    _check_entry(entry)
    _check_payment(entry, quote, left)
    series, number = series_next(kind=SERIES, year=entry.paid_on.year)
    payment = PenaltyPayment(
        request=request,
        receipt=f"{SERIES}-{series.year}-{number:06d}",
        means=entry.means,
        reference=entry.reference.strip(),
        paid_on=entry.paid_on,
        amount=entry.amount,
        submission_key=submission_key,
        recorded_by=user,
    )
    _save(payment)
    left -= payment.amount
    if not left:
        request.state = RequestState.PAID
        request.save(update_fields=["state"])
    rest = f"; queda un saldo de {write_amount(left)}" if left else "; queda pagada"
    decision_record(
        act="penalty_payment_record",
        sentence=f"Recibió {write_amount(payment.amount)} por {request.code} (recibo "
        f"{payment.receipt}){rest}.",
        actor=user,
        subject=request,
        legal_at=bogota_moment(payment.paid_on, time()),
        data={"receipt": payment.receipt, "amount": str(payment.amount), "balance": str(left)},
    )
    return payment


@transaction.atomic
def penalty_refund_record(
    *, request_id: int, user: User, entry: PaymentEntry, submission_key: UUID
) -> PenaltyRefund:
    """Record money given back for a request that was closed; the same submission again gives the
    first one's refund. Never more than what was paid."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra devoluciones.")
    request = request_locked(request_id)
    known = request.refunds.filter(submission_key=submission_key).first()
    if known:
        return known
    owed = penalty_to_return(request)
    if not owed:
        raise Refused(f"No hay nada por devolver de {request.code}.")
    _check_entry(entry)
    _check_refund(entry, request, owed)
    refund = PenaltyRefund(
        request=request,
        means=entry.means,
        reference=entry.reference.strip(),
        paid_on=entry.paid_on,
        amount=entry.amount,
        submission_key=submission_key,
        recorded_by=user,
    )
    refund.full_clean()
    refund.save()
    left = owed - refund.amount
    rest = (
        f"; quedan por devolver {write_amount(left)}" if left else "; no queda nada por devolver"
    )
    decision_record(
        act="penalty_refund_record",
        sentence=f"Devolvió {write_amount(refund.amount)} de {request.code}{rest}.",
        actor=user,
        subject=request,
        legal_at=bogota_moment(refund.paid_on, time()),
        data={"amount": str(refund.amount), "left": str(left)},
    )
    return refund


def is_lapsed(quote: Quote, request: ReleaseRequest, on: date) -> bool:
    """Whether a settled quote lapsed by a day without anything paid: then it is quoted anew."""
    return on > quote.valid_until and not penalty_paid(request)


def _owing(request: ReleaseRequest) -> Quote:
    """The settled quote of a request that is not paid yet."""
    quote = quote_settled(request)
    if request.state == RequestState.SETTLED and quote is not None:
        return quote
    if request.state == RequestState.OPEN:
        raise Refused(f"{request.code} no tiene una liquidación fijada: todavía no se paga.")
    raise Refused(
        f"{request.code} está «{request.get_state_display()}»: no se debe nada por ella."
    )


def _check_entry(entry: PaymentEntry) -> None:
    check_day_not_future(entry.paid_on, "paid_on")
    if entry.means not in PaymentMeans.values:
        raise Refused("Solo se recibe dinero efectivo o cheque: no hay otro medio.", "means")
    if not entry.reference.strip():
        raise Refused("Escriba la referencia del banco o el número del cheque.", "reference")
    if entry.amount <= 0:
        raise Refused("El valor debe ser mayor que cero.", "amount")


def _check_payment(entry: PaymentEntry, quote: Quote, left: Decimal) -> None:
    if entry.paid_on < quote.accepted_on:
        raise Refused(
            f"No puede ser anterior a la liquidación, fijada el {write_date(quote.accepted_on)}.",
            "paid_on",
        )
    if is_lapsed(quote, quote.request, entry.paid_on):
        raise Refused(
            f"{quote.code} venció el {write_date(quote.valid_until)} sin pago: reabra la "
            "solicitud y liquide de nuevo.",
            "paid_on",
        )
    twin = receipt_alike(entry.reference.strip(), entry.paid_on, entry.amount)
    if twin:
        raise Refused(TWICE.format(receipt=twin), "reference")
    if entry.amount > left:
        raise Refused(
            f"Pasa de lo que se debe: el saldo es {write_amount(left)}. Registre el saldo y "
            "devuelva el resto a quien pagó.",
            "amount",
        )
    other = award_referred_to(entry.reference)
    if other is not None:
        raise Refused(
            f"Es la referencia de pago de {other.acceptance.code}: escriba el número de la "
            "consignación o del cheque.",
            "reference",
        )


def _check_refund(entry: PaymentEntry, request: ReleaseRequest, owed: Decimal) -> None:
    last = request.payments.latest("paid_on").paid_on
    if entry.paid_on < last:
        raise Refused(
            f"No puede ser anterior al último pago recibido, del {write_date(last)}.", "paid_on"
        )
    if entry.amount > owed:
        raise Refused(f"Pasa de lo que se debe devolver: {write_amount(owed)}.", "amount")
    # The request's row is held: nobody writes the same one meanwhile.
    same = request.refunds.filter(
        reference__iexact=entry.reference.strip(), paid_on=entry.paid_on, amount=entry.amount
    )
    if same.exists():
        raise Refused(
            "Ya hay una devolución con esa referencia, fecha y valor: no se registró otra vez. Si "
            "es otra, escriba su propia referencia.",
            "reference",
        )


def _save(payment: PenaltyPayment) -> None:
    payment.full_clean()
    try:
        with transaction.atomic():
            payment.save()
    except IntegrityError as error:
        # Somebody else wrote the same payment, for another request, a moment ago.
        raise Refused(
            "El mismo pago se registró hace un instante: revise los pagos recibidos.",
            "reference",
        ) from error
