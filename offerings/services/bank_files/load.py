"""The second job on a bank's file: record the payment of each confirmed row, each in its own
transaction. Begun again after a worker's death, it goes on where it was."""

from django.db import transaction
from django.db.models import Sum

from offerings.enums import BankRowOutcome, ImportState, PaymentMeans
from offerings.models import BankFile, BankFileRow, Payment
from offerings.selectors.payments import NOTHING_PAID, payment_alike
from offerings.services.bank_files.matching import other_words, row_key
from offerings.services.bank_files.opening import bank_file_held, may_prepare
from offerings.services.bank_files.review import Report
from offerings.services.imports.reading import ERROR, WARNING
from offerings.services.payments import PaymentEntry, payment_record
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount, write_count
from office.refusals import Refused

RECORDING = 1
REPORT_EVERY = 25


def bank_file_load(*, bank_file_id: int, report: Report) -> bool:
    """Record the payments of the confirmed rows; False where that was done before.

    A row that cannot be recorded any more is noted with why, and the others go on.
    """
    source = BankFile.objects.select_related("confirmed_by").get(pk=bank_file_id)
    if source.state != ImportState.CONFIRMED:
        return False
    assert source.confirmed_by is not None
    may_prepare(source.confirmed_by)
    before = source.lines.filter(outcome=BankRowOutcome.LOADED).count()
    waiting = list(source.lines.filter(outcome=BankRowOutcome.READY).values_list("pk", flat=True))
    total = before + len(waiting)
    for done, line_id in enumerate(waiting, start=before):
        if (done - before) % REPORT_EVERY == 0:
            report(RECORDING, done, total, "pagos")
        _record_row(line_id, source, source.confirmed_by)
    report(RECORDING, total, total, "pagos")
    return _finish(source.pk)


@transaction.atomic
def _record_row(line_id: int, source: BankFile, user: User) -> None:
    line = BankFileRow.objects.select_for_update().get(pk=line_id)
    if line.outcome != BankRowOutcome.READY:
        return
    assert line.award_id is not None
    assert line.paid_on is not None
    assert line.amount is not None
    entry = PaymentEntry(
        means=PaymentMeans(line.means),
        reference=line.reference,
        paid_on=line.paid_on,
        amount=line.amount,
        gives_back=True,
    )
    try:
        with transaction.atomic():
            payment = payment_record(
                award_id=line.award_id,
                user=user,
                entry=entry,
                submission_key=row_key(source, line.number),
            )
            _check_excess(line, payment)
    except Refused as refusal:
        _refused(line, refusal)
    else:
        _recorded(line, payment)
    line.save(update_fields=["outcome", "payment", "messages"])


def _check_excess(line: BankFileRow, payment: Payment) -> None:
    """Hold back a row of which more would be left over than whoever confirmed it was shown:
    something was paid, annulled or undone since the review."""
    if payment.excess <= line.excess:
        return
    told = (
        f"y la revisión decía {write_amount(line.excess)}"
        if line.excess
        else "y al revisarlo nada"
    )
    raise Refused(
        f"Desde la revisión cambió lo que se debe: sobrarían {write_amount(payment.excess)}, "
        f"{told}. No se registró: suba la fila de nuevo si el dinero llegó, y confirme lo que "
        "sobra."
    )


def _recorded(line: BankFileRow, payment: Payment) -> None:
    if BankFileRow.objects.filter(payment=payment).exists():
        _already(line, payment)
        return
    line.outcome, line.payment = BankRowOutcome.LOADED, payment


def _refused(line: BankFileRow, refusal: Refused) -> None:
    assert line.paid_on is not None
    assert line.amount is not None
    twin = payment_alike(line.reference, line.paid_on, line.amount)
    if twin is not None and twin.award_id == line.award_id:
        _already(line, twin)
        return
    said = other_words(twin) if twin is not None else refusal.message
    line.outcome = BankRowOutcome.ERROR
    line.messages.append({"column": "", "value": "", "message": said, "level": ERROR})


def _already(line: BankFileRow, payment: Payment) -> None:
    line.outcome = BankRowOutcome.ALREADY
    said = f"Ya registrado con el recibo {payment.receipt}: no se repite."
    line.messages.append({"column": "referencia", "value": "", "message": said, "level": WARNING})


@transaction.atomic
def _finish(bank_file_id: int) -> bool:
    source = bank_file_held(bank_file_id)
    if source.state != ImportState.CONFIRMED:
        return False
    assert source.confirmed_by is not None
    loaded = source.lines.filter(outcome=BankRowOutcome.LOADED)
    total = loaded.aggregate(total=Sum("amount"))["total"] or NOTHING_PAID
    source.state, source.loaded = ImportState.LOADED, loaded.count()
    source.save(update_fields=["state", "loaded"])
    payments = write_count(source.loaded, "pago", "pagos")
    decision_record(
        act="bank_file_load",
        sentence=f"Registró {payments} del archivo {source.code}, por {write_amount(total)}.",
        actor=source.confirmed_by,
        subject=source,
        data={"rows": source.loaded, "total": str(total), "sha256": source.sha256},
    )
    return True
