"""Writing workbooks (XLSX) of any length, a row at a time: nothing of the table stays in memory.

The parts of a workbook are written straight into the file. 100,000 rows of 13 columns take a
tenth of the time that openpyxl's write-only mode takes, so that a list can be given at once.
"""

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, islice
from typing import IO, BinaryIO
from xml.sax.saxutils import escape

from office.dates import BOGOTA

Value = str | int | Decimal | date | datetime | bool | None
# The styles of cells, in the order of the style sheet below; 0 is that of an empty cell.
TEXT, DAY, MOMENT, GUARDED, HEADING, WHOLE, DECIMAL = range(1, 8)

MAX_SHEET_ROWS = 1_048_576  # where a spreadsheet ends
MAX_CELL = 32_767
# A spreadsheet keeps 15 digits of a number: longer ones are written as text, whole.
MAX_DIGITS = 15
_WIDTHS = (10, 42)
_DAY_WIDTH, _MOMENT_WIDTH = 12, 18
# Rows wait here until it is known how wide their columns are: beyond this, on disk.
_IN_MEMORY = 64 * 1024
_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - the day 0 of spreadsheets, which know no zones
_FIRST = date(1900, 3, 1)  # before it spreadsheets count a day that never was
_DAY_SECONDS = 86_400

FORMULA = re.compile(r"'*[ \u00a0]*[=+\-@\t\r\n]")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# A spreadsheet reads "_x0041_" as the letter A.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_SHEET_SIGNS = re.compile(r"[\\*?:/\[\]\x00-\x1f]")

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_STYLES = f"""{_XML}<styleSheet xmlns="{_MAIN}"><numFmts count="2">\
<numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>\
<numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="8"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" \
applyAlignment="1"><alignment vertical="center" wrapText="1"/></xf>\
<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>\
</styleSheet>"""


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet to be written: its title, its headings and its rows, read once."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Value]]


def xlsx_into(
    target: BinaryIO, tables: Iterable[Table], *, max_rows: int = MAX_SHEET_ROWS
) -> None:
    """Write the tables as the sheets of a workbook, one that is full goes on in further sheets.

    Text is text whatever it begins with; numbers and dates are numbers and dates.
    """
    titles: list[str] = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as book:
        for table in tables:
            for number, rows in enumerate(_chunks(table.rows, max_rows - 1), start=1):
                titles.append(_sheet_title(table.title, number, titles))
                with book.open(f"xl/worksheets/sheet{len(titles)}.xml", "w") as part:
                    _sheet_into(part, table.columns, rows)
        for name, text in _shell(titles):
            book.writestr(name, text)


def runs_as_formula(text: str) -> bool:
    """Whether a spreadsheet would run a text as a formula."""
    return FORMULA.match(text) is not None


def keeps_digits(value: int | Decimal) -> bool:
    """Whether a spreadsheet keeps all the digits of a number."""
    if isinstance(value, int):
        return abs(value) < 10**MAX_DIGITS
    return value.is_finite() and len(value.as_tuple().digits) <= MAX_DIGITS


def _chunks(rows: Iterable[Sequence[Value]], size: int) -> Iterator[Iterator[Sequence[Value]]]:
    """The rows by sheets, each read to its end before the next; one empty sheet without rows."""
    source = iter(rows)
    yield islice(source, size)
    for first in source:
        yield chain([first], islice(source, size - 1))


def _sheet_into(part: IO[bytes], columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """Write a sheet; the widths of its columns stand before the rows that tell them."""
    widths = [_heading_width(column) for column in columns]
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as body:
        for text in _body(columns, rows, widths):
            body.write(text.encode())
        part.write(_head(widths).encode())
        body.seek(0)
        shutil.copyfileobj(body, part)
    part.write(b"</sheetData></worksheet>")


def _head(widths: Sequence[int]) -> str:
    shown = "".join(
        f'<col min="{place}" max="{place}" width="{min(width, _WIDTHS[1])}" customWidth="1"/>'
        for place, width in enumerate(widths, start=1)
    )
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        f"</sheetView></sheetViews><cols>{shown}</cols><sheetData>"
    )


