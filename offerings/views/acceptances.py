"""Acceptances: list, page, form with its limit, check-your-answers."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from buyers.enums import BuyerKind
from buyers.models import Buyer, Document, brokers_of
from buyers.selectors.acting import buyer_identified
from buyers.services import presenting_broker
from offerings.enums import AcceptanceState
from offerings.forms.acceptances import AcceptanceForm
from offerings.models import Acceptance, AcceptanceDraft, Participation, Stage
from offerings.rules.terms import NoticeCode
from offerings.rules.withdrawals import withdrawal_conceivable
from offerings.selectors.acceptances import (
    acceptance_events,
    acceptances_alike,
    acceptances_shown,
    buyer_named,
)
from offerings.selectors.changes import change_lines
from offerings.selectors.class_findings import finding_told
from offerings.selectors.foreign import foreign_part
from offerings.selectors.on_file import documents_on_file_seen
from offerings.selectors.programmes import repealed_on, stage_terms
from offerings.selectors.receipts import conditions_of
from offerings.services.acceptances import (
    acceptance_faults,
    acceptance_register,
)
from offerings.services.previews import (
    Typed,
    limit_alone,
    standing_preview,
)
from offerings.services.rehearsals import rehearsed
from offerings.services.stages import stage_check
from offerings.views.acceptance_known import filled_in, known_of, papers_doubled
from offerings.views.acceptance_panels import (
    acceptance_panel,
    answers,
    attested_words,
    checklist_tasks,
    limit_panel,
    notice_words,
    through_words,
)
from office.access import may
from office.models import User
from office.refusals import Refused
from office.roles import Capability

NAMED = "comprador"  # asked because the buyer was named, not for another answer
FORM, REVIEW, REGISTER = "volver", "revisar", "registrar"
INVALID = 422


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def acceptance_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form; on POST its review, the form again to change something, or the registration."""
    stage = stage_of(slug, number)
    if request.method == "GET":
        return form_page(request, stage, _empty_form(request, stage))
    form = AcceptanceForm(request.POST, **asked_of(request, stage))
    step = request.POST.get("paso", REVIEW)
    if step == FORM:
        return form_page(request, stage, unbound(request, stage))
    if not form.is_valid():
        _tell_more(form, stage, request)
        return form_page(request, stage, form, status=INVALID)
    try:
        return _review_or_register(request, stage, form, step)
    except Refused as refusal:
        form.add_error(_field_of(form, refusal), refusal.message)
        return form_page(request, stage, form, status=INVALID)


def _review_or_register(
    request: HttpRequest, stage: Stage, form: AcceptanceForm, step: str
) -> HttpResponse:
    buyer = buyer_named(form.cleaned_data["buyer"], request.user)
    asked = {
        "stage": stage,
        "buyer": buyer,
        "part": form.part(),
        "papers": form.papers(buyer),
        "given": form.given(),
        "submission_key": form.cleaned_data["submission_key"] or form["submission_key"].initial,
        "draft_seen": form.cleaned_data["draft_seen"],
        "user": request.user,
    }
    if step == REGISTER:
        return redirect("acceptance", acceptance_register(**asked).pk)
    # Its lines are read inside the rehearsal: what they stand on is undone with it.
    shown = rehearsed(lambda: _review_lines(acceptance_register(**asked), form, buyer, request))
    context = {"stage": stage, "buyer": buyer, "typed": _typed_fields(request.POST), **shown}
    return render(request, "offerings/acceptances/review.html", context)


def _review_lines(
    acceptance: Acceptance, form: AcceptanceForm, buyer: Buyer, request: HttpRequest
) -> dict[str, Any]:
    foreign = foreign_part(
        buyer=buyer, stage=acceptance.stage, user=request.user, acceptance=acceptance
    )
    return {
        "acceptance": acceptance,
        "total": acceptance.total,
        "asked_total": acceptance.requested * acceptance.stage.price,
        "conditions": conditions_of(acceptance),
        "may_be_withdrawn": withdrawal_conceivable(stage_terms(acceptance.stage)),
        "answers": answers(acceptance, form, buyer, foreign),
        "changes": change_lines(acceptance, request.user),
        "panel": acceptance_panel(acceptance, foreign),
        "alike": [other.code for other in acceptances_alike(acceptance)],
        "doubled": papers_doubled(acceptance, request.user),
    }


