"""The list of documents, with its filters in the address, and its export."""

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers.enums import DocumentKind
from buyers.models import Broker, Buyer, Document
from buyers.selectors.documents import UNVERIFIED, documents_listed, documents_matching
from offerings.models import Stage
from offerings.selectors.documents import documents_invoked
from offerings.views.lists import buyer_columns, stage_options
from office.access import may
from office.exports import list_export
from office.list_pages import list_context
from office.lists import (
    Column,
    Filter,
    Listing,
    Narrowed,
    Tab,
    asked_of,
    choice_filter,
    row_of,
    shows,
    text_filter,
)
from office.models import User
from office.roles import Capability

OTHERS, MINE = "otros", "mios"
REGISTERED = {OTHERS: "Los registró otra persona", MINE: "Los registré yo"}

Rows = QuerySet[Document]


def _by_stage(rows: Rows, value: str, user: User) -> Narrowed | None:
    stage = row_of(Stage.objects.select_related("programme"), value)
    return (documents_invoked(rows, stage), f"Se hacen valer en: {stage}") if stage else None


def _by_broker(rows: Rows, value: str, user: User) -> Narrowed | None:
    broker = row_of(Broker.objects.all(), value) if user.may(Capability.READ) else None
    return (rows.filter(presented_by=broker), f"Los trajo: {broker}") if broker else None


def _brokers(user: User) -> list[tuple[str, str]]:
    if not user.may(Capability.READ):
        return []
    return [(str(broker.pk), broker.name) for broker in Broker.objects.all()]


def _by_registrar(rows: Rows, value: str, user: User) -> Narrowed | None:
    if value not in REGISTERED:
        return None
    found = rows.filter(seen_by=user) if value == MINE else rows.exclude(seen_by=user)
    return found, REGISTERED[value]


def _by_buyer(rows: Rows, value: str, user: User) -> Narrowed | None:
    buyer = row_of(Buyer.objects.visible_to(user), value)
    return (rows.filter(buyer=buyer), f"Comprador: {buyer}") if buyer else None


def _state(document: Document) -> str:
    if document.replaced_at:
        return "Reemplazado"
    if document.verified_at:
        return "Verificado"
    return "Con diferencia" if document.differs else "Sin verificar"


DOCUMENTS = Listing(
    page="documents",
    title="Documentos",
    noun=("documento", "documentos"),
    every="Todos",
    columns=(
        Column("Clase de documento", Document.get_kind_display),
        Column("Año", lambda row: str(row.year or "")),
        *buyer_columns(lambda row: row.buyer),
        Column("Archivo", lambda row: row.file.original_name if row.file else ""),
        Column("Bolsa que lo conserva", lambda row: str(row.exchange or "")),
        Column("Referencia", lambda row: row.exchange_reference),
        Column("Registrado", lambda row: row.seen_at),
        Column("Verificado", lambda row: row.verified_at),
        Column("Segunda lectura", _state),
    ),
    filters=(
        text_filter("Nombre, documento o referencia", documents_matching),
        choice_filter("tipo", "Documento", "kind", DocumentKind.choices()),
        Filter("etapa", "Programa y etapa", _by_stage, options=stage_options),
        Filter("comisionista", "Lo trajo", _by_broker, options=_brokers),
        Filter(
            "registro", "Quién lo registró", _by_registrar, options=lambda user: REGISTERED.items()
        ),
        Filter("comprador", "Comprador", _by_buyer),
    ),
    tabs=(
        Tab("sin-verificar", "Sin verificar", UNVERIFIED),
        Tab("con-diferencia", "Con diferencia", UNVERIFIED & Q(differs=True)),
        Tab("verificados", "Verificados", Q(verified_at__isnull=False, replaced_at=None)),
        Tab("reemplazados", "Reemplazados", Q(replaced_at__isnull=False)),
    ),
    orders={"registrado": ("seen_at",)},
)


@require_GET
@may(Capability.OWN)
@shows(DOCUMENTS)
def document_list(request: HttpRequest) -> HttpResponse:
    """The documents that the person may see, the oldest first."""
    context = list_context(request, DOCUMENTS, documents_listed(request.user))
    return render(request, "offerings/documents/list.html", context)


@require_GET
@may(Capability.OWN)
def documents_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, DOCUMENTS, documents_listed(request.user), kind)


def documents_asked(request: HttpRequest) -> Rows:
    """The documents that the address asks for, the oldest first."""
    listed = documents_listed(request.user)
    return asked_of(DOCUMENTS, listed, request.GET, request.user).rows
