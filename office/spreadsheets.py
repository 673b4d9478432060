"""Tables in files: reading the CSV that people bring, writing CSV and XLSX that open safely."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import BinaryIO

from office.dates import BOGOTA, write_date, write_time
from office.text import TextError, clean_text, fold, quoted
from office.xlsx import MAX_SHEET_ROWS, Table, Value, runs_as_formula, xlsx_into

MAX_BYTES = 50 * 1024 * 1024
ABOUT = ("Dato", "Valor")  # the headings of the sheet that says what a workbook is of

_SEPARATORS = ";,\t"
_SEPARATOR_NAMES = {";": "punto y coma", ",": "coma", "\t": "tabulación"}
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAGIC = (
    (b"%PDF", "un PDF"),
    (b"PK\x03\x04", "un libro de Excel o un archivo comprimido"),
    (b"PK\x05\x06", "un archivo comprimido"),
    (b"\xd0\xcf\x11\xe0", "un libro de Excel antiguo"),
    (b"\x89PNG", "una imagen"),
    (b"\xff\xd8\xff", "una imagen"),
    (b"GIF8", "una imagen"),
    (b"II*\x00", "una imagen"),
    (b"MM\x00*", "una imagen"),
    (b"\x1f\x8b", "un archivo comprimido"),
    (b"Rar!", "un archivo comprimido"),
    (b"7z\xbc\xaf", "un archivo comprimido"),
    (b"{\\rtf", "un documento de texto con formato"),
    (b"\xff\xfe", "un texto en UTF-16"),
    (b"\xfe\xff", "un texto en UTF-16"),
)
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|\?xml|script|svg)", re.IGNORECASE)
EMPTY = "El archivo está vacío. Suba uno con títulos y al menos una fila."
_HOW_TO = "Guárdelo en la hoja de cálculo como «CSV UTF-8» y súbalo de nuevo."

# What no spreadsheet opens, and so cannot be saved from one.
_WITHOUT_TABLE = {"un PDF", "una imagen", "un documento de texto con formato"}
_HOW_TO_WITHOUT_TABLE = (
    "De él no se leen filas: pida los datos en un archivo CSV o de Excel (.xlsx) y súbalo."
)


class SpreadsheetError(ValueError):
    """A file that cannot be read as a table; its message is Spanish and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file: its number as a spreadsheet shows it (the header is 1) and its cells.

    ``cells`` has the keys of the columns (see ``column_key``); a cell that is not there is "".
    """

    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as it was understood, for the preview to show.

    ``encoding`` is "UTF-8 con BOM", "UTF-8" or "Windows-1252"; ``separator`` is one character;
    ``columns`` are the headings as written, without outer blanks; ``name`` is the sheet's in a
    workbook, which has neither encoding nor separator.
    """

    encoding: str
    separator: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    name: str = ""

    @property
    def separator_name(self) -> str:
        """The separator in Spanish: "punto y coma"."""
        return separator_name(self.separator)


def read_csv(data: bytes, *, max_bytes: int = MAX_BYTES) -> Sheet:
    """Return the table in a CSV file, its encoding and separator found out.

    Blank rows are left out, and counted in the numbers of the others. Raises SpreadsheetError
    for a file without rows, one that is not text, one too large, and rows wider than the header.
    """
    text, encoding = _text_of(data, max_bytes)
    separator = _separator_of(text)
    columns, rows = table_of(_numbered_lines(text, separator))
    return Sheet(encoding, separator, columns, rows)


def csv_lines(
    data: bytes, *, max_bytes: int = MAX_BYTES
) -> tuple[str, str, Iterator[tuple[int, list[str]]]]:
    """Return a CSV's encoding, its separator and its rows that are not blank, each with its
    number: for files whose headings stand anywhere, under titles.

    Raises SpreadsheetError for what is not text and for a file too large.
    """
    text, encoding = _text_of(data, max_bytes)
    separator = _separator_of_most(text)
    return encoding, separator, _numbered_lines(text, separator)


