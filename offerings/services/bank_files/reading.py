"""From the bytes of a bank's file to rows of values."""

from collections.abc import Iterator, Mapping

from offerings.models import BankFile
from offerings.services.bank_files.columns import COLUMNS
from offerings.services.imports.reading import RowGiven, value_read
from office.spreadsheets import Sheet


def rows_read(source: BankFile, sheet: Sheet, columns: Mapping[str, str]) -> Iterator[RowGiven]:
    """Each row with its values and the faults that its cells show by themselves."""
    for row in sheet.rows:
        cells = {columns[key]: cell for key, cell in row.cells.items() if columns[key]}
        given = RowGiven(row.number, cells)
        for column in COLUMNS:
            given.values[column.name] = value_read(given, column)
        _means(source, given)
        yield given


def _means(source: BankFile, given: RowGiven) -> None:
    """The means of the file for a row that does not say its own."""
    if given.values["medio"] is not None or given.cells.get("medio", "").strip():
        return
    given.values["medio"] = source.means or None
    if not source.means:
        given.fault("medio", "Falta el medio: escriba «efectivo» o «cheque».")
