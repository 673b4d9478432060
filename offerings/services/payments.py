"""Taking in the money for what was awarded."""

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from offerings.enums import PaymentMeans
from offerings.models import Award, Payment
from offerings.selectors.payment_references import award_referred_to
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.payments import (
    NOTHING_PAID,
    is_undone,
    payment_alike,
    payments_total,
)
from office.certificates import series_next
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability

SERIES = "PG"
TWICE = (
    "Ya hay un pago con esa referencia, fecha y valor (recibo {receipt}): no se registró otra "
    "vez. Si es otro pago, escriba su propia referencia."
)


@dataclass(frozen=True)
class PaymentEntry:
    """A payment as it is brought in. amount: pesos, with centavos. gives_back: that what passes
    the balance is taken in too, to be given back; all of it, where nothing is due any more."""

    means: PaymentMeans
    reference: str
    paid_on: date
    amount: Decimal
    gives_back: bool = False


class Overpaid(Refused):
    """More than is due: it can be taken in if the rest is to be given back."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "amount")


@transaction.atomic
def payment_record(
    *, award_id: int, user: User, entry: PaymentEntry, submission_key: UUID
) -> Payment:
    """Take in a payment of an award; the same submission again gives the first one's payment.

    Raises Refused with the field at fault. The award's row stays locked until the commit, so
    that two payments at once cannot pass what is due together.
    """
    award = award_locked(award_id)
    known = Payment.objects.filter(submission_key=submission_key, award=award).first()
    if known:
        return known
    ended = nothing_due(award)
    balance = payment_check(award=award, user=user, entry=entry)
    series, number = series_next(kind=SERIES, year=entry.paid_on.year)
    payment = Payment(
        award=award,
        receipt=f"{SERIES}-{series.year}-{number:06d}",
        means=entry.means,
        reference=entry.reference,
        paid_on=entry.paid_on,
        amount=entry.amount,
        excess=max(entry.amount - balance, NOTHING_PAID),
        submission_key=submission_key,
        recorded_by=user,
    )
    _save(payment)
    _record(payment, balance - entry.amount + payment.excess, ended)
    return payment


def award_locked(award_id: int) -> Award:
    """The award with what its payment and certificate need, its row locked."""
    award = (
        Award.objects.select_for_update(of=["self"])
        .select_related(
            "adjudication__exchange",
            "adjudication__reviewed_by",
            "acceptance__stage__programme",
            "acceptance__participation__buyer",
            "acceptance__broker",
            "acceptance__exchange",
        )
        .get(pk=award_id)
    )
    # Joined to a row that was waited for, it is as it was before the wait: annulled meanwhile, it
    # would still seem to hold.
    award.adjudication.refresh_from_db(fields=["annulled_at"])
    return award


def payment_check(*, award: Award, user: User, entry: PaymentEntry) -> Decimal:
    """Refuse what cannot be taken in; otherwise the balance before it, in pesos."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra pagos.")
    _check_adjudicated(award)
    ended = nothing_due(award)
    _check_day(entry.paid_on, award)
    _check_means(entry)
    _check_reference(entry, award)
    balance = NOTHING_PAID if ended else award.total - payments_total(award)
    _check_amount(entry, balance, ended, most_payable(award))
    _check_new(entry)
    return balance


def _check_day(paid_on: date, award: Award) -> None:
    session = award.adjudication.session_on
    if paid_on > timezone.localdate():
        raise Refused(
            f"El {write_date(paid_on)} está en el futuro: escriba cuándo se pagó.", "paid_on"
        )
    if paid_on < session:
        raise Refused(
            f"El pago no puede ser anterior a la sesión de adjudicación, del "
            f"{write_date(session)}.",
            "paid_on",
        )


def _check_means(entry: PaymentEntry) -> None:
    if entry.means not in PaymentMeans.values:
        raise Refused("Solo se recibe dinero efectivo o cheque: no hay otro medio.", "means")
    if not entry.reference.strip():
        raise Refused("Escriba la referencia del banco o el número del cheque.", "reference")


def _check_reference(entry: PaymentEntry, award: Award) -> None:
    """Refuse the payment reference of another award: the money is for that one."""
    other = award_referred_to(entry.reference)
    if other is not None and other.pk != award.pk:
        raise Refused(
            f"Es la referencia de pago de {other.acceptance.code} ({other.adjudication.code}): "
            "registre el pago allí, o escriba el número de la consignación o del cheque.",
            "reference",
        )


