"""The list of pledges and its export."""

from datetime import date
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers.models import Broker
from offerings.models import Programme
from offerings.views.lists import buyer_columns, programme_filter
from office.access import may
from office.dates import MONTHS
from office.exports import list_export
from office.list_pages import list_context
from office.lists import (
    Column,
    Filter,
    Listing,
    Narrowed,
    Tab,
    asked_of,
    row_of,
    shows,
    text_filter,
)
from office.models import User
from office.roles import Capability
from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.selectors import pledges as selectors


def month_words(first: date) -> str:
    """ "septiembre de 1997"."""
    return f"{MONTHS[first.month - 1]} de {first.year}"


def _by_month(rows: Any, value: str, user: User) -> Narrowed | None:
    month = selectors.month_of(value)
    if month is None:
        return None
    first, after = month
    return rows.filter(last_day__gte=first, last_day__lt=after), f"Vence en {month_words(first)}"


def _months(user: User) -> list[tuple[str, str]]:
    months = selectors.months_of_maturity(user)
    return [(f"{first:%Y-%m}", month_words(first)) for first in months]


def _by_broker(rows: Any, value: str, user: User) -> Narrowed | None:
    broker = row_of(Broker.objects.all(), value) if user.may(Capability.READ) else None
    if broker is None:
        return None
    return rows.filter(award__acceptance__broker=broker), f"Comisionista: {broker}"


def _brokers(user: User) -> list[tuple[str, str]]:
    if not user.may(Capability.READ):
        return []
    return [(str(broker.pk), broker.name) for broker in Broker.objects.all()]


def _by_condition(rows: Any, value: str, user: User) -> Narrowed | None:
    known = selectors.CONDITIONS.get(value)
    if known is None:
        return None
    words, condition = known
    return rows.filter(condition), words


def _conditions(user: User) -> list[tuple[str, str]]:
    return [(name, words) for name, (words, _) in selectors.CONDITIONS.items()]


PLEDGES = Listing(
    page="pledges",
    title="Prendas",
    noun=("prenda", "prendas"),
    columns=(
        Column("Prenda", lambda row: row.code),
        Column("Programa", lambda row: str(row.award.acceptance.stage.programme)),
        Column("Aceptación", lambda row: row.award.acceptance.code),
        *buyer_columns(lambda row: row.holder),
        Column("Comisionista", lambda row: str(row.award.acceptance.broker or "")),
        Column("Constituidas", lambda row: row.shares, "acciones"),
        Column("Liberadas", lambda row: row.released, "acciones"),
        Column("Transmitidas", lambda row: row.passed_on, "acciones"),
        Column("En prenda", lambda row: row.left, "acciones"),
        Column("En trámite", lambda row: row.in_process, "acciones"),
        Column("Embargadas", lambda row: row.attached, "acciones"),
        Column("Precio de compra", lambda row: row.price, "pesos"),
        Column("Compra", lambda row: row.purchased_on),
        Column("Constituida", lambda row: row.opened_on),
        Column("Último día", lambda row: row.last_day),
        Column("Grado", Pledge.get_rank_display),
        Column("Acreedor del crédito", lambda row: row.lender),
        Column("Registro o depósito", lambda row: row.kept_by),
        Column("Anotación", lambda row: row.entry_reference),
        Column("Anotada", lambda row: row.entered_on),
        Column("Estado", Pledge.get_state_display),
    ),
    filters=(
        programme_filter("award__acceptance__stage__programme"),
        Filter("mes", "Mes de vencimiento", _by_month, _months),
        Filter("comisionista", "Comisionista", _by_broker, _brokers),
        Filter("condicion", "Condición", _by_condition, _conditions),
        text_filter("Titular, documento o número", selectors.pledges_answering),
    ),
    tabs=(
        Tab("vigentes", "Vigentes", Q(state=PledgeState.IN_FORCE)),
        Tab("cumplidas", "Cumplidas", Q(state=PledgeState.MATURED)),
        Tab("liberadas", "Liberadas", Q(state=PledgeState.RELEASED)),
        Tab("transmitidas", "Transmitidas", Q(state=PledgeState.PASSED_ON), passing=True),
        Tab("sin-efecto", "Sin efecto", Q(state=PledgeState.ANNULLED), passing=True),
    ),
    orders={"acciones": ("left",), "ultimo_dia": ("last_day",), "prenda": ("pk",)},
)


@require_GET
@may(Capability.OWN)
@shows(PLEDGES)
def pledge_list(request: HttpRequest) -> HttpResponse:
    """The pledges that the person may see, the newest first."""
    rows = selectors.pledges_shown(request.user)
    context = list_context(request, PLEDGES, rows)
    found = asked_of(PLEDGES, rows, request.GET, request.user).found
    context |= {
        "pledges": context["page"],
        "totals": selectors.pledge_totals(found),
        "programmes": Programme.objects.all(),
    }
    return render(request, "pledges/pledges/list.html", context)


@require_GET
@may(Capability.OWN)
def pledges_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, PLEDGES, selectors.pledges_shown(request.user), kind)
