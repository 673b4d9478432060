"""Screens of buyers: one buyer, its correction, its papers."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.forms import Form
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from buyers import selectors
from buyers.forms import BuyerChangeForm, BuyerForm, DocumentForm, DocumentReplaceForm
from buyers.models import Buyer, Document
from buyers.selectors.acting import acting_for, acts_for
from buyers.selectors.documents import difference_sent
from buyers.selectors.histories import buyer_history, buyer_timeline
from buyers.selectors.notices import buyer_notices
from buyers.services import (
    AlreadyRegistered,
    DocumentExists,
    Stale,
    buyer_change,
    buyer_register,
    buyer_token,
    document_add,
    document_replace,
)
from buyers.services.stated import STATED
from buyers.services.uploads import EXTENSIONS, SHOWN_INLINE
from office.access import may
from office.files import file_response
from office.identities import write_number
from office.refusals import Refused
from office.roles import Capability

LATEST = 8  # of what happened, beside the data; the rest is on a page of its own
INVALID = 422


@require_GET
@may(Capability.OWN)
def buyer_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One buyer: who it is, its papers, what happened to it."""
    buyer = buyer_shown(request, pk)
    documents = list(selectors.buyer_documents(buyer, request.user))
    return render(
        request,
        "buyers/detail.html",
        {
            "buyer": buyer,
            "documents": documents,
            "notices": buyer_notices(buyer, request.user),
            "acting": acting_for(buyer, request.user),
            "acts_for": acts_for(buyer, request.user),
            "twins": Buyer.objects.visible_to(request.user).filter(merged_into=buyer),
            "events": buyer_timeline(buyer, documents, request.user)[-LATEST:],
        },
    )


@require_GET
@may(Capability.OWN)
def buyer_history_view(request: HttpRequest, pk: int) -> HttpResponse:
    """All that happened to a buyer and to what it has, oldest first."""
    buyer = buyer_shown(request, pk)
    context = {"buyer": buyer, "events": buyer_history(buyer, request.user)}
    return render(request, "buyers/history.html", context)


