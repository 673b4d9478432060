"""The file that is given back: its rows, with what is wrong in each in a column of its own."""

from collections.abc import Iterator

from offerings.enums import RowOutcome
from offerings.models import AcceptanceImport, ImportRow
from offerings.services.imports.columns import ERRORS_COLUMN
from offerings.services.imports.reading import ERROR, sheet_read
from office.files import file_read
from office.spreadsheets import Sheet, column_key, write_csv, write_xlsx

_DONE = (RowOutcome.LOADED, RowOutcome.ALREADY)


def errors_file(source: AcceptanceImport, *, workbook: bool, left_alone: bool) -> bytes:
    """The file with its faults by row, ready to be mended and uploaded again, as a workbook or a
    CSV. `left_alone`: only the rows that were not registered.

    Headings that the user matched bear the model's names, so that nobody is asked again.
    """
    sheet = sheet_read(file_read(source.file))
    keys = [key for key in map(column_key, sheet.columns) if key != ERRORS_COLUMN]
    titles = dict(zip(map(column_key, sheet.columns), sheet.columns, strict=True))
    columns = [*(source.mapping.get(key) or titles[key] for key in keys), ERRORS_COLUMN]
    rows = _rows(source, sheet, keys, left_alone)
    return write_xlsx(columns, rows, "Aceptaciones") if workbook else write_csv(columns, rows)


def _rows(
    source: AcceptanceImport, sheet: Sheet, keys: list[str], left_alone: bool
) -> Iterator[list[str]]:
    lines = {line.number: line for line in source.lines.all()}
    for row in sheet.rows:
        line = lines.get(row.number)
        if left_alone and line is not None and line.outcome in _DONE:
            continue
        yield [*(row.cells[key] for key in keys), _said(line)]


def _said(line: ImportRow | None) -> str:
    if line is None:
        return ""
    said = [_told(one["column"], one["message"]) for one in line.of_level(ERROR)]
    if line.outcome == RowOutcome.READY:
        differing = (f"ya consta «{one['known']}»." for one in line.differences)
        said += [
            _told(one["column"], words)
            for one, words in zip(line.differences, differing, strict=True)
        ]
    return " | ".join(said)


def _told(column: str, message: str) -> str:
    return f"{column}: {message}" if column else message
