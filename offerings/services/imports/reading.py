"""From the bytes of a file to rows of values, with every fault of every row by its column."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from offerings.services.imports.cells import UNREADABLE, CellError
from offerings.services.imports.columns import (
    BY_NAME,
    COLUMNS,
    ERRORS_COLUMN,
    Column,
    Columns,
    headings_of,
    is_known,
    names_missing,
)
from offerings.services.imports.understood import understood_words
from office.identities import Identity, IdentityError, identity_from_cell
from office.numbers import write_quantity
from office.spreadsheets import Row, Sheet, SpreadsheetError, column_key, read_csv, require_columns
from office.text import TextError, clean_text, quoted
from office.workbooks import MAGIC, MAX_ROWS, read_xlsx

MAX_MEGABYTES = 20
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
SAMPLES = 3  # cells shown under each heading
ERROR, WARNING = "error", "warning"
# How a workbook's number that lost digits comes out (office.workbooks).
_LOST = re.compile(r"-?[0-9]\.[0-9]{15}E\+[0-9]+")
TYPED = "typed"  # among what is stored of the cells: those that were understood otherwise
# What the pages show of each row, beside the messages of its other columns.
SHOWN = (
    "tipo_documento", "numero_documento", "nombre", "clase", "cantidad", "patrimonio_bruto",
    "recibida",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a cell and how to write it; `column` "" for the whole row or file."""

    column: str
    message: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a row says of a known buyer, and what is known instead, both as they are shown."""

    column: str
    given: str
    known: str


@dataclass(slots=True)
class RowGiven:
    """A row as it was understood: values by column, None where blank or not to be read.

    Where it differs from the register its value gives way to the known one, so that the row can
    go on with that; `differences` says what was given. `registered` is the code of the
    acceptance that the same row of another file has made; `understood` holds what the pages show
    of the values as they were read, before any gave way.
    """

    number: int
    cells: dict[str, str]
    values: dict[str, Any] = field(default_factory=dict)
    identity: Identity | None = None
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    registered: str = ""
    understood: dict[str, str] = field(default_factory=dict)

    def fault(self, column: str, message: str) -> None:
        """Note a fault, the first of its column: the others often follow from it."""
        if column not in {fault.column for fault in self.faults}:
            self.faults.append(Fault(column, message))

    def warn(self, column: str, message: str) -> None:
        """Note what does not keep the row out but should be seen."""
        self.warnings.append(Fault(column, message))

    def differ(self, column: str, known: str) -> None:
        """Note that the register says something else than the row, once a column."""
        if column not in {one.column for one in self.differences}:
            given = shown(self.cells.get(column, ""))
            self.differences.append(Difference(column, given, shown(known)))

    def messages(self) -> list[dict[str, str]]:
        """Its faults and warnings as they are stored."""
        levels = ((ERROR, self.faults), (WARNING, self.warnings))
        return [
            {
                "column": one.column,
                "value": shown(self.cells.get(one.column, "")),
                "message": one.message,
                "level": level,
            }
            for level, given in levels
            for one in given
        ]


def shown(cell: str) -> str:
    """A cell as it can stand on a page: cut, and without what cannot be seen."""
    return quoted(cell).removeprefix("«").removesuffix("»")


def sheet_read(data: bytes, columns: Columns = BY_NAME) -> Sheet:
    """The table in the file, a CSV or a workbook, with the headings that it happens to have.

    Raises SpreadsheetError: what is wrong with the file as a whole.
    """
    if data.startswith(MAGIC):
        return read_xlsx(data, headings_of(columns), max_bytes=MAX_BYTES)
    sheet = read_csv(data, max_bytes=MAX_BYTES)
    if len(sheet.rows) > MAX_ROWS:
        raise SpreadsheetError(
            f"El archivo tiene más de {write_quantity(MAX_ROWS)} filas. Divídalo en varios."
        )
    return sheet


def columns_match(
    sheet: Sheet, mapping: Mapping[str, str], columns: Columns = BY_NAME
) -> dict[str, str] | None:
    """The column that each heading stands for, by its key, "" for none: as the user said, or by
    its own name. None where the user has to say.

    Raises SpreadsheetError where a column is missing and no heading is left to stand for it.
    """
    keys = [column_key(heading) for heading in sheet.columns]
    if any(key not in mapping and not is_known(key, columns) for key in keys):
        return None
    matched = {key: mapping.get(key, key) for key in keys}
    if names_missing(matched.values(), columns) and not mapping:
        require_columns(sheet, headings_of(columns))
    return matched


def headings_seen(sheet: Sheet) -> list[dict[str, Any]]:
    """The headings of the file with what stands under them, for the page that asks."""
    return [
        {
            "heading": shown(heading),
            "key": column_key(heading),
            "samples": [shown(row.cells[column_key(heading)]) for row in sheet.rows[:SAMPLES]],
        }
        for heading in sheet.columns
    ]


def sheet_words(sheet: Sheet) -> str:
    """How the file was understood, for the page."""
    count = len([heading for heading in sheet.columns if heading != ERRORS_COLUMN])
    columns = f"{write_quantity(count)} columnas"
    if sheet.name:
        return f"libro de Excel, hoja {quoted(sheet.name)}, {columns}"
    return f"{sheet.encoding}, separado por {sheet.separator_name}, {columns}"


def rows_read(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[RowGiven]:
    """Each row with its values and the faults that its cells show by themselves."""
    for row in sheet.rows:
        yield _row_read(row, columns)


def _row_read(row: Row, columns: Mapping[str, str]) -> RowGiven:
    cells = {columns[key]: cell for key, cell in row.cells.items() if columns[key]}
    given = RowGiven(row.number, cells)
    for column in COLUMNS:
        given.values[column.name] = value_read(given, column)
    given.identity = _identity(given, "tipo_documento", "numero_documento")
    given.understood = understood_words(given.values, given.identity)
    if given.values["cantidad"] == 0:
        given.fault("cantidad", "La cantidad solicitada debe ser mayor que cero.")
    return given


def value_read(given: RowGiven, column: Column) -> Any:
    """The value of a cell, None where it is blank or cannot be read: then its fault is noted."""
    try:
        cell = clean_text(given.cells.get(column.name, ""))
        if _LOST.fullmatch(cell):
            raise CellError(
                f"{quoted(cell)} perdió cifras en la hoja de cálculo. Dé a la columna formato de "
                "texto y escriba de nuevo el número."
            )
        if cell:
            return column.read(cell)
    except UNREADABLE as error:
        given.fault(column.name, str(error))
        return None
    if column.required:
        given.fault(column.name, f"Falta este dato. {column.holds}")
    return None


def _identity(given: RowGiven, type_column: str, number_column: str) -> Identity | None:
    kind, number = given.values[type_column], given.values[number_column]
    if kind is None or number is None:
        return None
    try:
        return identity_from_cell(kind.value, number)
    except (IdentityError, TextError) as error:
        given.fault(number_column, str(error))
        return None


def representative_identity(given: RowGiven) -> Identity | None:
    """The representative's identity, None where the row gives none or it cannot be read."""
    return _identity(given, "representante_tipo", "representante_documento")


def owner_identity(given: RowGiven) -> Identity | None:
    """The beneficial owner's identity, None where the row gives none or it cannot be read."""
    return _identity(given, "beneficiario_tipo", "beneficiario_documento")