def buyer_shown(request: HttpRequest, pk: int) -> Buyer:
    """The buyer with what its pages may show of it to whoever asks; 404 where that is nothing."""
    shown = selectors.buyers_shown(request.user).select_related("merged_into")
    return get_object_or_404(shown, pk=pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def buyer_new(request: HttpRequest) -> HttpResponse:
    """Register a buyer; one that is there already is shown, not made again."""
    if request.method == "GET":
        return _buyer_form_page(request, BuyerForm(initial={"submission_key": uuid4()}))
    form = BuyerForm(request.POST)
    if not form.is_valid():
        return _buyer_form_page(request, form)
    try:
        buyer = buyer_register(
            user=request.user, submission_key=form.cleaned_data["submission_key"], **form.said
        )
    except AlreadyRegistered as refusal:
        return _buyer_form_page(request, _told(form, refusal), there=refusal.buyer)
    except Refused as refusal:
        return _buyer_form_page(request, _told(form, refusal))
    messages.success(request, f"Comprador registrado: {buyer.identity}.")
    return redirect(_next(request, reverse("buyer", args=[buyer.pk])))


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def buyer_change_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a buyer; over somebody else's change nothing is saved and both are shown."""
    buyer = get_object_or_404(Buyer.objects.visible_to(request.user), pk=pk)
    if request.method == "GET":
        return _buyer_form_page(request, BuyerChangeForm(initial=_as_typed(buyer)), buyer=buyer)
    form = BuyerChangeForm(request.POST)
    if not form.is_valid():
        return _buyer_form_page(request, form, buyer=buyer)
    try:
        buyer_change(
            user=request.user,
            buyer_id=buyer.pk,
            seen=form.cleaned_data["seen"],
            reason=form.cleaned_data["reason"],
            **form.said,
        )
    except Stale as refusal:
        return _stale_page(request, form, refusal)
    except AlreadyRegistered as refusal:
        return _buyer_form_page(request, _told(form, refusal), buyer=buyer, there=refusal.buyer)
    except Refused as refusal:
        return _buyer_form_page(request, _told(form, refusal), buyer=buyer)
    messages.success(request, "Comprador corregido.")
    return redirect("buyer", pk=buyer.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def document_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Take in a paper of a buyer."""
    buyer = get_object_or_404(Buyer.objects.visible_to(request.user), pk=pk)
    if request.method == "GET":
        named = ("kind", "year", "label")
        asked = {name: request.GET[name] for name in named if name in request.GET}
        form = DocumentForm(initial={"submission_key": uuid4(), **asked})
        return _document_page(request, form, buyer)
    form = DocumentForm(request.POST, request.FILES)
    if not form.is_valid():
        return _document_page(request, form, buyer)
    try:
        document = document_add(user=request.user, buyer=buyer, **form.paper)
    except DocumentExists as refusal:
        return _document_page(request, _told(form, refusal), buyer, there=refusal.document)
    except Refused as refusal:
        return _document_page(request, _told(form, refusal), buyer)
    messages.success(request, f"Documento registrado: {document}.")
    return redirect(_next(request, reverse("buyer", args=[buyer.pk])))


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def document_replace_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Put another paper in the place of a current one."""
    old = get_object_or_404(
        Document.objects.visible_to(request.user).select_related("buyer"), pk=pk
    )
    if request.method == "GET":
        initial = _paper_as_typed(old) | {"submission_key": uuid4()}
        form = DocumentReplaceForm(initial=initial, kind=old.kind)
        return _document_page(request, form, old.buyer, old=old)
    form = DocumentReplaceForm(request.POST, request.FILES, kind=old.kind)
    if not form.is_valid():
        return _document_page(request, form, old.buyer, old=old)
    try:
        new = document_replace(
            user=request.user,
            document_id=old.pk,
            reason=form.cleaned_data["reason"],
            **form.paper,
        )
    except Refused as refusal:
        return _document_page(request, _told(form, refusal), old.buyer, old=old)
    messages.success(request, f"Documento reemplazado por {new}.")
    return redirect(_next(request, reverse("buyer", args=[old.buyer_id])))


@require_GET
@may(Capability.OWN)
def document_file(request: HttpRequest, pk: int) -> FileResponse:
    """The file of a paper, for those who may see its buyer and nobody else: to be kept, or with
    `ver` to be looked at, where a browser shows such files."""
    document = get_object_or_404(
        Document.objects.visible_to(request.user).select_related("file"),
        pk=pk,
        file__isnull=False,
    )
    extension = EXTENSIONS.get(document.file.content_type, "bin")
    return file_response(
        document.file,
        name=f"documento-{document.pk}.{extension}",
        inline="ver" in request.GET and document.file.content_type in SHOWN_INLINE,
    )


def _told(form: Form, refusal: Refused) -> Form:
    known = refusal.field in form.fields and not form.fields[refusal.field].widget.is_hidden
    form.add_error(refusal.field if known else None, refusal.message)
    return form


def _buyer_form_page(
    request: HttpRequest,
    form: Form,
    buyer: Buyer | None = None,
    there: Buyer | None = None,
    differences: list[dict[str, str]] | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "buyer": buyer,
        "there": there,
        "there_url": there and reverse("buyer", args=[there.pk]),
        "there_label": there and f"{there.name}, {there.identity}",
        "differences": differences,
        "next": request.GET.get("next", ""),
    }
    status = INVALID if form.errors else 200
    return render(request, "buyers/buyer_form.html", context, status=status)


def _stale_page(request: HttpRequest, form: Form, refusal: Stale) -> HttpResponse:
    """Both values, and a form that holds what was typed against the row as it is now."""
    current = _as_typed(refusal.current)
    typed = form.data.copy()
    typed["seen"] = current["seen"]
    again = BuyerChangeForm(typed)
    again.is_valid()
    differences = [
        {
            "field": again.fields[name].label,
            "now": _choice(again, name, current[name]),
            "yours": _choice(again, name, form.data.get(name, "")),
        }
        for name in current
        if name != "seen" and current[name] != form.data.get(name, "").strip()
    ]
    return _buyer_form_page(
        request, _told(again, refusal), buyer=refusal.current, differences=differences
    )


def _choice(form: Form, name: str, value: str) -> str:
    choices = dict(getattr(form.fields[name], "choices", ()))
    return str(choices.get(value, value)) or "–"


def _as_typed(buyer: Buyer) -> dict[str, str]:
    """A buyer's data as its form shows them, with the token of the row."""
    typed = {name: getattr(buyer, name) for name in selectors.CHANGEABLE if name != "check_digit"}
    typed["identity_number"] = write_number(
        buyer.identity_type, buyer.identity_number, buyer.check_digit
    )
    return typed | {"seen": buyer_token(buyer)}


def _document_page(
    request: HttpRequest,
    form: Form,
    buyer: Buyer,
    old: Document | None = None,
    there: Document | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "buyer": buyer,
        "old": old,
        "sent": old and difference_sent(old),
        "there": there,
        "there_url": there and reverse("document_replace", args=[there.pk]),
        "there_label": there and f"Reemplazar {there}",
        "next": request.GET.get("next", ""),
    }
    status = INVALID if form.errors else 200
    return render(request, "buyers/document_form.html", context, status=status)


def _paper_as_typed(document: Document) -> dict[str, Any]:
    kept = ("kind", "label", "issued_on", "exchange", "exchange_reference", *STATED)
    return {name: getattr(document, name) for name in kept} | {"year": document.year or ""}


def _next(request: HttpRequest, otherwise: str) -> str:
    """Where the form was reached from, if it is a page of this site."""
    wanted = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else otherwise
