"""Finds the rows of a file that can be loaded together, for its review and for its load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from offerings.enums import Standing
from offerings.models import Acceptance, AcceptanceImport, Stage
from offerings.services.imports.known import BuyerCase, known_of
from offerings.services.imports.loading import (
    Evaluation,
    Report,
    acceptances_evaluate,
    buyers_imagine,
    buyers_save,
)
from offerings.services.imports.matching import Match, rows_match
from offerings.services.imports.reading import Difference, RowGiven
from office.models import User
from office.numbers import write_quantity

_WARNED = {
    Standing.CUT: "Pasa su límite: se entenderá presentada por {admitted}{cite}.",
    Standing.NOTHING_LEFT: "No le queda cupo en su límite: entrará por 0{cite}.",
    Standing.OVER_LIMIT: "Pasa su límite: quedará rechazada{cite}.",
    Standing.NOT_COUNTED: "No se tendrá en cuenta{cite}.",
}


Agreed = Mapping[int, frozenset[Difference]]


@dataclass(frozen=True)
class Settled:
    """The rows that stand together, matched and evaluated: `acceptances` in the file's order,
    `cases` their buyers."""

    match: Match
    cases: list[BuyerCase]
    evaluation: Evaluation

    @property
    def acceptances(self) -> list[Acceptance]:
        return self.match.acceptances


def rows_settle(
    source: AcceptanceImport,
    stage: Stage,
    rows: Sequence[RowGiven],
    user: User,
    report: Report,
    *,
    save: bool,
    agreed: Agreed | None = None,
) -> Settled:
    """Match the rows, leave out those with faults and begin anew without them, until the rest
    needs nothing of what was left out.

    `agreed`: by row, the differences that somebody has decided to pass over; others are a fault.
    `save`: the buyers are saved and their parts held, for the caller to save the acceptances;
    the caller holds the stage's row and has begun a transaction.
    """
    first_serial, left = stage.last_serial, list(rows)
    while True:
        stage.last_serial = first_serial
        before = transaction.savepoint() if save else None
        settled = _matched(source, stage, left, user, report, save, agreed)
        by_number = {row.number: row for row in left}
        for acceptance, gap in settled.evaluation.gaps:
            by_number[acceptance.source_row or 0].fault("clase", gap.message)
        sound = [row for row in left if not row.faults]
        if len(sound) == len(left):
            _warn(settled, by_number)
            return settled
        left = sound
        if before is not None:
            transaction.savepoint_rollback(before)


def _matched(
    source: AcceptanceImport,
    stage: Stage,
    rows: Sequence[RowGiven],
    user: User,
    report: Report,
    save: bool,
    agreed: Agreed | None,
) -> Settled:
    known = known_of(stage, (row.identity for row in rows if row.identity), hold=save)
    match = Match(known, source, user)
    rows_match(match, rows)
    if agreed is not None:
        _check_agreed(rows, agreed)
    # Two identities may lead to one buyer: one of them was merged.
    cases = list({id(case): case for case in known.cases.values() if case.new}.values())
    if any(row.faults for row in rows):
        return Settled(match, cases, Evaluation([], []))
    prepare = buyers_save if save else buyers_imagine
    prepare(cases, report)
    return Settled(match, cases, acceptances_evaluate(known, cases, report))


def _check_agreed(rows: Sequence[RowGiven], agreed: Agreed) -> None:
    for row in rows:
        if not set(row.differences) <= agreed.get(row.number, frozenset()):
            row.fault("", "El registro del comprador cambió después de la revisión del archivo.")


def _warn(settled: Settled, by_number: dict[int, RowGiven]) -> None:
    for acceptance in settled.acceptances:
        row = by_number[acceptance.source_row or 0]
        if acceptance.standing == Standing.INCOMPLETE:
            lacking = "; ".join(gap["label"] for gap in acceptance.missing)
            row.warn("", f"Quedará incompleta. Falta: {lacking}.{_only_on_file(acceptance)}")
        elif acceptance.standing in _WARNED:
            said = _WARNED[Standing(acceptance.standing)]
            admitted = write_quantity(acceptance.admitted)
            row.warn("cantidad", said.format(admitted=admitted, cite=_cite(acceptance)))


def _only_on_file(acceptance: Acceptance) -> str:
    """Why references at an exchange are not enough for one without a broker."""
    if acceptance.broker_id is not None or acceptance.exchange_id is None:
        return ""
    return (
        " Sin comisionista solo cuentan los documentos cuyo archivo tiene el Fondo; las "
        "referencias de la bolsa, no. Escriba el comisionista, o registre los archivos."
    )


def _cite(acceptance: Acceptance) -> str:
    cites = acceptance.ruling.get("cites", [])
    return f" ({cites[0]})" if cites else ""
