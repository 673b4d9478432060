"""Pages of a bank's files: all of them, the review of one, its report."""

from pathlib import PurePath
from typing import Any

from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from offerings.enums import BankRowOutcome, ImportState
from offerings.models import BankFile, BankFileRow
from offerings.selectors.bank_files import (
    LABELS,
    VIEWS,
    BankFileCounts,
    bank_file_counts,
    bank_file_lines,
    bank_files_listed,
)
from offerings.services.bank_files import BY_NAME, errors_file, template_csv
from offerings.services.imports import ERROR
from offerings.views.lists import programme_filter
from office.access import may
from office.decisions import timeline
from office.exports import list_export
from office.files import file_response
from office.list_pages import list_context
from office.lists import Column, Listing, choice_filter, shows, text_filter
from office.numbers import write_amount, write_quantity
from office.roles import Capability

PER_PAGE = 50
NUMERIC = ("valor",)
FREE = ("referencia", "numero")
SEEN = (ImportState.REVIEWED, ImportState.CONFIRMED, ImportState.LOADED, ImportState.DISCARDED)
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@require_GET
@may(Capability.READ)
def bank_file_template(request: HttpRequest) -> HttpResponse:
    """The model file, with its headings alone."""
    return _download(template_csv(), "modelo-pagos", "csv")


BANK_FILES = Listing(
    page="bank_files",
    title="Archivos del banco",
    noun=("archivo", "archivos"),
    every="Todos",
    columns=(
        Column("Número", lambda row: row.code),
        Column("Programa", lambda row: str(row.programme)),
        Column("Archivo", lambda row: row.file.original_name),
        Column("SHA-256", lambda row: row.file.sha256),
        Column("Lo subió", lambda row: str(row.uploaded_by)),
        Column("Subido", lambda row: row.uploaded_at),
        Column("Lo confirmó", lambda row: str(row.confirmed_by) if row.confirmed_by else ""),
        Column("Filas", lambda row: row.rows),
        Column("Registradas", lambda row: row.loaded),
        Column("Estado", BankFile.get_state_display),
    ),
    filters=(
        programme_filter("programme"),
        text_filter(
            "Nombre del archivo",
            lambda rows, text: rows.filter(file__original_name__icontains=text),
        ),
        choice_filter("estado", "Estado", "state", ImportState.choices),
    ),
    orders={"subido": ("uploaded_at",), "filas": ("rows",)},
)


@require_GET
@may(Capability.READ)
@shows(BANK_FILES)
def bank_file_list(request: HttpRequest) -> HttpResponse:
    """Every bank's file, newest first."""
    context = list_context(request, BANK_FILES, bank_files_listed())
    return render(request, "offerings/bank_files/list.html", context)


@require_GET
@may(Capability.READ)
def bank_files_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, BANK_FILES, bank_files_listed(), kind)


@require_GET
@may(Capability.READ)
def bank_file_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One file: its review before its payments are recorded, its report afterwards."""
    return bank_file_page(request, get_object_or_404(bank_files_listed(), pk=pk))


def bank_file_page(request: HttpRequest, source: BankFile, *, refusal: str = "") -> HttpResponse:
    """The page of a file in its state; with `refusal`, why what was asked cannot be done."""
    counts = bank_file_counts(source)
    context: dict[str, Any] = {
        "source": source,
        "counts": counts,
        "refusal": refusal,
        "events": timeline([source]),
        "has_faults": bool(counts.errors or counts.unmatched),
        "may_confirm": source.state == ImportState.REVIEWED,
    }
    if source.state in SEEN:
        context |= _rows_context(request, source, counts) | {"figures": _figures(source, counts)}
    status = 422 if refusal else 200
    return render(request, "offerings/bank_files/detail.html", context, status=status)


def _figures(source: BankFile, counts: BankFileCounts) -> list[dict[str, str]]:
    loaded = source.state == ImportState.LOADED
    figures = [
        ("Filas leídas", write_quantity(counts.rows)),
        ("Registrados", write_quantity(counts.loaded))
        if loaded
        else ("Se registrarán", write_quantity(counts.ready)),
        ("Valor registrado", write_amount(counts.recorded))
        if loaded
        else ("Por valor de", write_amount(counts.to_record)),
        ("Con errores", write_quantity(counts.errors)),
        ("Sin adjudicación", write_quantity(counts.unmatched)),
        ("Ya registrados", write_quantity(counts.already)),
    ]
    if counts.excess:
        figures.append(("Sobra, por devolver", write_amount(counts.excess)))
    return [{"label": label, "value": value} for label, value in figures]


def _rows_context(
    request: HttpRequest, source: BankFile, counts: BankFileCounts
) -> dict[str, Any]:
    view = request.GET.get("vista", "")
    view = view if view in VIEWS else ""
    page = Paginator(bank_file_lines(source, view), PER_PAGE).get_page(request.GET.get("page"))
    count_of = {
        "": counts.rows,
        "errores": counts.errors,
        "sin-adjudicacion": counts.unmatched,
        "ya-registrados": counts.already,
    }
    return {
        "view": view,
        "tabs": [
            {
                "label": LABELS.get(code, "Todas"),
                "count": write_quantity(count),
                "url": f"?vista={code}" if code else "?",
                "current": code == view,
            }
            for code, count in count_of.items()
        ],
        "page": page,
        "rows": [_shown(line) for line in page],
    }


def _shown(line: BankFileRow) -> dict[str, Any]:
    """A row with its messages in their cells."""
    return {
        "line": line,
        "cells": [_cell(line, name) for name in BY_NAME],
        "others": [one for one in line.messages if one["column"] not in BY_NAME],
        "tag": _tag(line),
    }


def _cell(line: BankFileRow, name: str) -> dict[str, Any]:
    said = [one for one in line.messages if one["column"] == name]
    return {
        "value": line.cells.get(name, ""),
        "words": [one["message"] for one in said],
        "level": said[0]["level"] if said else "",
        "numeric": name in NUMERIC,
        "free": name in FREE,
    }


def _tag(line: BankFileRow) -> str:
    if line.outcome != BankRowOutcome.READY:
        return BankRowOutcome(line.outcome).label
    return "Con aviso" if line.messages else BankRowOutcome.READY.label


@require_GET
@may(Capability.READ)
def bank_file_errors(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The rows that were not registered, with a column that says what to mend."""
    source = get_object_or_404(bank_files_listed(), pk=pk, state__in=SEEN)
    has_faults = any(
        one["level"] == ERROR
        for messages in source.lines.exclude(messages=[]).values_list("messages", flat=True)
        for one in messages
    )
    if kind not in TYPES or not has_faults:
        raise Http404
    data = errors_file(source, workbook=kind == "xlsx")
    return _download(data, f"{PurePath(source.file.original_name).stem}-errores", kind)


@require_GET
@may(Capability.READ)
def bank_file_original(request: HttpRequest, pk: int) -> FileResponse:
    """The file as it was uploaded."""
    return file_response(get_object_or_404(bank_files_listed(), pk=pk).file)


def _download(data: bytes, stem: str, kind: str) -> HttpResponse:
    response = HttpResponse(data, content_type=TYPES[kind])
    response["Content-Disposition"] = content_disposition_header(True, f"{stem}.{kind}")
    response["Cache-Control"] = "private, no-store"
    return response
