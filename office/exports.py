"""Giving a list as a file, XLSX or CSV: as it is filtered, row by row, and written down."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from django.db import transaction
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest
from django.utils import timezone

from office.dates import write_datetime
from office.decisions import decision_record
from office.lists import KINDS, ORDER, TAB, Asked, Listing, asked_of
from office.models import User
from office.numbers import write_quantity
from office.spreadsheets import ABOUT, csv_into
from office.text import fold
from office.xlsx import MAX_SHEET_ROWS, Table, Value, xlsx_into

CHUNK = 2_000
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
NO_FILTER = "ninguno"

Facts = list[tuple[str, Value]]


class Counted:
    """Rows that are counted while they are read, once."""

    def __init__(self, rows: Iterable[Sequence[Value]]) -> None:
        """Take the rows."""
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[Value]]:
        """Give them one by one."""
        for row in self._rows:
            self.count += 1
            yield row


class Summed(Counted):
    """Rows of which some columns are summed too; empty cells count for nothing."""

    def __init__(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[Value]],
        summed: Iterable[str],
    ) -> None:
        """Take the headings, the rows, and the headings of the columns to sum."""
        super().__init__(rows)
        self._places = {name: columns.index(name) for name in summed}
        self.sums: dict[str, Any] = dict.fromkeys(self._places, 0)

    def __iter__(self) -> Iterator[Sequence[Value]]:
        """Give them one by one."""
        for row in super().__iter__():
            for name, place in self._places.items():
                self.sums[name] += row[place] or 0
            yield row


@transaction.atomic
def list_export(
    request: HttpRequest, listing: Listing, rows: Any, kind: str, *, about: str = ""
) -> FileResponse:
    """The list as the address filters it, in a file whose foot says by what, by whom and when.

    `rows` are those that the person may see; `about` names what a list inside something is of.
    However many rows: one query reads them, and a file on disk takes them as they come.
    """
    user = request.user
    if kind not in KINDS or not isinstance(user, User):
        raise Http404
    asked = asked_of(listing, rows, request.GET, user)
    title = f"{listing.title} {about}".strip()
    columns = [column.heading for column in listing.columns]
    counted = Counted(_values(listing, asked.rows))
    target = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    said = _filter_words(listing, asked)

    def facts() -> Iterator[tuple[str, Value]]:
        """What the foot says; the count is known once the rows are written."""
        yield "Lista", title
        yield "Filtro", said
        yield "Exportó", str(user)
        yield "Fecha y hora de Bogotá", write_datetime(timezone.now())
        yield "Filas", counted.count

    table_into(target, kind, Table(title, columns, counted), facts())
    _record(user, listing, asked, kind, counted.count, title)
    return file_given(target, title, kind)


def table_into(
    target: BinaryIO,
    kind: str,
    table: Table,
    facts: Iterable[tuple[str, Value]] = (),
    *,
    max_rows: int = MAX_SHEET_ROWS,
) -> None:
    """Write a table and, under it or on a sheet of its own, the facts about it."""
    if kind == "csv":
        csv_into(target, table.columns, table.rows, foot=facts)
        return
    about = [Table("Acerca de la lista", ABOUT, facts)] if facts else []
    xlsx_into(target, [table, *about], max_rows=max_rows)


def file_given(target: BinaryIO, title: str, kind: str) -> FileResponse:
    """The file just written, to be saved under the title's name; no cache keeps it."""
    target.seek(0)
    name = f"{fold(title).replace(' ', '-')}.{kind}"
    response = FileResponse(target, as_attachment=True, filename=name, content_type=TYPES[kind])
    response["Cache-Control"] = "private, no-store"
    return response


def _values(listing: Listing, rows: Any) -> Iterator[list[Value]]:
    source = rows.iterator(chunk_size=CHUNK) if isinstance(rows, QuerySet) else rows
    for row in listing.each(source):
        yield [column.value(row) for column in listing.columns]


def _filter_words(listing: Listing, asked: Asked) -> str:
    """The filters and the tab in words: «Situación: completa; vista: Incompletas»."""
    words = list(asked.words.values())
    words += [f"Vista: {tab.label}" for tab in listing.tabs if tab.name == asked.said.get(TAB)]
    if ORDER in asked.said:
        words.append(f"Orden: {asked.said[ORDER]}")
    return "; ".join(words) or NO_FILTER


def _record(user: User, listing: Listing, asked: Asked, kind: str, count: int, title: str) -> None:
    """Who took what out of the house; the filter may hold a name, so it stands in the data."""
    one, many = listing.noun
    counted = f"{write_quantity(count)} {one if count == 1 else many}"
    decision_record(
        act="list_export",
        sentence=f"Exportó la lista «{title}»: {counted}, {kind.upper()}.",
        actor=user,
        subject=user,
        data={"list": listing.page, "kind": kind, "rows": count, "filter": dict(asked.said)},
    )