@require_http_methods(["POST"])
@may(Capability.PRESENT)
def acceptance_limit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The Why panel for what is typed so far; asked for while one types."""
    stage = stage_of(slug, number)
    form = AcceptanceForm(request.POST, **asked_of(request, stage))
    form.is_valid()
    panel = _panel(request, stage, form)
    return render(
        request, "offerings/acceptances/limit.html", {"panel": panel, "form": form, "live": True}
    )


@require_http_methods(["POST"])
@may(Capability.PRESENT)
def acceptance_papers(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The document fields for the buyer and the answers given so far."""
    stage = stage_of(slug, number)
    buyer = _named(request.POST.get("buyer", ""), request)
    by_buyer = NAMED in request.GET
    form = unbound(request, stage)
    if by_buyer:
        known = filled_in(request.POST, stage, buyer, form, request.user)
        form = AcceptanceForm(initial=known, **asked_of(request, stage))
    filled = by_buyer and buyer is not None and _is_known(stage, buyer, request)
    return render(
        request,
        "offerings/acceptances/papers.html",
        {
            "form": form,
            # Where nothing was filled in, now or before, what is being typed is left alone.
            "part": filled or (by_buyer and bool(request.POST.get("filled_for"))),
            "filled": filled,
            "class_warning": notice_words(form.terms, NoticeCode.FALSE_CLASS),
            "groups": form.paper_groups(_kind(buyer), form.files_return()),
            "on_file": _on_file(stage, buyer, form, request.user),
            "stage": stage,
        },
    )


@require_GET
@may(Capability.OWN)
def acceptance_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """An acceptance with why it stands as it does."""
    acceptance = get_object_or_404(acceptances_shown(request.user), pk=pk)
    others = (
        Acceptance.objects.visible_to(request.user)
        .filter(participation=acceptance.participation, stage=acceptance.stage)
        .exclude(pk=pk)
        .select_related("stage__programme")
        .in_order_of_receipt()
    )
    buyer = acceptance.participation.buyer
    foreign = foreign_part(
        buyer=buyer, stage=acceptance.stage, user=request.user, acceptance=acceptance
    )
    return render(
        request,
        "offerings/acceptances/detail.html",
        {
            "acceptance": acceptance,
            "stage": acceptance.stage,
            "buyer": buyer,
            "finding": finding_told(
                acceptance.participation, lifted=acceptance.state == AcceptanceState.REJECTED
            ),
            "through": through_words(acceptance),
            "attested": attested_words(acceptance),
            "binds": notice_words(stage_terms(acceptance.stage), NoticeCode.ACCEPTANCE_BINDS),
            "may_be_withdrawn": withdrawal_conceivable(stage_terms(acceptance.stage)),
            "panel": acceptance_panel(acceptance, foreign),
            "tasks": checklist_tasks(
                acceptance, foreign, by_name=request.user.may(Capability.READ)
            ),
            "others": others,
            "owner": buyer_identified(
                acceptance.beneficial_owner_identity_type,
                acceptance.beneficial_owner_identity_number,
                request.user,
            ),
            "awards": acceptance.approved,
            "events": acceptance_events(acceptance, request.user),
        },
    )


def stage_of(slug: str, number: int) -> Stage:
    """The stage of that address, with its programme and terms."""
    stages = Stage.objects.select_related("programme", "rules")
    return get_object_or_404(stages, programme__slug=slug, number=number)


def _empty_form(request: HttpRequest, stage: Stage) -> AcceptanceForm:
    asked = Buyer.objects.visible_to(request.user).filter(pk=_number(request.GET)).first()
    initial = known_of(stage, asked.kept, request.user) if asked else {}
    return AcceptanceForm(initial=initial, **asked_of(request, stage))


def asked_of(request: HttpRequest, stage: Stage) -> dict[str, Any]:
    """What the form follows: the stage, its terms, and the broker of a broker's person."""
    brokers = None
    if not request.user.may(Capability.PREPARE):
        brokers = brokers_of(request.user).filter(is_active=True)
    return {"stage": stage, "terms": stage_terms(stage), "brokers": brokers}


def _number(data: QueryDict) -> int:
    raw = data.get("comprador", "")
    return int(raw) if raw.isdecimal() and len(raw) < 18 else 0


def unbound(request: HttpRequest, stage: Stage) -> AcceptanceForm:
    """The form with what was typed, not judged yet."""
    return AcceptanceForm(initial=request.POST.dict(), **asked_of(request, stage))


def _typed_fields(data: QueryDict) -> list[tuple[str, str]]:
    skipped = {"csrfmiddlewaretoken", "paso"}
    return [(name, value) for name in data if name not in skipped for value in data.getlist(name)]


