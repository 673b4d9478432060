"""The list of requests of an early exit, and its export."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from offerings.views.lists import buyer_columns, programme_filter
from office.access import may
from office.dates import bogota_day
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Listing, Tab, choice_filter, shows, text_filter
from office.roles import Capability
from pledges.enums import RequestKind, RequestState
from pledges.selectors import requests as selectors

REQUESTS = Listing(
    page="release_requests",
    title="Solicitudes de despignoración",
    noun=("solicitud", "solicitudes"),
    columns=(
        Column("Solicitud", lambda row: row.code),
        Column("Prenda", lambda row: row.pledge.code),
        Column("Programa", lambda row: str(row.pledge.award.acceptance.stage.programme)),
        *buyer_columns(lambda row: row.pledge.holder),
        Column("Origen", lambda row: row.get_kind_display()),
        Column("Radicado", lambda row: row.filing_number),
        Column("Presentada", lambda row: bogota_day(row.filed_at)),
        Column("Pide", lambda row: row.shares, "acciones"),
        Column("Debe", lambda row: row.owed, "pesos"),
        Column("Pagado", lambda row: row.paid, "pesos"),
        Column("Saldo", lambda row: row.balance, "pesos"),
        Column("Estado", lambda row: row.get_state_display()),
    ),
    filters=(
        programme_filter("pledge__award__acceptance__stage__programme"),
        text_filter("Titular, documento, radicado o número", selectors.requests_answering),
        choice_filter("origen", "Origen", "kind", RequestKind.choices),
        choice_filter("estado", "Estado", "state", RequestState.choices),
    ),
    tabs=(
        Tab(selectors.OPEN, "Sin liquidar", selectors.VIEWS[selectors.OPEN]),
        Tab(selectors.TO_ACCEPT, "Por fijar", selectors.VIEWS[selectors.TO_ACCEPT]),
        Tab(selectors.OWED, "Por pagar", selectors.VIEWS[selectors.OWED]),
        Tab(selectors.PAID, "Pagadas", selectors.VIEWS[selectors.PAID]),
        Tab(selectors.RETURN, "Por devolver", selectors.returns_due, passing=True),
    ),
    orders={"presentada": ("filed_at",), "acciones": ("shares",)},
)


@require_GET
@may(Capability.READ)
@shows(REQUESTS)
def request_list(request: HttpRequest) -> HttpResponse:
    """Every request, with what it owes and how it stands."""
    context = list_context(request, REQUESTS, selectors.requests_shown(request.user))
    return render(request, "pledges/requests/list.html", context)


@require_GET
@may(Capability.READ)
def requests_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, REQUESTS, selectors.requests_shown(request.user), kind)
