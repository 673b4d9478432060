"""The file that is given back: its rows, with what is wrong in each in a column of its own."""

from collections.abc import Iterator

from offerings.models import BankFile, BankFileRow
from offerings.services.bank_files.columns import BY_NAME
from offerings.services.bank_files.opening import DONE
from offerings.services.imports.columns import ERRORS_COLUMN
from offerings.services.imports.reading import ERROR, sheet_read
from office.files import file_read
from office.spreadsheets import Sheet, column_key, write_csv, write_xlsx


def errors_file(source: BankFile, *, workbook: bool) -> bytes:
    """The rows that were not registered with their faults, ready to be mended and uploaded, as a
    workbook or a CSV. Headings that the user matched bear the model's names."""
    sheet = sheet_read(file_read(source.file), BY_NAME)
    titles = dict(zip(map(column_key, sheet.columns), sheet.columns, strict=True))
    keys = [key for key in titles if key != ERRORS_COLUMN]
    columns = [*(source.mapping.get(key) or titles[key] for key in keys), ERRORS_COLUMN]
    rows = _rows(source, sheet, keys)
    return write_xlsx(columns, rows, "Pagos") if workbook else write_csv(columns, rows)


def _rows(source: BankFile, sheet: Sheet, keys: list[str]) -> Iterator[list[str]]:
    lines = {line.number: line for line in source.lines.exclude(outcome__in=DONE)}
    for row in sheet.rows:
        if row.number in lines:
            yield [*(row.cells[key] for key in keys), _said(lines[row.number])]


def _said(line: BankFileRow) -> str:
    return " | ".join(
        f"{one['column']}: {one['message']}" if one["column"] else one["message"]
        for one in line.messages
        if one["level"] == ERROR
    )
