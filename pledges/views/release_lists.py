"""The list of releases, the lines of one, and their exports."""

from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from offerings.views.lists import buyer_columns, programme_filter
from office.access import may
from office.dates import bogota_day
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Listing, Tab, choice_filter, shows, text_filter
from office.review import ReviewState
from office.roles import Capability
from pledges.enums import Ground, LineState
from pledges.models import Release, ReleaseLine
from pledges.selectors import releases as selectors

RELEASES = Listing(
    page="releases",
    title="Levantamientos",
    noun=("levantamiento", "levantamientos"),
    every="Todos",
    columns=(
        Column("Levantamiento", lambda row: row.code),
        Column("Programa", lambda row: str(row.programme)),
        Column("Causa", Release.get_ground_display),
        Column("Solicitud", lambda row: row.request.code if row.request else ""),
        Column("Fecha", lambda row: row.released_on),
        Column("Prendas", lambda row: row.lines_planned),
        Column("Acciones", lambda row: int(row.shares_planned), "acciones"),
        Column("Lo preparó", lambda row: str(row.prepared_by)),
        Column("Preparado", lambda row: row.prepared_at),
        Column("Lo revisó", lambda row: str(row.reviewed_by) if row.reviewed_by else ""),
        Column("Revisado", lambda row: row.reviewed_at),
        Column("Terminado", lambda row: row.done_at),
        Column("Estado", lambda row: state_words(row)),
    ),
    filters=(
        programme_filter("programme"),
        choice_filter("causa", "Causa", "ground", Ground.choices),
    ),
    tabs=(
        Tab("por-revisar", "Por revisar", Q(review_state=ReviewState.PENDING)),
        Tab("en-curso", "En curso", Q(review_state=ReviewState.APPROVED, done_at=None)),
        Tab("levantados", "Levantados", Q(done_at__isnull=False)),
    ),
    orders={"fecha": ("released_on",), "acciones": ("shares_planned",)},
)

LINES = Listing(
    page="release",
    title="Líneas del levantamiento",
    noun=("línea", "líneas"),
    anchor="#lineas",
    columns=(
        Column("Prenda", lambda row: row.pledge.code),
        *buyer_columns(lambda row: row.pledge.holder),
        Column("Último día", lambda row: row.pledge.last_day),
        Column("Acciones", lambda row: row.shares, "acciones"),
        Column("Siguen en prenda", lambda row: row.still_pledged, "acciones"),
        Column("Estado", ReleaseLine.get_state_display),
        Column("Por qué no", lambda row: row.skipped_why),
        Column("Levantada", lambda row: row.done_at),
        Column("Certificado", lambda row: row.certificate.label if row.certificate else ""),
    ),
    filters=(
        choice_filter("estado", "Estado", "state", LineState.choices),
        text_filter("Titular, documento o prenda", selectors.lines_answering),
    ),
    tabs=(
        Tab("levantadas", "Levantadas", Q(state=LineState.DONE)),
        Tab("sin-levantar", "No se levantaron", Q(state=LineState.SKIPPED), passing=True),
        Tab("sin-certificado", "Sin certificado", Q(state=LineState.DONE, certificate=None)),
        Tab(
            "por-anular",
            "Anulación en revisión",
            Q(annulments__review_state=ReviewState.PENDING),  # a line has one at most
            passing=True,
        ),
    ),
    orders={"acciones": ("shares",)},
)


def state_words(release: Release) -> str:
    """One word for where it stands: in review, under way, or done."""
    if release.review_state != ReviewState.APPROVED:
        return release.get_review_state_display()
    return LineState.DONE.label if release.done_at else "En curso"


@require_GET
@may(Capability.READ)
@shows(RELEASES)
def release_list(request: HttpRequest) -> HttpResponse:
    """All releases, the newest first, and the programmes with pledges that can be released."""
    context = list_context(request, RELEASES, selectors.releases_listed())
    context["releases"] = [(row, state_words(row)) for row in context["page"]]
    context["due"] = selectors.programmes_due(bogota_day(timezone.now()))
    return render(request, "pledges/releases/list.html", context)


@require_GET
@may(Capability.READ)
def releases_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, RELEASES, selectors.releases_listed(), kind)


def lines_context(request: HttpRequest, release: Release) -> dict[str, Any]:
    """The lines of a release, a page of them."""
    rows = selectors.release_lines(release)
    context = list_context(request, LINES, rows, total=release.lines_planned, pk=release.pk)
    return context | {"lines": context["page"]}


@require_GET
@may(Capability.READ)
def release_lines_export(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """The lines of a release, with their filters, as a file."""
    release = get_object_or_404(Release, pk=pk)
    rows = selectors.release_lines(release)
    return list_export(request, LINES, rows, kind, about=release.code)
