"""A buyer's part in a programme: page, documents invoked, correction."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from buyers.enums import DocumentKind
from buyers.models import Document
from offerings.enums import AcceptanceState, StageState
from offerings.forms.participations import DocumentsForm, PartForm, part_initial
from offerings.models import Acceptance, Participation
from offerings.selectors.class_findings import false_class_notice, finding_told
from offerings.selectors.foreign import part_events
from offerings.selectors.programmes import programme_terms
from offerings.services.changes import Change
from offerings.services.participation_acts import documents_invoke, participation_change
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.models import User
from office.numbers import write_quantity, write_shares
from office.roles import Capability


@require_GET
@may(Capability.OWN)
def participation_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """What the buyer says of itself in the programme, on what papers, and its acceptances."""
    participation = get_object_or_404(_visible(request.user), pk=pk)
    current = _current(participation, request.user)
    held = current.filter(participations=participation).order_by("pk")
    return render(
        request,
        "offerings/participations/detail.html",
        {
            "participation": participation,
            "buyer": participation.buyer,
            "held": held,
            "lacking": _lacking(participation, request.user),
            "others": current.exclude(pk__in=held.values("pk")),
            "acceptances": _acceptances(participation, request.user),
            "is_open": participation.programme.stages.filter(state=StageState.OPEN).exists(),
            "finding": finding_told(participation),
            "events": part_events(participation, request.user),
        },
    )


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def participation_documents(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the documents that count in the programme."""
    participation = get_object_or_404(_visible(request.user), pk=pk)
    current = _current(participation, request.user)
    held = current.filter(participations=participation)
    choices = [(str(document.pk), _named(document)) for document in current]
    binding = BindingAct(
        form=partial(DocumentsForm, choices=choices),
        act=lambda form: _seen(
            documents_invoke(participation_id=pk, documents=form.chosen(), user=request.user),
            request.user,
        ),
        shown=lambda form, changed: _documents_shown(form, changed, dict(choices)),
        done=lambda changed: _done(request, participation, changed),
        page=_page(participation, "Documentos que se hacen valer", "Guardar los documentos"),
        initial={"documents": [str(document.pk) for document in held]},
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def participation_change_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct the buyer's data in the programme."""
    participation = get_object_or_404(_visible(request.user), pk=pk)
    binding = BindingAct(
        form=partial(PartForm, terms=programme_terms(participation.programme)),
        act=lambda form: participation_change(
            participation_id=pk,
            part=form.part(),
            reason=form.cleaned_data["reason"],
            user=request.user,
        ),
        shown=_part_shown,
        done=lambda changed: _done(request, participation, changed),
        page=_page(
            participation,
            "Corregir sus datos en el programa",
            "Corregir los datos",
            _class_warning(participation),
        ),
        initial=part_initial(participation),
    )
    return act_response(request, binding)


def _visible(user: User) -> QuerySet[Participation]:
    return Participation.objects.visible_to(user).select_related("programme", "buyer")


def _current(participation: Participation, user: User) -> QuerySet[Document]:
    seen = Document.objects.visible_to(user)
    current = seen.filter(buyer=participation.buyer_id, replaced_at=None)
    return current.select_related("exchange", "file", "verified_by")


def _seen(changed: list[Change], user: User) -> list[Change]:
    """Of the acceptances that an act changed, those that whoever acts may see."""
    ids = [one.acceptance.pk for one in changed]
    seen = set(Acceptance.objects.visible_to(user).filter(pk__in=ids).values_list("pk", flat=True))
    return [one for one in changed if one.acceptance.pk in seen]


def _lacking(participation: Participation, user: User) -> list[dict[str, str]]:
    """The documents that some acceptance lacks while its stage is open, each with where it is
    registered; for the Fund, since what is missing beside others' papers is not a broker's."""
    if not user.may(Capability.PREPARE):
        return []
    open_ones = participation.acceptances.filter(
        stage__state=StageState.OPEN, state=AcceptanceState.PRESENTED
    )
    gaps = {gap["label"]: gap for one in open_ones for gap in one.missing}
    address = reverse("document_new", args=[participation.buyer_id])
    following = reverse("participation_documents", args=[participation.pk])
    return [
        {
            "label": gap["label"],
            "url": f"{address}?{_asked_of(gap, following)}",
            "tag": "Incompleta",
            "detail": f"{gap['why']} {gap['cite']}".strip(),
        }
        for gap in gaps.values()
        if gap["code"] in set(DocumentKind)
    ]


def _asked_of(gap: dict[str, str], following: str) -> str:
    label = {"label": gap["label"]} if gap["code"] == DocumentKind.OTHER else {}
    return urlencode({"kind": gap["code"], **label, "next": following})


def _acceptances(participation: Participation, user: User) -> QuerySet[Acceptance]:
    visible = Acceptance.objects.visible_to(user).filter(participation=participation)
    return visible.select_related("stage__programme").in_order_of_receipt()


def _named(document: Document) -> str:
    where = document.exchange_reference or (document.file and document.file.original_name)
    return f"{document} · {where}" if where else str(document)


def _class_warning(participation: Participation) -> str:
    """What the decree says where a class is chosen."""
    text, cite = false_class_notice(programme_terms(participation.programme))
    return f" {text.removesuffix('.')} ({cite})." if text else ""


def _page(
    participation: Participation, heading: str, verb: str, warning: str = ""
) -> dict[str, Any]:
    return {
        "programme": participation.programme,
        "heading": heading,
        "short": heading,
        "verb": verb,
        "why": f"{participation.buyer}. Sus aceptaciones se calculan de nuevo.{warning}",
        "back_url": reverse("participation", args=[participation.pk]),
    }


def _changed_lines(changed: list[Change]) -> list[dict[str, Any]]:
    if not changed:
        return [{"label": "Aceptaciones que cambian", "value": "Ninguna"}]
    return [
        {
            "label": f"Cambia {one.acceptance.code}",
            "value": write_shares(one.acceptance.admitted),
            "detail": f"{one.acceptance.get_standing_display()}; tenía {one.before.words()}",
            "big": True,
        }
        for one in changed
    ]


CONSEQUENCE = (
    "Al guardar, las aceptaciones del comprador en la etapa abierta quedan como se muestra; el "
    "cambio queda en la historia con quién lo hizo y cuándo."
)


def _documents_shown(
    form: DocumentsForm, changed: list[Change], names: dict[str, str]
) -> dict[str, Any]:
    chosen = [names[str(pk)] for pk in form.chosen()]
    line = {"label": "Se hacen valer", "value": "; ".join(chosen) or "Ninguno"}
    return {
        "answers": [line | {"field": "documents"}, *_changed_lines(changed)],
        "consequence": CONSEQUENCE,
    }


def _part_shown(form: PartForm, changed: list[Change]) -> dict[str, Any]:
    lines = [
        {"label": field.label, "value": _said(field.name, form), "field": field.name}
        for field in form
    ]
    return {"answers": [*lines, *_changed_lines(changed)], "consequence": CONSEQUENCE}


def _said(name: str, form: PartForm) -> str:
    value = form.cleaned_data[name]
    choices = dict(getattr(form.fields[name], "choices", []))
    if name in {"present_holding", "held_through_others"}:
        return f"{write_quantity(value or 0)} acciones"
    if isinstance(value, bool):
        return "Sí" if value else "No"
    return str(choices.get(value, value) or "Sin dato")


def _done(
    request: HttpRequest, participation: Participation, changed: list[Change]
) -> HttpResponse:
    told = ", ".join(one.acceptance.code for one in changed) or "ninguna aceptación"
    messages.success(request, f"Guardado. Cambió: {told}.")
    return redirect("participation", participation.pk)
