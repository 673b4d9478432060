"""Screens of payments: those of one award, a new one."""

import uuid
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
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
from offerings.selectors.award_links import award_links
from offerings.selectors.payment_references import award_referred_to
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.returns import reasons_nothing_due
from offerings.services.payments import (
    Overpaid,
    PaymentEntry,
    payment_check,
    payment_record,
)
from offerings.views.payment_lists import award_days
from office.access import may
from office.dates import bogota_day
from office.decisions import timeline
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability


@require_GET
@may(Capability.READ)
def payment_award(request: HttpRequest, award_pk: int) -> HttpResponse:
    """One award: what is due for it, the payments received, what comes next."""
    award = get_object_or_404(selectors.awards_charged(), pk=award_pk)
    (award,) = award_days([award], bogota_day(timezone.now()))
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
            "links": award_links(award, request.user),
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
    award = get_object_or_404(selectors.awards_charged(), pk=award_pk)
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
            "late": award.holds and term is not None and entry.paid_on > term.value,
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
