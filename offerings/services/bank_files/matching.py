"""Each row of a bank's file against the awards and the payments that are known: in as many
queries for ten rows as for ten thousand."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models.functions import Lower
from django.utils import timezone

from offerings.enums import BankRowOutcome
from offerings.models import Adjudication, Award, BankFile, Payment
from offerings.rules.payment_reference import payment_reference_award
from offerings.selectors.payment_terms import last_days
from offerings.selectors.payments import NOTHING_PAID, awards_charged
from offerings.services.imports.reading import RowGiven
from offerings.services.payments import award_words
from office.dates import bogota_day, write_date
from office.numbers import write_amount

_NAMESPACE = uuid.UUID("c4a1f2de-7b0f-4a3e-9d55-2f6f1f0f9b64")
Paid = tuple[str, date, Decimal]


@dataclass
class BankLine:
    """A row as it was understood, with the award that its reference names."""

    row: RowGiven
    key: uuid.UUID
    award: Award | None = None
    excess: Decimal = NOTHING_PAID
    outcome: BankRowOutcome = BankRowOutcome.READY

    @property
    def reference(self) -> str:
        """What identifies the payment: its own number, or else the award's reference."""
        values = self.row.values
        return values["numero"] or values["referencia"] or ""

    @property
    def paid(self) -> Paid:
        """What makes it the same payment as another."""
        return self.reference.lower(), self.row.values["fecha"], self.row.values["valor"]

    def stop(self, outcome: BankRowOutcome, column: str, message: str) -> None:
        self.outcome = outcome
        self.row.fault(column, message)


@dataclass
class Known:
    """What is known: awards of the programme, their runs' sessions and last days to pay, payments
    by their key and by what they say.
    `left`: what is still due of each award after the rows before. `seen`: those of the file."""

    awards: dict[int, Award]
    sessions: dict[int, date]
    days: dict[int, date | None]
    keys: dict[uuid.UUID, str]
    paid: dict[Paid, Payment]
    most: Decimal
    today: date
    left: dict[int, Decimal] = field(default_factory=dict)
    seen: dict[Paid, int] = field(default_factory=dict)


def row_key(source: BankFile, number: int) -> uuid.UUID:
    """The submission key of a row's payment: the same bytes give the same again."""
    return uuid.uuid5(_NAMESPACE, f"{source.programme_id}:{source.sha256}:{number}")


def rows_match(source: BankFile, rows: Sequence[RowGiven]) -> list[BankLine]:
    """Each row with its award, what is wrong in it and what will come of it."""
    lines = [BankLine(row, row_key(source, row.number)) for row in rows]
    known = _known(source, lines)
    for line in lines:
        _match(line, known)
    return lines


def _known(source: BankFile, lines: Sequence[BankLine]) -> Known:
    named = {_named(line) for line in lines} - {None}
    # Without their runs, each of which holds its terms whole: those are few and read once.
    found = awards_charged().select_related(None).select_related("acceptance")
    awards = {
        award.pk: award
        for award in found.filter(pk__in=named, acceptance__stage__programme=source.programme_id)
    }
    runs = Adjudication.objects.in_bulk({award.adjudication_id for award in awards.values()})
    keys = Payment.objects.filter(submission_key__in=[line.key for line in lines])
    references = {line.reference.lower() for line in lines}
    alike = Payment.objects.select_related("award__acceptance", "award__adjudication")
    alike = alike.defer("award__adjudication__terms").annotate(folded=Lower("reference"))
    alike = alike.filter(folded__in=references)
    stages = source.programme.stages.exclude(price=None)
    return Known(
        awards=awards,
        sessions={pk: run.session_on for pk, run in runs.items()},
        days=last_days(runs.values()),
        keys=dict(keys.values_list("submission_key", "receipt")),
        paid={(one.reference.lower(), one.paid_on, one.amount): one for one in alike},
        most=max((stage.supply * stage.price for stage in stages), default=NOTHING_PAID),
        today=bogota_day(timezone.now()),
        left={award.pk: award.balance for award in awards.values()},
    )


