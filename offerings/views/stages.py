"""A stage: the acts that open and close it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.forms.programmes import StageCloseForm, StageOpenForm
from offerings.models import Stage
from offerings.selectors.programmes import stage_terms
from offerings.services.stages import stage_close, stage_open
from offerings.views.binding import BindingAct, act_response
from offerings.views.verification import unverified_line
from office.access import may
from office.dates import bogota_day, write_clock, write_date_long
from office.numbers import write_amount, write_quantity
from office.roles import Capability
from office.words import amount_words, quantity_phrase


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def stage_open_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Open a stage with its legal date and time."""
    stage = _stage(slug, number)
    binding = BindingAct(
        form=StageOpenForm,
        act=lambda form: stage_open(stage=stage, user=request.user, opened_at=form.moment()),
        shown=_opening_shown,
        done=lambda opened: _back(request, opened, f"Se abrió la etapa {number}."),
        page=_page(stage, "Abrir", "La hora es la legal: la del acto, no la de este registro."),
        initial=_now("opened_on", "opened_time"),
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def stage_close_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close a stage with its legal date and time."""
    stage = _stage(slug, number)
    binding = BindingAct(
        form=StageCloseForm,
        act=lambda form: stage_close(stage=stage, user=request.user, closed_at=form.moment()),
        shown=_closing_shown,
        done=lambda closed: _back(request, closed, f"Se cerró la etapa {number}."),
        page=_page(stage, "Cerrar", "Después del cierre no entra ninguna aceptación."),
        initial=_now("closed_on", "closed_time"),
    )
    return act_response(request, binding)


def _stage(slug: str, number: int) -> Stage:
    stages = Stage.objects.select_related("programme", "rules")
    return get_object_or_404(stages, programme__slug=slug, number=number)


def _now(day: str, clock: str) -> dict[str, Any]:
    now = timezone.localtime()
    return {day: now.date(), clock: now.time()}


def _page(stage: Stage, verb: str, why: str) -> dict[str, Any]:
    return {
        "programme": stage.programme,
        "heading": f"{verb} la etapa {stage.number}",
        "short": f"{verb} la etapa {stage.number}",
        "verb": f"{verb} la etapa {stage.number}",
        "why": why,
        "back_url": reverse("programme", args=[stage.programme.slug]),
    }


def _opening_shown(form: StageOpenForm, stage: Stage) -> dict[str, Any]:
    terms = stage_terms(stage)
    worth = stage.supply * stage.price
    last = bogota_day(stage.last_moment)
    return {
        "answers": [
            {
                "label": "Apertura",
                "value": _moment_long(stage.opened_at),
                "detail": "hora legal de Bogotá",
                "field": "opened_on",
            },
            {
                "label": "Acciones ofrecidas",
                "value": f"{write_quantity(stage.supply)} acciones",
                "words": quantity_phrase(stage.supply),
                "detail": terms.shares.cite,
                "big": True,
            },
            {
                "label": "Precio fijo por acción",
                "value": write_amount(stage.price),
                "words": amount_words(stage.price),
                "detail": terms.price.cite,
                "big": True,
            },
            {
                "label": "Valor de la oferta",
                "value": write_amount(worth),
                "words": amount_words(worth),
            },
            {
                "label": "Último día",
                "value": write_date_long(last),
                "detail": f"hasta la medianoche; {terms.stage.months.value} meses "
                f"({terms.stage.months.cite})",
            },
            {
                "label": "Reglamento del Fondo",
                "value": f"versión {stage.rules.version}",
                "detail": f"la aprobó {stage.rules.reviewed_by}",
            },
        ],
        "consequence": "Al abrirla, la etapa recibe aceptaciones desde esa hora y hasta el "
        f"{write_date_long(last)}. Oferta, precio, plazo y reglamento quedan fijos: no se pueden "
        "cambiar mientras dure el programa.",
    }


def _closing_shown(form: StageCloseForm, stage: Stage) -> dict[str, Any]:
    count = stage.acceptances.count()
    shown: dict[str, Any] = {
        "answers": [
            {"label": "Apertura", "value": _moment_long(stage.opened_at)},
            {
                "label": "Cierre",
                "value": _moment_long(stage.closed_at),
                "detail": "hora legal de Bogotá",
                "field": "closed_on",
            },
            {"label": "Aceptaciones registradas", "value": write_quantity(count), "big": True},
            unverified_line(stage),
        ],
        "consequence": "Al cerrarla, la etapa no recibe más aceptaciones y se puede adjudicar. "
        "El cierre no se puede deshacer.",
    }
    if bogota_day(stage.closed_at) < bogota_day(stage.last_moment):
        months = stage_terms(stage).stage.months
        last = write_date_long(bogota_day(stage.last_moment))
        shown["warning"] = (
            f"El plazo va hasta el {last} ({months.cite}): el cierre que registra es anterior."
        )
    return shown


def _moment_long(moment) -> str:
    return f"{write_date_long(bogota_day(moment))}, {write_clock(moment)}"


def _back(request: HttpRequest, stage: Stage, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect("programme", stage.programme.slug)
