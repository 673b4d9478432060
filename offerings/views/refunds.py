"""Money that goes back: a new refund."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from offerings.enums import PaymentMeans
from offerings.forms.payments import RefundForm
from offerings.models import Award, Refund
from offerings.selectors import payments as selectors
from offerings.selectors.returns import PAID_OVER, reasons_nothing_due
from offerings.services.payments import PaymentEntry
from offerings.services.refunds import refund_record
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.numbers import write_amount
from office.roles import Capability
from office.words import amount_phrase, amount_words


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def refund_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """Record money given back for an award."""
    award = get_object_or_404(selectors.awards_charged(), pk=award_pk)
    binding = BindingAct(
        form=RefundForm,
        act=lambda form: _record(form, award, request),
        shown=lambda form, refund: _shown(award, refund),
        done=lambda refund: _done(request, refund),
        page=_page(award),
        initial={"submission_key": uuid.uuid4(), "amount": award.to_return},
    )
    return act_response(request, binding)


def _record(form: RefundForm, award: Award, request: HttpRequest) -> Refund:
    data = form.cleaned_data
    entry = PaymentEntry(
        means=data["means"],
        reference=data["reference"],
        paid_on=data["paid_on"],
        amount=data["amount"],
    )
    return refund_record(
        award_id=award.pk,
        user=request.user,
        entry=entry,
        submission_key=data["submission_key"],
    )


def _page(award: Award) -> dict[str, Any]:
    buyer = award.acceptance.participation.buyer
    why = reasons_nothing_due([award]).get(award.pk, PAID_OVER)
    back = reverse("payment_award", args=[award.pk])
    return {
        "list_label": "Pagos",
        "list_url": reverse("payments"),
        "back_label": award.acceptance.code,
        "heading": "Registrar una devolución",
        "short": f"Devolución de {award.acceptance.code}",
        "verb": "Registrar la devolución",
        "why": f"{buyer.name}: {write_amount(award.to_return)} por devolver. {why}.",
        "back_url": back,
    }


def _shown(award: Award, refund: Refund) -> dict[str, Any]:
    left = award.to_return - refund.amount
    buyer = award.acceptance.participation.buyer
    rest = f"quedan por devolver {amount_phrase(left)}" if left else "no queda nada por devolver"
    return {
        "answers": [
            {"label": "Comprador", "value": buyer.name, "detail": buyer.identity},
            {"label": "Medio", "value": PaymentMeans(refund.means).label, "field": "means"},
            {"label": "Referencia", "value": refund.reference, "field": "reference"},
            {"label": "Fecha", "value": write_date_long(refund.paid_on), "field": "paid_on"},
            {
                "label": "Valor devuelto",
                "value": write_amount(refund.amount),
                "words": amount_words(refund.amount),
                "big": True,
                "field": "amount",
            },
            {
                "label": "Por devolver después",
                "value": write_amount(left),
                "words": amount_words(left),
            },
        ],
        "consequence": f"Al registrar, consta que el Fondo devolvió a {buyer.name} "
        f"{amount_phrase(refund.amount)} y que {rest}. No se puede editar.",
    }


def _done(request: HttpRequest, refund: Refund) -> HttpResponse:
    messages.success(request, f"Devolución registrada: {write_amount(refund.amount)}.")
    return redirect("payment_award", award_pk=refund.award_id)