def form_page(
    request: HttpRequest,
    stage: Stage,
    form: AcceptanceForm,
    *,
    status: int = 200,
    refusal: str = "",
    draft: AcceptanceDraft | None = None,
) -> HttpResponse:
    """The form, or why the stage takes nothing in. `refusal`: why what was asked of it cannot be
    done; `draft`: the one that it goes on with."""
    try:
        stage_check(stage)
        presenting_broker(request.user)
    except Refused as closed:
        return render(
            request,
            "offerings/acceptances/closed.html",
            {"stage": stage, "message": closed.message, "draft": draft},
            status=409 if request.method == "POST" else 200,
        )
    named = form.data.get("buyer") if form.is_bound else form["buyer"].value()
    buyer = _named(named or "", request)
    context = {
        "stage": stage,
        "form": form,
        "groups": list(form.paper_groups(_kind(buyer), form.files_return())),
        "panel": _panel(request, stage, form) if form.is_bound else None,
        "on_file": _on_file(stage, buyer, form, request.user),
        "class_warning": notice_words(form.terms, NoticeCode.FALSE_CLASS),
        "notices": [
            words
            for code in (NoticeCode.ACCEPTANCE_BINDS, NoticeCode.FALSE_CLASS)
            if (words := notice_words(form.terms, code))
        ],
        "focus": request.POST.get("cambiar", ""),
        "refusal": refusal,
        "draft": draft,
    }
    return render(request, "offerings/acceptances/form.html", context, status=status)


def _on_file(
    stage: Stage, buyer: Buyer | None, form: AcceptanceForm, user: User
) -> list[Document]:
    """The buyer's papers that count without being typed, of those that whoever types sees."""
    return [] if buyer is None else documents_on_file_seen(buyer, form.terms, user)


def _named(text: str, request: HttpRequest) -> Buyer | None:
    if not text.strip():
        return None
    try:
        return buyer_named(text, request.user)
    except Refused:
        return None


def _tell_more(form: AcceptanceForm, stage: Stage, request: HttpRequest) -> None:
    """Beside what cannot be read, say at once what would be refused next."""
    text, received_at = form.cleaned_data.get("buyer"), form.received_at()
    if received_at is not None:
        typed = Acceptance(
            requested=form.cleaned_data.get("requested") or 1,
            received_at=received_at,
            attested_on=form.cleaned_data.get("attested_on"),
            broker=form.cleaned_data.get("broker"),
            exchange=form.cleaned_data.get("exchange"),
            valid_days=form.cleaned_data.get("valid_days"),
        )
        repealed = repealed_on(stage.programme.slug)
        for fault in acceptance_faults(typed, stage, stage_terms(stage), repealed):
            name = _field_of(form, fault)
            if name not in form.errors:
                form.add_error(name, fault.message)
    try:
        if text:
            buyer_named(text, request.user)
    except Refused as refusal:
        form.add_error("buyer", refusal.message)


def _is_known(stage: Stage, buyer: Buyer, request: HttpRequest) -> bool:
    parts = Participation.objects.visible_to(request.user)
    return parts.filter(programme=stage.programme, buyer=buyer).exists()


def _kind(buyer: Buyer | None) -> BuyerKind | None:
    return BuyerKind(buyer.kind) if buyer else None


def _field_of(form: AcceptanceForm, refusal: Refused) -> str | None:
    aliases = {"received_at": "received_on"}
    name = aliases.get(refusal.field, refusal.field)
    if name in form.fields:
        return name
    return next((field for field in form.fields if field.endswith(f"_{name}") and name), None)


def _panel(request: HttpRequest, stage: Stage, form: AcceptanceForm) -> dict[str, Any]:
    """What the Why panel says of a form that may be half filled."""
    buyer = _named(form.data.get("buyer", ""), request)
    if buyer is None or not form.cleaned_data.get("buyer_class"):
        return {"title": "Límite de compra", "outcome": "Elija el comprador y su clase."}
    data = form.cleaned_data
    typed = Typed(
        part=form.part(),
        papers=form.papers(buyer),
        requested=data.get("requested"),
        declarations=[kind.value for kind in form.declarations()],
        received_at=form.received_at(),
        attested_on=data.get("attested_on"),
        broker=data.get("broker"),
        exchange=data.get("exchange"),
    )
    try:
        standing = standing_preview(stage=stage, buyer=buyer, typed=typed, user=request.user)
    except Refused as refusal:
        return {"title": "Límite de compra", "outcome": refusal.message}
    foreign = foreign_part(buyer=buyer, stage=stage, user=request.user)
    if typed.requested is None:
        return limit_panel(limit_alone(standing), stage, foreign)
    return limit_panel(standing, stage, foreign, requested=typed.requested)
