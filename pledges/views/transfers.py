"""Screens of shares that passed to another, by a transfer or to heirs."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from buyers.enums import BuyerKind
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.models import User
from office.numbers import write_amount, write_shares
from office.roles import Capability
from pledges.enums import TransferKind
from pledges.forms.transfers import InheritanceForm, TransferForm
from pledges.models import Pledge, Transfer
from pledges.selectors.penalty_terms import pledge_terms
from pledges.services.transfers import (
    TransferEntry,
    inheritance_record,
    settled_requests,
    transfer_record,
)
from pledges.views.acts import act_done, act_page, holder_line, line, pledge_of, shares_line


def transfers_on_pledge(pledge: Pledge, user: User) -> dict[str, Any]:
    """What the page of a pledge shows of its shares that passed to another."""
    transfers = pledge.transfers.select_related("request", "heir_pledge").order_by("pk")
    return {
        "transfers": transfers,
        "may_transfer": user.may(Capability.PREPARE)
        and bool(pledge.pledged or settled_requests(pledge)),
        "may_inherit": user.may(Capability.PREPARE)
        and bool(pledge.free)
        and pledge.holder.kind == BuyerKind.NATURAL,
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def transfer_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a transfer within the term, with the request that settled its penalty."""
    pledge = pledge_of(pk)
    binding = BindingAct(
        form=partial(TransferForm, requests=settled_requests(pledge)),
        act=lambda form: transfer_record(
            pledge_id=pk,
            user=request.user,
            entry=_entry(form, TransferKind(form.cleaned_data["kind"])),
            request=form.cleaned_data["request"],
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, made: _transfer_shown(pledge, made),
        done=lambda made: act_done(
            request, pk, f"Transferencia registrada: {write_shares(made.shares)}."
        ),
        page=act_page(
            pledge,
            "Registrar una transferencia",
            _early_exit(pledge),
        ),
    )
    return act_response(request, binding)


def _early_exit(pledge: Pledge) -> str:
    terms = pledge_terms(pledge)
    rule = (
        f"{terms.pledge.early_exit.value} ({terms.pledge.early_exit.cite}) "
        if terms.pledge
        else ""
    )
    return (
        f"Dentro del término es salida anticipada: {rule}"
        "Solo se registra con su sanción liquidada, y nadie puede dispensarla."
    )


def _entry(form: Any, kind: TransferKind) -> TransferEntry:
    said = form.cleaned_data
    return TransferEntry(
        kind=kind,
        transferred_on=said["transferred_on"],
        shares=said["shares"],
        to_name=said.get("to_name", ""),
        proof=said["proof"],
        price=said.get("price"),
    )


def _transfer_shown(pledge: Pledge, made: Transfer) -> dict[str, Any]:
    price = write_amount(made.price) if made.price else "no lo hubo"
    return {
        "answers": [
            holder_line(pledge),
            line("Título", made.get_kind_display(), "kind"),
            line("Su sanción se liquidó en", made.request.code, "request"),
            line("Fecha", write_date_long(made.transferred_on), "transferred_on"),
            shares_line("Acciones", made.shares),
            line("Precio por acción", price, "price"),
            line("A favor de", made.to_name, "to_name"),
            line("En qué consta", made.proof, "proof"),
        ],
        "consequence": f"Al registrarla, consta que {write_shares(made.shares)} de {pledge.code} "
        "pasaron a otro. No se puede editar.",
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def inheritance_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that shares passed to an heir, with their pledge."""
    pledge = pledge_of(pk)
    terms = pledge_terms(pledge)
    rule = terms.pledge.inheritance if terms.pledge else None
    binding = BindingAct(
        form=InheritanceForm,
        act=lambda form: inheritance_record(
            pledge_id=pk,
            user=request.user,
            heir=form.heir,
            entry=_entry(form, TransferKind.INHERITANCE),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, made: {
            "answers": [
                holder_line(pledge),
                {
                    "label": "Quien hereda",
                    "value": made.to_name,
                    "detail": form.heir.identity,
                    "field": "heir_identity_number",
                },
                shares_line("Acciones que recibe", made.shares),
                line("Fecha", write_date_long(made.transferred_on), "transferred_on"),
                line("En qué consta", made.proof, "proof"),
            ],
            "consequence": f"Al registrarla, {write_shares(made.shares)} pasan a nombre de quien "
            f"hereda, sin sanción, y siguen en prenda hasta el "
            f"{write_date_long(pledge.last_day)}. No se puede deshacer.",
        },
        done=lambda made: act_done(
            request, made.heir_pledge_id, "Las acciones pasaron con su prenda a quien hereda."
        ),
        page=act_page(
            pledge,
            "Registrar una sucesión",
            f"{rule.value} ({rule.cite})." if rule else "La prenda sigue a las acciones.",
        ),
    )
    return act_response(request, binding)
