"""A false class: recorded, and lifted where that was a mistake, through check-your-answers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.forms.class_findings import FindingForm, LiftForm
from offerings.models import Acceptance, ClassFinding, Participation
from offerings.selectors.class_findings import false_class_notice
from offerings.selectors.programmes import programme_terms
from offerings.services.class_findings import (
    FindingMade,
    class_finding_lift,
    class_finding_record,
)
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_datetime
from office.numbers import write_shares
from office.roles import Capability

FROZEN = (
    "La etapa ya se cerró: queda constancia, que se muestra con lo suyo, y ninguna cifra cambia."
)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def class_finding_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that the class of a buyer's part is false."""
    participation = _part(request, pk)
    now = timezone.localtime()
    binding = BindingAct(
        form=FindingForm,
        act=lambda form: class_finding_record(
            participation_id=pk,
            found_at=form.moment(),
            evidence=form.cleaned_data["evidence"],
            reason=form.cleaned_data["reason"],
            user=request.user,
        ),
        shown=lambda form, made: _recorded_shown(form, made, participation),
        done=lambda made: _done(
            request, made, f"Consta la clase falsa. Quedaron rechazadas: {_codes(made)}."
        ),
        page=_page(
            participation,
            "Hacer constar la clase falsa",
            f"{participation.buyer} alegó la clase «{participation.get_buyer_class_display()}». "
            f"{_liability(participation)}".strip(),
        ),
        initial={"found_on": now.date(), "found_time": now.time()},
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def class_finding_lift_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Lift a finding that was a mistake."""
    findings = ClassFinding.objects.select_related("participation")
    finding = get_object_or_404(findings, pk=pk)
    participation = _part(request, finding.participation_id)
    if finding.lifted_at is not None and request.method == "GET":
        return redirect("participation", participation.pk)
    binding = BindingAct(
        form=LiftForm,
        act=lambda form: class_finding_lift(
            finding_id=pk, reason=form.cleaned_data["reason"], user=request.user
        ),
        shown=lambda form, made: _lifted_shown(form, made, finding),
        done=lambda made: _done(
            request, made, f"Constancia levantada. Vuelven a estar presentadas: {_codes(made)}."
        ),
        page=_page(
            participation,
            "Levantar la constancia de clase falsa",
            f"{participation.buyer}. Solo si fue un error: lo que se comprobó queda en la "
            "historia.",
        ),
    )
    return act_response(request, binding)


def _part(request: HttpRequest, pk: int) -> Participation:
    parts = Participation.objects.visible_to(request.user).select_related("programme", "buyer")
    return get_object_or_404(parts, pk=pk)


def _page(participation: Participation, heading: str, why: str) -> dict[str, Any]:
    return {
        "programme": participation.programme,
        "heading": heading,
        "short": heading,
        "verb": heading,
        "why": why,
        "back_url": reverse("participation", args=[participation.pk]),
    }


def _liability(participation: Participation) -> str:
    text, cite = false_class_notice(programme_terms(participation.programme))
    return f"{text.removesuffix('.')} ({cite})." if text else ""


def _recorded_shown(
    form: FindingForm, made: FindingMade, participation: Participation
) -> dict[str, Any]:
    consequence = (
        "Al hacerlo constar, las aceptaciones de esta lista quedan rechazadas, y el comprador no "
        "puede presentar otras en el programa mientras la constancia no se levante. "
        if made.is_open
        else f"{FROZEN} "
    )
    lines = [
        {
            "label": "Comprador",
            "value": participation.buyer.name,
            "detail": participation.buyer.identity,
        },
        {"label": "Clase que alegó", "value": participation.get_buyer_class_display()},
        {
            "label": "Se comprobó",
            "value": write_datetime(form.moment()),
            "field": "found_on",
        },
        {"label": "En qué consta", "value": form.cleaned_data["evidence"], "field": "evidence"},
        {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"},
    ]
    return {
        "answers": [*lines, *_changed_lines(made)],
        "consequence": f"{consequence}{_liability(participation)}".strip(),
    }


def _lifted_shown(form: LiftForm, made: FindingMade, finding: ClassFinding) -> dict[str, Any]:
    consequence = (
        "Al levantarla, las aceptaciones de esta lista vuelven a estar presentadas y se calculan "
        "de nuevo."
        if made.is_open
        else f"{FROZEN} Lo que se rechazó antes del cierre sigue rechazado."
    )
    lines = [
        {
            "label": "Constaba desde",
            "value": write_datetime(finding.found_at),
            "detail": finding.evidence,
        },
        {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"},
    ]
    return {"answers": [*lines, *_changed_lines(made)], "consequence": consequence}


def _changed_lines(made: FindingMade) -> list[dict[str, Any]]:
    if not made.changed:
        return [{"label": "Aceptaciones que cambian", "value": "Ninguna"}]
    return [
        {
            "label": f"Cambia {one.code}",
            "value": one.get_state_display(),
            "detail": _standing_words(one),
            "big": True,
        }
        for one in made.changed
    ]


def _standing_words(acceptance: Acceptance) -> str:
    counted = write_shares(acceptance.admitted)
    left = "queda" if acceptance.admitted == 1 else "quedan"
    return f"{acceptance.get_standing_display()}: {left} {counted} tras el límite"


def _codes(made: FindingMade) -> str:
    return ", ".join(one.code for one in made.changed) or "ninguna"


def _done(request: HttpRequest, made: FindingMade, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect("participation", made.finding.participation_id)
