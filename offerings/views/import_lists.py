"""The files of a stage, the rows of one file, and their exports."""

from collections.abc import Callable
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from offerings.enums import ImportState, RowChoice, RowOutcome
from offerings.models import AcceptanceImport, ImportRow, Stage
from offerings.selectors.imports import VIEWS, import_lines, imports_listed, imports_of
from offerings.services.imports import COLUMNS
from office.access import may
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Listing, Tab, choice_filter, shows, text_filter
from office.roles import Capability
from office.xlsx import Value

# The states of a file whose rows were read.
SEEN = (ImportState.REVIEWED, ImportState.CONFIRMED, ImportState.LOADED, ImportState.DISCARDED)

IMPORTS = Listing(
    page="imports",
    title="Importaciones",
    noun=("importación", "importaciones"),
    columns=(
        Column("Importación", lambda row: row.code),
        Column("Programa", lambda row: str(row.stage.programme)),
        Column("Etapa", lambda row: row.stage.number),
        Column("Archivo", lambda row: row.file.original_name),
        Column("SHA-256", lambda row: row.file.sha256),
        Column("La subió", lambda row: str(row.uploaded_by)),
        Column("Subida", lambda row: row.uploaded_at),
        Column("La confirmó", lambda row: str(row.confirmed_by) if row.confirmed_by else ""),
        Column("Filas", lambda row: row.rows),
        Column("Estado", AcceptanceImport.get_state_display),
    ),
    filters=(
        text_filter("Nombre del archivo", lambda rows, text: rows.filter(_named(text))),
        choice_filter("estado", "Estado", "state", ImportState.choices),
    ),
    orders={"subida": ("uploaded_at",), "filas": ("rows",)},
)


def _named(text: str) -> Q:
    return Q(file__original_name__icontains=text)


@require_GET
@may(Capability.READ)
@shows(IMPORTS)
def import_list(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The files of a stage, newest first."""
    stage = _stage(slug, number)
    context = list_context(request, IMPORTS, imports_of(stage), slug=slug, number=number)
    return render(request, "offerings/imports/list.html", context | {"stage": stage})


@require_GET
@may(Capability.READ)
def imports_export(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    rows = imports_of(_stage(slug, number))
    return list_export(request, IMPORTS, rows, kind, about=f"{slug} etapa {number}")


def _stage(slug: str, number: int) -> Stage:
    stages = Stage.objects.select_related("programme", "rules")
    return get_object_or_404(stages, programme__slug=slug, number=number)


def _cell(name: str) -> Callable[[ImportRow], Value]:
    return lambda row: str(row.cells.get(name, ""))


def _told(row: ImportRow) -> str:
    said = [f"{one['column']}: {one['message']}".removeprefix(": ") for one in row.messages]
    said += [f"{one['column']}: ya consta «{one['known']}»." for one in row.differences]
    return " | ".join(said)


def row_words(row: ImportRow) -> str:
    """What became of a row, in a word of the vocabulary of tags."""
    if row.outcome != RowOutcome.READY:
        return RowOutcome(row.outcome).label
    if row.choice == RowChoice.LEAVE_OUT:
        return "Queda fuera"
    if row.differences and not row.choice:
        return "Por decidir"
    return "Con aviso" if row.messages or row.differences else RowOutcome.READY.label


ROWS = Listing(
    page="import",
    title="Filas de la importación",
    noun=("fila", "filas"),
    columns=(
        Column("Fila", lambda row: row.number),
        *(Column(column.name, _cell(column.name)) for column in COLUMNS),
        Column("Mensajes", _told),
        Column("Estado", row_words),
    ),
    tabs=(
        Tab("errores", "Con errores", VIEWS["errores"]),
        Tab("avisos", "Con avisos", VIEWS["avisos"]),
        Tab("diferencias", "Difieren del registro", VIEWS["diferencias"], passing=True),
        Tab("registradas", "Ya registradas", VIEWS["registradas"], passing=True),
    ),
)


def rows_context(request: HttpRequest, source: AcceptanceImport) -> dict[str, Any]:
    """The rows of a file whose rows were read, those that say something first."""
    return list_context(request, ROWS, import_lines(source), pk=source.pk)


@require_GET
@may(Capability.READ)
def import_export(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """The rows of the tab that is open, as they were understood, as a file."""
    source = get_object_or_404(imports_listed(), pk=pk, state__in=SEEN)
    rows: QuerySet[ImportRow] = import_lines(source)
    return list_export(request, ROWS, rows, kind, about=source.code)
