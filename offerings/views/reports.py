"""Reports on a stage: results for exchange and brokers, the share register's list, the board's."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from offerings.decrees.reader import terms_from_data
from offerings.forms.reports import BoardForm
from offerings.models import Adjudication, Award, Stage
from offerings.selectors import reports as selectors
from offerings.selectors.adjudications import adjudication_under_way
from offerings.selectors.awards import outside_words, result_words
from offerings.selectors.workbook_facts import Facts, holder_cells, reference_cell, run_about
from offerings.views.board_report import board_pdf
from offerings.views.register_list import REGISTER_COLUMNS, REGISTER_SUMS, register_row
from office.access import may
from office.dates import write_date
from office.exports import Summed
from office.pdf import PdfError
from office.roles import Capability
from office.spreadsheets import Value, write_xlsx

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CHUNK = 2_000
INVALID = 422
RESULT_COLUMNS = [
    "Aceptación", "Recibida", "Tipo de documento", "Documento", "Comprador", "Clase",
    "Comisionista", "Bolsa", "Solicitado", "Tras el límite", "Adjudicado", "Precio",
    "Valor adjudicado", "Referencia de pago", "Resultado", "Causa",
]  # fmt: skip
RESULT_SUMS = ("Solicitado", "Tras el límite", "Adjudicado", "Valor adjudicado")


@require_GET
@may(Capability.OWN)
def programme_reports(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What reports there are on a stage, each with what it holds; a broker sees its own alone."""
    stage = _stage(slug, number)
    return _page(request, stage, BoardForm(initial={"al": write_date(timezone.localdate())}))


def _page(request: HttpRequest, stage: Stage, form: BoardForm) -> HttpResponse:
    run = selectors.run_in_force(stage)
    staff = request.user.may(Capability.READ)
    context: dict[str, Any] = {
        "stage": stage,
        "programme": stage.programme,
        "run": run,
        "brokers": selectors.stage_brokers(stage, request.user) if run else (),
    }
    if staff:
        context |= {
            "under_way": adjudication_under_way(stage),
            "exchanges": selectors.stage_exchanges(stage) if run else (),
            "registered": selectors.register_listed(stage).count() if run else 0,
            "form": form,
        }
    status = INVALID if form.is_bound and form.errors else 200
    return render(request, "offerings/reports/list.html", context, status=status)


@require_GET
@may(Capability.READ)
def report_exchange(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The results of what came through an exchange."""
    stage = _stage(slug, number)
    exchange = get_object_or_404(selectors.stage_exchanges(stage), pk=pk)
    run = _run(stage)
    awards = selectors.results_listed(run).filter(acceptance__exchange=exchange)
    whose = ("Bolsa", exchange.name, f"bolsa-{pk}")
    return _results(run, whose, awards)


@require_GET
@may(Capability.OWN)
def report_broker(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The results of what a broker presented, for staff and for the broker itself."""
    stage = _stage(slug, number)
    broker = get_object_or_404(selectors.stage_brokers(stage, request.user), pk=pk)
    run = _run(stage)
    awards = selectors.results_listed(run).filter(acceptance__broker=broker)
    whose = ("Comisionista", broker.name, f"comisionista-{pk}")
    return _results(run, whose, awards)


def _results(
    run: Adjudication, whose: tuple[str, str, str], awards: QuerySet[Award]
) -> HttpResponse:
    kind, name, stem = whose
    rows = Summed(
        RESULT_COLUMNS,
        (_result_row(award) for award in awards.iterator(chunk_size=CHUNK)),
        RESULT_SUMS,
    )
    about = _about("Resultados de la adjudicación", run, [(kind, name)], rows)
    data = write_xlsx(RESULT_COLUMNS, rows, "Resultados", about=about)
    return _workbook(run.stage, f"resultados-{stem}", data)


def _about(
    title: str, run: Adjudication, more: Facts, rows: Summed
) -> Iterator[tuple[str, Value]]:
    """What the workbook is of, and the sums of its rows, known once they are written."""
    yield "Contenido", title
    yield from run_about(run)
    yield from more
    yield "Filas", rows.count
    for name, total in rows.sums.items():
        yield f"Total, {name.lower()}", total
    yield "Fecha y hora de Bogotá", timezone.now()


def _result_row(award: Award) -> list[Value]:
    acceptance = award.acceptance
    return [
        acceptance.code,
        acceptance.received_at,
        *holder_cells(award),
        acceptance.participation.get_buyer_class_display(),
        acceptance.broker.name if acceptance.broker else "",
        acceptance.exchange.name if acceptance.exchange else "",
        award.requested,
        award.admitted,
        award.awarded,
        acceptance.stage.price,
        award.total,
        reference_cell(award),
        result_words(award),
        outside_words(award),
    ]


@require_GET
@may(Capability.READ)
def report_register(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the share register or the depository is to write down."""
    stage = _stage(slug, number)
    run = _run(stage)
    terms = terms_from_data(run.terms)
    awards = selectors.register_listed(stage)
    rows = Summed(
        REGISTER_COLUMNS,
        (register_row(award, run, terms) for award in awards.iterator(chunk_size=CHUNK)),
        REGISTER_SUMS,
    )
    title = "Lista para el libro de accionistas o el depósito: lo pagado en su totalidad"
    more: Facts = [("Emisor", terms.issuer.value)]
    data = write_xlsx(REGISTER_COLUMNS, rows, "Accionistas", about=_about(title, run, more, rows))
    return _workbook(stage, "accionistas", data)


@require_GET
@may(Capability.READ)
def report_board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The board's report at the end of the day in the address, drawn when it is asked for."""
    stage = _stage(slug, number)
    form = BoardForm(request.GET)
    if not form.is_valid():
        return _page(request, stage, form)
    day = form.cleaned_data["al"]
    if stage.opened_at is None:
        form.add_error("al", "La etapa no se ha abierto: todavía no hay qué informar.")
        return _page(request, stage, form)
    try:
        data = board_pdf(stage, day=day, user=request.user, now=timezone.now())
    except PdfError as error:
        form.add_error(None, f"No se pudo generar. {error}")
        return _page(request, stage, form)
    return _file(stage, f"informe-{day:%Y-%m-%d}.pdf", data, "application/pdf")


def _stage(slug: str, number: int) -> Stage:
    stages = Stage.objects.select_related("programme", "rules")
    return get_object_or_404(stages, programme__slug=slug, number=number)


def _run(stage: Stage) -> Adjudication:
    run = selectors.run_in_force(stage)
    if run is None:
        raise Http404("La etapa no tiene una adjudicación en firme.")
    return run


def _workbook(stage: Stage, name: str, data: bytes) -> HttpResponse:
    return _file(stage, f"{name}.xlsx", data, XLSX)


def _file(stage: Stage, name: str, data: bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(data, content_type=content_type)
    whole = f"{stage.programme.slug}-etapa-{stage.number}-{name}"
    response["Content-Disposition"] = f'attachment; filename="{whole}"'
    response["Cache-Control"] = "private, no-store"
    return response
