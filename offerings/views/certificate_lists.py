"""Screens of many certificates: the list with its filters, a ZIP of what it shows, drawing all."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from offerings.forms.certificates import CertificateFilterForm
from offerings.selectors import certificates as selectors
from offerings.views.drawing import draw_all
from offerings.views.lists import asked_for, listed
from office.access import may
from office.archives import certificates_archive
from office.models import Certificate
from office.refusals import Refused
from office.roles import Capability

LABELS = {
    selectors.PENDING: "Por generar",
    selectors.ISSUED: "Vigentes",
    selectors.ANNULLED: "Anulados",
}


@require_GET
@may(Capability.OWN)
def certificate_list(request: HttpRequest) -> HttpResponse:
    """The certificates that the person may see, newest first."""
    form, narrowed = _narrowed(request)
    context = listed(request, narrowed, selectors.VIEWS, LABELS)
    return render(
        request,
        "offerings/certificates/list.html",
        context
        | {
            "filter_form": form,
            "chips": _chips(request, form),
            "query": _query(request),
            "some_pending": narrowed.filter(selectors.VIEWS[selectors.PENDING]).exists(),
        },
    )


@require_POST
@may(Capability.OWN)
def certificates_zip(request: HttpRequest) -> HttpResponseBase:
    """The PDFs of what the list shows, with its filter; sent while they are read."""
    form, narrowed = _narrowed(request)
    wanted = selectors.certificates_downloadable(_viewed(request, narrowed), request.user)
    told = "; ".join(chip["label"] for chip in _chips(request, form))
    try:
        pieces = certificates_archive(certificates=wanted, told=told, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect(f"{reverse('certificates')}?{_query(request)}")
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
    _, narrowed = _narrowed(request)
    pending = narrowed.filter(selectors.VIEWS[selectors.PENDING])
    wanted = list(pending.order_by("pk").values_list("pk", flat=True))
    back = f"{reverse('certificates')}?{_query(request)}"
    if not wanted:
        messages.info(request, "No hay certificados por generar.")
        return redirect(back)
    with transaction.atomic():
        job = draw_all(wanted, request.user, context="Certificados", link=back)
    return redirect("job", pk=job.pk)


def _narrowed(request: HttpRequest) -> tuple[CertificateFilterForm, QuerySet[Certificate]]:
    form = CertificateFilterForm(request.GET, brokers=request.user.may(Capability.READ))
    visible = selectors.certificates_visible(request.user)
    return form, selectors.certificates_found(visible, form.wanted())


def _viewed(request: HttpRequest, rows: QuerySet[Certificate]) -> QuerySet[Certificate]:
    """The rows of the tab that the address names."""
    view = selectors.VIEWS.get(asked_for(request)["vista"])
    return rows.filter(view) if view else rows


def _chips(request: HttpRequest, form: CertificateFilterForm) -> list[dict[str, Any]]:
    chips = []
    for name, field in form.fields.items():
        value = form.cleaned_data.get(name)
        if not value:
            continue
        words = dict(getattr(field, "choices", ())).get(value, value)
        url = f"{reverse('certificates')}?{_query(request, without=name)}"
        chips.append({"label": f"{field.label}: {words}", "url": url})
    return chips


def _query(request: HttpRequest, without: str = "") -> str:
    query = request.GET.copy()
    for name in ("page", without):
        query.pop(name, None)
    return query.urlencode()
