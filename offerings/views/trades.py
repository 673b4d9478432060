"""The auction and the reference trades of a programme: what counts and why, and the acts."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.forms.prices import ReasonForm, SessionForm, TradeCorrectionForm, TradeForm
from offerings.models import AuctionSession, Programme, ReferenceTrade
from offerings.selectors.programmes import programme_terms
from offerings.selectors.trade_standings import Standings, trade_standings
from offerings.selectors.trades import sessions_listed, trades_listed
from offerings.services.trades import (
    auction_session_record,
    auction_session_withdraw,
    trade_correct,
    trade_record,
    trade_withdraw,
)
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date, write_date_long
from office.decisions import timeline
from office.numbers import write_amount, write_quantity, write_shares
from office.roles import Capability
from office.words import amount_words, shares_words

STAYS = "Las liquidaciones ya guardadas no cambian."


@require_GET
@may(Capability.READ)
def trades_programme(request: HttpRequest, slug: str) -> HttpResponse:
    """What a programme's penalties look at: its auction, its trades, and which of them count."""
    programme = get_object_or_404(Programme, slug=slug)
    sessions = list(sessions_listed(programme))
    every = list(trades_listed(programme))
    standings = trade_standings(programme, bogota_day(timezone.now()))
    context = {
        "programme": programme,
        "terms": programme_terms(programme),
        "sessions": [one for one in sessions if one.in_force],
        "standings": standings,
        "closed": [one for one in every if not one.in_force],
        "closed_sessions": [one for one in sessions if not one.in_force],
        "figures": _figures(sessions, standings),
        "events": timeline([*sessions, *every]),
    }
    return render(request, "offerings/trades/programme.html", context)


