"""The first job on a bank's file: read and check all of it, and note what came of each row.
Nothing else is saved."""

from collections.abc import Callable, Sequence

from django.db import transaction

from offerings.enums import ImportState
from offerings.models import BankFile, BankFileRow
from offerings.services.bank_files.columns import BY_NAME
from offerings.services.bank_files.matching import BankLine, rows_match
from offerings.services.bank_files.opening import bank_file_held
from offerings.services.bank_files.reading import rows_read
from offerings.services.imports.reading import (
    RowGiven,
    columns_match,
    headings_seen,
    sheet_read,
    sheet_words,
    shown,
)
from office.decisions import decision_record
from office.files import file_read
from office.numbers import write_count
from office.spreadsheets import Sheet, SpreadsheetError

READING, CHECKING, MATCHING = 1, 2, 3
REPORT_EVERY = 500
CHUNK = 5_000
Report = Callable[..., None]


def bank_file_review(*, bank_file_id: int, report: Report) -> bool:
    """Review the file and note the outcome; False where that was done before.

    `report(step, done, total, unit)` tells how far it is.
    """
    source = BankFile.objects.select_related("file", "uploaded_by").get(pk=bank_file_id)
    if source.state != ImportState.UPLOADED:
        return False
    report(READING)
    try:
        sheet = sheet_read(file_read(source.file), BY_NAME)
        columns = columns_match(sheet, source.mapping, BY_NAME)
    except SpreadsheetError as error:
        return _refuse(source.pk, str(error))
    if columns is None:
        return _ask_columns(source.pk, sheet)
    rows = []
    for done, row in enumerate(rows_read(source, sheet, columns)):
        if done % REPORT_EVERY == 0:
            report(CHECKING, done, len(sheet.rows), "filas")
        rows.append(row)
    report(MATCHING, 0, len(rows), "filas")
    return _review(source.pk, sheet, rows)


@transaction.atomic
def _refuse(bank_file_id: int, problem: str) -> bool:
    source = bank_file_held(bank_file_id)
    if source.state != ImportState.UPLOADED:
        return False
    source.state, source.problems = ImportState.REFUSED, [problem]
    source.save(update_fields=["state", "problems"])
    decision_record(
        act="bank_file_refuse",
        sentence=f"Subió un archivo que no se puede leer, {source.code}: no se guardó nada.",
        actor=source.uploaded_by,
        subject=source,
        data={"sha256": source.sha256},
    )
    return True


@transaction.atomic
def _ask_columns(bank_file_id: int, sheet: Sheet) -> bool:
    source = bank_file_held(bank_file_id)
    if source.state != ImportState.UPLOADED:
        return False
    source.state, source.rows = ImportState.COLUMNS, len(sheet.rows)
    source.read_as, source.headings = sheet_words(sheet), headings_seen(sheet)
    source.save(update_fields=["state", "rows", "read_as", "headings"])
    return True


@transaction.atomic
def _review(bank_file_id: int, sheet: Sheet, rows: Sequence[RowGiven]) -> bool:
    source = bank_file_held(bank_file_id)
    if source.state != ImportState.UPLOADED:
        return False
    lines = rows_match(source, rows)
    source.lines.all().delete()
    BankFileRow.objects.bulk_create((_row(source, line) for line in lines), batch_size=CHUNK)
    source.state, source.rows, source.problems = ImportState.REVIEWED, len(rows), []
    source.read_as, source.headings = sheet_words(sheet), headings_seen(sheet)
    source.save()
    decision_record(
        act="bank_file_review",
        sentence=f"Hizo revisar {source.code}: {write_count(len(rows), 'fila', 'filas')}. Aún no "
        "se ha registrado ningún pago.",
        actor=source.uploaded_by,
        subject=source,
        data={"rows": len(rows), "faulty": sum(bool(row.faults) for row in rows)},
    )
    return True


def _row(source: BankFile, line: BankLine) -> BankFileRow:
    values = line.row.values
    return BankFileRow(
        source=source,
        number=line.row.number,
        outcome=line.outcome,
        award=line.award,
        reference=line.reference,
        means=values["medio"] or "",
        paid_on=values["fecha"],
        amount=values["valor"],
        excess=line.excess,
        cells={name: shown(line.row.cells.get(name, "")) for name in BY_NAME},
        messages=line.row.messages(),
    )
