"""A file of the index: uploaded, shown as it was understood, loaded or set aside."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from offerings.enums import CpiOutcome, ImportState
from offerings.forms.prices import CpiFileForm
from offerings.models import CpiImport
from offerings.selectors.cpi import base_in_force, imports_listed, months_missing
from offerings.services.cpi import (
    CpiFileAlreadyUploaded,
    cpi_import_confirm,
    cpi_import_discard,
    cpi_import_open,
)
from offerings.services.cpi.months import base_words
from office.access import may
from office.dates import write_month
from office.decisions import timeline
from office.files import file_response
from office.numbers import write_count, write_quantity
from office.refusals import Refused
from office.roles import Capability

INVALID = 422
PER_PAGE = 50
LOADED = "Registrado"


@require_http_methods(["GET", "POST"])
@may(Capability.INDICES)
def cpi_import_new(request: HttpRequest) -> HttpResponse:
    """The upload: the file is read at once, and its page shows what was understood."""
    if request.method == "GET":
        base = base_in_force()
        return _form_page(request, CpiFileForm(initial={"base_month": base.month} if base else {}))
    form = CpiFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, form)
    data = form.cleaned_data
    try:
        opened = cpi_import_open(
            data=data["file"].read(),
            name=data["file"].name,
            base_month=data["base_month"],
            source=data["source"],
            user=request.user,
        )
    except CpiFileAlreadyUploaded as refusal:
        form.add_error("file", refusal.message)
        return _form_page(request, form, first=refusal.first)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, form)
    return redirect("cpi_import", pk=opened.pk)


def _form_page(request: HttpRequest, form: CpiFileForm, **context: Any) -> HttpResponse:
    status = INVALID if request.method == "POST" else 200
    return render(
        request, "offerings/cpi/file_form.html", {"form": form, **context}, status=status
    )


@require_GET
@may(Capability.INDICES_READ)
def cpi_import(request: HttpRequest, pk: int) -> HttpResponse:
    """What was understood of a file, month by month."""
    return _file_page(request, _source(pk))


def _source(pk: int) -> CpiImport:
    return get_object_or_404(imports_listed(), pk=pk)


def _file_page(request: HttpRequest, source: CpiImport, refusal: str = "") -> HttpResponse:
    outcomes = [one["outcome"] for one in source.months]
    new = outcomes.count(CpiOutcome.NEW)
    user = request.user
    pages = Paginator(_sorted(source.months), PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "source": source,
        "base": base_words(source.base_month) if source.base_month else "",
        "in_use": base_in_force(),
        "page": page,
        "rows": [_row(one, source) for one in page],
        "figures": _figures(source, outcomes),
        "new": new,
        "differing": outcomes.count(CpiOutcome.DIFFERS),
        "missing": _missing(source),
        "events": timeline([source]),
        "refusal": refusal,
        "may_enter": user.may(Capability.INDICES),
        "may_decide": user.may(Capability.INDICES) and source.state == ImportState.REVIEWED,
        "may_load": bool(new or source.changes_base),
    }
    status = INVALID if refusal else 200
    return render(request, "offerings/cpi/file.html", context, status=status)


def _sorted(months: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What differs first, then what is new, each from the newest month on."""
    rank = {CpiOutcome.DIFFERS.value: 0, CpiOutcome.NEW.value: 1}
    newest = sorted(months, key=lambda one: one["month"], reverse=True)
    return sorted(newest, key=lambda one: rank.get(one["outcome"], 2))


def _row(one: dict[str, Any], source: CpiImport) -> dict[str, Any]:
    outcome = CpiOutcome(one["outcome"])
    is_loaded = source.state == ImportState.LOADED and outcome == CpiOutcome.NEW
    return {
        "month": write_month(date.fromisoformat(one["month"])),
        "value": Decimal(one["value"]),
        "known": Decimal(one["known"]) if one["known"] else None,
        "at": one["at"],
        "rounded": one["rounded"],
        "differs": outcome == CpiOutcome.DIFFERS,
        "tag": LOADED if is_loaded else outcome.label,
    }


def _figures(source: CpiImport, outcomes: list[str]) -> list[dict[str, str]]:
    if not source.months:
        return []
    first, last = source.months[0]["month"], source.months[-1]["month"]
    assert source.base_month is not None
    return [
        {"label": "Base", "value": base_words(source.base_month)},
        {
            "label": "Meses",
            "value": write_quantity(len(outcomes)),
            "note": f"de {_month(first)} a {_month(last)}",
        },
        {"label": "Nuevos", "value": write_quantity(outcomes.count(CpiOutcome.NEW))},
        {"label": "Ya cargados", "value": write_quantity(outcomes.count(CpiOutcome.ALREADY))},
        {"label": "Difieren", "value": write_quantity(outcomes.count(CpiOutcome.DIFFERS))},
    ]


def _month(text: str) -> str:
    return write_month(date.fromisoformat(text))


def _missing(source: CpiImport) -> str:
    gaps = months_missing(date.fromisoformat(one["month"]) for one in source.months)
    return ", ".join(write_month(month) for month in gaps)


@require_GET
@may(Capability.INDICES_READ)
def cpi_import_original(request: HttpRequest, pk: int) -> FileResponse:
    """The file as it was uploaded."""
    return file_response(_source(pk).file)


@require_POST
@may(Capability.INDICES)
def cpi_import_confirm_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Load its new months."""
    source = _source(pk)
    try:
        loaded = cpi_import_confirm(import_id=pk, user=request.user)
    except Refused as refusal:
        return _file_page(request, source, refusal.message)
    said = write_count(loaded.loaded, "mes cargado", "meses cargados")
    messages.success(request, f"{loaded.code}: {said}.")
    return redirect("cpi_import", pk=pk)


@require_POST
@may(Capability.INDICES)
def cpi_import_discard_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the file aside."""
    source = _source(pk)
    try:
        cpi_import_discard(import_id=pk, user=request.user)
    except Refused as refusal:
        return _file_page(request, source, refusal.message)
    messages.success(request, f"{source.code} quedó descartado. No se cargó ningún mes.")
    return redirect("cpi_imports")
