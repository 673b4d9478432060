"""The consumer price index: the table by years and months, one month, and what is done with it."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from offerings.forms.prices import IndexCorrectionForm, IndexForm, ReasonForm
from offerings.models import CpiIndex
from offerings.selectors.cpi import (
    base_in_force,
    imports_waiting,
    index_versions,
    indices_in_force,
    indices_listed,
    months_missing,
)
from offerings.services.cpi import IndexEntry, cpi_correct, cpi_record, cpi_withdraw
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import MONTHS, write_month
from office.decisions import timeline
from office.numbers import write_count, write_index
from office.roles import Capability

INDEX = "Índices y precios"
NOT_EDITED = (
    "Las liquidaciones ya guardadas no cambian. No se puede editar: lo que esté mal se corrige "
    "con su motivo."
)


@require_GET
@may(Capability.INDICES_READ)
def cpi_table(request: HttpRequest) -> HttpResponse:
    """Every month that is loaded, a year in each row, and the months that are missing."""
    base = base_in_force()
    known = indices_in_force(base)
    years = sorted({month.year for month in known}, reverse=True)
    by_place = {(month.year, month.month): index for month, index in known.items()}
    missing = months_missing(known)
    months = range(1, len(MONTHS) + 1)
    context = {
        "base": base,
        "headings": [name[:3] for name in MONTHS],
        "rows": [(year, [by_place.get((year, month)) for month in months]) for year in years],
        "figures": _figures(base, known, missing),
        "missing": ", ".join(write_month(month) for month in missing),
        "waiting": imports_waiting(),
        "may_enter": request.user.may(Capability.INDICES),
    }
    return render(request, "offerings/cpi/table.html", context)


def _figures(base: Any, known: Any, missing: Any) -> list[dict[str, str]]:
    if not known:
        return []
    first, last = min(known), max(known)
    return [
        {"label": "Base en uso", "value": str(base)},
        {"label": "Meses cargados", "value": write_count(len(known), "mes", "meses")},
        {"label": "Desde", "value": write_month(first)},
        {"label": "Hasta", "value": write_month(last)},
        {
            "label": "Faltan en medio",
            "value": write_count(len(missing), "mes", "meses") if missing else "ninguno",
        },
    ]


@require_GET
@may(Capability.INDICES_READ)
def cpi_index(request: HttpRequest, pk: int) -> HttpResponse:
    """The index of a month: where it comes from, what stood there before, its history."""
    index = get_object_or_404(indices_listed().select_related("loaded_with"), pk=pk)
    versions = index_versions(index)
    context = {
        "index": index,
        "versions": versions,
        "month": write_month(index.month),
        "events": timeline([*versions, *_files(versions)]),
        "may_enter": request.user.may(Capability.INDICES),
    }
    return render(request, "offerings/cpi/index.html", context)


def _files(versions: list[CpiIndex]) -> list[Any]:
    """The files that its values were loaded with, each once."""
    return list(
        {one.loaded_with_id: one.loaded_with for one in versions if one.loaded_with}.values()
    )


@require_http_methods(["GET", "POST"])
@may(Capability.INDICES)
def cpi_new(request: HttpRequest) -> HttpResponse:
    """Enter the index of one month."""
    base = base_in_force()
    initial = {"submission_key": uuid.uuid4()} | ({"base": base.month} if base else {})
    binding = BindingAct(
        form=IndexForm,
        act=lambda form: _enter(form, request),
        shown=lambda form, index: {
            "answers": [
                {"label": "Mes", "value": write_month(index.month), "field": "month"},
                *_value_lines(index),
                {"label": "Base", "value": str(index.base), "field": "base"},
            ],
            "consequence": "Al ingresarlo, los cálculos que necesiten ese mes lo usan. "
            + NOT_EDITED,
        },
        done=lambda index: _to_table(request, f"Ingresado el IPC de {write_month(index.month)}."),
        page=_page("Ingresar el IPC de un mes", "IPC de un mes", "Ingresar el IPC")
        | {"why": "El número índice que publica el DANE, de un mes que no está cargado."},
        initial=initial,
    )
    return act_response(request, binding)


def _enter(form: IndexForm, request: HttpRequest) -> CpiIndex:
    data = form.cleaned_data
    entry = IndexEntry(data["month"], data["value"], data["base"], data["source"])
    return cpi_record(user=request.user, entry=entry, submission_key=data["submission_key"])


@require_http_methods(["GET", "POST"])
@may(Capability.INDICES)
def cpi_correct_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Put another value in the place of a wrong one, with why."""
    before = get_object_or_404(indices_listed(), pk=pk)
    month = write_month(before.month)
    binding = BindingAct(
        form=IndexCorrectionForm,
        act=lambda form: cpi_correct(index_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, index: {
            "answers": [
                {"label": "Mes", "value": month},
                {"label": "Índice de antes", "value": write_index(before.value)},
                *_value_lines(index),
                {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"},
            ],
            "consequence": "Al corregirlo, lo que se liquide desde ahora usa el valor nuevo; el "
            "de antes queda en la historia. " + NOT_EDITED,
        },
        done=lambda index: _to_index(request, index, f"Corregido el IPC de {month}."),
        page=_page(f"Corregir el IPC de {month}", f"Corrección de {month}", "Corregir el IPC")
        | {"why": f"Está cargado {write_index(before.value)}, en la base {before.base}."},
        initial={
            "submission_key": uuid.uuid4(),
            "value": write_index(before.value),
            "source": before.source,
        },
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.INDICES)
def cpi_withdraw_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a value out of use without another."""
    index = get_object_or_404(indices_listed(), pk=pk)
    month, value = write_month(index.month), write_index(index.value)
    binding = BindingAct(
        form=ReasonForm,
        act=lambda form: cpi_withdraw(index_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, withdrawn: {
            "answers": [
                {"label": "Mes", "value": month},
                {"label": "Índice", "value": value},
                {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"},
            ],
            "consequence": f"Al retirarlo, {month} queda sin IPC: lo que lo necesite se detiene "
            "hasta que se cargue. Las liquidaciones ya guardadas no cambian.",
        },
        done=lambda withdrawn: _to_index(request, withdrawn, f"Retirado el IPC de {month}."),
        page=_page(f"Retirar el IPC de {month}", f"Retiro de {month}", "Retirar el IPC")
        | {
            "why": f"Está cargado {value}. Si sabe el correcto, corríjalo en vez de retirarlo.",
            "danger": True,
        },
    )
    return act_response(request, binding)


def _value_lines(index: CpiIndex) -> list[dict[str, Any]]:
    return [
        {"label": "Índice", "value": write_index(index.value), "big": True, "field": "value"},
        {"label": "Fuente", "value": index.source, "field": "source"},
    ]


def _page(heading: str, short: str, verb: str) -> dict[str, Any]:
    return {
        "list_label": INDEX,
        "list_url": reverse("cpi"),
        "back_label": "IPC",
        "back_url": reverse("cpi"),
        "heading": heading,
        "short": short,
        "verb": verb,
    }


def _to_table(request: HttpRequest, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("cpi")


def _to_index(request: HttpRequest, index: CpiIndex, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("cpi_index", pk=index.pk)
