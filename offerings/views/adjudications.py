"""Screens of adjudications: a new one, its review, each decision."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from buyers.models import Exchange
from offerings.enums import AwardReason
from offerings.forms.adjudications import AdjudicationForm, DecisionForm
from offerings.models import Adjudication, Stage
from offerings.rules.intermediaries import intermediaries_required
from offerings.rules.ruling import Ruling
from offerings.selectors import adjudications as selectors
from offerings.selectors.programmes import stage_terms
from offerings.services.adjudications import (
    AlreadyUnderWay,
    adjudication_decide,
    adjudication_open,
    check_can_open,
    check_stage_ready,
)
from offerings.views.adjudication_panels import VERBS, result_context
from offerings.views.annulments import run_annulment_context
from offerings.views.awards import LINES, lines_context, shown
from offerings.views.records import record_context
from offerings.views.verification import unverified_line
from office.access import may
from office.decisions import timeline
from office.jobs import job_enqueue
from office.lists import shows
from office.refusals import Refused
from office.review import ReviewState, review_block
from office.roles import Capability

PER_PAGE = 50
DONE = {
    ReviewState.APPROVED: "Aprobó la adjudicación {}: quedó en firme.",
    ReviewState.RETURNED: "Devolvió la adjudicación {} a quien la preparó.",
    ReviewState.REJECTED: "Rechazó la adjudicación {}.",
}


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def adjudication_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Form, check-your-answers, start: the same address, told apart by the button."""
    stages = Stage.objects.select_related("programme", "rules")
    stage = get_object_or_404(stages, programme__slug=slug, number=number)
    if request.method == "GET":
        return _start_page(request, stage)
    form = AdjudicationForm(request.POST, required=_exchange_required(stage))
    if not form.is_valid():
        return _form_page(request, stage, form)
    try:
        if request.POST.get("step") == "confirm":
            return _started(request, stage, form)
        terms = check_can_open(stage=stage, **form.cleaned_data)
    except AlreadyUnderWay as refusal:
        return _refused_by_another(request, stage, form, refusal.adjudication, refusal)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, stage, form)
    return _review_page(request, stage, form, terms)


