"""A file of the index understood: which of three layouts it has, its base, the value of each
month with the cell where it stands, and all that is wrong in it.

- the statistics office's annex: titles, then months as rows and years as columns, blanks for the
  months to come, notes at the foot;
- the central bank's long form: titles, then a date and an index in each row, and maybe variations
  beside it;
- year, month and index in each row.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from offerings.enums import CpiLayout
from offerings.services.cpi.grids import (
    CellError,
    Grid,
    filled,
    has_dot_decimals,
    is_blank,
    number_read,
    rounded,
)
from offerings.services.cpi.months import bases_named, month_named, month_read, year_named
from office.dates import MONTHS, write_month
from office.text import fold, quoted

MonthOf = Callable[[list[str]], date | None]
Line = tuple[int, list[str]]

# Under the headings no more lines than these may stand before the figures.
LATEST_HEADING = 40
PROBLEMS_TOLD = 10
_YEAR_HEADINGS = {"year", "ano", "anio"}
_MONTH_HEADINGS = {"month", "mes"}
_VALUE_WORDS = ("indice", "index", "ipc", "valor")
_RATE_WORDS = ("variacion", "inflacion", "tasa", "%", "porcentual", "porcentaje")
# The name of the index itself says nothing of what a table holds.
_ITS_NAME = ("indice de precios al consumidor", "indices de precios al consumidor")
NOT_A_SERIES = (
    "No se reconoció una serie del IPC. Se leen tres formas: el anexo del DANE (los meses en "
    "filas y los años en columnas), la serie del Banco de la República (una fecha y un índice en "
    "cada fila) y una tabla con los títulos año, mes e índice."
)
RATES_TITLE = (
    "El título dice que son variaciones ({title}), no índices: cargue la serie de números índice."
)


@dataclass(frozen=True)
class CellOfMonth:
    """A cell of the series: its month, what it holds, where it stands."""

    month: date
    text: str
    at: str


@dataclass
class Understood:
    """What a file says. `bases`: the months that its titles say are 100."""

    layout: CpiLayout
    read_as: str
    bases: set[date]
    values: dict[date, Decimal] = field(default_factory=dict)
    places: dict[date, str] = field(default_factory=dict)
    rounded: set[date] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    def fault(self, message: str) -> None:
        if len(self.problems) < PROBLEMS_TOLD:
            self.problems.append(message)


@dataclass(frozen=True)
class Found:
    """A layout in a grid: the lines of titles above it, the cells of its series."""

    layout: CpiLayout
    titles: list[str]
    cells: list[CellOfMonth]
    # The heading of the column of values alone, where the layout has one.
    heading: str = ""
    # Why the series seems to go on after its end, "" where it does not.
    broken: str = ""


def series_read(grids: list[Grid]) -> Understood | None:
    """What the first of the grids that holds a series says; None where none does."""
    for grid in grids:
        found = _annex(grid) or _parts(grid) or _series(grid)
        if found is not None:
            return _understood(grid, found)
    return None


def _understood(grid: Grid, found: Found) -> Understood:
    bases = {base for title in found.titles for base in bases_named(title)}
    given = Understood(found.layout, grid.read_as, bases)
    rates = _title_of_rates(found)
    if rates:
        given.fault(RATES_TITLE.format(title=quoted(rates)))
        return given
    if found.broken:
        given.fault(found.broken)
    try:
        dot_decimals = has_dot_decimals(cell.text for cell in found.cells)
    except CellError as error:
        given.fault(str(error))
        return given
    for cell in found.cells:
        _take(given, cell, dot_decimals=dot_decimals)
    return given


def _take(given: Understood, cell: CellOfMonth, *, dot_decimals: bool) -> None:
    try:
        exact = number_read(cell.text, dot_decimals=dot_decimals)
    except CellError as error:
        given.fault(f"{cell.at}, {write_month(cell.month)}: {error}")
        return
    value = rounded(exact)
    if given.values.get(cell.month, value) != value:
        given.fault(
            f"{cell.at}: {write_month(cell.month)} está dos veces, con valores distintos "
            f"(también en {given.places[cell.month]})."
        )
        return
    if value != exact:
        given.rounded.add(cell.month)
    given.values.setdefault(cell.month, value)
    given.places.setdefault(cell.month, cell.at)


def _title_of_rates(found: Found) -> str:
    """The title that says that the figures are rates; "" where none does."""
    if _says_rates(found.heading):
        return found.heading
    if any(_says_index(title) for title in (found.heading, *found.titles)):
        return ""
    return next((title for title in found.titles if _says_rates(title)), "")


def _says_rates(title: str) -> bool:
    return any(word in fold(title) for word in _RATE_WORDS)


def _says_index(title: str) -> bool:
    word = fold(title)
    for name in _ITS_NAME:
        word = word.replace(name, "")
    return "indice" in word


# --- months as rows, years as columns ---


def _annex(grid: Grid) -> Found | None:
    for place, (_, cells) in enumerate(grid.lines[:LATEST_HEADING]):
        years = {column: year_named(cell) for column, cell in filled(cells)}
        columns = {column: year for column, year in years.items() if year is not None}
        if not columns or len(years) - len(columns) > 1:
            continue
        rows = list(_rows_of_months(grid, place, min(columns) - 1))
        if rows:
            found = [
                cell for month, line in rows for cell in _of_a_month(grid, month, line, columns)
            ]
            titles = _titles(grid, place)
            return Found(CpiLayout.ANNEX, titles, found, broken=_annex_broken(rows))
    return None


def _rows_of_months(grid: Grid, head: int, label: int) -> Iterator[tuple[int, Line]]:
    """The lines from the first month to the last; what comes after is notes."""
    for line in grid.lines[head + 1 :]:
        cells = line[1]
        month = month_named(cells[label]) if 0 <= label < len(cells) else None
        if month is None:
            return
        yield month, line


def _of_a_month(
    grid: Grid, month: int, line: Line, columns: dict[int, int]
) -> Iterator[CellOfMonth]:
    number, cells = line
    for column, year in columns.items():
        text = cells[column] if column < len(cells) else ""
        if not is_blank(text):
            yield CellOfMonth(date(year, month, 1), text, grid.cell_name(number, column))


def _annex_broken(rows: list[tuple[int, Line]]) -> str:
    """Whether it lacks the line of a month: a name that was not understood would cut it short."""
    if [month for month, _ in rows] == list(range(1, len(MONTHS) + 1)):
        return ""
    last = rows[-1][1][0]
    return (
        "La tabla debe tener las doce filas de enero a diciembre, en orden y sin otras en medio: "
        f"se entendieron {len(rows)}, hasta la fila {last}."
    )


# --- a month and an index in each row ---


def _parts(grid: Grid) -> Found | None:
    for place, (_, cells) in enumerate(grid.lines[:LATEST_HEADING]):
        words = [fold(cell) for cell in cells]
        year = _place_of(words, _YEAR_HEADINGS)
        month = _place_of(words, _MONTH_HEADINGS)
        value = _value_column(words)
        if year is None or month is None or value is None:
            continue

        def named(line: list[str], year: int = year, month: int = month) -> date | None:
            if len(line) <= max(year, month):
                return None
            known_year, known_month = year_named(line[year]), month_named(line[month])
            return date(known_year, known_month, 1) if known_year and known_month else None

        head = place + 1
        rows, broken = _run(grid, head, named)
        titles = _titles(grid, place)
        found = list(_values(grid, rows, value))
        return Found(CpiLayout.PARTS, titles, found, cells[value], broken)
    return None


def _place_of(words: list[str], names: set[str]) -> int | None:
    return next((place for place, word in enumerate(words) if word in names), None)


def _value_column(words: list[str]) -> int | None:
    """The column whose heading says that it holds the index, and not a variation."""
    named = [place for place, word in enumerate(words) if any(n in word for n in _VALUE_WORDS)]
    plain = [place for place in named if not _says_rates(words[place])]
    return next(iter(plain or named), None)


def _series(grid: Grid) -> Found | None:
    when = _column_of_dates(grid)
    if when is None:
        return None

    def named(line: list[str]) -> date | None:
        return month_read(line[when]) if when < len(line) else None

    first = _first_of_longest_run(grid, named)
    others = [place for place, _ in filled(grid.lines[first][1]) if place != when]
    value, heading = _column_of_index(grid, first, others)
    if value is None:
        return None
    rows, broken = _run(grid, first, named)
    titles, found = _titles(grid, first - 1), list(_values(grid, rows, value))
    return Found(CpiLayout.SERIES, titles, found, heading, broken)


def _column_of_dates(grid: Grid) -> int | None:
    """The column with the most months in it."""
    counted = Counter(
        place for _, cells in grid.lines for place, cell in filled(cells) if month_read(cell)
    )
    return counted.most_common(1)[0][0] if counted else None


def _first_of_longest_run(grid: Grid, named: MonthOf) -> int:
    """Where the most lines with a month follow each other: a date in a title stands alone."""
    best, best_length, start = 0, 0, 0
    for place, (_, cells) in enumerate(grid.lines):
        if named(cells) is None:
            start = place + 1
        elif place + 1 - start > best_length:
            best, best_length = start, place + 1 - start
    return best


def _column_of_index(grid: Grid, first: int, others: list[int]) -> tuple[int | None, str]:
    """The column of the index and its heading, by the line over the first date: the only one, or
    the one whose heading says so.
    """
    heads = grid.lines[first - 1][1] if first else []
    words = [heads[place] if place < len(heads) else "" for place in others]
    if len(others) == 1:
        return others[0], words[0]
    chosen = _value_column([fold(word) for word in words])
    return (others[chosen], words[chosen]) if chosen is not None else (None, "")


def _run(grid: Grid, first: int, named: MonthOf) -> tuple[list[tuple[date, Line]], str]:
    """The lines with a month from `first` on, and what is wrong where others follow after some
    that have none: what is not understood in the middle is not left out in silence.
    """
    rows: list[tuple[date, Line]] = []
    stray = 0
    for number, cells in grid.lines[first:]:
        month = named(cells)
        if month is None:
            stray = stray or number
        elif stray:
            return (
                rows,
                f"La fila {stray} no tiene un mes que se entienda, y después siguen otros.",
            )
        else:
            rows.append((month, (number, cells)))
    return rows, ""


def _values(grid: Grid, rows: list[tuple[date, Line]], value: int) -> Iterator[CellOfMonth]:
    for month, (number, cells) in rows:
        if value < len(cells) and not is_blank(cells[value]):
            yield CellOfMonth(month, cells[value], grid.cell_name(number, value))


def _titles(grid: Grid, head: int) -> list[str]:
    """What stands over the figures, the line of the headings with it."""
    return [cell for _, cells in grid.lines[: head + 1] for _, cell in filled(cells)]
