"""The file that is given back: its rows, with what is wrong in each in a column of its own."""

from collections.abc import Iterator

from offerings.models import AcceptanceImport
from offerings.services.imports.columns import ERRORS_COLUMN
from office.files import file_read
from office.spreadsheets import Sheet, column_key, read_csv, write_csv


def errors_csv(source: AcceptanceImport) -> bytes:
    """The refused file with its faults by row, ready to be mended and uploaded again."""
    sheet = read_csv(file_read(source.file))
    columns = [one for one in sheet.columns if column_key(one) != ERRORS_COLUMN]
    return write_csv([*columns, ERRORS_COLUMN], _rows(source, sheet, columns))


def _rows(source: AcceptanceImport, sheet: Sheet, columns: list[str]) -> Iterator[list[str]]:
    faults = {line["row"]: line["faults"] for line in source.errors}
    for row in sheet.rows:
        said = (f"{one['column']}: {one['message']}" for one in faults.get(row.number, ()))
        yield [*(row.cells[column_key(one)] for one in columns), " | ".join(said)]
