"""From the bytes of a file to rows of values, with every fault of every row by its column."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from offerings.services.imports.cells import UNREADABLE
from offerings.services.imports.columns import (
    COLUMNS,
    ERRORS_COLUMN,
    HEADINGS,
    Column,
    is_known,
)
from office.identities import Identity, IdentityError, identity_from_cell
from office.numbers import write_quantity
from office.spreadsheets import Row, Sheet, SpreadsheetError, read_csv, require_columns
from office.text import TextError, clean_text, quoted

MAX_MEGABYTES = 20
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
# What the page of a refused file shows of each row, beside the faults of its other columns.
SHOWN = (
    "tipo_documento", "numero_documento", "nombre", "clase", "cantidad", "patrimonio_bruto",
    "recibida",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a cell and how to write it; `column` "" for the whole row or file."""

    column: str
    message: str


@dataclass(slots=True)
class RowGiven:
    """A row as it was understood: values by column, None where blank or not to be read."""

    number: int
    cells: dict[str, str]
    values: dict[str, Any] = field(default_factory=dict)
    identity: Identity | None = None
    faults: list[Fault] = field(default_factory=list)

    def fault(self, column: str, message: str) -> None:
        """Note a fault, the first of its column: the others often follow from it."""
        if column not in {fault.column for fault in self.faults}:
            self.faults.append(Fault(column, message))

    def as_data(self) -> dict[str, Any]:
        """The row's faults as they are stored, with what the page shows of the row."""
        return {
            "row": self.number,
            "cells": {name: shown(self.cells.get(name, "")) for name in SHOWN},
            "faults": [
                {
                    "column": fault.column,
                    "value": shown(self.cells.get(fault.column, "")),
                    "message": fault.message,
                }
                for fault in self.faults
            ],
        }


def shown(cell: str) -> str:
    """A cell as it can stand on a page: cut, and without what cannot be seen."""
    return quoted(cell).removeprefix("«").removesuffix("»")


def sheet_read(data: bytes) -> Sheet:
    """The table in the file, with the columns that it must have and no other.

    Raises SpreadsheetError: what is wrong with the file as a whole.
    """
    sheet = read_csv(data, max_bytes=MAX_BYTES)
    require_columns(sheet, HEADINGS)
    unknown = [heading for heading in sheet.columns if not is_known(heading)]
    if unknown:
        which = ", ".join(quoted(heading) for heading in unknown)
        raise SpreadsheetError(
            f"No se conoce la columna {which}. Use los títulos del modelo, o borre esa columna."
        )
    return sheet


def sheet_words(sheet: Sheet) -> str:
    """How the file was understood, for the page."""
    count = len([heading for heading in sheet.columns if heading != ERRORS_COLUMN])
    return (
        f"{sheet.encoding}, separado por {sheet.separator_name}, {write_quantity(count)} columnas"
    )


def rows_read(sheet: Sheet) -> Iterator[RowGiven]:
    """Each row with its values and the faults that its cells show by themselves."""
    for row in sheet.rows:
        yield _row_read(row)


def _row_read(row: Row) -> RowGiven:
    given = RowGiven(row.number, dict(row.cells))
    for column in COLUMNS:
        given.values[column.name] = _value(given, column)
    given.identity = _identity(given, "tipo_documento", "numero_documento")
    if given.values["cantidad"] == 0:
        given.fault("cantidad", "La cantidad solicitada debe ser mayor que cero.")
    return given


def _value(given: RowGiven, column: Column) -> Any:
    try:
        cell = clean_text(given.cells.get(column.name, ""))
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