def _start_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The empty form, or why this stage cannot be adjudicated now."""
    try:
        check_stage_ready(stage)
    except AlreadyUnderWay as refusal:
        return _form_page(request, stage, None, refusal=refusal, other=refusal.adjudication)
    except Refused as refusal:
        return _form_page(request, stage, None, refusal=refusal)
    fields = AdjudicationForm.base_fields
    initial = {name: request.GET[name] for name in fields if name in request.GET}
    required = _exchange_required(stage)
    exchanges = Exchange.objects.filter(is_active=True)[:2]
    if required.value and len(exchanges) == 1:
        initial.setdefault("exchange", exchanges[0].pk)
    return _form_page(request, stage, AdjudicationForm(initial=initial, required=required))


def _exchange_required(stage: Stage) -> Ruling[bool]:
    return intermediaries_required(stage_terms(stage))


def _form_page(
    request: HttpRequest,
    stage: Stage,
    form: AdjudicationForm | None,
    refusal: Refused | None = None,
    other: Adjudication | None = None,
) -> HttpResponse:
    context = {"stage": stage, "form": form, "refusal": refusal, "other": other}
    wrong = request.method == "POST"
    return render(
        request, "offerings/adjudications/form.html", context, status=422 if wrong else 200
    )


def _refused_by_another(
    request: HttpRequest,
    stage: Stage,
    form: AdjudicationForm,
    other: Adjudication,
    refusal: Refused,
) -> HttpResponse:
    """Sent twice by one person, the second shows the first; another person is told."""
    same = (other.exchange, other.session_on, other.prepared_by) == (
        form.cleaned_data["exchange"],
        form.cleaned_data["session_on"],
        request.user,
    )
    if same and other.review_state != ReviewState.APPROVED:
        return redirect("job", pk=other.job_id)
    return _form_page(request, stage, None, refusal=refusal, other=other)


def _started(request: HttpRequest, stage: Stage, form: AdjudicationForm) -> HttpResponse:
    with transaction.atomic():
        adjudication = adjudication_open(stage_id=stage.pk, user=request.user, **form.cleaned_data)
        job_enqueue(adjudication.job)
    return redirect("job", pk=adjudication.job_id)


def _review_page(
    request: HttpRequest, stage: Stage, form: AdjudicationForm, terms: Any
) -> HttpResponse:
    query = urlencode({name: request.POST[name] for name in form.fields})
    return render(
        request,
        "offerings/adjudications/review.html",
        {
            "stage": stage,
            "form": form,
            "entry": form.cleaned_data,
            "adjudicator": form.cleaned_data["exchange"] or "Ninguna: adjudica el Fondo",
            "demand": selectors.stage_demand(stage),
            "rule": terms.adjudication,
            "unverified": unverified_line(stage),
            "decree": terms.decree.value,
            "change_url": f"{request.path}?{query}",
        },
    )


@require_GET
@may(Capability.READ)
@shows(LINES)
def adjudication_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The review: figures, shares by class, checks, lines with their why, the decision."""
    run = get_object_or_404(selectors.adjudications_listed(), pk=pk)
    context: dict[str, Any] = {"run": run, "events": timeline([run])}
    if run.review_state == ReviewState.APPROVED:
        context |= run_annulment_context(run, request.user)
    if run.review_state != ReviewState.DRAFT:
        context |= result_context(request, run) | lines_context(request, run)
        may_prepare = request.user.may(Capability.PREPARE)
        context |= record_context(run, may_prepare=may_prepare)
    return render(request, "offerings/adjudications/detail.html", context)


@require_GET
@may(Capability.READ)
def adjudication_differences(request: HttpRequest, pk: int) -> HttpResponse:
    """What differs from the version before: sums, terms, and each line with another quantity."""
    run = get_object_or_404(selectors.adjudications_listed(), pk=pk, version__gt=1)
    before = selectors.run_before(run)
    if run.review_state == ReviewState.DRAFT or before is None:
        raise Http404("No hay con qué compararla.")
    changed = selectors.lines_changed(run, before)
    page = Paginator(changed, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "run": run,
        "before": before,
        "differences": selectors.run_differences(run, before),
        "page": page,
        "lines": [{"award": award, **shown(award)} for award in page],
    }
    return render(request, "offerings/adjudications/changes.html", context)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def adjudication_decision(request: HttpRequest, pk: int, outcome: ReviewState) -> HttpResponse:
    """Check what is about to be decided, with its reason; then decide."""
    run = get_object_or_404(selectors.adjudications_listed(), pk=pk)
    needs_reason = outcome != ReviewState.APPROVED
    posted = request.POST if request.method == "POST" else None
    form = DecisionForm(posted, needs_reason=needs_reason)
    blocked = review_block(run, request.user)
    if form.is_valid():
        try:
            adjudication_decide(
                adjudication_id=run.pk,
                user=request.user,
                outcome=outcome,
                reason=form.cleaned_data["reason"],
            )
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
        else:
            messages.success(request, DONE[outcome].format(run.code))
            return redirect("adjudication", pk=pk)
    context = {
        "run": run,
        "awarded": int(run.awarded or 0),
        "unsold": int(run.unsold or 0),
        "winners": run.awards.filter(awarded__gt=0).count(),
        "prorated": run.awards.filter(reason=AwardReason.PRO_RATA).count(),
        "form": form,
        "verb": VERBS[outcome],
        "approving": not needs_reason,
        "rejecting": outcome == ReviewState.REJECTED,
        "blocked": blocked,
    }
    status = 422 if form.is_bound else 200
    return render(request, "offerings/adjudications/decision.html", context, status=status)
