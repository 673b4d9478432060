"""Screens of quotes: preparing one, its page, settling it, the other readings, another day."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.decrees.reader import terms_from_data
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date, write_date_long
from office.decisions import timeline
from office.numbers import write_amount, write_decimal, write_shares
from office.refusals import Refused
from office.roles import Capability
from office.words import amount_phrase, amount_words
from pledges.enums import QuoteState, RequestState
from pledges.forms.quotes import AcceptForm, QuoteForm, WhatIfForm
from pledges.models import Pledge, Quote, ReleaseRequest
from pledges.selectors.penalty_facts import assessed_on
from pledges.selectors.penalty_terms import pledge_terms
from pledges.selectors.pledges import pledges_shown
from pledges.selectors.requests import requests_shown
from pledges.services.penalties import (
    PenaltyBlocked,
    PenaltyCase,
    other_readings,
    penalty_ruled,
    pledge_case,
    request_case,
)
from pledges.services.quotes import (
    penalty_worked_out,
    quote_accept,
    quote_prepare,
    valid_until_proposed,
    waits_as_data,
)
from pledges.views.requests import stop_shown

# Of the months ahead, the next ones and the last ones are shown.
FIRST_WAITS, LAST_WAITS = 3, 2
EYEBROW = "Sanción por venta anticipada"


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def quote_new(request: HttpRequest, pk: int) -> HttpResponse:
    """What a request would cost today, and proposing it."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    if request.method == "GET" and found.state != RequestState.OPEN:
        messages.error(request, f"{found.code} está «{found.get_state_display()}»: no se liquida.")
        return redirect("release_request", pk=pk)
    initial = {"valid_until": valid_until_proposed(found, bogota_day(timezone.now()))}
    form = QuoteForm(request.POST) if request.method == "POST" else QuoteForm(initial=initial)
    if form.is_valid():
        try:
            quote = quote_prepare(request_id=pk, user=request.user, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(
                refusal.field if refusal.field in form.fields else None, refusal.message
            )
        else:
            messages.success(request, f"Quedó propuesta la liquidación {quote.code}.")
            return redirect("quote", pk=quote.pk)
    return _new_page(request, found, form)


def _new_page(request: HttpRequest, found: ReleaseRequest, form: QuoteForm) -> HttpResponse:
    context: dict[str, Any] = {
        "found": found,
        "pledge": found.pledge,
        "form": form,
        "asked": assessed_on(found),
    }
    try:
        worked = penalty_worked_out(found)
    except PenaltyBlocked as blocked:
        context["stop"] = stop_shown(blocked, found.pledge, found)
    else:
        context |= {
            "panel": why_amount(worked.ruling.value.amount, worked.ruling),
            "words": _words(worked.ruling.value.amount),
        }
    status = 422 if form.errors else 200
    return render(request, "pledges/quotes/new.html", context, status=status)


@require_GET
@may(Capability.READ)
def quote_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One quote: every step, the readings used, what waiting would change."""
    quote = quote_or_404(pk)
    found, pledge = quote.request, quote.request.pledge
    terms = terms_from_data(quote.terms)
    today = bogota_day(timezone.now())
    proposed = quote.state == QuoteState.PROPOSED
    context = {
        "quote": quote,
        "found": found,
        "pledge": pledge,
        "asked": date.fromisoformat(quote.facts["asked"]),
        "panel": {"steps": quote.steps, "outcome": quote.conclusion},
        "title": f"Por qué {write_amount(quote.amount)}",
        "eyebrow": EYEBROW,
        "words": _words(quote.amount),
        "source": f"{terms.decree.value}, {quote_cites(quote)}",
        "readings": quote.readings,
        "would_stay": pledge.pledged - found.shares,
        "free_from": _day_after(pledge.last_day),
        "waits": shown_waits(quote.outcome.get("waits", [])),
        "may_accept": proposed and request.user.may(Capability.PREPARE),
        "stale": proposed and quote.valid_until < today,
        "events": timeline([found]),
    }
    return render(request, "pledges/quotes/detail.html", context)


def quote_or_404(pk: int) -> Quote:
    """A quote with what its pages show."""
    quotes = Quote.objects.select_related(
        "request__pledge__holder",
        "request__pledge__award__adjudication",
        "request__pledge__award__acceptance__stage__programme",
        "prepared_by",
        "accepted_by",
        "confirmed",
        "decision",
    )
    return get_object_or_404(quotes, pk=pk)


def quote_cites(quote: Quote) -> str:
    """The clauses that its steps rest on, each once, without what the Fund's act adds to them."""
    cites = dict.fromkeys(step["cite"].split(";")[0] for step in quote.steps if step["cite"])
    return "; ".join(cites)


def _day_after(day: date) -> date:
    return date.fromordinal(day.toordinal() + 1)


def _words(amount: Decimal) -> str:
    phrase = amount_phrase(amount)
    return f"{phrase[:1].upper()}{phrase[1:]}."


def why_amount(amount: Decimal, ruling: Any) -> dict[str, Any]:
    """What the Why panel shows of a ruling on a penalty."""
    return {
        "steps": ruling.steps,
        "outcome": ruling.conclusion,
        "readings": ruling.readings,
        "eyebrow": EYEBROW,
        "title": f"Por qué {write_amount(amount)}",
    }


def shown_waits(waits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of «Si espera»: the first and the last, where there are many."""
    rows = [
        {
            "until": date.fromisoformat(wait["until"]),
            "month": wait["month"],
            "percent": write_decimal(Decimal(wait["percent"]), 1),
            "of": wait["of"],
        }
        for wait in waits
    ]
    few = len(rows) <= FIRST_WAITS + LAST_WAITS
    return rows if few else [*rows[:FIRST_WAITS], *rows[-LAST_WAITS:]]


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def quote_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Settle a proposed quote: from then on its figure is frozen and owed."""
    quote = quote_or_404(pk)
    if request.method == "GET" and quote.state != QuoteState.PROPOSED:
        messages.error(request, f"{quote.code} está «{quote.get_state_display()}»: no se fija.")
        return redirect("quote", pk=pk)
    address = reverse("quote", args=[pk])
    today = bogota_day(timezone.now())
    binding = BindingAct(
        form=AcceptForm,
        act=lambda form: quote_accept(quote_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, _: _settle_shown(quote, form.cleaned_data["accepted_on"]),
        done=lambda done: _settled(request, done),
        page={
            "list_url": reverse("pledges"),
            "list_label": "Prendas",
            "back_label": quote.code,
            "back_url": address,
            "heading": f"Fijar la liquidación {quote.code}",
            "short": "Fijar",
            "verb": "Fijar la liquidación",
            "why": f"El titular acepta pagar {write_amount(quote.amount)}. Está vigente hasta el "
            f"{write_date(quote.valid_until)}.",
        },
        initial={"accepted_on": min(today, quote.valid_until)},
    )
    return act_response(request, binding)


def _settle_shown(quote: Quote, accepted_on: date) -> dict[str, Any]:
    found = quote.request
    paid = (
        "El levantamiento exige el recibo de pago y la aprobación de otra persona."
        if quote.amount
        else "Como no se debe nada, queda pagada; el levantamiento lo aprueba otra persona."
    )
    return {
        "answers": [
            {
                "label": "Solicitud",
                "value": found.code,
                "detail": f"{write_shares(found.shares)} de {found.pledge.holder.name}",
            },
            {
                "label": "Se debe",
                "value": write_amount(quote.amount),
                "words": amount_words(quote.amount),
                "detail": quote.conclusion,
                "big": True,
            },
            {
                "label": "Se acepta el",
                "value": write_date_long(accepted_on),
                "detail": f"vigente hasta el {write_date(quote.valid_until)}",
                "field": "accepted_on",
            },
        ],
        "consequence": "Al fijarla, la cifra queda congelada: no cambia aunque lleguen datos "
        f"nuevos. {paid}",
    }


def _settled(request: HttpRequest, quote: Quote) -> HttpResponse:
    messages.success(request, f"Se fijó {quote.code}: {write_amount(quote.amount)}.")
    return redirect("release_request", pk=quote.request_id)


@require_GET
@may(Capability.READ)
def quote_other_readings(request: HttpRequest, pk: int) -> HttpResponse:
    """What would be paid by each other way of reading each open point; nothing is saved."""
    quote = quote_or_404(pk)
    rows = [
        (row, None if row.amount is None else row.amount - quote.amount)
        for row in other_readings(request_case(quote.request))
    ]
    context = {
        "quote": quote,
        "found": quote.request,
        "pledge": quote.request.pledge,
        "rows": rows,
    }
    return render(request, "pledges/quotes/readings.html", context)


@require_GET
@may(Capability.READ)
def penalty_what_if(request: HttpRequest, pk: int) -> HttpResponse:
    """What it would cost to leave on another day, or with other shares; nothing is saved."""
    pledge = get_object_or_404(pledges_shown(request.user), pk=pk)
    terms = pledge_terms(pledge)
    by_sale = terms.penalty is not None and terms.penalty.semesters is not None
    asked = request.GET if "shares" in request.GET else None
    initial = {"shares": pledge.free or pledge.pledged, "asked": bogota_day(timezone.now())}
    form = WhatIfForm(asked, initial=initial, by_sale=by_sale, most=pledge.pledged)
    context: dict[str, Any] = {"pledge": pledge, "form": form}
    if form.is_valid():
        context |= _what_if(pledge, form.cleaned_data)
    status = 422 if form.errors else 200
    return render(request, "pledges/quotes/what_if.html", context, status=status)


def _what_if(pledge: Pledge, asked: dict[str, Any]) -> dict[str, Any]:
    case = pledge_case(pledge, **asked)
    try:
        ruling = penalty_ruled(case)
    except PenaltyBlocked as blocked:
        return {"stop": stop_shown(blocked, pledge)}
    return {
        "panel": why_amount(ruling.value.amount, ruling),
        "words": _words(ruling.value.amount),
        "waits": shown_waits(waits_as_data(case, ruling)),
        "unconfirmed": _unconfirmed(case),
    }


def _unconfirmed(case: PenaltyCase) -> bool:
    return bool(case.unconfirmed)
