"""Deciding on an annulment that another asked for: what all kinds of it share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from offerings.forms.annulments import AnnulmentDecisionForm
from offerings.models import AdjudicationAnnulment
from office.dates import write_datetime
from office.models import CertificateAnnulment, User
from office.refusals import Refused
from office.review import ReviewState, TwoPersonAct, review_block

OUTCOMES = {
    "aprobar": ("approve", ReviewState.APPROVED),
    "devolver": ("return", ReviewState.RETURNED),
    "rechazar": ("reject", ReviewState.REJECTED),
}
VERBS = {
    ReviewState.APPROVED: "Aprobar la anulación",
    ReviewState.RETURNED: "Devolver con motivo",
    ReviewState.REJECTED: "Rechazar la anulación",
}
TOLD = {
    ReviewState.APPROVED: "Se anuló {}.",
    ReviewState.RETURNED: "Devolvió la anulación de {} a quien la pidió.",
    ReviewState.REJECTED: "Rechazó la anulación de {}: sigue vigente.",
}
WAITS = "La anulación de {} espera a un supervisor que no sea usted."
STAYS = {
    ReviewState.RETURNED: "Nada cambia: {} sigue vigente. {} verá en Inicio su motivo, para "
    "corregir lo que usted diga y pedirla de nuevo.",
    ReviewState.REJECTED: "Nada cambia: {} sigue vigente y la petición queda rechazada en la "
    "historia. {} verá su motivo.",
}


@dataclass(frozen=True)
class Decision:
    """What the page of a decision shows of an annulment, and the service that decides."""

    act: CertificateAnnulment | AdjudicationAnnulment
    number: str
    decide: Callable[..., TwoPersonAct]
    lines: list[dict[str, Any]]
    approved: str
    crumbs: list[tuple[str, str]]
    address: str


def decision_buttons(name: str, act: TwoPersonAct | None, user: User) -> list[dict[str, str]]:
    """The buttons of whoever may decide on an annulment that waits."""
    if act is None or review_block(act, user):
        return []
    labels = {"reject": "Rechazar", "return": "Devolver con motivo", "approve": "Aprobar…"}
    kinds = {"reject": "danger", "return": "secondary", "approve": "danger"}
    return [
        {
            "label": label,
            "kind": kinds[outcome],
            "url": reverse(f"{name}_{outcome}", args=[act.pk]),
        }
        for outcome, label in labels.items()
    ]


def asked(request: HttpRequest, number: str, address: str) -> HttpResponse:
    messages.success(request, WAITS.format(number))
    return redirect(address)


def asked_lines(act: CertificateAnnulment | AdjudicationAnnulment) -> list[dict[str, Any]]:
    return [
        {
            "label": "La pidió",
            "value": act.prepared_by,
            "detail": write_datetime(act.prepared_at),
        },
        {"label": "Por qué", "value": act.cause},
    ]


def decided(request: HttpRequest, shown: Decision, outcome: ReviewState) -> HttpResponse:
    approves = outcome == ReviewState.APPROVED
    form = AnnulmentDecisionForm(
        request.POST if request.method == "POST" else None,
        approves=shown.number if approves else "",
    )
    if form.is_valid():
        try:
            shown.decide(
                annulment_id=shown.act.pk,
                user=request.user,
                outcome=outcome,
                reason=form.cleaned_data["reason"],
            )
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
        else:
            messages.success(request, TOLD[outcome].format(shown.number))
            return redirect(shown.address)
    context = {
        "shown": shown,
        "form": form,
        "verb": VERBS[outcome],
        # Sending back is the one that leaves all as it is and loses nothing.
        "danger": outcome != ReviewState.RETURNED,
        "consequence": shown.approved
        if approves
        else STAYS[outcome].format(shown.number, shown.act.prepared_by),
        "blocked": review_block(shown.act, request.user),
    }
    status = 422 if form.errors else 200
    return render(request, "offerings/annulments/decision.html", context, status=status)