def _body(
    columns: Sequence[str], rows: Iterable[Sequence[Value]], widths: list[int]
) -> Iterator[str]:
    """The rows of a sheet; `widths` grow with what stands in their columns."""
    letters = [_letters(place) for place in range(len(columns))]
    titled = zip(letters, columns, strict=True)
    heads = [_text(f"{letter}1", column, HEADING) for letter, column in titled]
    yield f'<row r="1">{"".join(heads)}</row>'
    for number, row in enumerate(rows, start=2):
        placed = zip(letters, row, strict=True)
        cells = [_cell(f"{letter}{number}", value) for letter, value in placed]
        widths[:] = map(max, widths, map(_wide, row))
        yield f'<row r="{number}">{"".join(cells)}</row>'


def _cell(place: str, value: Value) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        value = "Sí" if value else "No"
    if isinstance(value, str):
        return _text(place, value, GUARDED if runs_as_formula(value) else TEXT)
    if isinstance(value, date):
        return _date(place, value)
    return _number(place, value)


def _text(place: str, value: str, style: int) -> str:
    plain = _ESCAPE.sub("_x005F_", _UNWRITABLE.sub("�", value[:MAX_CELL]))
    text = escape(plain, {"\r": "&#13;"})
    return (
        f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    )


def _date(place: str, value: date) -> str:
    moment = value.astimezone(BOGOTA) if isinstance(value, datetime) else None
    if (moment or value).year < _FIRST.year + 1:
        return _text(place, value.isoformat(), TEXT)
    if moment is None:
        return f'<c r="{place}" s="{DAY}"><v>{value.toordinal() - _ZERO.toordinal()}</v></c>'
    since = moment.replace(tzinfo=None) - _ZERO
    return f'<c r="{place}" s="{MOMENT}"><v>{_days(since)}</v></c>'


def _days(since: timedelta) -> str:
    """Days and their part, exact to the second."""
    part = Decimal(since.seconds) / _DAY_SECONDS
    return f"{since.days + part:.9f}".rstrip("0").rstrip(".")


def _number(place: str, value: int | Decimal) -> str:
    figures = str(value) if isinstance(value, int) else f"{value:f}"
    if not keeps_digits(value):
        return _text(place, figures.replace(".", ","), TEXT)
    return (
        f'<c r="{place}" s="{WHOLE if isinstance(value, int) else DECIMAL}"><v>{figures}</v></c>'
    )


def _shell(titles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What makes a workbook of the sheets."""
    numbers = range(1, len(titles) + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for n in numbers
    )
    yield (
        "[Content_Types].xml",
        (
            f'{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>'
            f"{parts}</Types>"
        ),
    )
    yield "_rels/.rels", _relations([("rId1", "officeDocument", "xl/workbook.xml")])
    sheets = "".join(
        f'<sheet name="{escape(title, {chr(34): "&quot;"})}" sheetId="{n}" r:id="rId{n}"/>'
        for n, title in zip(numbers, titles, strict=True)
    )
    yield (
        "xl/workbook.xml",
        (
            f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
            f"<sheets>{sheets}</sheets></workbook>"
        ),
    )
    targets = [(f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in numbers]
    styles = (f"rId{len(titles) + 1}", "styles", "styles.xml")
    yield "xl/_rels/workbook.xml.rels", _relations([*targets, styles])
    yield "xl/styles.xml", _STYLES


def _relations(targets: Iterable[tuple[str, str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for name, kind, target in targets
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def _sheet_title(title: str, number: int, taken: Sequence[str]) -> str:
    plain = _SHEET_SIGNS.sub(" ", title).strip("' ")[:25] or "Datos"
    if number == 1 and plain not in taken:
        return plain
    return f"{plain} {max(number, 2)}"


def _heading_width(column: str) -> int:
    least, most = _WIDTHS
    return min(max(len(column) + 2, least), most)


def _wide(value: Value) -> int:
    """The signs that a cell needs: a number or a date that has no room is shown as «####»."""
    if value is None:
        return 0
    if isinstance(value, datetime):
        return _MOMENT_WIDTH
    if isinstance(value, date):
        return _DAY_WIDTH
    if isinstance(value, Decimal):
        return len(f"{value:,.2f}") + 2
    return len(f"{value:,}") + 2 if isinstance(value, int) else len(value) + 2


def _letters(place: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
