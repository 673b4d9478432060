"""Screens of an adjudication's lines: the list inside the review, one line, the export."""

from typing import Any

from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from buyers.models import Broker, Exchange
from offerings.models import Adjudication, Award
from offerings.selectors import awards as selectors
from offerings.selectors.adjudications import DIRECT, DIRECT_WORDS
from offerings.selectors.award_links import award_links
from offerings.selectors.certificates import certificates_of
from offerings.selectors.class_findings import finding_told
from offerings.selectors.foreign import foreign_part
from offerings.selectors.payments import with_measures
from offerings.views.lists import buyer_columns
from office.access import may
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, choice_filter, inside, text_filter
from office.models import User
from office.roles import Capability


def _by_result(rows, value: str, user: User) -> Narrowed | None:
    words = dict(selectors.result_choices()).get(value)
    if words is None:
        return None
    return selectors.awards_with_result(rows, value), f"Resultado: {inside(words)}"


def _through(name: str, label: str, relation: str, model: type[Model]) -> Filter:
    """A filter by broker or exchange, with what came straight to the Fund as one of them."""

    def narrow(rows, value: str, user: User) -> Narrowed | None:
        words = dict(options(user)).get(value)
        if words is None:
            return None
        wanted = None if value == DIRECT else value
        return rows.filter(**{relation: wanted}), f"{label}: {words}"

    def options(user: User) -> list[tuple[str, str]]:
        named = model.objects.order_by("name").values_list("pk", "name")
        return [*((str(pk), words) for pk, words in named), (DIRECT, DIRECT_WORDS)]

    return Filter(name, label, narrow, options=options)


LINES = Listing(
    page="adjudication",
    title="Líneas de la adjudicación",
    noun=("línea", "líneas"),
    anchor="#lineas",
    columns=(
        Column("Aceptación", lambda row: row.acceptance.code),
        Column("Recibida", lambda row: row.acceptance.received_at),
        *buyer_columns(lambda row: row.acceptance.participation.buyer),
        Column("Clase", lambda row: row.acceptance.participation.get_buyer_class_display()),
        Column("Solicitado", lambda row: row.requested, "acciones"),
        Column("Tras el límite", lambda row: row.admitted, "acciones"),
        Column("Mínimo", lambda row: row.least, "acciones"),
        Column("Cociente", lambda row: row.quotient, "acciones"),
        Column("Resto", lambda row: None if row.remainder is None else int(row.remainder)),
        Column("Por residuo", lambda row: row.got_left_over),
        Column("Adjudicado", lambda row: row.awarded, "acciones"),
        Column("Valor", lambda row: row.total, "pesos"),
        Column("Resultado", selectors.result_words),
    ),
    filters=(
        choice_filter(
            "clase",
            "Clase",
            "acceptance__participation__buyer_class",
            selectors.class_choices(),
        ),
        Filter("resultado", "Resultado", _by_result, lambda user: selectors.result_choices()),
        _through("comisionista", "Comisionista", "acceptance__broker", Broker),
        _through("bolsa", "Bolsa", "acceptance__exchange", Exchange),
        text_filter("Comprador, documento o aceptación", selectors.awards_matching),
    ),
    orders={"solicitado": ("requested",), "adjudicado": ("awarded",)},
)


def lines_context(request: HttpRequest, run: Adjudication) -> dict[str, Any]:
    """The lines that the address asks for, with the filters to take off."""
    rows = selectors.awards_listed(run, request.user)
    context = list_context(request, LINES, rows, total=run.lines, pk=run.pk)
    context["lines"] = [{"award": award, **shown(award)} for award in context["page"]]
    return context


def shown(award: Award) -> dict[str, Any]:
    """What a row shows beside the line's own columns."""
    return {"result": selectors.result_words(award), "tagged": selectors.is_tagged(award)}


@require_GET
@may(Capability.OWN)
def award_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One line with its why: a page, or for htmx its row, opened or closed again."""
    awards = with_measures(Award.objects.visible_to(request.user)).select_related(
        "adjudication__stage__programme",
        "adjudication__exchange",
        "acceptance__stage",
        "acceptance__participation__buyer",
        "acceptance__participation__programme",
    )
    award = get_object_or_404(awards, pk=pk)
    context = {
        "award": award,
        "papers": certificates_of(award, request.user),
        "links": award_links(award, request.user),
        **shown(award),
    }
    row = request.GET.get("fila")
    if row != "cerrada":
        foreign = foreign_part(
            buyer=award.acceptance.participation.buyer,
            stage=award.acceptance.stage,
            user=request.user,
        )
        context["finding"] = finding_told(award.acceptance.participation)
        context["panel"] = selectors.award_explanation(award, foreign=foreign.any)
    template = "line" if request.htmx and row else "award"
    return render(request, f"offerings/adjudications/{template}.html", context)


@require_GET
@may(Capability.READ)
def award_export(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """The lines that the filter lets through, as a file."""
    run = get_object_or_404(Adjudication, pk=pk)
    rows = selectors.awards_listed(run, request.user)
    return list_export(request, LINES, rows, kind, about=run.code)