def check_holds(award: Award) -> None:
    """Refuse an award of which nothing is due: not approved, annulled, undone, or of nothing."""
    ended = nothing_due(award)
    if ended:
        raise Refused(ended)
    _check_adjudicated(award)


def nothing_due(award: Award) -> str:
    """Why nothing is due for it any more; "" where it was neither annulled nor undone."""
    run, code = award.adjudication, award.acceptance.code
    if run.annulled_on:
        return (
            f"La adjudicación {run.code} se anuló el {write_date(run.annulled_on)}: no se debe "
            f"nada por {code}."
        )
    if is_undone(award):
        return f"La adjudicación de {code} quedó sin efecto por falta de pago: no se debe nada."
    return ""


def _check_adjudicated(award: Award) -> None:
    """Refuse an award for which nothing was ever due: not approved, or of no share."""
    if award.adjudication.review_state != ReviewState.APPROVED:
        raise Refused("La adjudicación no está aprobada: todavía no hay nada que pagar.")
    if not award.awarded:
        raise Refused("A esta aceptación no se le adjudicó nada: no hay nada que pagar.")


def _check_amount(entry: PaymentEntry, balance: Decimal, ended: str, most: Decimal) -> None:
    amount = entry.amount
    if amount <= 0:
        raise Refused("El valor pagado debe ser mayor que cero.", "amount")
    if amount > most:
        raise Refused(
            f"Pasa de lo que vale todo lo que se ofrece, {write_amount(most)}: revise el valor.",
            "amount",
        )
    if entry.gives_back:
        return
    if ended:
        raise Overpaid(f"{ended} Si el dinero llegó, diga que se recibe y se devuelve entero.")
    if balance <= 0:
        raise Overpaid(
            "Está pagada en su totalidad: no se debe nada más. Si el dinero llegó, diga que se "
            "recibe y se devuelve."
        )
    if amount > balance:
        raise Overpaid(
            f"Pasa de lo que se debe: el saldo es {write_amount(balance)} y sobrarían "
            f"{write_amount(amount - balance)}. Registre el saldo, o diga que lo demás se "
            "devuelve."
        )


def award_words(award: Award) -> str:
    """Which award it is, of which version: "A-000123 (AD-000001)"."""
    return f"{award.acceptance.code} ({award.adjudication.code})"


def most_payable(award: Award) -> Decimal:
    """What everything that is offered in its stage costs: no payment comes near it."""
    stage = award.acceptance.stage
    return stage.supply * stage.price


def _check_new(entry: PaymentEntry) -> None:
    twin = payment_alike(entry.reference, entry.paid_on, entry.amount)
    if twin:
        told = f"{twin.receipt}, de {award_words(twin.award)}"
        raise Refused(TWICE.format(receipt=told), "reference")


def _save(payment: Payment) -> None:
    payment.full_clean()
    try:
        with transaction.atomic():
            payment.save()
    except IntegrityError as error:
        # Somebody else wrote the same payment, for another award, a moment ago.
        raise Refused(
            "El mismo pago se registró hace un instante: revise los pagos recibidos.",
            "reference",
        ) from error


def _rest(payment: Payment, left: Decimal, ended: str) -> str:
    """What is left after it, to close its sentence."""
    if ended:
        return "; no se debía nada por ella: se devuelve entero"
    rest = f"; queda un saldo de {write_amount(left)}" if left else "; queda pagada"
    if payment.excess:
        rest += f", y sobran {write_amount(payment.excess)}, por devolver"
    return rest


def _record(payment: Payment, left: Decimal, ended: str) -> None:
    term = payment_term(payment.award.adjudication)
    rest = _rest(payment, left, ended)
    if not ended and term is not None and payment.paid_on > term.value:
        rest += f"; se pagó después del último día, el {write_date(term.value)}"
    decision_record(
        act="payment_record",
        sentence=f"Recibió {write_amount(payment.amount)} (recibo {payment.receipt}){rest}.",
        article=", ".join(term.cites) if term else "",
        actor=payment.recorded_by,
        subject=payment.award,
        legal_at=bogota_moment(payment.paid_on, time()),
        data={
            "receipt": payment.receipt,
            "amount": str(payment.amount),
            "balance": str(left),
            "excess": str(payment.excess),
            "means": payment.means,
        },
    )
