"""The lists of indices, of their files and of trades, and their exports."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from offerings.enums import FigureState, ImportState
from offerings.models import CpiBase, CpiImport, Programme
from offerings.selectors.cpi import imports_listed, indices_listed
from offerings.selectors.trades import trades_listed
from offerings.views.lists import programme_filter
from office.access import may
from office.dates import write_month
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, choice_filter, shows
from office.models import User
from office.roles import Capability


def _year_filter() -> Filter:
    def by_year(rows: Any, value: str, user: User) -> Narrowed | None:
        if not (value.isdecimal() and len(value) == 4):
            return None
        return rows.filter(month__year=int(value)), f"Año: {value}"

    return Filter("anio", "Año", by_year, typed=True)


def _base_filter() -> Filter:
    def by_base(rows: Any, value: str, user: User) -> Narrowed | None:
        known = {str(base.month): base for base in CpiBase.objects.all()}
        if value not in known:
            return None
        return rows.filter(base=known[value]), f"Base: {known[value]}"

    def options(user: User) -> Iterable[tuple[str, str]]:
        return [(str(base.month), str(base)) for base in CpiBase.objects.all()]

    return Filter("base", "Base", by_base, options=options)


CLOSED_COLUMNS = (
    Column("Estado", lambda row: row.get_state_display()),
    Column("Fuente", lambda row: row.source),
    Column("Registró", lambda row: str(row.recorded_by)),
    Column("Registrado", lambda row: row.recorded_at),
    Column("Corrigió o retiró", lambda row: str(row.closed_by or "")),
    Column("Corregido o retirado", lambda row: row.closed_at),
    Column("Motivo", lambda row: row.closed_reason),
)

CPI_MONTHS = Listing(
    page="cpi_months",
    title="IPC mes a mes",
    noun=("índice", "índices"),
    every="Todos",
    columns=(
        Column("Mes", lambda row: write_month(row.month)),
        Column("Índice", lambda row: row.value.normalize()),
        Column("Base", lambda row: str(row.base)),
        *CLOSED_COLUMNS,
    ),
    filters=(
        _year_filter(),
        choice_filter("estado", "Estado", "state", FigureState.choices),
        _base_filter(),
    ),
    orders={"mes": ("month",), "registrado": ("recorded_at",)},
)

CPI_FILES = Listing(
    page="cpi_imports",
    title="Archivos del IPC",
    noun=("archivo", "archivos"),
    every="Todos",
    columns=(
        Column("Número", lambda row: row.code),
        Column("Archivo", lambda row: row.file.original_name),
        Column("Fuente", lambda row: row.source),
        Column("Subió", lambda row: str(row.uploaded_by)),
        Column("Subido", lambda row: row.uploaded_at),
        Column("Meses leídos", lambda row: len(row.months)),
        Column("Cargados", lambda row: row.loaded),
        Column("Estado", CpiImport.get_state_display),
    ),
    filters=(choice_filter("estado", "Estado", "state", ImportState.choices),),
    orders={"subido": ("uploaded_at",)},
)

TRADES = Listing(
    page="trades",
    title="Operaciones de referencia",
    noun=("operación", "operaciones"),
    columns=(
        Column("Programa", lambda row: str(row.programme)),
        Column("Fecha", lambda row: row.traded_on),
        Column("En el martillo", lambda row: row.in_auction),
        Column("Precio por acción", lambda row: row.price, "pesos"),
        Column("Cantidad", lambda row: row.shares, "acciones"),
        Column("Dónde", lambda row: row.venue),
        Column("Comprador", lambda row: row.buyer_reference),
        *CLOSED_COLUMNS,
    ),
    filters=(
        programme_filter("programme"),
        choice_filter("estado", "Estado", "state", FigureState.choices),
    ),
    orders={"fecha": ("traded_on",), "precio": ("price",), "acciones": ("shares",)},
)


@require_GET
@may(Capability.INDICES_READ)
@shows(CPI_MONTHS)
def cpi_months(request: HttpRequest) -> HttpResponse:
    """Every index that was ever entered, also those that were corrected."""
    context = list_context(request, CPI_MONTHS, indices_listed())
    return render(request, "offerings/cpi/months.html", context)


@require_GET
@may(Capability.INDICES_READ)
def cpi_months_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, CPI_MONTHS, indices_listed(), kind)


@require_GET
@may(Capability.INDICES_READ)
@shows(CPI_FILES)
def cpi_imports(request: HttpRequest) -> HttpResponse:
    """The files of the index, newest first."""
    context = list_context(request, CPI_FILES, imports_listed())
    context["may_enter"] = request.user.may(Capability.INDICES)
    return render(request, "offerings/cpi/files.html", context)


@require_GET
@may(Capability.INDICES_READ)
def cpi_imports_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, CPI_FILES, imports_listed(), kind)


@require_GET
@may(Capability.READ)
@shows(TRADES)
def trade_list(request: HttpRequest) -> HttpResponse:
    """The trades of every programme, newest first."""
    context = list_context(request, TRADES, trades_listed())
    context["programmes"] = Programme.objects.order_by("short_name")
    return render(request, "offerings/trades/list.html", context)


@require_GET
@may(Capability.READ)
def trades_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, TRADES, trades_listed(), kind)
