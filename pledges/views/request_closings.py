"""Screens of a request's closing by two people, and of the Fund's decision on one."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date_long
from office.numbers import write_amount, write_shares
from office.review import ReviewState
from office.roles import Capability
from office.words import amount_phrase, amount_words
from pledges.forms.quotes import FundDecisionForm
from pledges.forms.requests import ClosingForm
from pledges.models import FundDecision, ReleaseRequest, RequestClosing
from pledges.selectors.penalty_payments import penalty_paid
from pledges.selectors.requests import requests_shown
from pledges.services.fund_decisions import fund_decision_decide, fund_decision_prepare
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from pledges.views.deciding import Reviewed, prepared_lines, review_response
from pledges.views.request_ends import request_page


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def closing_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a request to be closed without its release."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    waiting = found.closings.filter(review_state=ReviewState.PENDING).first()
    if waiting:
        return _waits_already(request, found, f"El cierre de {found.code}", waiting)
    binding = BindingAct(
        form=ClosingForm,
        act=lambda form: request_closing_prepare(
            request_id=pk, user=request.user, cause=form.cleaned_data["cause"]
        ),
        shown=lambda form, _: {
            "answers": [
                *_request_lines(found),
                {"label": "Por qué", "value": form.cleaned_data["cause"], "field": "cause"},
            ],
            "consequence": "Nada cambia hasta que otra persona, supervisora, lo apruebe. "
            f"{_closing_consequence(found)}",
        },
        done=lambda _: _waits(request, found, "El cierre espera la revisión de un supervisor."),
        page=request_page(found)
        | {
            "heading": f"Pedir el cierre de {found.code}",
            "short": "Cierre",
            "verb": "Pedir el cierre",
            "danger": True,
            "why": "Se cierra lo que estaba mal. La sanción de una enajenación no se perdona: si "
            "la hubo, se cobra.",
        },
    )
    return act_response(request, binding)


def _waits_already(
    request: HttpRequest, found: ReleaseRequest, what: str, act: RequestClosing | FundDecision
) -> HttpResponse:
    """To the request, where the act that waits is told with the way to its review."""
    messages.info(request, f"{what} ya espera revisión: es de {act.prepared_by}.")
    return redirect("release_request", pk=found.pk)


def _closing_consequence(found: ReleaseRequest) -> str:
    paid = penalty_paid(found)
    back = f" y quedan por devolver {amount_phrase(paid)}" if paid else ""
    return (
        f"Aprobado, {found.code} termina sin salida, sus acciones siguen en prenda{back}. No se "
        "puede deshacer."
    )


def _request_lines(found: ReleaseRequest) -> list[dict[str, Any]]:
    return [
        {
            "label": "Solicitud",
            "value": found.code,
            "detail": f"{write_shares(found.shares)} de {found.pledge.holder.name}",
            "link_url": reverse("release_request", args=[found.pk]),
            "link_label": "Ver la solicitud",
        }
    ]


def _waits(request: HttpRequest, found: ReleaseRequest, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("release_request", pk=found.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def closing_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve, send back or reject a closing that another asked for."""
    closing = get_object_or_404(
        RequestClosing.objects.select_related("request__pledge__holder", "prepared_by"), pk=pk
    )
    found = closing.request
    return review_response(
        request,
        Reviewed(
            act=closing,
            what=f"Cierre de {found.code}",
            decide=partial(request_closing_decide, closing_id=pk),
            lines=[
                *_request_lines(found),
                {"label": "Por qué", "value": closing.cause},
                *prepared_lines(closing),
            ],
            approved=_closing_consequence(found),
            crumbs=_crumbs(found),
            address=reverse("release_request", args=[found.pk]),
        ),
    )


def _crumbs(found: ReleaseRequest) -> list[tuple[str, str]]:
    return [
        ("Prendas", reverse("pledges")),
        (found.pledge.code, reverse("pledge", args=[found.pledge_id])),
        (found.code, reverse("release_request", args=[found.pk])),
    ]


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def decision_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter the Fund's decision on a request that no rule answers."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    waiting = found.decisions.filter(review_state=ReviewState.PENDING).first()
    if waiting:
        return _waits_already(request, found, f"La decisión sobre {found.code}", waiting)
    binding = BindingAct(
        form=FundDecisionForm,
        act=lambda form: fund_decision_prepare(
            request_id=pk, user=request.user, **form.cleaned_data
        ),
        shown=lambda _, decision: {
            "answers": [*_request_lines(found), *_decision_lines(decision, change=True)],
            "consequence": "Espera la aprobación de un supervisor que no sea usted. "
            f"{_decision_consequence(decision)}",
        },
        done=lambda _: _waits(request, found, "La decisión espera la revisión de un supervisor."),
        page=request_page(found)
        | {
            "heading": f"Registrar la decisión del Fondo sobre {found.code}",
            "short": "Decisión del Fondo",
            "verb": "Enviar a revisión",
            "why": "El decreto no trae una regla para esta salida: el Fondo decide lo que se "
            "paga, con sus razones.",
        },
        initial={"act_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _decision_lines(decision: FundDecision, *, change: bool = False) -> list[dict[str, Any]]:
    lines = [
        {
            "label": "Valor que se paga",
            "value": write_amount(decision.amount),
            "words": amount_words(decision.amount),
            "big": True,
            "field": "amount",
        },
        {
            "label": "Acto del Fondo",
            "value": f"{decision.act}, del {write_date_long(decision.act_on)}",
            "field": "act",
        },
        {"label": "Razones", "value": decision.reason, "field": "reason"},
    ]
    return lines if change else [line | {"field": ""} for line in lines]


def _decision_consequence(decision: FundDecision) -> str:
    return (
        f"Aprobada, la solicitud se liquida por {amount_phrase(decision.amount)}, con esta "
        "decisión como fundamento."
    )


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def decision_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve, send back or reject a decision of the Fund that another prepared."""
    decision = get_object_or_404(
        FundDecision.objects.select_related("request__pledge__holder", "prepared_by"), pk=pk
    )
    found = decision.request
    return review_response(
        request,
        Reviewed(
            act=decision,
            what=f"Decisión del Fondo sobre {found.code}",
            decide=partial(fund_decision_decide, decision_id=pk),
            lines=[
                *_request_lines(found),
                *_decision_lines(decision),
                *prepared_lines(decision),
            ],
            approved=_decision_consequence(decision),
            crumbs=_crumbs(found),
            address=reverse("release_request", args=[found.pk]),
        ),
    )
