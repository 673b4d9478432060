"""Reading the workbooks (XLSX) that people bring, once it is known that they do not swell.

A workbook keeps every number as a float: whole ones become their figures again, and one that lost
digits on its way is written in scientific notation, which no reader of cells takes.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from office.dates import write_date, write_time
from office.spreadsheets import (
    EMPTY,
    Sheet,
    SpreadsheetError,
    column_key,
    table_of,
    unguarded,
)

MAGIC = b"PK\x03\x04"
MAX_UNPACKED = 150 * 1024 * 1024
MAX_PARTS = 500
MAX_ROWS = 100_000
MAX_COLUMNS = 200
MAX_CELLS = 5_000_000

# From here on a float no longer holds every whole number; a spreadsheet keeps 15 digits.
_MAX_EXACT = 10**15
_SHOWN_DIGITS = ".15g"
_CHUNK = 1024 * 1024
_OVERLAP = 64
_CONTENTS, _BOOK = "[Content_Types].xml", "xl/workbook.xml"
_PLACE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{0,7})([0-9]{0,10})["']""")
# No workbook that a spreadsheet wrote has these: entities that grow, text that is not UTF-8.
_FOREIGN = (b"<!DOCTYPE", b"<!ENTITY", b"\x00")
_HOW_TO = "Ábralo en la hoja de cálculo, guárdelo de nuevo como «Libro de Excel (.xlsx)» y súbalo."
_SWELLS = (
    f"El libro es demasiado grande al abrirlo: caben hasta {MAX_ROWS} filas y {MAX_COLUMNS} "
    "columnas. Borre las filas y columnas sobrantes, o divídalo en varios."
)


def read_xlsx(data: bytes, known: Sequence[str] = (), *, max_bytes: int) -> Sheet:
    """Return the table in a workbook: its first visible sheet with two of the `known` headings,
    or else the first one that is not empty.

    Raises SpreadsheetError for what is no workbook, holds macros, swells or has no rows.
    """
    with _opened(data, max_bytes) as book:
        return _sheet_of(book, {column_key(name) for name in known})


def xlsx_lines(data: bytes, *, max_bytes: int) -> list[tuple[str, list[tuple[int, list[str]]]]]:
    """Return the visible sheets of a workbook that are not empty, each with its name and its rows
    that are not blank by their numbers: for books whose headings stand anywhere.

    Raises SpreadsheetError for what is no workbook, holds macros or swells.
    """
    with _opened(data, max_bytes) as book:
        visible = [
            about.name
            for about in book.sheets_metadata
            if about.visible == SheetVisibleEnum.Visible and _is_table(about.typ)
        ]
        sheets = [(name, list(_lines(book.get_sheet_by_name(name)))) for name in visible]
    filled = [(name, lines) for name, lines in sheets if lines]
    if not filled:
        raise SpreadsheetError(EMPTY)
    return filled


@contextmanager
def _opened(data: bytes, max_bytes: int) -> Iterator[CalamineWorkbook]:
    """The workbook, once it is known that it does not swell."""
    if len(data) > max_bytes:
        raise SpreadsheetError(
            f"El archivo pesa más de {max_bytes // 1024 // 1024} MB. Divídalo en varios."
        )
    _check_parts(data)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            yield book
    except CalamineError as error:
        raise SpreadsheetError(f"El libro de Excel no se puede abrir. {_HOW_TO}") from error


def workbook_check(data: bytes) -> None:
    """Raise SpreadsheetError unless this is a workbook that opens, without macros, that does not
    swell and has something in one of its sheets.
    """
    _check_parts(data)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            sheets = [about.name for about in book.sheets_metadata if _is_table(about.typ)]
            filled = [name for name in sheets if _is_filled(book.get_sheet_by_name(name))]
    except CalamineError as error:
        raise SpreadsheetError(f"El libro de Excel no se puede abrir. {_HOW_TO}") from error
    if not filled:
        raise SpreadsheetError("El libro de Excel no tiene ningún dato. Revise cuál es y súbalo.")


