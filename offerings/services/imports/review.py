"""The first job on a file: read and check all of it, and note what came of each row. Nothing else
is saved."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from offerings.enums import ImportState, RowOutcome
from offerings.models import AcceptanceImport, ImportRow, Stage
from offerings.selectors.programmes import stage_terms
from offerings.services.imports.columns import columns_of
from offerings.services.imports.copying import rows_copy
from offerings.services.imports.loading import CHECKING, READING, REPORT_EVERY, Report
from offerings.services.imports.opening import import_held
from offerings.services.imports.reading import (
    SHOWN,
    TYPED,
    RowGiven,
    columns_match,
    headings_seen,
    rows_read,
    sheet_read,
    sheet_words,
    shown,
)
from offerings.services.imports.settling import rows_settle
from offerings.services.imports.understood import says_otherwise
from offerings.services.stages import stage_check
from office.decisions import decision_record
from office.files import file_read
from office.numbers import write_quantity
from office.refusals import Refused
from office.spreadsheets import Sheet, SpreadsheetError


def import_review(*, import_id: int, report: Report) -> bool:
    """Review the file and note the outcome; False where that was done before.

    `report(step, done, total, unit)` tells how far it is.
    """
    sources = AcceptanceImport.objects.select_related(
        "file", "uploaded_by", "stage__programme", "stage__rules"
    )
    source = sources.get(pk=import_id)
    if source.state != ImportState.UPLOADED:
        return False
    report(READING)
    try:
        sheet = sheet_read(file_read(source.file))
        columns = columns_match(sheet, source.mapping, columns_of(stage_terms(source.stage)))
    except SpreadsheetError as error:
        return import_refuse(source.pk, str(error))
    if columns is None:
        return _ask_columns(source.pk, sheet)
    rows = rows_of(sheet, columns, report)
    return _review(source.pk, sheet, rows, report)


def rows_of(sheet: Sheet, columns: dict[str, str], report: Report) -> list[RowGiven]:
    """The rows of a sheet, read one by one."""
    rows = []
    for done, row in enumerate(rows_read(sheet, columns)):
        if done % REPORT_EVERY == 0:
            report(CHECKING, done, len(sheet.rows), "filas")
        rows.append(row)
    return rows


@transaction.atomic
def import_refuse(import_id: int, problem: str) -> bool:
    """Note that the file cannot be loaded at all, and why."""
    source = import_held(import_id)
    if source.state not in {ImportState.UPLOADED, ImportState.CONFIRMED}:
        return False
    source.state, source.problems = ImportState.REFUSED, [problem]
    source.save(update_fields=["state", "problems"])
    decision_record(
        act="import_refuse",
        sentence=f"Subió un archivo que no se puede cargar, {source.code}: no se guardó nada.",
        actor=source.uploaded_by,
        subject=source,
        data={"sha256": source.sha256},
    )
    return True


@transaction.atomic
def _ask_columns(import_id: int, sheet: Sheet) -> bool:
    source = import_held(import_id)
    if source.state != ImportState.UPLOADED:
        return False
    source.state, source.rows = ImportState.COLUMNS, len(sheet.rows)
    source.read_as, source.headings = sheet_words(sheet), headings_seen(sheet)
    source.save(update_fields=["state", "rows", "read_as", "headings"])
    return True


@transaction.atomic
def _review(import_id: int, sheet: Sheet, rows: list[RowGiven], report: Report) -> bool:
    source = import_held(import_id)
    if source.state != ImportState.UPLOADED:
        return False
    stage = Stage.objects.select_related("programme", "rules").get(pk=source.stage_id)
    try:
        stage_check(stage)
    except Refused as refusal:
        return import_refuse(import_id, refusal.message)
    rows_settle(source, stage, rows, source.uploaded_by, report, save=False)
    source.rows, source.read_as = len(rows), sheet_words(sheet)
    source.headings, source.problems = headings_seen(sheet), []
    review_note(source, rows)
    decision_record(
        act="import_review",
        sentence=f"Hizo revisar {source.code}: {write_quantity(source.rows)} filas. Aún no se ha "
        "guardado ninguna.",
        actor=source.uploaded_by,
        subject=source,
        data={"rows": source.rows, "faulty": sum(bool(row.faults) for row in rows)},
    )
    return True


def review_note(source: AcceptanceImport, rows: Sequence[RowGiven]) -> None:
    """Write the outcome of every row, in place of an earlier review's; a choice made about the
    same differences stands."""
    chosen = {
        (line.number, as_key(line.differences)): line.choice
        for line in source.lines.exclude(choice="")
    }
    source.lines.all().delete()
    lines = (_line(source, row, chosen) for row in rows)
    rows_copy(ImportRow, lines)
    source.state = ImportState.REVIEWED
    source.save()


def _line(source: AcceptanceImport, row: RowGiven, chosen: dict[Any, str]) -> ImportRow:
    differences = row_differences(row)
    return ImportRow(
        source=source,
        number=row.number,
        outcome=row_outcome(row),
        choice=chosen.get((row.number, as_key(differences)), "") if differences else "",
        cells=_cells(row),
        messages=row.messages(),
        differences=differences,
        requested=row.values["cantidad"] or 0,
    )


def _cells(row: RowGiven) -> dict[str, Any]:
    """What the pages show: each cell as it was understood, and as it was typed where that says
    something else or could not be read."""
    typed = {name: shown(row.cells.get(name, "")) for name in SHOWN}
    read = {name: shown(words) for name, words in row.understood.items() if name in typed}
    otherwise = {
        name: typed[name] for name, words in read.items() if says_otherwise(typed[name], words)
    }
    return {**typed, **read, TYPED: otherwise}


def row_outcome(row: RowGiven) -> str:
    """What comes of a row as it stands: an error, known already, or to be loaded."""
    if row.faults:
        return RowOutcome.ERROR
    return RowOutcome.ALREADY if row.registered else RowOutcome.READY


def row_differences(row: RowGiven) -> list[dict[str, str]]:
    """What the row says otherwise than the register, as it is stored."""
    if row.faults or row.registered:
        return []
    return [
        {"column": one.column, "given": one.given, "known": one.known} for one in row.differences
    ]


def as_key(differences: list[dict[str, str]]) -> tuple[Any, ...]:
    """Stored differences as they are compared."""
    return tuple((one["column"], one["given"], one["known"]) for one in differences)
