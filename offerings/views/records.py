"""Screens of the act of adjudication: its draft, issuing it, the act and its annex to download."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from offerings.certificates import RECORD_JOB, record_draft_pdf, record_issue, record_job_open
from offerings.enums import AnnexKind
from offerings.forms.records import RecordForm
from offerings.models import Adjudication, AdjudicationRecord, AnnexFile
from offerings.selectors.adjudications import adjudications_listed
from offerings.selectors.certificates import acts_of
from offerings.views.binding import BindingAct, act_response
from offerings.views.drawing import told_already
from office.access import may
from office.dates import write_date_long
from office.files import file_response
from office.jobs import job_enqueue
from office.models import Certificate, CertificateState, Job
from office.numbers import write_count, write_shares
from office.pdf import PdfError
from office.review import ReviewState
from office.roles import Capability

LONGEST_OPEN = 6  # parts of an annex that are listed without unfolding


def record_context(run: Adjudication, *, may_prepare: bool) -> dict[str, Any]:
    """What the page of an adjudication shows of its act: the certificate, its parts, its job,
    and what can be done."""
    record = AdjudicationRecord.objects.filter(adjudication=run).first()
    certificate = _certificate(record)
    parts = list(record.annexes.select_related("file")) if record else []
    in_force = certificate is not None and certificate.state != CertificateState.ANNULLED
    pages = [part for part in parts if part.kind == AnnexKind.PDF]
    return {
        "act": certificate,
        "acts_before": _acts_before(run, certificate),
        "act_job": _job(record),
        "annex_books": [part for part in parts if part.kind == AnnexKind.XLSX],
        "annex_pages": pages,
        "annex_folds": len(pages) > LONGEST_OPEN,
        "may_draft": _is_draftable(run) and not in_force,
        "may_issue_act": may_prepare and run.is_in_force and not in_force,
    }


def _certificate(record: AdjudicationRecord | None) -> Certificate | None:
    if record is None:
        return None
    return Certificate.objects.select_related("series", "file").get(pk=record.certificate_id)


def _acts_before(run: Adjudication, last: Certificate | None) -> list[Certificate]:
    """Those that were annulled and had another take their place."""
    return list(acts_of(run).exclude(pk=last.pk)) if last else []


def _job(record: AdjudicationRecord | None) -> Job | None:
    if record is None:
        return None
    return Job.objects.filter(kind=RECORD_JOB, arguments__record=record.pk).first()


def _is_draftable(run: Adjudication) -> bool:
    return run.review_state == ReviewState.PENDING or run.is_in_force


@require_GET
@may(Capability.READ)
def record_draft(request: HttpRequest, pk: int) -> HttpResponse:
    """The act as it would be, with BORRADOR across it; nothing of it is stored."""
    run = get_object_or_404(_runs(), pk=pk)
    if not _is_draftable(run):
        raise Http404("Sin resultado en revisión o aprobado no hay borrador.")
    try:
        data = record_draft_pdf(run)
    except PdfError as error:
        messages.error(request, f"No se pudo generar el borrador. {error}")
        return redirect("adjudication", pk=pk)
    response = HttpResponse(data, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{run.code}-acta-borrador.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def record_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Issue the act: its day, check-your-answers, then the job that draws it and its annex."""
    run = get_object_or_404(_runs(), pk=pk)
    address = reverse("adjudication", args=[pk])
    record = AdjudicationRecord.objects.filter(adjudication=run).first()
    certificate = _certificate(record)
    if certificate is not None and certificate.state != CertificateState.ANNULLED:
        form = RecordForm(request.POST)
        if request.method == "POST" and form.is_valid():
            told_already(request, certificate, form.cleaned_data["legal_date"])
        return redirect(address)
    if not run.is_in_force:
        return render(request, "offerings/adjudications/no_record.html", {"run": run})
    binding = BindingAct(
        form=RecordForm,
        act=lambda form: record_issue(
            adjudication_id=pk, user=request.user, legal_date=form.cleaned_data["legal_date"]
        ),
        shown=lambda form, issued: _shown(run, form.cleaned_data["legal_date"]),
        done=lambda issued: _issued(request, run, issued, _typed_day(request)),
        page={
            "short": "Expedir el acta",
            "heading": f"Expedir el acta de {run.code}",
            "why": "Queda con su número, su código y los datos de la adjudicación congelados.",
            "list_url": reverse("adjudications"),
            "list_label": "Adjudicación",
            "back_url": address,
            "back_label": run.code,
            "verb": "Expedir el acta",
        },
        initial={"legal_date": request.GET.get("legal_date") or None},
    )
    return act_response(request, binding)


def _shown(run: Adjudication, legal_date) -> dict[str, Any]:
    awarded = "Desierta" if run.is_deserted else write_shares(int(run.awarded))
    return {
        "answers": [
            {"label": "Adjudicación", "value": f"{run.code}, {run.stage}"},
            {
                "label": "Sesión",
                "value": f"{run.exchange or 'del Fondo'}, {write_date_long(run.session_on)}",
            },
            {"label": "Resultado", "value": awarded},
            {"label": "Anexo", "value": write_count(run.lines, "línea", "líneas")},
            {
                "label": "Fecha de expedición",
                "value": write_date_long(legal_date),
                "field": "legal_date",
            },
        ],
        "consequence": "Al expedirla, el acta toma el siguiente número de la serie de actas y "
        "sus datos no cambian: solo puede anularse. Un proceso genera el PDF y el anexo.",
    }


def _typed_day(request: HttpRequest) -> date:
    form = RecordForm(request.POST)
    form.full_clean()
    return form.cleaned_data["legal_date"]


def _issued(
    request: HttpRequest, run: Adjudication, record: AdjudicationRecord, legal_date: date
) -> HttpResponse:
    certificate = _certificate(record)
    if certificate is not None and told_already(request, certificate, legal_date):
        return redirect("adjudication", pk=run.pk)
    with transaction.atomic():
        job = record_job_open(record=record, user=request.user)
        if not job.link:
            job.link = reverse("adjudication", args=[run.pk])
            job.save(update_fields=["link"])
            job_enqueue(job)
    messages.success(request, f"Acta {certificate} expedida; se generan su PDF y su anexo.")
    return redirect("adjudication", pk=run.pk)


@require_GET
@may(Capability.READ)
def annex_file(request: HttpRequest, pk: int, part_pk: int) -> HttpResponseBase:
    """A part of the annex."""
    parts = AnnexFile.objects.filter(record__adjudication=pk).select_related("file")
    return file_response(get_object_or_404(parts, pk=part_pk).file)


def _runs():
    return adjudications_listed().select_related("stage__rules")
