"""The lists of what is due and paid and of what goes back, and their exports."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from offerings.models import Award, Programme
from offerings.rules.payment_reference import payment_reference
from offerings.selectors import payments as selectors
from offerings.selectors.payment_terms import payment_term, runs_past_term
from offerings.selectors.returns import PAID_OVER, reasons_nothing_due
from offerings.views.lists import buyer_columns, programme_filter
from office.access import may
from office.dates import bogota_day
from office.exports import CHUNK, list_export
from office.list_pages import list_context, list_tabs, list_url
from office.lists import TAB, Column, Listing, Tab, asked_of, shows, text_filter
from office.numbers import write_quantity
from office.roles import Capability


def _overdue() -> Q:
    """What is owed past its term, by the terms that each adjudication keeps."""
    return selectors.OWING & Q(adjudication__in=runs_past_term(bogota_day(timezone.now())))


def award_days(awards: Iterable[Award], today: date) -> Iterator[Award]:
    """Each award with its last day to pay, and whether it has passed without all being paid;
    terms are read once a run, not once a row."""
    known: dict[int, date | None] = {}
    for award in awards:
        run = award.adjudication
        if run.pk not in known:
            term = payment_term(run)
            known[run.pk] = term.value if term else None
        award.last_day = known[run.pk]
        award.is_overdue = bool(award.last_day and award.last_day < today and award.balance)
        yield award


def _with_days(awards: Iterable[Award]) -> Iterator[Award]:
    return award_days(awards, bogota_day(timezone.now()))


def _with_reasons(awards: Iterable[Award]) -> Iterator[Award]:
    """Each award with why its money goes back, a few thousand at a time."""
    some: list[Award] = []
    for award in awards:
        some.append(award)
        if len(some) == CHUNK:
            yield from _reasoned(some)
            some = []
    yield from _reasoned(some)


def _reasoned(awards: list[Award]) -> list[Award]:
    reasons = reasons_nothing_due(awards)
    for award in awards:
        award.why = reasons.get(award.pk, PAID_OVER)
    return awards


def _state(award: Award) -> str:
    if not award.balance:
        return "Pagada"
    words = ["Pago parcial" if award.paid else "Sin pago"]
    words += ["vencida"] if award.is_overdue else []
    words += ["reclamada"] if award.is_claimed else []
    return ", ".join(words)


def _certificate(award: Award) -> str:
    return award.certificate.label if award.certificate else ""


SHARED = (
    Column("Aceptación", lambda row: row.acceptance.code),
    Column("Programa", lambda row: str(row.acceptance.stage.programme)),
    Column("Adjudicación", lambda row: row.adjudication.code),
    *buyer_columns(lambda row: row.acceptance.participation.buyer),
)
FILTERS = (
    programme_filter("acceptance__stage__programme"),
    text_filter("Comprador, documento o aceptación", selectors.awards_answering),
)

PAYMENTS = Listing(
    page="payments",
    title="Pagos",
    noun=("aceptación adjudicada", "aceptaciones adjudicadas"),
    columns=(
        *SHARED,
        Column("Adjudicado", lambda row: row.awarded, "acciones"),
        Column("Valor adjudicado", lambda row: row.due, "pesos"),
        Column("Pagado", lambda row: row.paid, "pesos"),
        Column("Saldo", lambda row: row.balance, "pesos"),
        Column("Último día", lambda row: row.last_day),
        Column("Referencia de pago", lambda row: payment_reference(row.pk)),
        Column("Estado", _state),
        Column("Certificado", _certificate),
    ),
    filters=FILTERS,
    tabs=(
        Tab(selectors.UNPAID, "Sin pago", selectors.VIEWS[selectors.UNPAID]),
        Tab(selectors.PARTLY, "Pago parcial", selectors.VIEWS[selectors.PARTLY]),
        Tab(selectors.PAID, "Pagadas", selectors.VIEWS[selectors.PAID]),
        Tab(selectors.OVERDUE, "Vencidas sin pagar", _overdue),
    ),
    orders={"adjudicado": ("awarded",), "valor": ("due",), "saldo": ("balance",)},
    each=_with_days,
)
REFUNDS = Listing(
    page="refunds",
    title="Por devolver",
    noun=("aceptación adjudicada", "aceptaciones adjudicadas"),
    columns=(
        *SHARED,
        Column("Por qué", lambda row: row.why),
        Column("Recibido", lambda row: row.received, "pesos"),
        Column("Se debía", lambda row: row.kept, "pesos"),
        Column("Devuelto", lambda row: row.returned, "pesos"),
        Column("Por devolver", lambda row: row.to_return, "pesos"),
    ),
    filters=FILTERS,
    orders={"por_devolver": ("to_return",)},
    each=_with_reasons,
)


@require_GET
@may(Capability.READ)
@shows(PAYMENTS)
def payment_list(request: HttpRequest) -> HttpResponse:
    """What was adjudicated, with what is due, paid and left."""
    context = list_context(request, PAYMENTS, selectors.awards_due())
    asked = asked_of(PAYMENTS, selectors.awards_due(), request.GET, request.user)
    context["list"]["tabs"].append(_returns_tab(request, is_current=False))
    awards = list(_with_days(context["page"]))
    pending = selectors.defaults_pending(awards)
    for award in awards:
        award.pending_default = pending.get(award.pk)
    context |= {
        "awards": awards,
        "totals": selectors.totals(asked.found),
        "programmes": Programme.objects.all(),
        "overdue_view": asked.said.get(TAB) == selectors.OVERDUE,
    }
    return render(request, "offerings/payments/list.html", context)


@require_GET
@may(Capability.READ)
def payments_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, PAYMENTS, selectors.awards_due(), kind)


@require_GET
@may(Capability.READ)
@shows(REFUNDS)
def refund_list(request: HttpRequest) -> HttpResponse:
    """Awards of which money is to be given back, each with why."""
    context = list_context(request, REFUNDS, selectors.awards_to_refund())
    due = asked_of(PAYMENTS, selectors.awards_due(), request.GET, request.user)
    tabs = list_tabs(PAYMENTS, due, reverse("payments"), nowhere=True)
    tabs.append(_returns_tab(request, is_current=not _own_current(context)))
    own = [tab for tab in context["list"]["tabs"] if tab.get("own")]
    context["list"]["tabs"] = [*tabs, *own]
    found = asked_of(REFUNDS, selectors.awards_to_refund(), request.GET, request.user).found
    context |= {
        "awards": list(_with_reasons(context["page"])),
        "total": selectors.returns_total(found),
    }
    return render(request, "offerings/refunds/list.html", context)


@require_GET
@may(Capability.READ)
def refunds_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, REFUNDS, selectors.awards_to_refund(), kind)


def _returns_tab(request: HttpRequest, *, is_current: bool) -> dict[str, Any]:
    """The tab of what is to be given back, with the same filter."""
    asked = asked_of(REFUNDS, selectors.awards_to_refund(), request.GET, request.user)
    kept = {one.name: asked.said[one.name] for one in FILTERS if one.name in asked.said}
    return {
        "label": "Por devolver",
        "count": write_quantity(asked.found.count()),
        "url": list_url(REFUNDS, reverse("refunds"), kept),
        "current": is_current,
    }


def _own_current(context: dict[str, Any]) -> bool:
    return any(tab.get("own") and tab["current"] for tab in context["list"]["tabs"])
