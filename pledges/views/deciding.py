"""Deciding on what another prepared about an early exit: what all kinds of it share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from offerings.forms.adjudications import DecisionForm
from office.dates import write_datetime
from office.refusals import Refused
from office.review import ReviewState, TwoPersonAct, review_block

OUTCOMES = {
    "aprobar": ReviewState.APPROVED,
    "devolver": ReviewState.RETURNED,
    "rechazar": ReviewState.REJECTED,
}
TOLD = {
    ReviewState.APPROVED: "Se aprobó: {}.",
    ReviewState.RETURNED: "Se devolvió a quien la preparó: {}.",
    ReviewState.REJECTED: "Se rechazó: {}.",
}


@dataclass(frozen=True)
class Reviewed:
    """An act that waits for its review, as its page needs it.

    what: its name in a sentence; decide: the service, given user, outcome and reason; lines: what
    it says; approved: what approving does; crumbs: the way to it; address: where it belongs.
    """

    act: TwoPersonAct
    what: str
    decide: Callable[..., TwoPersonAct]
    lines: list[dict[str, Any]]
    approved: str
    crumbs: list[tuple[str, str]]
    address: str


def review_response(request: HttpRequest, shown: Reviewed) -> HttpResponse:
    """The page on which a supervisor approves, sends back or rejects; on POST, what it decided."""
    if request.method == "GET":
        return _page(request, shown, DecisionForm(needs_reason=False))
    outcome = OUTCOMES.get(request.POST.get("decision", ""))
    form = DecisionForm(request.POST, needs_reason=outcome != ReviewState.APPROVED)
    if outcome is None:
        form.add_error(None, "Elija si la aprueba, la devuelve o la rechaza.")
    if not form.is_valid():
        return _page(request, shown, form)
    try:
        shown.decide(user=request.user, outcome=outcome, reason=form.cleaned_data["reason"])
    except Refused as refusal:
        form.add_error(None, refusal.message)
        return _page(request, shown, form)
    messages.success(request, TOLD[outcome].format(f"{shown.what[:1].lower()}{shown.what[1:]}"))
    return redirect(shown.address)


def prepared_lines(act: TwoPersonAct) -> list[dict[str, Any]]:
    """Who prepared it and when, for check-your-answers."""
    return [
        {
            "label": "La preparó",
            "value": act.prepared_by,
            "detail": write_datetime(act.prepared_at),
        }
    ]


def _page(request: HttpRequest, shown: Reviewed, form: DecisionForm) -> HttpResponse:
    context = {
        "shown": shown,
        "form": form,
        "blocked": review_block(shown.act, request.user),
        "state": shown.act.get_review_state_display(),
    }
    status = 422 if form.errors else 200
    return render(request, "pledges/acts/review.html", context, status=status)
