"""Screens of filing a request or a breach, and of stating its sale."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from buyers.services.uploads import upload_read
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date, write_date_long, write_datetime
from office.numbers import write_amount, write_shares
from office.refusals import Refused
from office.roles import Capability
from office.words import amount_words, quantity_phrase, shares_words
from pledges.enums import RequestKind
from pledges.forms.requests import (
    BreachForm,
    FiledForm,
    RequestForm,
    SaleForm,
    SaleRequestForm,
)
from pledges.models import Pledge, ReleaseRequest
from pledges.selectors.penalty_terms import pledge_terms
from pledges.selectors.pledges import pledges_shown
from pledges.selectors.requests import requests_shown
from pledges.services.holding import SharesHeld
from pledges.services.requests import (
    RequestEntry,
    release_request_file,
    release_request_state_sale,
)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def request_new(request: HttpRequest, pk: int) -> HttpResponse:
    """File a holder's request of an early exit."""
    pledge = get_object_or_404(pledges_shown(request.user), pk=pk)
    terms = pledge_terms(pledge)
    by_sale = terms.penalty is not None and terms.penalty.semesters is not None
    page = _pledge_page(pledge) | {
        "heading": "Radicar una solicitud de despignoración",
        "short": "Nueva solicitud",
        "verb": "Radicar la solicitud",
        "why": f"{pledge.holder.name} pide sacar acciones de la prenda antes del "
        f"{write_date(pledge.last_day)}. Libres hay {write_shares(pledge.free)}.",
    }
    return _file_response(
        request, pledge, RequestKind.ASKED, SaleRequestForm if by_sale else RequestForm, page
    )


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def request_breach(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a transfer within the term that the Fund found out, to assess its penalty."""
    pledge = get_object_or_404(pledges_shown(request.user), pk=pk)
    page = _pledge_page(pledge) | {
        "heading": "Registrar un incumplimiento",
        "short": "Incumplimiento",
        "verb": "Registrar el incumplimiento",
        "why": "Cualquier enajenación dentro del término causa la sanción, aunque nadie la haya "
        "pedido. Nadie puede perdonarla.",
    }
    return _file_response(request, pledge, RequestKind.BREACH, BreachForm, page)


def _pledge_page(pledge: Pledge) -> dict[str, Any]:
    return {
        "list_url": reverse("pledges"),
        "list_label": "Prendas",
        "back_label": pledge.code,
        "back_url": reverse("pledge", args=[pledge.pk]),
        "see": [],
    }


def _file_response(
    request: HttpRequest,
    pledge: Pledge,
    kind: RequestKind,
    form: Callable[..., Form],
    page: dict[str, Any],
) -> HttpResponse:
    now = timezone.localtime()
    binding = BindingAct(
        form=form,
        act=lambda typed: _file(request, pledge, kind, typed, page),
        shown=lambda _, found: _filed_shown(found),
        done=lambda found: _filed(request, found),
        page=page,
        initial={
            "submission_key": uuid.uuid4(),
            "filed_on": now.date(),
            "filed_time": now.time(),
        },
    )
    return act_response(request, binding)


def _file(
    request: HttpRequest, pledge: Pledge, kind: RequestKind, form: FiledForm, page: dict[str, Any]
) -> ReleaseRequest:
    data = form.cleaned_data
    entry = RequestEntry(
        shares=data["shares"],
        filing_number=data["filing_number"],
        filed_at=form.filed_at(),
        kind=kind,
        evidence=data.get("evidence", ""),
        sale=form.sale(),
    )
    try:
        return release_request_file(
            pledge_id=pledge.pk,
            user=request.user,
            entry=entry,
            submission_key=data["submission_key"],
        )
    except SharesHeld as held:
        page["see"] = _held_links(held, pledge)
        raise
    except Refused as refusal:
        # The form has the day and the hour apart.
        field = "filed_on" if refusal.field == "filed_at" else refusal.field
        raise Refused(refusal.message, field) from refusal


def _held_links(held: SharesHeld, pledge: Pledge) -> list[tuple[str, str]]:
    """What holds the shares, each with its page."""
    links = [(one.code, reverse("release_request", args=[one.pk])) for one in held.requests]
    address = f"{reverse('pledge', args=[pledge.pk])}#medidas"
    return links + [(str(one), address) for one in held.attachments]


def _filed_shown(found: ReleaseRequest) -> dict[str, Any]:
    pledge = found.pledge
    breach = found.kind == RequestKind.BREACH
    return {
        "answers": [
            {"label": "Titular", "value": pledge.holder.name, "detail": pledge.holder.identity},
            {
                "label": "Acciones",
                "value": write_shares(found.shares),
                "words": shares_words(found.shares),
                "detail": f"siguen en prenda {write_shares(pledge.pledged - found.shares)}",
                "big": True,
                "field": "shares",
            },
            {
                "label": "Expediente" if breach else "Radicado",
                "value": found.filing_number,
                "field": "filing_number",
            },
            {
                "label": "Se comprobó" if breach else "Se presentó",
                "value": write_datetime(found.filed_at),
                "field": "filed_on",
            },
            *([_line("Cómo se comprobó", found.evidence, "evidence")] if breach else []),
            *_sale_lines(found),
        ],
        "consequence": _filed_consequence(found),
    }


def _filed_consequence(found: ReleaseRequest) -> str:
    kept = (
        f"Al registrar, {quantity_phrase(found.shares)} de {found.pledge.code} quedan en trámite: "
        "no pueden pedirse otra vez mientras siga en pie."
    )
    if found.kind == RequestKind.BREACH:
        return (
            f"{kept} Su sanción se liquida con la fecha de la enajenación, y solo dos personas "
            "pueden cerrarla."
        )
    return f"{kept} La sanción se liquida con la fecha en que se presentó."


def _line(label: str, value: Any, field: str = "") -> dict[str, Any]:
    return {"label": label, "value": value, "field": field}


def _sale_lines(found: ReleaseRequest) -> list[dict[str, Any]]:
    """What is stated of the transfer."""
    lines = []
    if found.title:
        lines.append(_line("Título", found.get_title_display(), "title"))
    if found.sold_on:
        lines.append(_line("Se enajenó", write_date_long(found.sold_on), "sold_on"))
    if found.sale_price:
        price = _line("Precio por acción", write_amount(found.sale_price), "sale_price")
        lines.append(price | {"words": amount_words(found.sale_price)})
    if found.sale_proof:
        lines.append(_line("En qué consta", found.sale_proof, "sale_proof"))
    return lines


def _filed(request: HttpRequest, found: ReleaseRequest) -> HttpResponse:
    messages.success(request, f"Quedó registrada: {found.code}.")
    return redirect("release_request", pk=found.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def request_sale(request: HttpRequest, pk: int) -> HttpResponse:
    """State a request's transfer, or state it better, with the file of its paper."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    breach = found.kind == RequestKind.BREACH
    if request.method == "GET":
        initial = {
            name: getattr(found, name) for name in ("title", "sold_on", "sale_price", "sale_proof")
        }
        return _sale_page(request, found, SaleForm(initial=initial, breach=breach))
    form = SaleForm(request.POST, request.FILES, breach=breach)
    if not form.is_valid():
        return _sale_page(request, found, form)
    try:
        file = form.cleaned_data["file"]
        release_request_state_sale(
            request_id=pk,
            user=request.user,
            sale=form.sale(),
            file=upload_read(file) if file else None,
        )
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _sale_page(request, found, form)
    messages.success(request, f"Se guardó la enajenación de {found.code}.")
    return redirect("release_request", pk=pk)


def _sale_page(request: HttpRequest, found: ReleaseRequest, form: SaleForm) -> HttpResponse:
    context = {"found": found, "pledge": found.pledge, "form": form}
    status = 422 if form.errors else 200
    return render(request, "pledges/requests/sale.html", context, status=status)
