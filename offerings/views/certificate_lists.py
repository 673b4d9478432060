"""The list of certificates, its export, a ZIP of what it shows, drawing all that wait."""

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from buyers.models import Broker
from offerings.models import Award, Programme
from offerings.selectors import certificates as selectors
from offerings.views.drawing import draw_all
from offerings.views.lists import programme_options
from office.access import may
from office.archives import certificates_archive
from office.exports import list_export
from office.list_pages import list_context
from office.lists import (
    Asked,
    Column,
    Filter,
    Listing,
    Narrowed,
    Tab,
    asked_of,
    inside,
    row_of,
    shows,
    text_filter,
)
from office.models import Certificate, User
from office.refusals import Refused
from office.roles import Capability

Rows = QuerySet[Certificate]


def _by_programme(rows: Rows, value: str, user: User) -> Narrowed | None:
    programme = Programme.objects.filter(slug=value).first()
    if programme is None:
        return None
    return rows.filter(selectors.of_programme(value)), f"Programa: {programme}"


def _by_kind(rows: Rows, value: str, user: User) -> Narrowed | None:
    words = dict(selectors.certificate_kinds()).get(value)
    return (rows.filter(series__kind=value), f"Tipo: {inside(words)}") if words else None


def _by_broker(rows: Rows, value: str, user: User) -> Narrowed | None:
    broker = row_of(Broker.objects.all(), value) if user.may(Capability.READ) else None
    if broker is None:
        return None
    found = rows.filter(**{f"{selectors.AWARD}__acceptance__broker": broker})
    return found, f"Comisionista: {broker}"


def _brokers(user: User) -> list[tuple[str, str]]:
    if not user.may(Capability.READ):
        return []
    return [(str(broker.pk), broker.name) for broker in Broker.objects.all()]


def _by_year(rows: Rows, value: str, user: User) -> Narrowed | None:
    if not (value.isdecimal() and len(value) < 5):
        return None
    return rows.filter(series__year=int(value)), f"Año: {value}"


def _award(certificate: Certificate) -> Award | None:
    issued = getattr(certificate, "issued_for", None)
    return issued.award if issued else None


def _programme(certificate: Certificate) -> str:
    award = _award(certificate)
    about = award.acceptance if award else selectors.run_of_act(certificate)
    return str(about.stage.programme) if about else ""


def _acceptance(certificate: Certificate) -> str:
    award = _award(certificate)
    return award.acceptance.code if award else ""


def _identity(certificate: Certificate) -> str:
    award = _award(certificate)
    return award.acceptance.participation.buyer.identity if award else ""


def _quantity(certificate: Certificate) -> int | None:
    """The shares that it tells of: awarded, or free of their pledge."""
    told = certificate.facts.get("award") or certificate.facts.get("release") or {}
    quantity = told.get("quantity")
    return None if quantity is None else int(quantity)


CERTIFICATES = Listing(
    page="certificates",
    title="Certificados",
    noun=("certificado", "certificados"),
    every="Todos",
    columns=(
        Column("Certificado", lambda row: row.label),
        Column("Título", lambda row: row.title),
        Column("Código de verificación", lambda row: row.code),
        Column("Programa", _programme),
        Column("Aceptación", _acceptance),
        Column("Titular", lambda row: row.facts.get("holder", {}).get("name", "")),
        Column("Documento del titular", _identity),
        Column("Acciones", _quantity, "acciones"),
        Column("Expedido", lambda row: row.legal_date),
        Column("Estado", Certificate.get_state_display),
        Column("En su lugar", lambda row: _label_of(row, "replaced_by")),
        Column("Reemplaza a", lambda row: _label_of(row, "replaces")),
    ),
    filters=(
        Filter("clase", "Tipo", _by_kind, lambda user: selectors.certificate_kinds()),
        Filter("programa", "Programa", _by_programme, programme_options),
        Filter("comisionista", "Comisionista", _by_broker, _brokers),
        Filter(
            "anio",
            "Año",
            _by_year,
            lambda user: [(year, year) for year in selectors.certificate_years()],
        ),
        text_filter("Titular, documento o número", selectors.certificates_answering),
    ),
    tabs=(
        Tab(selectors.PENDING, "Por generar", selectors.VIEWS[selectors.PENDING]),
        Tab(selectors.ISSUED, "Vigentes", selectors.VIEWS[selectors.ISSUED]),
        Tab(selectors.ANNULLED, "Anulados", selectors.VIEWS[selectors.ANNULLED]),
    ),
    orders={"expedido": ("legal_date",)},
)


def _label_of(certificate: Certificate, name: str) -> str:
    other = getattr(certificate, name, None)
    return other.label if other else ""


def certificates_asked(request: HttpRequest) -> Asked:
    """What the address asks of the certificates that the person may see."""
    visible = selectors.certificates_visible(request.user)
    return asked_of(CERTIFICATES, visible, request.GET, request.user)


@require_GET
@may(Capability.OWN)
@shows(CERTIFICATES)
def certificate_list(request: HttpRequest) -> HttpResponse:
    """The certificates that the person may see, newest first."""
    context = list_context(request, CERTIFICATES, selectors.certificates_visible(request.user))
    pending = certificates_asked(request).found.filter(selectors.VIEWS[selectors.PENDING])
    context["some_pending"] = pending.exists()
    return render(request, "offerings/certificates/list.html", context)


@require_GET
@may(Capability.OWN)
def certificates_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    visible = selectors.certificates_visible(request.user)
    return list_export(request, CERTIFICATES, visible, kind)


@require_POST
@may(Capability.OWN)
def certificates_zip(request: HttpRequest) -> HttpResponseBase:
    """The PDFs of what the list shows, with its filter; sent while they are read."""
    asked = certificates_asked(request)
    wanted = selectors.certificates_downloadable(asked.rows, request.user)
    told = "; ".join(asked.words.values())
    try:
        pieces = certificates_archive(certificates=wanted, told=told, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect(f"{reverse('certificates')}?{asked.query}")
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    name = f"certificados-{timezone.localdate():%Y%m%d}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response


@require_POST
@may(Capability.PREPARE)
def certificates_redraw(request: HttpRequest) -> HttpResponse:
    """Draw all that the list's filter lets through and that waits for its PDF, as one job."""
    asked = certificates_asked(request)
    pending = asked.found.filter(selectors.VIEWS[selectors.PENDING])
    wanted = list(pending.order_by("pk").values_list("pk", flat=True))
    back = f"{reverse('certificates')}?{asked.query}"
    if not wanted:
        messages.info(request, "No hay certificados por generar.")
        return redirect(back)
    with transaction.atomic():
        job = draw_all(wanted, request.user, context="Certificados", link=back)
    return redirect("job", pk=job.pk)