def _figures(sessions: list[AuctionSession], standings: Standings) -> list[dict[str, str]]:
    held = next((one.held_on for one in sessions if one.in_force), None)
    counting = [one.trade for one in standings.trades if one.counts]
    dearest = max(counting, key=lambda trade: trade.price, default=None)
    least = standings.threshold
    return [
        {"label": "Martillo", "value": write_date(held) if held else "no consta"},
        {
            "label": "Mínimo de una operación",
            "value": write_quantity(least.value) if least else "–",
            "note": "acciones" if least else "no se conoce",
        },
        {"label": "Operaciones que cuentan", "value": write_quantity(len(counting))},
        {
            "label": "Precio más alto que cuenta",
            "value": write_amount(dearest.price) if dearest else "–",
            "note": write_date(dearest.traded_on) if dearest else "",
        },
    ]


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def auction_session_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that the auction was held."""
    programme = get_object_or_404(Programme, slug=slug)
    binding = BindingAct(
        form=SessionForm,
        act=lambda form: auction_session_record(
            programme=programme, user=request.user, **form.cleaned_data
        ),
        shown=lambda form, session: {
            "answers": [
                {"label": "Fecha", "value": write_date_long(session.held_on), "field": "held_on"},
                {
                    "label": "Bolsa",
                    "value": str(session.exchange or "No se dice"),
                    "field": "exchange",
                },
                {"label": "Fuente", "value": session.source, "field": "source"},
            ],
            "consequence": "Al registrarlo, consta que el martillo se realizó: las operaciones de "
            f"ese día y las posteriores pueden contar. {STAYS}",
        },
        done=lambda session: _back(request, slug, "Martillo registrado."),
        page=_page(programme, "Registrar el martillo", "Martillo", "Registrar el martillo")
        | {"why": "Mientras no conste el martillo, ninguna operación cuenta para la sanción."},
        initial={"submission_key": uuid.uuid4()},
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def auction_session_withdraw_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take back that the auction was held on a day."""
    session = get_object_or_404(AuctionSession, pk=pk, programme__slug=slug)
    day = write_date_long(session.held_on)
    binding = BindingAct(
        form=ReasonForm,
        act=lambda form: auction_session_withdraw(
            session_id=pk, user=request.user, **form.cleaned_data
        ),
        shown=lambda form, withdrawn: {
            "answers": [{"label": "Martillo", "value": day}, _reason(form)],
            "consequence": f"Al retirarlo, deja de constar que el martillo fue el {day}. {STAYS}",
        },
        done=lambda withdrawn: _back(request, slug, "Martillo retirado."),
        page=_page(
            session.programme, f"Retirar el martillo del {day}", "Retiro", "Retirar el martillo"
        )
        | {"why": "Solo si se registró por error.", "danger": True},
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def trade_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Record a trade of the issuer's shares."""
    programme = get_object_or_404(Programme, slug=slug)
    binding = BindingAct(
        form=TradeForm,
        act=lambda form: trade_record(
            programme=programme,
            user=request.user,
            entry=form.entry(),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, trade: {
            "answers": _lines(trade),
            "consequence": "Al registrarla, cuenta para las sanciones que se liquiden desde ahora "
            f"si alcanza el mínimo de acciones. {STAYS}",
        },
        done=lambda trade: _back(request, slug, "Operación registrada."),
        page=_page(
            programme,
            "Registrar una operación",
            "Operación de referencia",
            "Registrar la operación",
        )
        | {"why": "Una sola operación con acciones del emisor, en el martillo o después de él."},
        initial={"submission_key": uuid.uuid4()},
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def trade_correct_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put another trade in the place of a wrong one, with why."""
    before = get_object_or_404(trades_listed().filter(programme__slug=slug), pk=pk)
    binding = BindingAct(
        form=TradeCorrectionForm,
        act=lambda form: trade_correct(
            trade_id=pk,
            user=request.user,
            entry=form.entry(),
            reason=form.cleaned_data["reason"],
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, trade: {
            "answers": [{"label": "Antes", "value": _told(before)}, *_lines(trade), _reason(form)],
            "consequence": "Al corregirla, la de antes queda en la historia y deja de contar. "
            + STAYS,
        },
        done=lambda trade: _back(request, slug, "Operación corregida."),
        page=_page(
            before.programme, "Corregir una operación", "Corrección", "Corregir la operación"
        )
        | {"why": _told(before)},
        initial=_initial(before),
    )
    return act_response(request, binding)


def _initial(trade: ReferenceTrade) -> dict[str, Any]:
    names = ("traded_on", "price", "shares", "venue", "buyer_reference", "source")
    return {name: getattr(trade, name) for name in names} | {
        "in_auction": "yes" if trade.in_auction else "no",
        "submission_key": uuid.uuid4(),
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def trade_withdraw_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a trade out of use without another."""
    trade = get_object_or_404(trades_listed().filter(programme__slug=slug), pk=pk)
    binding = BindingAct(
        form=ReasonForm,
        act=lambda form: trade_withdraw(trade_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, withdrawn: {
            "answers": [{"label": "Operación", "value": _told(trade)}, _reason(form)],
            "consequence": f"Al retirarla, deja de contar. {STAYS}",
        },
        done=lambda withdrawn: _back(request, slug, "Operación retirada."),
        page=_page(trade.programme, "Retirar una operación", "Retiro", "Retirar la operación")
        | {"why": f"{_told(trade)}. Si algún dato está mal, corríjala.", "danger": True},
    )
    return act_response(request, binding)


def _lines(trade: ReferenceTrade) -> list[dict[str, Any]]:
    where = "En el martillo de ese día" if trade.in_auction else "Fuera del martillo"
    return [
        {"label": "Fecha", "value": write_date_long(trade.traded_on), "field": "traded_on"},
        {"label": "En el martillo", "value": where, "field": "in_auction"},
        {
            "label": "Precio por acción",
            "value": write_amount(trade.price),
            "words": amount_words(trade.price),
            "big": True,
            "field": "price",
        },
        {
            "label": "Acciones",
            "value": write_quantity(trade.shares),
            "words": shares_words(trade.shares),
            "big": True,
            "field": "shares",
        },
        {"label": "Dónde", "value": trade.venue, "field": "venue"},
        {
            "label": "Comprador o referencia",
            "value": trade.buyer_reference or "No se dice",
            "field": "buyer_reference",
        },
        {"label": "Fuente", "value": trade.source, "field": "source"},
    ]


def _told(trade: ReferenceTrade) -> str:
    where = "en el martillo" if trade.in_auction else f"en {trade.venue}"
    return (
        f"{write_date(trade.traded_on)}, {where}: {write_shares(trade.shares)} a "
        f"{write_amount(trade.price)}"
    )


def _reason(form: Any) -> dict[str, Any]:
    return {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"}


def _page(programme: Programme, heading: str, short: str, verb: str) -> dict[str, Any]:
    return {
        "list_label": "Índices y precios",
        "list_url": reverse("trades"),
        "back_label": f"{programme.short_name}: operaciones",
        "back_url": reverse("trades_programme", args=[programme.slug]),
        "heading": heading,
        "short": short,
        "verb": verb,
    }


def _back(request: HttpRequest, slug: str, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("trades_programme", slug=slug)
