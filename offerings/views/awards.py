"""Screens of an adjudication's lines: the list inside the review, one line, the export."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from offerings.forms.adjudications import LineFilterForm
from offerings.models import Adjudication, Award
from offerings.selectors import awards as selectors
from offerings.selectors.certificates import certificates_of
from offerings.selectors.class_findings import finding_told
from offerings.selectors.foreign import foreign_part
from offerings.selectors.payments import with_measures
from office.access import may
from office.numbers import write_count, write_quantity
from office.roles import Capability
from office.spreadsheets import Value, write_csv

PER_PAGE = 50
EXPORT_CHUNK = 2_000
FILTERS = {"clase": "Clase", "resultado": "Resultado", "q": "Contiene"}
COLUMNS = [
    "aceptacion", "recibida", "tipo_documento", "documento", "comprador", "clase", "solicitado",
    "tras_el_limite", "minimo", "cociente", "resto", "por_residuo", "adjudicado", "valor",
    "resultado",
]  # fmt: skip


def lines_context(request: HttpRequest, run: Adjudication) -> dict[str, Any]:
    """The lines that the address asks for, with the filters to take off."""
    form, wanted = _filter(request)
    every = selectors.awards_listed(run, request.user)
    found = selectors.awards_narrowed(every, wanted)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    chips = _chips(request, form)
    shown_of_all = f"{write_quantity(page.paginator.count)} de " if chips else ""
    return {
        "page": page,
        "lines": [{"award": award, **shown(award)} for award in page],
        "filter_form": form,
        "filtering": "filtrar" in request.GET,
        "count": f"{shown_of_all}{write_count(run.lines, 'línea', 'líneas')}",
        "chips": chips,
        "add_url": f"{request.path}?{_query(request, filtrar='1')}#lineas",
        "export_query": _query(request),
    }


def _filter(request: HttpRequest) -> tuple[LineFilterForm, selectors.LineFilter]:
    form = LineFilterForm(request.GET)
    form.is_valid()
    asked = form.cleaned_data
    return form, selectors.LineFilter(
        buyer_class=asked.get("clase", ""),
        result=asked.get("resultado", ""),
        text=asked.get("q", ""),
    )


def _chips(request: HttpRequest, form: LineFilterForm) -> list[dict[str, str]]:
    chips = []
    for name, label in FILTERS.items():
        value = form.cleaned_data.get(name)
        if value:
            words = dict(getattr(form.fields[name], "choices", ())).get(value, value)
            url = f"{request.path}?{_query(request, without=name)}#lineas"
            chips.append({"label": f"{label}: {words}", "url": url})
    return chips


def _query(request: HttpRequest, without: str = "", **added: str) -> str:
    query = request.GET.copy()
    for name in ("page", "filtrar", without):
        query.pop(name, None)
    for name, value in added.items():
        query[name] = value
    return query.urlencode()


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
def award_export(request: HttpRequest, pk: int) -> HttpResponse:
    """The lines that the filter lets through, as a CSV file."""
    run = get_object_or_404(Adjudication, pk=pk)
    _, wanted = _filter(request)
    found = selectors.awards_narrowed(selectors.awards_listed(run, request.user), wanted)
    response = HttpResponse(write_csv(COLUMNS, _rows(found)), content_type="text/csv")
    response["Content-Disposition"] = f'attachment; filename="{run.code}-lineas.csv"'
    return response


def _rows(awards: QuerySet[Award]) -> Any:
    for award in awards.iterator(chunk_size=EXPORT_CHUNK):
        yield _row(award)


def _row(award: Award) -> list[Value]:
    acceptance = award.acceptance
    participation = acceptance.participation
    buyer = participation.buyer
    return [
        acceptance.code,
        acceptance.received_at,
        buyer.identity_type,
        "-".join(filter(None, (buyer.identity_number, buyer.check_digit))),
        buyer.name,
        participation.get_buyer_class_display(),
        award.requested,
        award.admitted,
        award.least,
        award.quotient,
        award.remainder,
        award.got_left_over,
        award.awarded,
        award.total,
        selectors.result_words(award),
    ]