def _is_table(kind: SheetTypeEnum) -> bool:
    return kind == SheetTypeEnum.WorkSheet


def _is_filled(sheet: CalamineSheet) -> bool:
    return next(_lines(sheet), None) is not None


def _check_parts(data: bytes) -> None:
    """Unpack every part once, counting: a bomb is refused before anything builds a table of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            names = {part.filename for part in book.infolist()}
            _check_kind(names)
            left = MAX_UNPACKED
            for part in book.infolist():
                left -= _check_part(book, part, left)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise SpreadsheetError(f"El libro de Excel está dañado. {_HOW_TO}") from error


def _check_kind(names: set[str]) -> None:
    if _CONTENTS not in names or _BOOK not in names:
        raise SpreadsheetError(f"El archivo no es un libro de Excel (.xlsx) ni un CSV. {_HOW_TO}")
    if any(name.lower().endswith("vbaproject.bin") for name in names):
        raise SpreadsheetError(f"El libro tiene macros. {_HOW_TO}")
    if len(names) > MAX_PARTS:
        raise SpreadsheetError(_SWELLS)


def _check_part(book: zipfile.ZipFile, part: zipfile.ZipInfo, left: int) -> int:
    """Return the size of a part once unpacked."""
    if part.file_size > left:
        raise SpreadsheetError(_SWELLS)
    is_text = part.filename.lower().endswith((".xml", ".rels"))
    size, before = 0, b""
    with book.open(part) as source:
        # zipfile stops at the size that the part declares, and refuses one that declared less.
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            # Any part of text may be a sheet: the book says which, not the name.
            if is_text:
                _check_text(before + chunk)
                before = chunk[-_OVERLAP:]
    return size


def _check_text(text: bytes) -> None:
    """Refuse a sheet with a cell far out: all that lies between would be built as empty cells."""
    for letters, digits in _PLACE.findall(text):
        if _column_number(letters) > MAX_COLUMNS or int(digits or b"0") > MAX_ROWS:
            raise SpreadsheetError(_SWELLS)
    if any(mark in text for mark in _FOREIGN):
        raise SpreadsheetError(f"El libro de Excel está dañado. {_HOW_TO}")


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _sheet_of(book: CalamineWorkbook, known: set[str]) -> Sheet:
    filled = []
    for about in book.sheets_metadata:
        if about.visible != SheetVisibleEnum.Visible:
            continue
        sheet = book.get_sheet_by_name(about.name)
        head = next(_lines(sheet), None)
        if head is None:
            continue
        if len({column_key(cell) for cell in head[1]} & known) >= min(2, len(known)):
            return _read(sheet)
        filled.append(sheet)
    if not filled:
        raise SpreadsheetError(EMPTY)
    return _read(filled[0])


def _read(sheet: CalamineSheet) -> Sheet:
    columns, rows = table_of(_lines(sheet))
    return Sheet("", "", columns, rows, sheet.name)


def _lines(sheet: CalamineSheet) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, with the number that the spreadsheet shows."""
    if sheet.total_height * sheet.total_width > MAX_CELLS:
        raise SpreadsheetError(_SWELLS)
    for number, line in enumerate(sheet.to_python(skip_empty_area=False), start=1):
        cells = [unguarded(_text(cell).strip(" \u00a0")) for cell in line]
        if any(cells):
            yield number, cells


def _text(value: object) -> str:
    """A cell as a person would have typed it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, int | float):
        return _number_text(value)
    if isinstance(value, datetime):
        value = (value + timedelta(milliseconds=500)).replace(microsecond=0)
        clock = write_time(value.time())
        seconds = f":{value.second:02d}" if value.second else ""
        return f"{write_date(value)} {clock}{seconds}"
    if isinstance(value, date):
        return write_date(value)
    return write_time(value) if isinstance(value, time) else str(value)


def _number_text(value: float) -> str:
    if value % 1 == 0 and abs(value) < _MAX_EXACT:
        return str(int(value))
    if value % 1 != 0:
        return f"{Decimal(format(value, _SHOWN_DIGITS)):f}".replace(".", ",")
    return f"{value:.15E}"
