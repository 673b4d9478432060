"""The bytes of a file of the index as tables of cells, and the numbers in them, exact."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from office.spreadsheets import csv_lines, separator_name
from office.text import quoted
from office.workbooks import MAGIC, xlsx_lines

MAX_MEGABYTES = 5
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
PLACES = Decimal("0.000001")
LONGEST = 24
TOO_LARGE = 10**6

_WHOLE = r"[-\u2212]?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)"
_WITH_COMMA = re.compile(rf"{_WHOLE}(?:,[0-9]+)?")
_WITH_DOT = re.compile(r"[-\u2212]?[0-9]+(?:\.[0-9]+)?")
_DOT_DECIMALS = re.compile(r"[-\u2212]?[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})")
_DOT_OF_THREE = re.compile(r"[-\u2212]?[1-9][0-9]{0,2}\.[0-9]{3}")
BLANKS = {"", "-", "–", "—", "…", "...", "nd", "n.d.", "n.d"}


@dataclass(frozen=True)
class Grid:
    """A table of cells; `name` is the sheet's, "" in a CSV; `read_as` says how it was read."""

    name: str
    lines: list[tuple[int, list[str]]]
    read_as: str

    def cell_name(self, number: int, place: int) -> str:
        """How a spreadsheet names a cell: "C12"; in a CSV its row."""
        return f"{column_letters(place)}{number}" if self.name else f"fila {number}"


class CellError(ValueError):
    """A cell that is no number; its message is Spanish."""


def grids_of(data: bytes) -> list[Grid]:
    """The tables in a file. Raises office's SpreadsheetError for what cannot be read."""
    if data.startswith(MAGIC):
        sheets = xlsx_lines(data, max_bytes=MAX_BYTES)
        return [
            Grid(name, lines, f"libro de Excel, hoja {quoted(name)}") for name, lines in sheets
        ]
    encoding, separator, lines = csv_lines(data, max_bytes=MAX_BYTES)
    read_as = f"{encoding}, separado por {separator_name(separator)}"
    return [Grid("", list(lines), read_as)]


def has_dot_decimals(cells: Iterable[str]) -> bool:
    """Whether the numbers of a file have a dot for their decimals, which is told from all of them
    together: no comma anywhere, and a dot that groups no thousands somewhere.

    Raises CellError where all of them could be read both ways.
    """
    numbers = [cell for cell in cells if "." in cell or "," in cell]
    if any("," in cell for cell in numbers):
        return False
    if any(_DOT_DECIMALS.fullmatch(cell) for cell in numbers):
        return True
    doubtful = next((cell for cell in numbers if _DOT_OF_THREE.fullmatch(cell)), None)
    if doubtful:
        raise CellError(
            f"{quoted(doubtful)} puede leerse de dos maneras, y ningún otro valor del archivo "
            "dice cuál es: escriba los decimales con coma."
        )
    return False


def number_read(cell: str, *, dot_decimals: bool) -> Decimal:
    """The number in a cell, all the digits that are written."""
    if "%" in cell:
        raise CellError(f"{quoted(cell)} es un porcentaje, no un índice.")
    pattern = _WITH_DOT if dot_decimals else _WITH_COMMA
    if len(cell) > LONGEST or not pattern.fullmatch(cell):
        raise CellError(f"{quoted(cell)} no es un número con decimales escritos con coma.")
    plain = cell if dot_decimals else cell.replace(".", "").replace(",", ".")
    value = Decimal(plain.replace("\u2212", "-"))
    if value >= TOO_LARGE:
        raise CellError(f"{quoted(cell)} es demasiado grande para un índice.")
    return value


def rounded(value: Decimal) -> Decimal:
    """The number with the six decimals that are kept, half up."""
    return value.quantize(PLACES, rounding=ROUND_HALF_UP)


def column_letters(place: int) -> str:
    """The letters of a column, counted from 0."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def is_blank(cell: str) -> bool:
    return cell.casefold() in BLANKS


def filled(cells: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The cells that hold something, each with its place."""
    return ((place, cell) for place, cell in enumerate(cells) if not is_blank(cell))
