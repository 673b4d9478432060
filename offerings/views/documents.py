"""The list of documents, with its filters in the address."""

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers.enums import DocumentKind
from buyers.models import Broker, Buyer, Document
from buyers.selectors.documents import UNVERIFIED, documents_listed, documents_matching
from offerings.models import Stage
from offerings.selectors.documents import documents_invoked
from office.access import may
from office.models import User
from office.numbers import write_count
from office.roles import Capability

PER_PAGE = 50
OTHERS, MINE = "otros", "mios"
REGISTERED = {OTHERS: "Los registró otra persona", MINE: "Los registré yo"}
VIEWS = {
    "sin-verificar": ("Sin verificar", UNVERIFIED),
    "con-diferencia": ("Con diferencia", UNVERIFIED & Q(differs=True)),
    "verificados": ("Verificados", Q(verified_at__isnull=False, replaced_at=None)),
    "reemplazados": ("Reemplazados", Q(replaced_at__isnull=False)),
}

Rows = QuerySet[Document]
Narrowed = tuple[Rows, str] | None


@require_GET
@may(Capability.OWN)
def document_list(request: HttpRequest) -> HttpResponse:
    """The documents that the person may see, the oldest first."""
    found, chips = documents_asked(request)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    brokers = Broker.objects.all() if request.user.may(Capability.READ) else ()
    context = {
        "page": page,
        "chips": chips,
        "count": write_count(page.paginator.count, "documento", "documentos"),
        "asked": request.GET,
        "query": _query(request.GET),
        "kinds": DocumentKind.choices(),
        "stages": Stage.objects.select_related("programme"),
        "brokers": brokers,
        "registrars": REGISTERED.items(),
        "views": [(name, label) for name, (label, _) in VIEWS.items()],
    }
    return render(request, "offerings/documents/list.html", context)


def documents_asked(request: HttpRequest) -> tuple[Rows, list[dict[str, str]]]:
    """The documents that the address asks for, and a chip for each filter that narrows them."""
    found, chips = documents_listed(request.user), []
    for name, narrow in FILTERS.items():
        raw = "".join(filter(str.isprintable, request.GET.get(name, ""))).strip()[:200]
        narrowed = narrow(found, raw, request.user) if raw else None
        if narrowed is not None:
            found, label = narrowed
            chips.append({"label": label, "url": f"?{_query(request.GET, name)}"})
    return found, chips


def _query(asked: QueryDict, *gone: str) -> str:
    left = asked.copy()
    for name in (*gone, "page"):
        left.pop(name, None)
    return left.urlencode()


def _row(rows: QuerySet, value: str) -> Any:
    return rows.filter(pk=int(value)).first() if value.isdecimal() and len(value) < 18 else None


def _by_text(rows: Rows, value: str, user: User) -> Narrowed:
    return documents_matching(rows, value), f"«{value}»"


def _by_kind(rows: Rows, value: str, user: User) -> Narrowed:
    if value not in set(DocumentKind):
        return None
    return rows.filter(kind=value), DocumentKind(value).label


def _by_stage(rows: Rows, value: str, user: User) -> Narrowed:
    stage = _row(Stage.objects.select_related("programme"), value)
    return (documents_invoked(rows, stage), f"Se hacen valer en: {stage}") if stage else None


def _by_broker(rows: Rows, value: str, user: User) -> Narrowed:
    broker = _row(Broker.objects.all(), value) if user.may(Capability.READ) else None
    return (rows.filter(presented_by=broker), f"Los trajo: {broker}") if broker else None


def _by_registrar(rows: Rows, value: str, user: User) -> Narrowed:
    if value not in REGISTERED:
        return None
    found = rows.filter(seen_by=user) if value == MINE else rows.exclude(seen_by=user)
    return found, REGISTERED[value]


def _by_buyer(rows: Rows, value: str, user: User) -> Narrowed:
    buyer = _row(Buyer.objects.visible_to(user), value)
    return (rows.filter(buyer=buyer), f"Comprador: {buyer}") if buyer else None


def _by_view(rows: Rows, value: str, user: User) -> Narrowed:
    if value not in VIEWS:
        return None
    label, condition = VIEWS[value]
    return rows.filter(condition), label


FILTERS: dict[str, Callable[[Rows, str, User], Narrowed]] = {
    "q": _by_text,
    "tipo": _by_kind,
    "etapa": _by_stage,
    "comisionista": _by_broker,
    "registro": _by_registrar,
    "comprador": _by_buyer,
    "vista": _by_view,
}
