"""Drafts of acceptances: kept, listed, gone on with, thrown away."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from offerings.forms.acceptances import AcceptanceForm
from offerings.forms.drafts import content_of, content_restore
from offerings.selectors.drafts import drafts_listed
from offerings.services.drafts import draft_discard, draft_save, draft_stamp
from offerings.views.acceptances import asked_of, form_page, stage_of, unbound
from office.access import may
from office.dates import write_datetime
from office.refusals import Refused
from office.roles import Capability

INVALID = 422


@require_GET
@may(Capability.PRESENT)
def draft_list(request: HttpRequest) -> HttpResponse:
    """The drafts of whoever asks."""
    return render(
        request, "offerings/drafts/list.html", {"drafts": list(drafts_listed(request.user))}
    )


@require_POST
@may(Capability.PRESENT)
def draft_save_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Keep what is typed, readable or not, and go on with it."""
    stage = stage_of(slug, number)
    form = unbound(request, stage)
    try:
        draft = draft_save(
            stage=stage,
            content=content_of(form, request.POST),
            submission_key=_key(request),
            seen=request.POST.get("draft_seen", ""),
            user=request.user,
        )
    except Refused as refusal:
        return form_page(request, stage, form, status=INVALID, refusal=refusal.message)
    messages.success(
        request,
        f"Borrador guardado ({write_datetime(draft.saved_at)}). No tiene efecto hasta que se "
        "registre.",
    )
    return redirect("acceptance_draft", pk=draft.pk)


def _key(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("submission_key", ""))
    except ValueError:
        return uuid.uuid4()


@require_GET
@may(Capability.PRESENT)
def draft_continue(request: HttpRequest, pk: int) -> HttpResponse:
    """The form as it was typed, or why it cannot go on."""
    draft = get_object_or_404(drafts_listed(request.user), pk=pk)
    stage = stage_of(draft.stage.programme.slug, draft.stage.number)
    asked = asked_of(request, stage)
    form = AcceptanceForm(**asked)
    content_restore(form, draft.content)
    form.initial |= {"submission_key": draft.submission_key, "draft_seen": draft_stamp(draft)}
    if form.fixed_broker:
        form.initial["broker"] = form.fixed_broker.pk
    return form_page(request, stage, form, draft=draft)


@require_POST
@may(Capability.PRESENT)
def draft_discard_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw a draft away."""
    draft = get_object_or_404(drafts_listed(request.user), pk=pk)
    draft_discard(draft_id=draft.pk, user=request.user)
    messages.success(request, "Borrador descartado.")
    return redirect("acceptance_drafts")
