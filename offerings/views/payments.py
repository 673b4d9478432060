"""Screens of payments: the list of what is due, one award's payments, a new payment."""

import uuid
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.enums import PaymentMeans
from offerings.forms.payments import PaymentForm
from offerings.models import Award, Payment
from offerings.rules.payment_reference import payment_reference
from offerings.selectors import payments as selectors
from offerings.selectors.payment_references import award_referred_to
from offerings.selectors.payment_terms import last_days, payment_term, runs_past_term
from offerings.selectors.returns import reasons_nothing_due
from offerings.services.payments import (
    Overpaid,
    PaymentEntry,
    payment_check,
    payment_record,
)
from offerings.views.lists import asked_for, listed
from office.access import may
from office.dates import bogota_day
from office.decisions import timeline
from office.numbers import write_quantity
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability

OVERDUE = "vencidas"
LABELS = {
    selectors.UNPAID: "Sin pago",
    selectors.PARTLY: "Pago parcial",
    selectors.PAID: "Pagadas",
    OVERDUE: "Vencidas sin pagar",
}


@require_GET
@may(Capability.READ)
def payment_list(request: HttpRequest) -> HttpResponse:
    """What was adjudicated, with what is due, paid and left."""
    asked = asked_for(request)
    today = bogota_day(timezone.now())
    awards = selectors.awards_found(
        selectors.awards_due(), programme=asked["programa"], text=asked["q"]
    )
    context = listed(request, awards, saved_views(today), LABELS)
    context["tabs"].append(returns_tab(asked, is_current=False))
    award_days(context["page"], today)
    totals = selectors.totals(awards)
    return render(
        request,
        "offerings/payments/list.html",
        context | {"totals": totals, "overdue_view": asked["vista"] == OVERDUE},
    )


def saved_views(today: date) -> dict[str, Q]:
    """The views of the list; what is overdue, by the terms that each adjudication keeps."""
    overdue = selectors.OWING & Q(adjudication__in=runs_past_term(today))
    return selectors.VIEWS | {OVERDUE: overdue}


def award_days(awards: Iterable[Award], today: date) -> None:
    """Give each award its last day to pay, and whether it has passed without all being paid."""
    days = last_days(award.adjudication for award in awards)
    for award in awards:
        award.last_day = days[award.adjudication_id]
        award.is_overdue = bool(award.last_day and award.last_day < today and award.balance)


def returns_tab(asked: dict[str, str], *, is_current: bool) -> dict[str, Any]:
    """The tab of what is to be given back, with the same filter."""
    found = selectors.awards_found(
        selectors.awards_to_refund(), programme=asked["programa"], text=asked["q"]
    )
    kept = {name: asked[name] for name in ("programa", "q") if asked[name]}
    return {
        "label": "Por devolver",
        "count": write_quantity(found.count()),
        "url": f"{reverse('refunds')}?{urlencode(kept)}" if kept else reverse("refunds"),
        "current": is_current,
    }


@require_GET
@may(Capability.READ)
def payment_award(request: HttpRequest, award_pk: int) -> HttpResponse:
    """One award: what is due for it, the payments received, what comes next."""
    award = get_object_or_404(selectors.awards_charged(), pk=award_pk)
    award_days([award], bogota_day(timezone.now()))
    return render(
        request,
        "offerings/payments/award.html",
        {
            "award": award,
            "reference": payment_reference(award.pk),
            "why_nothing": reasons_nothing_due([award]).get(award.pk, ""),
            "payments": _payments_of(award),
            "refunds": award.refunds.select_related("recorded_by"),
            "defaults": award.defaults.select_related("prepared_by", "reviewed_by"),
            "pending_default": award.defaults.filter(review_state=ReviewState.PENDING).first(),
            "term": payment_term(award.adjudication),
            "papers": [paper for paper in (award.notice, award.certificate) if paper],
            "events": timeline([award]),
        },
    )


def _payments_of(award: Award) -> list[Payment]:
    """Its payments, each with whether it came after the last day."""
    payments = list(award.payments.select_related("recorded_by"))
    for payment in payments:
        payment.is_late = bool(award.last_day and payment.paid_on > award.last_day)
    return payments


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def payment_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """Form, check-your-answers, record: the same address, told apart by the button."""
    award = get_object_or_404(selectors.awards_due(), pk=award_pk)
    if request.method == "GET":
        form = PaymentForm(initial=_initial(request), offers_return=not award.balance)
        return _form_page(request, award, form)
    form = PaymentForm(request.POST, offers_return=not award.balance)
    if not form.is_valid():
        return _form_page(request, award, form)
    try:
        if request.POST.get("paso") == "confirmar":
            return _recorded(request, award, form)
        balance = payment_check(award=award, user=request.user, entry=_entry(form))
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        if isinstance(refusal, Overpaid):
            form.offer_return()
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
    context = {
        "award": award,
        "form": form,
        "term": payment_term(award.adjudication),
        "reference": payment_reference(award.pk),
    }
    status = 422 if form.errors else 200
    return render(request, "offerings/payments/form.html", context, status=status)


def _review_page(
    request: HttpRequest, award: Award, form: PaymentForm, balance: Decimal
) -> HttpResponse:
    entry = _entry(form)
    query = urlencode({name: request.POST.get(name, "") for name in _typed(form)})
    term = payment_term(award.adjudication)
    return render(
        request,
        "offerings/payments/review.html",
        {
            "award": award,
            "form": form,
            "entry": entry,
            "reference": payment_reference(award.pk),
            "is_own_reference": award_referred_to(entry.reference) is not None,
            "means": PaymentMeans(entry.means).label,
            "applied": min(entry.amount, balance),
            "left": max(balance - entry.amount, selectors.NOTHING_PAID),
            "excess": max(entry.amount - balance, selectors.NOTHING_PAID),
            "change_url": f"{reverse('payment_new', args=[award.pk])}?{query}",
            "term": term,
            "late": term is not None and entry.paid_on > term.value,
        },
    )


def _entry(form: PaymentForm) -> PaymentEntry:
    names = ("means", "reference", "paid_on", "amount", "gives_back")
    return PaymentEntry(**{name: form.cleaned_data[name] for name in names})


def _initial(request: HttpRequest) -> dict[str, Any]:
    """What "Cambiar" brings back from the review; the key is new, as nothing was recorded."""
    typed = {name: request.GET[name] for name in _typed(PaymentForm()) if name in request.GET}
    return typed | {"submission_key": uuid.uuid4()}


def _typed(form: PaymentForm) -> list[str]:
    return [name for name in form.fields if name != "submission_key"]
