"""Screens of a penalty's money: taking it in, giving it back."""

import uuid
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from offerings.enums import PaymentMeans
from offerings.forms.payments import MoneyForm, RefundForm
from offerings.services.payments import PaymentEntry
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.numbers import write_amount
from office.roles import Capability
from office.words import amount_phrase, amount_words
from pledges.enums import RequestState
from pledges.models import PenaltyPayment, PenaltyRefund, ReleaseRequest
from pledges.selectors.penalty_payments import penalty_to_return
from pledges.selectors.requests import requests_shown
from pledges.services.penalty_payments import penalty_payment_record, penalty_refund_record
from pledges.views.request_ends import request_page


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def payment_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Take in a payment of a settled penalty."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    if request.method == "GET" and found.state != RequestState.SETTLED:
        messages.error(request, f"De {found.code} no se debe nada ahora.")
        return redirect("release_request", pk=pk)
    binding = BindingAct(
        form=MoneyForm,
        act=lambda form: penalty_payment_record(
            request_id=pk,
            user=request.user,
            entry=_entry(form),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda _, paid: _paid_shown(found, paid),
        done=lambda paid: _told(request, paid, f"Pago registrado: recibo {paid.receipt}."),
        page=request_page(found)
        | {
            "heading": "Registrar un pago de la sanción",
            "short": "Pago",
            "verb": "Registrar el pago",
            "why": f"{found.pledge.holder.name} debe {_amount(found.balance)} por {found.code}.",
        },
        initial={"submission_key": uuid.uuid4(), "amount": found.balance},
    )
    return act_response(request, binding)


def _amount(balance: Any) -> str:
    return write_amount(balance or 0)


def _entry(form: Form) -> PaymentEntry:
    names = ("means", "reference", "paid_on", "amount")
    return PaymentEntry(**{name: form.cleaned_data[name] for name in names})


def _paid_shown(found: ReleaseRequest, paid: PenaltyPayment) -> dict[str, Any]:
    left = found.balance - paid.amount
    rest = (
        f"quedan por pagar {amount_phrase(left)}"
        if left
        else "la sanción queda pagada y puede prepararse el levantamiento"
    )
    return {
        "answers": _money_lines(found, paid, "Valor pagado", "Saldo después", left),
        "consequence": f"Al registrar, consta que el Fondo recibió {amount_phrase(paid.amount)}; "
        f"{rest}. No se puede editar.",
    }


def _money_lines(
    found: ReleaseRequest,
    money: PenaltyPayment | PenaltyRefund,
    amount_label: str,
    left_label: str,
    left: Any,
) -> list[dict[str, Any]]:
    holder = found.pledge.holder
    return [
        {"label": "Titular", "value": holder.name, "detail": holder.identity},
        {"label": "Medio", "value": PaymentMeans(money.means).label, "field": "means"},
        {"label": "Referencia", "value": money.reference, "field": "reference"},
        {"label": "Fecha", "value": write_date_long(money.paid_on), "field": "paid_on"},
        {
            "label": amount_label,
            "value": write_amount(money.amount),
            "words": amount_words(money.amount),
            "big": True,
            "field": "amount",
        },
        {"label": left_label, "value": write_amount(left), "words": amount_words(left)},
    ]


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def refund_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record money given back for a request that was closed."""
    found = get_object_or_404(requests_shown(request.user), pk=pk)
    owed = penalty_to_return(found)
    if request.method == "GET" and not owed:
        messages.error(request, f"De {found.code} no hay nada por devolver.")
        return redirect("release_request", pk=pk)
    binding = BindingAct(
        form=RefundForm,
        act=lambda form: penalty_refund_record(
            request_id=pk,
            user=request.user,
            entry=_entry(form),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda _, refund: _refund_shown(found, refund, owed - refund.amount),
        done=lambda refund: _told(
            request, refund, f"Devolución registrada: {write_amount(refund.amount)}."
        ),
        page=request_page(found)
        | {
            "heading": "Registrar una devolución",
            "short": "Devolución",
            "verb": "Registrar la devolución",
            "why": f"{found.code} se cerró sin salida: quedan por devolver {write_amount(owed)}.",
        },
        initial={"submission_key": uuid.uuid4(), "amount": owed},
    )
    return act_response(request, binding)


def _refund_shown(found: ReleaseRequest, refund: PenaltyRefund, left: Any) -> dict[str, Any]:
    rest = f"quedan por devolver {amount_phrase(left)}" if left else "no queda nada por devolver"
    return {
        "answers": _money_lines(found, refund, "Valor devuelto", "Por devolver después", left),
        "consequence": f"Al registrar, consta que el Fondo devolvió "
        f"{amount_phrase(refund.amount)} y que {rest}. No se puede editar.",
    }


def _told(request: HttpRequest, money: PenaltyPayment | PenaltyRefund, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("release_request", pk=money.request_id)
