"""Screens of giving a request up and of opening it again."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date_long
from office.numbers import write_shares
from office.roles import Capability
from pledges.forms.requests import ReopenForm, WithdrawForm
from pledges.models import ReleaseRequest
from pledges.selectors.requests import requests_shown
from pledges.services.request_ends import release_request_reopen, release_request_withdraw


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def request_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that the holder gives its request up."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    binding = BindingAct(
        form=WithdrawForm,
        act=lambda form: release_request_withdraw(
            request_id=pk, user=request.user, **form.cleaned_data
        ),
        shown=lambda form, _: _withdraw_shown(found, form),
        done=partial(_told, request, "Quedó registrado que el titular desistió."),
        page=request_page(found)
        | {
            "heading": f"Desistir de {found.code}",
            "short": "Desistimiento",
            "verb": "Registrar el desistimiento",
            "why": "El titular puede desistir mientras no haya enajenado ni pagado.",
        },
        initial={"withdrawn_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _withdraw_shown(found: ReleaseRequest, form: Form) -> dict[str, Any]:
    data = form.cleaned_data
    return {
        "answers": [
            {"label": "Solicitud", "value": found.code, "detail": write_shares(found.shares)},
            {
                "label": "Desistió el",
                "value": write_date_long(data["withdrawn_on"]),
                "field": "withdrawn_on",
            },
            {"label": "En qué consta", "value": data["reason"], "field": "reason"},
        ],
        "consequence": f"Al registrar, {found.code} termina y sus acciones siguen en prenda, "
        "libres para otra solicitud. No se puede deshacer.",
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def request_reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a request again of which the settled quote lapsed unpaid."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    binding = BindingAct(
        form=ReopenForm,
        act=lambda form: release_request_reopen(
            request_id=pk, user=request.user, **form.cleaned_data
        ),
        shown=lambda form, _: {
            "answers": [
                {"label": "Solicitud", "value": found.code, "detail": write_shares(found.shares)},
                {"label": "Por qué", "value": form.cleaned_data["reason"], "field": "reason"},
            ],
            "consequence": "Al reabrir, la liquidación que venció deja de valer y se prepara otra "
            "con la misma fecha de solicitud y los datos de hoy.",
        },
        done=partial(_told, request, "Se reabrió: puede liquidarse de nuevo."),
        page=request_page(found)
        | {
            "heading": f"Reabrir {found.code}",
            "short": "Reabrir",
            "verb": "Reabrir la solicitud",
            "why": "Su liquidación venció sin que se pagara nada.",
        },
    )
    return act_response(request, binding)


def request_page(found: ReleaseRequest) -> dict[str, Any]:
    """What the pages of an act on a request have in common."""
    return {
        "list_url": reverse("pledges"),
        "list_label": "Prendas",
        "back_label": found.code,
        "back_url": reverse("release_request", args=[found.pk]),
    }


def _told(request: HttpRequest, words: str, found: ReleaseRequest) -> HttpResponse:
    messages.success(request, words)
    return redirect("release_request", pk=found.pk)
