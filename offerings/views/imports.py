"""Screens of files of acceptances: upload, what came of one, those of a stage."""

from pathlib import PurePath
from typing import Any

from django.core.paginator import Paginator
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from offerings.enums import ImportState, Standing
from offerings.forms.imports import ImportForm
from offerings.models import AcceptanceImport, Stage
from offerings.selectors.imports import (
    import_standings,
    import_totals,
    imports_listed,
    imports_of,
)
from offerings.services.acceptances import stage_check
from offerings.services.imports import (
    COLUMNS,
    SHOWN,
    AlreadyUploaded,
    errors_csv,
    import_open,
    template_csv,
)
from office.access import may
from office.decisions import timeline
from office.files import file_response
from office.jobs import job_enqueue
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability

PER_PAGE = 50
NUMERIC = ("cantidad", "patrimonio_bruto")


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def import_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The upload: the file is kept, its job is sent, and the job's page shows how it goes."""
    stage = _stage(slug, number)
    if request.method == "GET":
        return _start_page(request, stage)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, stage, form)
    file = form.cleaned_data["file"]
    try:
        with transaction.atomic():
            opened = import_open(stage=stage, data=file.read(), name=file.name, user=request.user)
            job_enqueue(opened.job)
    except AlreadyUploaded as refusal:
        form.add_error("file", refusal.message)
        return _form_page(request, stage, form, first=refusal.first)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, stage, form)
    return redirect("job", pk=opened.job_id)


def _stage(slug: str, number: int) -> Stage:
    stages = Stage.objects.select_related("programme", "rules")
    return get_object_or_404(stages, programme__slug=slug, number=number)


def _start_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The empty form, or why this stage takes no file now."""
    try:
        stage_check(stage)
    except Refused as refusal:
        return _form_page(request, stage, None, refusal=refusal)
    return _form_page(request, stage, ImportForm())


def _form_page(
    request: HttpRequest,
    stage: Stage,
    form: ImportForm | None,
    *,
    first: AcceptanceImport | None = None,
    refusal: Refused | None = None,
) -> HttpResponse:
    context = {
        "stage": stage,
        "form": form,
        "first": first,
        "refusal": refusal,
        "columns": COLUMNS,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "offerings/imports/form.html", context, status=status)


@require_GET
@may(Capability.READ)
def import_template(request: HttpRequest) -> HttpResponse:
    """The model file, with its headings alone."""
    return _csv(template_csv(), "modelo-aceptaciones.csv")


@require_GET
@may(Capability.READ)
def import_list(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The files of a stage, newest first."""
    stage = _stage(slug, number)
    page = Paginator(imports_of(stage), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "offerings/imports/list.html", {"stage": stage, "page": page})


@require_GET
@may(Capability.READ)
def import_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One file: what it brought, or what keeps it out, row by row."""
    source = get_object_or_404(imports_listed(), pk=pk)
    context = {"source": source, "events": timeline([source])}
    if source.state == ImportState.LOADED:
        context |= _loaded_context(source)
    elif source.state == ImportState.REFUSED:
        context |= _refused_context(request, source)
    return render(request, "offerings/imports/detail.html", context)


def _loaded_context(source: AcceptanceImport) -> dict[str, Any]:
    totals = import_totals(source)
    figures = [
        ("Filas leídas", source.rows),
        ("Aceptaciones registradas", totals.acceptances),
        ("Compradores", totals.buyers),
        ("Acciones solicitadas", totals.requested),
        ("Tras el límite", totals.admitted),
    ]
    standings = [
        {"label": Standing(code).label, "count": count, "code": code}
        for code, count in import_standings(source)
    ]
    return {"totals": totals, "figures": _figures(figures), "standings": standings}


def _refused_context(request: HttpRequest, source: AcceptanceImport) -> dict[str, Any]:
    lines = [line for line in source.errors if line["row"]]
    of_file = [
        fault["message"] for line in source.errors if not line["row"] for fault in line["faults"]
    ]
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    figures = [
        ("Filas leídas", source.rows),
        ("Se cargaron", 0),
        ("Filas con errores", len(lines)),
        ("Errores", sum(len(line["faults"]) for line in lines)),
    ]
    return {
        "of_file": of_file,
        "page": page,
        "rows": [_shown(line) for line in page],
        "figures": _figures(figures) if source.rows else [],
        "can_download": bool(lines),
    }


def _figures(pairs: list[tuple[str, int]]) -> list[dict[str, str]]:
    return [{"label": label, "value": write_quantity(value)} for label, value in pairs]


def _shown(line: dict[str, Any]) -> dict[str, Any]:
    """A row with the messages in the cells that the table has, and the others beside them."""
    messages = {fault["column"]: fault["message"] for fault in line["faults"]}
    cells = [
        {
            "value": line["cells"].get(name, ""),
            "message": messages.get(name, ""),
            "numeric": name in NUMERIC,
        }
        for name in SHOWN
    ]
    others = [fault for fault in line["faults"] if fault["column"] not in SHOWN]
    return {"number": line["row"], "cells": cells, "others": others}


@require_GET
@may(Capability.READ)
def import_errors(request: HttpRequest, pk: int) -> HttpResponse:
    """The refused file with a column that says what to mend."""
    source = get_object_or_404(imports_listed(), pk=pk, state=ImportState.REFUSED)
    if not any(line["row"] for line in source.errors):
        raise Http404
    stem = PurePath(source.file.original_name).stem
    return _csv(errors_csv(source), f"{stem}-errores.csv")


@require_GET
@may(Capability.READ)
def import_file(request: HttpRequest, pk: int) -> FileResponse:
    """The file as it was uploaded."""
    return file_response(get_object_or_404(imports_listed(), pk=pk).file)


def _csv(data: bytes, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["Cache-Control"] = "private, no-store"
    return response
