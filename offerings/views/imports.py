"""Pages of files of acceptances: the review of one, its report."""

from pathlib import PurePath
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from offerings.enums import ImportState, Standing
from offerings.models import AcceptanceImport, ImportRow, Stage
from offerings.selectors.imports import (
    ImportCounts,
    import_counts,
    import_standings,
    import_totals,
    imports_listed,
)
from offerings.services.imports import SHOWN, TYPED, errors_file, template_csv
from offerings.services.stages import stage_check
from offerings.views.import_lists import ROWS, SEEN, row_words, rows_context
from office.access import may
from office.decisions import timeline
from office.exports import TYPES
from office.files import file_response
from office.lists import shows
from office.numbers import write_quantity
from office.progress import job_page
from office.refusals import Refused
from office.roles import Capability

NUMERIC = ("cantidad", "patrimonio_bruto")
FREE = ("numero_documento", "nombre", "clase")


@require_GET
@may(Capability.READ)
def import_template(request: HttpRequest) -> HttpResponse:
    """The model file, with its headings alone."""
    return _download(template_csv(), "modelo-aceptaciones", "csv")


@require_GET
@may(Capability.READ)
@shows(ROWS)
def import_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One file: its review before it is loaded, its report afterwards."""
    return import_page(request, get_object_or_404(imports_listed(), pk=pk))


def import_page(
    request: HttpRequest, source: AcceptanceImport, *, refusal: str = ""
) -> HttpResponse:
    """The page of a file in its state; with `refusal`, why what was asked cannot be done."""
    counts = import_counts(source)
    context = {
        "source": source,
        "counts": counts,
        "refusal": refusal,
        "events": timeline([source]),
        "has_faults": bool(counts.errors or counts.differing),
    }
    if source.state == ImportState.LOADED:
        context |= _loaded_context(source, counts)
    elif source.state in SEEN:
        context["figures"] = _figures(_preview_figures(counts))
        context["serials"] = _serials(source.stage, counts.ready)
        context["closed"] = _closed_words(source.stage)
        context["may_decide"] = request.user.may(Capability.PREPARE) and not context["closed"]
    if source.state in SEEN:
        context |= _rows_context(request, source)
    name = "preview" if source.state == ImportState.REVIEWED else "detail"
    status = 422 if refusal else 200
    return render(request, f"offerings/imports/{name}.html", context, status=status)


def _closed_words(stage: Stage) -> str:
    """Why the stage takes no file now; "" while it does."""
    try:
        stage_check(stage)
    except Refused as refusal:
        return refusal.message
    return ""


def _serials(stage: Stage, count: int) -> dict[str, str]:
    """The numbers that the rows to load would get now."""
    first, last = stage.last_serial + 1, stage.last_serial + count
    return {"first": f"A-{first:06d}", "last": f"A-{last:06d}"}


def _preview_figures(counts: ImportCounts) -> list[tuple[str, int]]:
    figures = [
        ("Filas leídas", counts.rows),
        ("Se cargarán", counts.ready),
        ("Con errores, no se cargan", counts.errors),
        ("Con avisos, sí se cargan", counts.warned),
    ]
    if counts.undecided:
        figures.append(("Por decidir", counts.undecided))
    if counts.already:
        figures.append(("Ya registradas", counts.already))
    return [*figures, ("Acciones solicitadas", counts.requested)]


def _loaded_context(source: AcceptanceImport, counts: ImportCounts) -> dict[str, Any]:
    totals = import_totals(source)
    figures = [
        ("Filas leídas", source.rows),
        ("Registradas", counts.loaded),
        ("Ya registradas", counts.already),
        ("Con errores", counts.errors),
        ("Acciones solicitadas", totals.requested),
        ("Tras el límite", totals.admitted),
    ]
    if counts.left_out:
        figures.insert(4, ("Quedaron fuera", counts.left_out))
    standings = [
        {"label": Standing(code).label, "count": count, "code": code}
        for code, count in import_standings(source)
    ]
    return {
        "totals": totals,
        "figures": _figures(figures),
        "standings": standings,
        "steps": job_page(source.job)["steps"] if source.job else [],
    }


def _figures(pairs: list[tuple[str, int]]) -> list[dict[str, str]]:
    return [{"label": label, "value": write_quantity(value)} for label, value in pairs]


def _rows_context(request: HttpRequest, source: AcceptanceImport) -> dict[str, Any]:
    context = rows_context(request, source)
    context["view"] = context["list"]["asked"].get("vista", "")
    context["rows"] = [_shown(line) for line in context["page"]]
    return context


def _shown(line: ImportRow) -> dict[str, Any]:
    """A row with its messages in the cells that the table has, and the others beside them."""
    return {
        "number": line.number,
        "cells": [_cell(line, name) for name in SHOWN],
        "others": [one for one in line.messages if one["column"] not in SHOWN],
        "differences": line.differences,
        "choice": line.get_choice_display(),
        "tag": row_words(line),
    }


def _cell(line: ImportRow, name: str) -> dict[str, Any]:
    said = [one for one in line.messages if one["column"] == name]
    differing = [one for one in line.differences if one["column"] == name]
    level = said[0]["level"] if said else "warning" if differing else ""
    words = [one["message"] for one in said]
    words += [f"Ya consta «{one['known']}»." for one in differing]
    return {
        "value": line.cells.get(name, ""),
        "typed": line.cells.get(TYPED, {}).get(name, ""),
        "words": words,
        "level": level,
        "numeric": name in NUMERIC,
        "free": name in FREE,
    }


@require_GET
@may(Capability.READ)
def import_errors(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The file with a column that says what to mend; ?filas=por-corregir: those rows alone."""
    source = get_object_or_404(imports_listed(), pk=pk, state__in=SEEN)
    counts = import_counts(source)
    if kind not in TYPES or not (counts.errors or counts.differing):
        raise Http404
    left_alone = request.GET.get("filas") == "por-corregir"
    data = errors_file(source, workbook=kind == "xlsx", left_alone=left_alone)
    return _download(data, f"{PurePath(source.file.original_name).stem}-errores", kind)


@require_GET
@may(Capability.READ)
def import_file(request: HttpRequest, pk: int) -> FileResponse:
    """The file as it was uploaded."""
    return file_response(get_object_or_404(imports_listed(), pk=pk).file)


def _download(data: bytes, stem: str, kind: str) -> HttpResponse:
    response = HttpResponse(data, content_type=TYPES[kind])
    response["Content-Disposition"] = content_disposition_header(True, f"{stem}.{kind}")
    response["Cache-Control"] = "private, no-store"
    return response
