"""The reglamento del Fondo: its versions, its form, sending it to review, the review."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_values import READING_LABELS
from offerings.decrees.fund_values import FundValue as Given
from offerings.decrees.reader import asks_of, terms_of
from offerings.forms.fund_rules import (
    FundRulesForm,
    LegalMomentForm,
    ReviewForm,
    form_initial,
)
from offerings.models import FundRules, Programme
from offerings.rules.ruling import NotCovered
from offerings.selectors.fund_rules import (
    fund_rules_block,
    fund_rules_of,
    fund_values_given,
    given_faults,
    label_of,
    missing_keys,
    open_readings,
    shown_value,
    value_words,
)
from offerings.selectors.gaps import gaps
from offerings.selectors.programmes import fund_rules_under_way
from offerings.services.changes import Change
from offerings.services.fund_rules import (
    fund_rules_review,
    fund_rules_save,
    fund_rules_start,
    fund_rules_submit,
    price_changes_of,
)
from office.access import may
from office.decisions import timeline
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability

INVALID = 422
MISSING = "Falta para enviarlo a revisión. El borrador quedó guardado sin este dato."
OUTCOMES = {
    "aprobar": ReviewState.APPROVED,
    "devolver": ReviewState.RETURNED,
    "rechazar": ReviewState.REJECTED,
}
DONE = {
    ReviewState.APPROVED: "Se aprobó la versión {}.",
    ReviewState.RETURNED: "Se devolvió la versión {}.",
    ReviewState.REJECTED: "Se rechazó la versión {}.",
}


@require_http_methods(["GET", "POST"])
@may(Capability.READ)
def rules_latest(request: HttpRequest, slug: str) -> HttpResponse:
    """The last version; on POST, begin a new one."""
    programme = get_object_or_404(Programme, slug=slug)
    if request.method == "POST":
        return _started(request, programme)
    latest = fund_rules_of(programme).first()
    return render(
        request, "offerings/fund_rules/detail.html", _context(request, programme, latest)
    )


def _started(request: HttpRequest, programme: Programme) -> HttpResponse:
    try:
        rules = fund_rules_start(programme=programme, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("fund_rules", programme.slug)
    return redirect("fund_rules_edit", programme.slug, rules.version)


@require_GET
@may(Capability.READ)
def rules_detail(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One version, with its values and readings and what was decided."""
    rules = _rules(slug, version)
    return render(
        request, "offerings/fund_rules/detail.html", _context(request, rules.programme, rules)
    )


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def rules_edit(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The form of a draft: saved as far as it is, or saved and on to its review."""
    rules = _rules(slug, version)
    if rules.review_state != ReviewState.DRAFT:
        return redirect("fund_rules_version", slug, version)
    if request.method == "GET":
        form = FundRulesForm(slug=slug, initial=form_initial(fund_values_given(rules)))
        return _edit_page(request, rules, form)
    form = FundRulesForm(request.POST, slug=slug)
    if not form.is_valid():
        return _edit_page(request, rules, form)
    given = form.given()
    if form.tell(given_faults(slug, given)) or not _saved(request, rules, form, given):
        return _edit_page(request, rules, form)
    if request.POST.get("paso") == "guardar":
        messages.success(request, f"Se guardó el borrador de la versión {version}.")
        return redirect("fund_rules_edit", slug, version)
    if form.tell(Refused(MISSING, key) for key in missing_keys(slug, given)):
        return _edit_page(request, rules, form)
    return redirect("fund_rules_submit", slug, version)


def _saved(
    request: HttpRequest, rules: FundRules, form: FundRulesForm, given: Mapping[str, Given]
) -> bool:
    try:
        fund_rules_save(rules=rules, user=request.user, values=given)
    except Refused as refusal:
        form.tell([refusal])
        return False
    return True


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def rules_submit(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Check-your-answers of a draft; on POST, send it to review."""
    rules = _rules(slug, version)
    if request.method == "GET":
        return _submit_page(request, rules, LegalMomentForm(initial=legal_now()))
    form = LegalMomentForm(request.POST)
    if not form.is_valid():
        return _submit_page(request, rules, form)
    try:
        fund_rules_submit(rules=rules, user=request.user, legal_at=form.moment())
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _submit_page(request, rules, form)
    messages.success(request, f"La versión {version} espera la revisión de otro supervisor.")
    return redirect("fund_rules_version", slug, version)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def rules_review(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The figures and readings that a supervisor approves, sends back or rejects."""
    rules = _rules(slug, version)
    if request.method == "GET":
        return _review_page(request, rules, ReviewForm(initial=legal_now()))
    form = ReviewForm(request.POST)
    outcome = OUTCOMES.get(request.POST.get("decision", ""))
    if not form.is_valid():
        return _review_page(request, rules, form)
    if outcome is None:
        form.add_error(None, "Elija aprobar, devolver o rechazar.")
        return _review_page(request, rules, form)
    try:
        fund_rules_review(
            rules=rules,
            user=request.user,
            outcome=outcome,
            reason=form.cleaned_data["reason"],
            legal_at=form.moment(),
        )
    except Refused as refusal:
        needs_reason = outcome != ReviewState.APPROVED and not form.cleaned_data["reason"]
        field = "reason" if needs_reason else refusal.field
        form.add_error(field if field in form.fields else None, refusal.message)
        return _review_page(request, rules, form)
    messages.success(request, DONE[outcome].format(version))
    return redirect("fund_rules_version", slug, version)


def _rules(slug: str, version: int) -> FundRules:
    rules = FundRules.objects.select_related("programme", "prepared_by", "reviewed_by")
    return get_object_or_404(rules, programme__slug=slug, version=version)


def _context(
    request: HttpRequest, programme: Programme, rules: FundRules | None
) -> dict[str, Any]:
    under_way = fund_rules_under_way(programme)
    opened = programme.stages.exclude(opened_at=None).exists()
    return {
        "programme": programme,
        "terms": terms_of(programme.slug),
        "rules": rules,
        "lines": _lines(programme.slug, rules),
        "versions": fund_rules_of(programme),
        "can_start": request.user.may(Capability.PREPARE) and not under_way,
        "stage_opened": opened,
        "blocked": fund_rules_block(rules, request.user) if rules else "",
        "events": timeline([rules]) if rules else [],
    }


def _lines(slug: str, rules: FundRules | None) -> dict[str, list[dict[str, Any]]]:
    """Values and readings as the pages show them, also those that nobody entered."""
    given = fund_values_given(rules) if rules else {}
    who = (
        {row.key: row.entered_by for row in rules.values.select_related("entered_by")}
        if rules
        else {}
    )
    edit = reverse("fund_rules_edit", args=[slug, rules.version]) if rules else ""
    lines: dict[str, list[dict[str, Any]]] = {"values": [], "readings": []}
    asked = {ask.key: (ask.why, ask.cite, ask.required) for ask in asks_of(slug)}
    for name, reading in open_readings(slug).items():
        asked[name] = (reading.note, reading.cite, True)
    for key, (why, cite, is_required) in asked.items():
        value = given.get(key)
        line = {
            "key": key,
            "label": label_of(key),
            "why": why,
            "cite": cite,
            "required": is_required,
            "value": shown_value(key, value.value) if value else "",
            "words": value_words(key, value.value) if value else "",
            "source": value.source if value else "",
            "entered_by": who.get(key),
            "change_url": f"{edit}#id_{key}",
        }
        lines["readings" if key in READING_LABELS else "values"].append(line)
    return lines


def _edit_page(request: HttpRequest, rules: FundRules, form: FundRulesForm) -> HttpResponse:
    context = {
        "programme": rules.programme,
        "rules": rules,
        "form": form,
        "terms": terms_of(rules.programme.slug),
    }
    return render(
        request,
        "offerings/fund_rules/form.html",
        context,
        status=INVALID if form.errors else 200,
    )


def legal_now() -> dict[str, Any]:
    """The legal moment that a form proposes: now."""
    now = timezone.localtime()
    return {"legal_on": now.date(), "legal_time": now.time()}


def _submit_page(request: HttpRequest, rules: FundRules, form: LegalMomentForm) -> HttpResponse:
    given = fund_values_given(rules)
    missing = missing_keys(rules.programme.slug, given)
    context = {
        "programme": rules.programme,
        "rules": rules,
        "lines": _lines(rules.programme.slug, rules),
        "missing": [label_of(key) for key in missing],
        "gaps": _gaps(rules),
        "form": form,
    }
    return render(
        request,
        "offerings/fund_rules/submit.html",
        context,
        status=INVALID if form.errors else 200,
    )


def _gaps(rules: FundRules) -> list[NotCovered]:
    """What would stay without an answer if this version came into force as it is."""
    try:
        return gaps(terms_of(rules.programme.slug, fund_values_given(rules)))
    except DecreeError:  # what is missing is told beside it
        return []


def _price_changes(rules: FundRules) -> list[Change]:
    """The acceptances that approving would change by its price."""
    try:
        return price_changes_of(rules)
    except Refused:  # told when it is decided
        return []


def _review_page(request: HttpRequest, rules: FundRules, form: ReviewForm) -> HttpResponse:
    context = _context(request, rules.programme, rules) | {
        "form": form,
        "gaps": _gaps(rules),
        "price_changes": _price_changes(rules),
    }
    return render(
        request,
        "offerings/fund_rules/review.html",
        context,
        status=INVALID if form.errors else 200,
    )
