"""The list of acceptances, with its filters in the address, and its export."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers.enums import BuyerClass
from buyers.models import Broker, Buyer
from offerings.enums import AcceptanceState, StageState, Standing
from offerings.models import Acceptance, AcceptanceImport, Stage
from offerings.selectors.acceptances import (
    acceptances_listed,
    acceptances_matching,
    acceptances_received_on,
)
from offerings.selectors.drafts import drafts_listed
from offerings.views.lists import buyer_columns, stage_options
from office.access import may
from office.dates import DateError, read_date, write_date
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, choice_filter, row_of, shows
from office.models import User
from office.roles import Capability

SHOWN = (
    "serial", "requested", "admitted", "minimum", "received_at", "standing", "state",
    "papers_reference", "stage__number", "stage__programme__short_name", "broker__name",
    "participation__buyer_class", "participation__buyer__name",
    "participation__buyer__identity_type", "participation__buyer__identity_number",
    "participation__buyer__check_digit",
)  # fmt: skip
DIRECT = "directas"  # in the address, in the place of a broker


def _broker(acceptance: Acceptance) -> str:
    return acceptance.broker.name if acceptance.broker else "Directa"


# The words of each value, looked up: Django works its choices out anew for every row.
CLASSES = dict(BuyerClass.choices())
STANDINGS, STATES = dict(Standing.choices), dict(AcceptanceState.choices)


def _situation(acceptance: Acceptance) -> str:
    """The same as its `situation`."""
    if acceptance.state == AcceptanceState.PRESENTED:
        return STANDINGS[acceptance.standing]
    return STATES[acceptance.state]


def _by_text(rows, value: str, user: User) -> Narrowed:
    return acceptances_matching(rows, value, user), f"«{value}»"


def _listed(user: User):
    """The acceptances that `user` may see, with the columns that list and file show alone."""
    return acceptances_listed(user).only(*SHOWN)


def _by_stage(rows, value: str, user: User) -> Narrowed | None:
    stage = row_of(Stage.objects.select_related("programme"), value)
    return (rows.filter(stage=stage), str(stage)) if stage else None


def _by_false_class(rows, value: str, user: User) -> Narrowed | None:
    return (rows.filter(false_class=True), "Clase falsa") if value == "si" else None


def _by_day(rows, value: str, user: User) -> Narrowed | None:
    try:
        day = read_date(value)
    except DateError:
        return None
    return acceptances_received_on(rows, day), f"Recibida: {write_date(day)}"


def _by_buyer(rows, value: str, user: User) -> Narrowed | None:
    buyer = row_of(Buyer.objects.visible_to(user), value)
    return (rows.filter(participation__buyer=buyer), f"Comprador: {buyer}") if buyer else None


def _by_broker(rows, value: str, user: User) -> Narrowed | None:
    if not user.may(Capability.READ):
        return None
    if value == DIRECT:
        return rows.filter(broker=None), "Sin comisionista: llegaron directamente al Fondo"
    broker = row_of(Broker.objects.all(), value)
    return (rows.filter(broker=broker), f"Comisionista: {broker}") if broker else None


def _by_import(rows, value: str, user: User) -> Narrowed | None:
    if not user.may(Capability.READ):
        return None
    loaded = row_of(AcceptanceImport.objects.all(), value)
    return (rows.filter(source_import=loaded), f"Archivo: {loaded}") if loaded else None


ACCEPTANCES = Listing(
    page="acceptances",
    title="Aceptaciones",
    noun=("aceptación", "aceptaciones"),
    columns=(
        Column("Aceptación", lambda row: row.code),
        Column("Programa", lambda row: str(row.stage.programme)),
        Column("Etapa", lambda row: row.stage.number),
        *buyer_columns(lambda row: row.participation.buyer),
        Column("Clase", lambda row: CLASSES[row.participation.buyer_class]),
        Column("Comisionista", _broker),
        Column("Dónde reposan los papeles", lambda row: row.papers_reference),
        Column("Recibida", lambda row: row.received_at),
        Column("Solicitado", lambda row: row.requested, "acciones"),
        Column("Tras el límite", lambda row: row.admitted, "acciones"),
        Column("Mínimo", lambda row: row.minimum, "acciones"),
        Column("Situación", _situation),
        Column("Clase falsa", lambda row: "Sí" if row.false_class else ""),
    ),
    filters=(
        Filter("q", "Nombre, documento o número", _by_text, typed=True),
        Filter("etapa", "Programa y etapa", _by_stage, options=stage_options),
        choice_filter("situacion", "Situación", "standing", Standing.choices),
        choice_filter("clase", "Clase", "participation__buyer_class", BuyerClass.choices()),
        Filter(
            "clase_falsa",
            "Clase falsa",
            _by_false_class,
            options=lambda user: [("si", "Solo las de clase falsa")],
        ),
        Filter("dia", "Recibida", _by_day),
        Filter("comprador", "Comprador", _by_buyer),
        Filter("comisionista", "Comisionista", _by_broker),
        Filter("importacion", "Archivo", _by_import),
    ),
    orders={
        "recibida": ("received_at", "serial"),
        "solicitado": ("requested",),
        "limite": ("admitted",),
    },
)


@require_GET
@may(Capability.OWN)
@shows(ACCEPTANCES)
def acceptance_list(request: HttpRequest) -> HttpResponse:
    """The acceptances that the person may see, newest first."""
    context = list_context(request, ACCEPTANCES, _listed(request.user))
    opened = Stage.objects.filter(state=StageState.OPEN)
    context["open_stages"] = opened.select_related("programme")
    context["drafts"] = drafts_listed(request.user).count()
    return render(request, "offerings/acceptances/list.html", context)


@require_GET
@may(Capability.OWN)
def acceptance_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, ACCEPTANCES, _listed(request.user), kind)
