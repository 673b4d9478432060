"""Screens of a release's annulment: asking for it, and deciding on it."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.views.annulments.deciding import (
    Decision,
    asked,
    asked_lines,
    decided,
    decision_buttons,
)
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date_long
from office.numbers import write_shares
from office.review import ReviewState, review_block
from office.roles import Capability
from office.words import shares_words
from pledges.enums import LineState
from pledges.forms.releases import ReleaseAnnulmentForm
from pledges.models import ReleaseAnnulment, ReleaseLine
from pledges.selectors.releases import annulment_waiting
from pledges.services.release_annulments import (
    release_annulment_decide,
    release_annulment_prepare,
)

WITH_ALL = ("release__programme", "pledge__holder", "certificate__series")


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def release_annul(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the annulment of one pledge's release, with the release's number typed."""
    line = get_object_or_404(ReleaseLine.objects.select_related(*WITH_ALL), pk=pk)
    release, address = line.release, reverse("release", args=[line.release_id])
    if request.method == "GET" and line.state != LineState.DONE:
        messages.error(
            request,
            f"{line.pledge.code} está «{line.get_state_display()}» en {release.code}: no hay "
            "levantamiento que anular.",
        )
        return redirect(address)
    waiting = annulment_waiting(line)
    if waiting:
        messages.info(request, _waits(waiting))
        return redirect("release_annulment", pk=waiting.pk)
    binding = BindingAct(
        form=partial(ReleaseAnnulmentForm, number=release.code),
        act=lambda form: release_annulment_prepare(
            line_id=pk,
            annulled_on=form.cleaned_data["annulled_on"],
            cause=form.cleaned_data["cause"],
            user=request.user,
        ),
        shown=lambda form, annulment: _shown(line, annulment),
        done=lambda _: asked(request, release.code, address),
        page={
            "list_url": reverse("releases"),
            "list_label": "Levantamientos",
            "back_label": release.code,
            "heading": f"Anular el levantamiento de {line.pledge.code}",
            "short": "Anular",
            "verb": "Pedir la anulación",
            "danger": True,
            "why": f"Las acciones de {line.pledge.code} vuelven a la prenda y su certificado se "
            "anula. La aprueba un supervisor que no sea usted.",
            "back_url": address,
        },
        initial={"annulled_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _waits(annulment: ReleaseAnnulment) -> str:
    return (
        f"La anulación del levantamiento de {annulment.line.pledge.code} ya espera revisión: la "
        f"pidió {annulment.prepared_by}."
    )


def _shown(line: ReleaseLine, annulment: ReleaseAnnulment) -> dict[str, Any]:
    return {
        "answers": [
            *_lines(line),
            {
                "label": "Fecha del acto",
                "value": write_date_long(annulment.annulled_on),
                "field": "annulled_on",
            },
            {"label": "Por qué se anula", "value": annulment.cause, "field": "cause"},
        ],
        "consequence": f"Al pedirla nada cambia. {_consequence(line)}",
    }


def _lines(line: ReleaseLine) -> list[dict[str, Any]]:
    paper = line.certificate.label if line.certificate else "no se había expedido"
    return [
        {
            "label": "Prenda",
            "value": line.pledge.code,
            "detail": f"{line.pledge.holder.name}, {line.pledge.holder.identity}",
        },
        {
            "label": "Vuelven a la prenda",
            "value": write_shares(line.shares),
            "words": shares_words(line.shares),
            "detail": f"levantadas el {write_date_long(line.release.released_on)}",
            "big": True,
        },
        {"label": "Certificado que se anula", "value": paper},
    ]


def _consequence(line: ReleaseLine) -> str:
    request = line.release.request_id
    again = " Su solicitud queda pagada y puede levantarse de nuevo." if request else ""
    return (
        f"Aprobada, {write_shares(line.shares)} quedan otra vez en prenda y el certificado ya no "
        f"certifica nada; todo se conserva.{again}"
    )


@require_GET
@may(Capability.READ)
def release_annulment(request: HttpRequest, pk: int) -> HttpResponse:
    """One annulment: what it undoes, who asked for it and why, what was decided."""
    annulment = get_object_or_404(_annulments(), pk=pk)
    pending = annulment.review_state == ReviewState.PENDING
    context = {
        "annulment": annulment,
        "line": annulment.line,
        "release": annulment.line.release,
        "lines": _asked_shown(annulment),
        "consequence": _consequence(annulment.line),
        "waits_for": review_block(annulment, request.user) if pending else "",
        "buttons": decision_buttons("release_annulment", annulment, request.user),
    }
    return render(request, "pledges/releases/annulment.html", context)


def _annulments() -> QuerySet[ReleaseAnnulment]:
    return ReleaseAnnulment.objects.select_related(
        *(f"line__{name}" for name in WITH_ALL), "prepared_by", "reviewed_by"
    )


def _asked_shown(annulment: ReleaseAnnulment) -> list[dict[str, Any]]:
    return [
        *_lines(annulment.line),
        {"label": "Fecha del acto", "value": write_date_long(annulment.annulled_on)},
        *asked_lines(annulment),
    ]


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def release_annulment_decision(
    request: HttpRequest, pk: int, outcome: ReviewState
) -> HttpResponse:
    """Approve, send back or reject a release's annulment that another asked for."""
    annulment = get_object_or_404(_annulments(), pk=pk)
    line = annulment.line
    return decided(
        request,
        Decision(
            act=annulment,
            number=line.release.code,
            decide=release_annulment_decide,
            lines=_asked_shown(annulment),
            approved=_consequence(line),
            crumbs=[("Levantamientos", reverse("releases"))],
            address=reverse("release", args=[line.release_id]),
        ),
        outcome,
    )
