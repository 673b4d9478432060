"""Screens of a release: its page, its review; what the page of a pledge shows of it."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from offerings.forms.adjudications import DecisionForm
from office.access import may
from office.decisions import timeline
from office.jobs import job_enqueue
from office.lists import shows
from office.models import User
from office.numbers import write_count, write_shares
from office.refusals import Refused
from office.review import ReviewState, review_block
from office.roles import Capability
from pledges.enums import Ground, RequestState
from pledges.models import Pledge, Release
from pledges.selectors import releases as selectors
from pledges.services.releases import release_decide
from pledges.views.release_lists import LINES, lines_context, state_words

VERBS = {
    ReviewState.APPROVED: "Aprobar el levantamiento",
    ReviewState.RETURNED: "Devolver con motivo",
    ReviewState.REJECTED: "Rechazar el levantamiento",
}
DONE = {
    ReviewState.APPROVED: "Se aprobó {}.",
    ReviewState.RETURNED: "Se devolvió {} a quien lo preparó.",
    ReviewState.REJECTED: "Se rechazó {}.",
}


@require_GET
@may(Capability.READ)
@shows(LINES)
def release_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One release: what it frees, its lines, its review, its job, its certificates."""
    release = _release(pk)
    context = lines_context(request, release) | release_context(release, request.user)
    return render(request, "pledges/releases/detail.html", context)


def _release(pk: int) -> Release:
    return get_object_or_404(selectors.releases_listed(), pk=pk)


def release_context(release: Release, user: User) -> dict[str, Any]:
    """What the page of a release shows beside its lines."""
    pending = release.review_state == ReviewState.PENDING
    blocked = review_block(release, user) if pending else ""
    counts = selectors.release_counts(release)
    held = None
    if pending and release.ground == Ground.TERM:
        held = selectors.pledges_held_back(release.programme, release.released_on)
    return {
        "release": release,
        "state": state_words(release),
        "counts": counts,
        "held": held,
        "annulments_waiting": selectors.annulments_waiting(release),
        "waits_for": blocked,
        "buttons": _buttons(release) if pending and not blocked else [],
        "consequence": consequence(release),
        "certificates_url": f"{reverse('release_certificates')}?programme={release.programme_id}"
        f"&release={release.pk}",
        "events": timeline([release, *selectors.lines_with_annulments(release)]),
    }


def _buttons(release: Release) -> list[dict[str, str]]:
    labels = (
        ("reject", "Rechazar", "danger"),
        ("return", "Devolver con motivo", "secondary"),
        ("approve", "Aprobar el levantamiento", "primary"),
    )
    return [
        {"label": label, "kind": kind, "url": reverse(f"release_{name}", args=[release.pk])}
        for name, label, kind in labels
    ]


def consequence(release: Release) -> str:
    """What the approval does, in a sentence."""
    shares = write_shares(int(release.shares_planned))
    if release.ground == Ground.EARLY:
        return f"Al aprobar, {shares} quedan libres de prenda en este momento."
    return (
        f"Al aprobar, un proceso libera {shares} de "
        f"{write_count(release.lines_planned, 'prenda', 'prendas')}; lo que entretanto se "
        "embargue no se levanta."
    )


# The review


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def release_decision(request: HttpRequest, pk: int, outcome: ReviewState) -> HttpResponse:
    """Check what is about to be decided, with its reason; then decide."""
    release = _release(pk)
    form = DecisionForm(
        request.POST if request.method == "POST" else None,
        needs_reason=outcome != ReviewState.APPROVED,
    )
    if form.is_valid():
        try:
            decided = _decided(request, release, outcome, form.cleaned_data["reason"])
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
        else:
            messages.success(request, DONE[outcome].format(release.code))
            to_job = outcome == ReviewState.APPROVED and decided.job_id
            return redirect("job", pk=decided.job_id) if to_job else redirect("release", pk=pk)
    context = {
        "release": release,
        "form": form,
        "verb": VERBS[outcome],
        "rejecting": outcome == ReviewState.REJECTED,
        "shares": int(release.shares_planned),
        "line": _only_line(release),
        "consequence": consequence(release)
        if outcome == ReviewState.APPROVED
        else f"Nada se levanta. {release.prepared_by} verá su motivo y puede preparar otro; este "
        "queda en la historia.",
        "blocked": review_block(release, request.user),
    }
    status = 422 if form.is_bound else 200
    return render(request, "pledges/releases/decision.html", context, status=status)


def _decided(request: HttpRequest, release: Release, outcome: ReviewState, reason: str) -> Release:
    with transaction.atomic():
        decided = release_decide(
            release_id=release.pk, user=request.user, outcome=outcome, reason=reason
        )
        if outcome == ReviewState.APPROVED and decided.job:
            job_enqueue(decided.job)
    return decided


def _only_line(release: Release) -> Any:
    """The line of an early exit, which is one."""
    if release.ground != Ground.EARLY:
        return None
    return selectors.release_lines(release).first()


def releases_on_pledge(pledge: Pledge, user: User) -> dict[str, Any]:
    """What the page of a pledge shows of its releases."""
    lines = selectors.lines_of_pledge(pledge, user)
    paid = pledge.requests.filter(state=RequestState.PAID).order_by("pk")
    waiting = {line.release.request_id for line in lines if line.state == "planned"}
    ready = [one for one in paid if one.pk not in waiting] if user.may(Capability.READ) else []
    return {"release_lines": lines, "ready_requests": ready}