def _text_of(data: bytes, max_bytes: int) -> tuple[str, str]:
    """The text in a file, with its encoding."""
    if len(data) > max_bytes:
        raise SpreadsheetError(
            f"El archivo pesa más de {max_bytes // 1024 // 1024} MB. Divídalo en varios."
        )
    return _decoded(data)


def table_of(lines: Iterator[tuple[int, list[str]]]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Return the headings and the rows in numbered lines, the first of which is the header.

    Raises SpreadsheetError without rows, for headings that are blank or repeated, and for rows
    wider than the header.
    """
    columns = _header(lines)
    keys = [column_key(column) for column in columns]
    rows = tuple(Row(number, _cells(number, line, keys)) for number, line in lines)
    if not rows:
        raise SpreadsheetError("El archivo solo tiene títulos. Suba uno con al menos una fila.")
    return columns, rows


def require_columns(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse the whole sheet, naming every column that is missing, unless all are there."""
    present = {column_key(column) for column in sheet.columns}
    missing = [name for name in names if column_key(name) not in present]
    if missing:
        which = ", ".join(quoted(name) for name in missing)
        lacking = "Falta la columna" if len(missing) == 1 else "Faltan las columnas"
        raise SpreadsheetError(
            f"{lacking} {which}. La primera fila debe tener los títulos del modelo."
        )


def column_key(heading: str) -> str:
    """Return the key of a column: "Fecha de Recibo" and "fecha_de_recibo" are one."""
    return fold(heading).replace(" ", "_")


def write_csv(
    columns: Sequence[str], rows: Iterable[Sequence[Value]], *, separator: str = ";"
) -> bytes:
    """Return the table as CSV in UTF-8 with BOM, which Excel opens as it is.

    Numbers have no grouping and a decimal comma; text that a spreadsheet would run as a formula
    is quoted with an apostrophe, which ``read_csv`` takes off again.
    """
    target = io.BytesIO()
    csv_into(target, columns, rows, separator=separator)
    return target.getvalue()


def csv_into(
    target: BinaryIO,
    columns: Sequence[str],
    rows: Iterable[Sequence[Value]],
    *,
    separator: str = ";",
    foot: Iterable[Sequence[Value]] = (),
) -> None:
    """Write the table as ``write_csv`` gives it, a row at a time; the foot after a blank line."""
    text = io.TextIOWrapper(target, "utf-8-sig", errors="replace", newline="", write_through=True)
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerow([_csv_text(column) for column in columns])
    writer.writerows([_csv_text(value) for value in row] for row in rows)
    for number, row in enumerate(foot):
        if not number:
            writer.writerow([])
        writer.writerow([_csv_text(value) for value in row])
    text.detach()


def write_xlsx(
    columns: Sequence[str],
    rows: Iterable[Sequence[Value]],
    title: str = "Datos",
    *,
    about: Iterable[tuple[str, Value]] = (),
    max_rows: int = MAX_SHEET_ROWS,
) -> bytes:
    """Return the table as an XLSX workbook, with further sheets where one is full.

    Text is stored as text whatever it begins with; numbers and dates are numbers and dates.
    `about`: what the table is of, for whoever gets it without the screen that it comes from, on a
    sheet of its own; read once the rows are written, so that it may tell their sums.
    """
    target = io.BytesIO()
    tables = [Table(title, columns, rows)]
    if about:
        tables.append(Table("Acerca de", ABOUT, about))
    xlsx_into(target, tables, max_rows=max_rows)
    return target.getvalue()


def write_book(tables: Iterable[Table]) -> bytes:
    """Return the tables as one XLSX workbook, each on a sheet (or more) of its own, as
    ``write_xlsx`` writes one.
    """
    target = io.BytesIO()
    xlsx_into(target, tables)
    return target.getvalue()


def separator_name(separator: str) -> str:
    """Return a separator in Spanish: "punto y coma"."""
    return _SEPARATOR_NAMES[separator]


def _decoded(data: bytes) -> tuple[str, str]:
    _refuse_other_types(data)
    try:
        if data.startswith(b"\xef\xbb\xbf"):
            text, encoding = data.decode("utf-8-sig"), "UTF-8 con BOM"
        else:
            text, encoding = data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        text, encoding = _from_cp1252(data), "Windows-1252"
    if not text.strip("\ufeff \t\r\n;,"):
        raise SpreadsheetError(EMPTY)
    control = _CONTROLS.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise SpreadsheetError(
            f"El archivo no es texto: la línea {line} tiene un carácter de control "
            f"(U+{ord(control[0]):04X}). {_HOW_TO}"
        )
    return text, encoding


def _refuse_other_types(data: bytes) -> None:
    for magic, name in _MAGIC:
        if data.startswith(magic):
            how_to = _HOW_TO_WITHOUT_TABLE if name in _WITHOUT_TABLE else _HOW_TO
            raise SpreadsheetError(f"El archivo no es un CSV, sino {name}. {how_to}")
    if _MARKUP.match(data):
        raise SpreadsheetError(f"El archivo no es un CSV, sino una página web. {_HOW_TO}")


def _from_cp1252(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise SpreadsheetError(
            f"El archivo no es texto en UTF-8 ni en Windows-1252. {_HOW_TO}"
        ) from error


def _separator_of(text: str) -> str:
    """The separator that is most frequent in the header, outside of quotes."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", header)
    return max(_SEPARATORS, key=bare.count)


def _separator_of_most(text: str) -> str:
    """The separator of a text that may have titles on top: a comma only where the others are
    rare, since it also parts decimals.
    """
    lines = [re.sub(r'"[^"]*"', "", line) for line in text.splitlines()]
    counted = {one: sum(one in line for line in lines) for one in _SEPARATORS}
    commas = counted.pop(",")
    best = max(counted, key=counted.__getitem__)
    return best if counted[best] * 2 > commas else ","


def _numbered_lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number = 0
    try:
        for number, line in enumerate(reader, start=1):
            cells = [unguarded(cell.strip(" \u00a0")) for cell in line]
            if any(cells):
                yield number, cells
    except csv.Error as error:
        raise SpreadsheetError(
            f"La fila {number + 1} no se puede leer: revise que sus comillas estén cerradas y "
            "que ninguna celda sea demasiado larga."
        ) from error


def _header(lines: Iterator[tuple[int, list[str]]]) -> tuple[str, ...]:
    number, cells = next(lines, (1, []))
    if not cells:
        raise SpreadsheetError(EMPTY)
    while cells and not cells[-1]:
        cells.pop()
    for position, name in enumerate(cells, start=1):
        _check_heading(number, position, name)
    keys = [column_key(name) for name in cells]
    repeated = next((name for name in cells if keys.count(column_key(name)) > 1), None)
    if repeated:
        raise SpreadsheetError(
            f"La columna {quoted(repeated)} está repetida. Deje una sola con ese título."
        )
    return tuple(cells)


def _check_heading(number: int, position: int, name: str) -> None:
    where = f"La columna {position} de la fila {number}"
    try:
        if not clean_text(name):
            raise SpreadsheetError(f"{where} no tiene título. Escríbalo o borre la columna.")
    except TextError as error:
        raise SpreadsheetError(f"{where}: {error}") from error


def _cells(number: int, line: list[str], keys: list[str]) -> dict[str, str]:
    if any(line[len(keys) :]):
        raise SpreadsheetError(
            f"La fila {number} tiene {len(line)} celdas y el encabezado {len(keys)}. Si una celda "
            "contiene el separador, escríbala entre comillas."
        )
    cells = dict.fromkeys(keys, "")
    cells.update(zip(keys, line, strict=False))
    return cells


def unguarded(text: str) -> str:
    """Return a cell without the apostrophe that keeps it from running as a formula."""
    return text[1:] if text.startswith("'") and runs_as_formula(text) else text


def _csv_text(value: Value) -> str:
    if isinstance(value, str):
        text = value.replace("\x00", "�")
        return f"'{text}" if runs_as_formula(text) else text
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Sí" if value else "No"
    if isinstance(value, Decimal):
        return f"{value:f}".replace(".", ",")
    if isinstance(value, datetime):
        return f"{write_date(value.astimezone(BOGOTA))} {write_time(value)}"
    return write_date(value) if isinstance(value, date) else str(value)
