"""Screens of payments: the list of what is due, one award's payments, a new payment."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from offerings.enums import PaymentMeans
from offerings.forms.payments import PaymentForm
from offerings.models import Award
from offerings.selectors import payments as selectors
from offerings.services.payments import (
    PaymentEntry,
    payment_check,
    payment_record,
    payment_term,
)
from offerings.views.lists import asked_for, listed
from office.access import may
from office.decisions import timeline
from office.refusals import Refused
from office.roles import Capability

LABELS = {
    selectors.UNPAID: "Sin pago",
    selectors.PARTLY: "Pago parcial",
    selectors.PAID: "Pagadas",
}


@require_GET
@may(Capability.READ)
def payment_list(request: HttpRequest) -> HttpResponse:
    """What was adjudicated, with what is due, paid and left."""
    asked = asked_for(request)
    awards = selectors.awards_found(
        selectors.awards_due(), programme=asked["programa"], text=asked["q"]
    )
    context = listed(request, awards, selectors.VIEWS, LABELS)
    terms = _terms_of({award.adjudication for award in context["page"]})
    for award in context["page"]:
        award.last_day = terms[award.adjudication_id]
    totals = selectors.totals(awards)
    return render(request, "offerings/payments/list.html", context | {"totals": totals})


@require_GET
@may(Capability.READ)
def payment_award(request: HttpRequest, award_pk: int) -> HttpResponse:
    """One award: what is due for it, the payments received, what comes next."""
    award = get_object_or_404(selectors.awards_due(), pk=award_pk)
    return render(
        request,
        "offerings/payments/award.html",
        {
            "award": award,
            "payments": award.payments.select_related("recorded_by"),
            "term": payment_term(award.adjudication),
            "papers": [paper for paper in (award.notice, award.certificate) if paper],
            "events": timeline([award]),
        },
    )


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def payment_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """Form, check-your-answers, record: the same address, told apart by the button."""
    award = get_object_or_404(selectors.awards_due(), pk=award_pk)
    if request.method == "GET":
        return _form_page(request, award, PaymentForm(initial=_initial(request)))
    form = PaymentForm(request.POST)
    if not form.is_valid():
        return _form_page(request, award, form)
    try:
        if request.POST.get("paso") == "confirmar":
            return _recorded(request, award, form)
        balance = payment_check(award=award, user=request.user, entry=_entry(form))
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, award, form)
    return _review_page(request, award, form, balance)


def _recorded(request: HttpRequest, award: Award, form: PaymentForm) -> HttpResponse:
    payment = payment_record(
        award_id=award.pk,
        user=request.user,
        entry=_entry(form),
        submission_key=form.cleaned_data["submission_key"],
    )
    messages.success(request, f"Pago registrado: recibo {payment.receipt}.")
    return redirect("payment_award", award_pk=award.pk)


def _form_page(request: HttpRequest, award: Award, form: PaymentForm) -> HttpResponse:
    return render(
        request,
        "offerings/payments/form.html",
        {"award": award, "form": form, "term": payment_term(award.adjudication)},
        status=422 if form.errors else 200,
    )


def _review_page(request: HttpRequest, award: Award, form: PaymentForm, balance) -> HttpResponse:
    entry = _entry(form)
    query = urlencode({name: request.POST.get(name, "") for name in _typed(form)})
    return render(
        request,
        "offerings/payments/review.html",
        {
            "award": award,
            "form": form,
            "entry": entry,
            "means": PaymentMeans(entry.means).label,
            "left": balance - entry.amount,
            "change_url": f"{reverse('payment_new', args=[award.pk])}?{query}",
            "late": _is_late(award, entry),
        },
    )


def _is_late(award: Award, entry: PaymentEntry) -> bool:
    term = payment_term(award.adjudication)
    return term is not None and entry.paid_on > term.value


def _entry(form: PaymentForm) -> PaymentEntry:
    data = form.cleaned_data
    return PaymentEntry(
        means=data["means"],
        reference=data["reference"],
        paid_on=data["paid_on"],
        amount=data["amount"],
    )


def _initial(request: HttpRequest) -> dict[str, Any]:
    """What "Cambiar" brings back from the review; the key is new, as nothing was recorded."""
    typed = {name: request.GET[name] for name in _typed(PaymentForm()) if name in request.GET}
    return typed | {"submission_key": uuid.uuid4()}


def _typed(form: PaymentForm) -> list[str]:
    return [name for name in form.fields if name != "submission_key"]


def _terms_of(adjudications) -> dict[int, Any]:
    """The last day to pay by adjudication: its terms are read once, not once a row."""
    found = {}
    for adjudication in adjudications:
        term = payment_term(adjudication)
        found[adjudication.pk] = term.value if term else None
    return found
