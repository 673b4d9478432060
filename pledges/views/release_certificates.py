"""Screens that issue certificates of release: one, or all that lack theirs."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.forms.certificates import IssueForm
from offerings.views.binding import CONFIRM, BindingAct, act_response
from offerings.views.drawing import draw, draw_job, told_already
from office.access import may
from office.dates import bogota_day, write_date_long
from office.jobs import job_enqueue
from office.models import Certificate, Job
from office.numbers import write_count, write_shares
from office.roles import Capability
from office.words import shares_words
from pledges.certificates import (
    release_certificate_issue,
    release_certificates_count,
    release_certificates_job_open,
)
from pledges.certificates.batches import MANY, ONE
from pledges.forms.releases import ReleaseCertificatesForm
from pledges.models import Release, ReleaseLine
from pledges.selectors.release_certificates import RELEASE_KIND

CONSEQUENCE = (
    "Cada certificado recibe su número, sus datos quedan congelados y el PDF se genera después. "
    "No se corrige: si el levantamiento se anula, se anula con él."
)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def release_certificate_new(request: HttpRequest, pk: int) -> HttpResponse:
    """The certificate of one pledge's release: its day, check-your-answers, issue."""
    lines = ReleaseLine.objects.select_related("release", "pledge__holder")
    line = get_object_or_404(lines, pk=pk)
    if line.certificate:
        form = IssueForm(request.POST)
        if request.method == "POST" and form.is_valid():
            told_already(request, line.certificate, form.cleaned_data["legal_date"])
        return redirect("certificate", pk=line.certificate_id)
    back = reverse("release", args=[line.release_id])
    binding = BindingAct(
        form=IssueForm,
        act=lambda form: release_certificate_issue(
            line_id=pk, user=request.user, legal_date=form.cleaned_data["legal_date"]
        ),
        shown=lambda form, _: _one_shown(form, line),
        done=lambda certificate: _issued(request, certificate),
        page={
            "list_url": reverse("releases"),
            "list_label": "Levantamientos",
            "back_label": line.release.code,
            "heading": f"Expedir el certificado de {line.pledge.code}",
            "short": "Expedir el certificado",
            "verb": "Expedir el certificado",
            "why": "Certifica las acciones que quedaron libres de prenda, y las que siguen en "
            "ella.",
            "back_url": back,
        },
        initial={"legal_date": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _one_shown(form: IssueForm, line: ReleaseLine) -> dict[str, Any]:
    left = line.still_pledged or 0
    return {
        "answers": [
            {
                "label": "Titular",
                "value": line.pledge.holder.name,
                "detail": line.pledge.holder.identity,
            },
            {
                "label": "Libres de prenda",
                "value": write_shares(line.shares),
                "words": shares_words(line.shares),
                "big": True,
            },
            {"label": "Siguen en prenda", "value": write_shares(left)},
            {
                "label": "Fecha de expedición",
                "value": write_date_long(form.cleaned_data["legal_date"]),
                "field": "legal_date",
            },
        ],
        "consequence": CONSEQUENCE,
    }


@transaction.atomic
def _issued(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    if not draw_job(certificate):
        draw(certificate, request.user)
        messages.success(request, f"Se expidió {certificate.label}; se genera su PDF.")
    return redirect("certificate", pk=certificate.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def release_certificates(request: HttpRequest) -> HttpResponse:
    """What is released in a programme, or in one release, and lacks its certificate: one job."""
    binding = BindingAct(
        form=ReleaseCertificatesForm,
        act=lambda form: _opened(request, form),
        shown=lambda form, count: _many_shown(form, count),
        done=lambda job: redirect("job", pk=job.pk),
        page={
            "list_url": reverse("pledges"),
            "list_label": "Prendas",
            "back_label": "Levantamientos",
            "heading": "Expedir certificados de levantamiento",
            "short": "Expedir certificados",
            "verb": "Expedir",
            "why": "Se expide lo que falte: cada prenda levantada tiene un certificado.",
            "back_url": reverse("releases"),
        },
        initial={"legal_date": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _opened(request: HttpRequest, form: ReleaseCertificatesForm) -> Job | int:
    """The job; before it is confirmed, how many it would issue."""
    data = form.cleaned_data
    asked = {
        "programme_id": data["programme"].pk,
        "release_id": data["release"],
        "user": request.user,
        "legal_date": data["legal_date"],
    }
    if request.POST.get("paso") != CONFIRM:
        return release_certificates_count(**asked)
    with transaction.atomic():
        job = release_certificates_job_open(**asked)
        job.link = (
            f"{reverse('certificates')}?clase={RELEASE_KIND}&programa={data['programme'].slug}"
        )
        job.save(update_fields=["link"])
        job_enqueue(job)
    return job


def _many_shown(form: ReleaseCertificatesForm, count: int) -> dict[str, Any]:
    data = form.cleaned_data
    release = Release.objects.filter(pk=data["release"]).first()
    counted = write_count(count, ONE, MANY)
    return {
        "answers": [
            {"label": "Se expiden", "value": counted, "big": True},
            {"label": "Programa", "value": data["programme"], "field": "programme"},
            *([{"label": "Levantamiento", "value": release.code}] if release else []),
            {
                "label": "Fecha de expedición",
                "value": write_date_long(data["legal_date"]),
                "field": "legal_date",
            },
        ],
        "consequence": CONSEQUENCE,
        "verb": f"Expedir {counted}",
    }