def _named(line: BankLine) -> int | None:
    reference = line.row.values["referencia"]
    return payment_reference_award(reference) if reference else None


def _match(line: BankLine, known: Known) -> None:
    named = _named(line)
    line.award = known.awards.get(named) if named is not None else None
    if line.row.values["referencia"] and line.award is None:
        line.stop(BankRowOutcome.UNMATCHED, "referencia", _unmatched_words(named))
    elif line.award is not None and not line.row.faults and not _is_known(line, known):
        _check(line, line.award, known)
    if line.row.faults and line.outcome == BankRowOutcome.READY:
        line.outcome = BankRowOutcome.ERROR


def _unmatched_words(named: int | None) -> str:
    if named is None:
        return (
            "No es una referencia de pago: su dígito de verificación no concuerda. Compruébela "
            "con la constancia de adjudicación."
        )
    return "En este programa no hay una adjudicación con esa referencia."


def _is_known(line: BankLine, known: Known) -> bool:
    """Whether the payment is registered already, or stands in a row before."""
    alike = known.paid.get(line.paid)
    if alike and line.award and alike.award_id != line.award.pk and line.key not in known.keys:
        line.row.fault(_paid_by(line), other_words(alike))
        return True
    receipt = known.keys.get(line.key) or (alike.receipt if alike else "")
    if receipt:
        line.outcome = BankRowOutcome.ALREADY
        line.row.warn("referencia", f"Ya registrado con el recibo {receipt}: no se repite.")
        return True
    before = known.seen.setdefault(line.paid, line.row.number)
    if before != line.row.number:
        line.row.fault(
            "numero",
            f"La fila {before} tiene la misma referencia, fecha y valor. Si es otro pago, escriba "
            "el número de su consignación o cheque.",
        )
    return bool(line.row.faults)


def _paid_by(line: BankLine) -> str:
    """The column of what identifies the payment."""
    return "numero" if line.row.values["numero"] else "referencia"


def other_words(alike: Payment) -> str:
    """That the same money is registered for another award: one of the two is not right."""
    return (
        f"Con ese número, fecha y valor ya está el recibo {alike.receipt}, de "
        f"{award_words(alike.award)}, que no es la que dice esta referencia: no se registra. "
        "Compruebe con el banco cuál de las dos se pagó; si son dos pagos, escriba el número de "
        "cada uno."
    )


def _check(line: BankLine, award: Award, known: Known) -> None:
    values = line.row.values
    session = known.sessions[award.adjudication_id]
    if values["fecha"] > known.today:
        line.row.fault("fecha", f"El {write_date(values['fecha'])} está en el futuro.")
    if values["fecha"] < session:
        line.row.fault("fecha", f"Es anterior a la sesión, del {write_date(session)}.")
    if not values["valor"]:
        line.row.fault("valor", "El valor pagado debe ser mayor que cero.")
    elif values["valor"] > known.most:
        line.row.fault(
            "valor",
            f"Pasa de lo que vale todo lo que se ofrece, {write_amount(known.most)}: revise el "
            "valor.",
        )
    if not line.row.faults:
        _warn(line, award, known)


def _warn(line: BankLine, award: Award, known: Known) -> None:
    values = line.row.values
    if not award.holds:
        line.row.warn(
            "referencia",
            f"{award.acceptance.code} se anuló o quedó sin efecto: no se debe nada por ella. "
            f"Entran {write_amount(values['valor'])}, por devolver enteros.",
        )
        line.excess = values["valor"]
        return
    last = known.days[award.adjudication_id]
    if last is not None and values["fecha"] > last:
        line.row.warn("fecha", f"Después del último día, el {write_date(last)}: se recibe igual.")
    left = known.left[award.pk]
    known.left[award.pk] = max(left - values["valor"], Decimal(0))
    if values["valor"] > left:
        line.excess = values["valor"] - left
        line.row.warn(
            "valor",
            f"Pasa del saldo, {write_amount(left)}: sobran {write_amount(line.excess)}, por "
            "devolver.",
        )
