"""The list of acceptances, with its filters in the address, and its export."""

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers.enums import BuyerClass
from buyers.models import Broker, Buyer
from offerings.enums import Standing
from offerings.models import Acceptance, AcceptanceImport, Stage
from offerings.selectors.acceptances import acceptances_listed, acceptances_matching
from offerings.selectors.drafts import drafts_listed
from office.access import may
from office.dates import write_datetime
from office.numbers import write_count
from office.roles import Capability
from office.spreadsheets import write_csv

PER_PAGE = 50
DIRECT = "directas"  # in the address, in the place of a broker
EXPORT_COLUMNS = [
    "Aceptación",
    "Programa",
    "Etapa",
    "Tipo de documento",
    "Documento",
    "Comprador",
    "Clase",
    "Comisionista",
    "Dónde reposan los papeles",
    "Recibida",
    "Solicitado",
    "Tras el límite",
    "Mínimo",
    "Situación",
    "Clase falsa",
]

Rows = QuerySet[Acceptance]


@require_GET
@may(Capability.OWN)
def acceptance_list(request: HttpRequest) -> HttpResponse:
    """The acceptances that the person may see, newest first."""
    found, chips = _filtered(request)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "chips": chips,
        "count": write_count(page.paginator.count, "aceptación", "aceptaciones"),
        "asked": request.GET,
        "standings": Standing.choices,
        "classes": BuyerClass.choices(),
        "stages": Stage.objects.select_related("programme"),
        "drafts": drafts_listed(request.user).count(),
    }
    return render(request, "offerings/acceptances/list.html", context)


@require_GET
@may(Capability.OWN)
def acceptance_export(request: HttpRequest) -> HttpResponse:
    """The same list, with its filters, as CSV."""
    found, _ = _filtered(request)
    response = HttpResponse(
        write_csv(EXPORT_COLUMNS, [_export_row(row) for row in found.iterator(chunk_size=2000)]),
        content_type="text/csv; charset=utf-8",
    )
    response["Content-Disposition"] = 'attachment; filename="aceptaciones.csv"'
    return response


def _export_row(acceptance: Acceptance) -> list[Any]:
    buyer = acceptance.participation.buyer
    return [
        acceptance.code,
        str(acceptance.stage.programme),
        acceptance.stage.number,
        buyer.identity_type,
        buyer.identity_number + (f"-{buyer.check_digit}" if buyer.check_digit else ""),
        buyer.name,
        acceptance.participation.get_buyer_class_display(),
        acceptance.broker.name if acceptance.broker else "",
        acceptance.papers_reference,
        write_datetime(acceptance.received_at),
        acceptance.requested,
        acceptance.admitted,
        acceptance.minimum,
        acceptance.situation,
        "sí" if acceptance.false_class else "",
    ]


def _filtered(request: HttpRequest) -> tuple[Rows, list[dict[str, str]]]:
    """The rows that the address asks for, and a chip for each filter that narrows them."""
    found = acceptances_listed(request.user)
    chips = []
    for name, narrow in FILTERS.items():
        raw = request.GET.get(name, "").replace("\x00", "").strip()[:200]
        if not raw:
            continue
        narrowed = narrow(found, raw, request)
        if narrowed is None:
            continue
        found, label = narrowed
        chips.append({"label": label, "url": _without(request.GET, name)})
    return found, chips


def _without(asked: QueryDict, name: str) -> str:
    left = asked.copy()
    left.pop(name, None)
    left.pop("page", None)
    return f"?{left.urlencode()}"


Narrowed = tuple[Rows, str] | None


def _by_text(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    return acceptances_matching(found, raw), f"Texto: {raw}"


def _by_stage(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    stage = _row(Stage.objects.select_related("programme"), raw)
    return (found.filter(stage=stage), str(stage)) if stage else None


def _by_standing(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    if raw not in Standing.values:
        return None
    return found.filter(standing=raw), f"Situación: {Standing(raw).label.lower()}"


def _by_class(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    if raw not in set(BuyerClass):
        return None
    label = BuyerClass(raw).label.lower()
    return found.filter(participation__buyer_class=raw), f"Clase: {label}"


def _by_false_class(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    return (found.filter(false_class=True), "Clase falsa") if raw == "si" else None


def _by_buyer(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    buyer = _row(Buyer.objects.visible_to(request.user), raw)
    return (found.filter(participation__buyer=buyer), f"Comprador: {buyer}") if buyer else None


def _by_broker(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    if not request.user.may(Capability.READ):
        return None
    if raw == DIRECT:
        return found.filter(broker=None), "Sin comisionista: llegaron directamente al Fondo"
    broker = _row(Broker.objects.all(), raw)
    return (found.filter(broker=broker), f"Comisionista: {broker}") if broker else None


def _by_import(found: Rows, raw: str, request: HttpRequest) -> Narrowed:
    if not request.user.may(Capability.READ):
        return None
    loaded = _row(AcceptanceImport.objects.all(), raw)
    return (found.filter(source_import=loaded), f"Archivo: {loaded}") if loaded else None


def _row(rows: QuerySet, raw: str) -> Any:
    return rows.filter(pk=int(raw)).first() if raw.isdecimal() and len(raw) < 18 else None


FILTERS: dict[str, Callable[[Rows, str, HttpRequest], Narrowed]] = {
    "q": _by_text,
    "etapa": _by_stage,
    "situacion": _by_standing,
    "clase": _by_class,
    "clase_falsa": _by_false_class,
    "comprador": _by_buyer,
    "comisionista": _by_broker,
    "importacion": _by_import,
}
