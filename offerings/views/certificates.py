"""Screens of allotment certificates: list, page, PDF, issuing one or all that is paid."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from offerings.certificates import (
    allotment_check,
    certificate_allotment_issue,
    certificates_job_open,
    certificates_paid_check,
)
from offerings.forms.certificates import IssueForm
from offerings.models import Award, Programme
from offerings.selectors import certificates as selectors
from offerings.selectors.class_findings import finding_told
from offerings.selectors.payments import awards_due, awards_to_certify
from offerings.views.lists import asked_for, listed
from office.access import may
from office.certificates import verify_url
from office.decisions import timeline
from office.files import file_response
from office.jobs import job_enqueue, job_open
from office.models import Certificate, CertificateState, Job, JobState, User
from office.refusals import Refused
from office.roles import Capability

DRAW_TASK = "office.tasks.certificates_draw_task"
LABELS = {selectors.PENDING: "Por generar", selectors.ISSUED: "Vigentes"}


@require_GET
@may(Capability.OWN)
def certificate_list(request: HttpRequest) -> HttpResponse:
    """The certificates that the person may see, newest first."""
    asked = asked_for(request)
    certificates = selectors.certificates_found(
        selectors.certificates_visible(request.user),
        programme=asked["programa"],
        text=asked["q"],
    )
    context = listed(request, certificates, selectors.VIEWS, LABELS)
    return render(request, "offerings/certificates/list.html", context)


@require_GET
@may(Capability.OWN)
def certificate(request: HttpRequest, pk: int) -> HttpResponse:
    """One certificate: what it states, its state and its history."""
    found = get_object_or_404(selectors.certificates_visible(request.user), pk=pk)
    return render(
        request,
        "offerings/certificates/detail.html",
        {
            "certificate": found,
            "facts": found.facts,
            "verify_url": verify_url(found),
            "job": _draw_job(found),
            "finding": finding_told(found.award.acceptance.participation),
            "events": timeline([found]),
        },
    )


@require_GET
@may(Capability.OWN)
def certificate_pdf(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stored PDF, for staff and for the broker of the acceptance."""
    found = get_object_or_404(selectors.certificates_visible(request.user), pk=pk)
    if found.file is None:
        raise Http404("Todavía no se ha generado.")
    return file_response(found.file, name=f"{found.label}.pdf")


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def certificate_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """The certificate of one award: its day, check-your-answers, issue."""
    award = get_object_or_404(awards_due(), pk=award_pk)
    if award.certificate_id:
        return redirect("certificate", pk=award.certificate_id)
    form = _issue_form(request)
    if request.method == "POST" and form.is_valid():
        legal_date = form.cleaned_data["legal_date"]
        try:
            if request.POST.get("paso") == "confirmar":
                return _issued(request, award, legal_date)
            allotment_check(award=award, user=request.user, legal_date=legal_date)
            context = {"award": award, "form": form, "legal_date": legal_date}
            return render(request, "offerings/certificates/review.html", context)
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
    context = {"award": award, "form": form}
    status = 422 if form.errors else 200
    return render(request, "offerings/certificates/form.html", context, status=status)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def certificates_issue(request: HttpRequest, slug: str) -> HttpResponse:
    """All that is paid in a programme: the day, check-your-answers, a job."""
    programme = get_object_or_404(Programme, slug=slug)
    form = _issue_form(request)
    if request.method == "POST" and form.is_valid():
        legal_date = form.cleaned_data["legal_date"]
        try:
            if request.POST.get("paso") == "confirmar":
                return redirect("job", pk=_job_started(programme, request.user, legal_date).pk)
            count = certificates_paid_check(
                programme=programme, user=request.user, legal_date=legal_date
            )
            context = {"programme": programme, "form": form, "count": count}
            context["legal_date"] = legal_date
            return render(request, "offerings/certificates/issue_review.html", context)
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
    context = {
        "programme": programme,
        "form": form,
        "count": awards_to_certify(programme.pk, paid_by=timezone.localdate()).count(),
    }
    status = 422 if form.errors else 200
    return render(request, "offerings/certificates/issue.html", context, status=status)


@require_POST
@may(Capability.PREPARE)
def certificate_redraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw again a certificate that stayed as "por generar"."""
    found = get_object_or_404(selectors.certificates_visible(request.user), pk=pk)
    if found.state != CertificateState.PENDING:
        messages.info(request, "El certificado ya está generado.")
    elif not _draw_job(found, active=True):
        with transaction.atomic():
            _draw(found, request.user)
        messages.success(request, "Se volverá a generar el PDF.")
    return redirect("certificate", pk=pk)


def _issue_form(request: HttpRequest) -> IssueForm:
    if request.method == "POST":
        return IssueForm(request.POST)
    return IssueForm(initial={"legal_date": request.GET.get("legal_date") or None})


@transaction.atomic
def _issued(request: HttpRequest, award: Award, legal_date) -> HttpResponse:
    found = certificate_allotment_issue(
        award_id=award.pk, user=request.user, legal_date=legal_date
    )
    if not _draw_job(found):
        _draw(found, request.user)
        messages.success(request, f"Certificado {found.label} expedido; se genera su PDF.")
    return redirect("certificate", pk=found.pk)


def _draw(found: Certificate, user: User) -> Job:
    """Have the PDF drawn once the transaction is through."""
    job = job_open(
        kind="certificate_draw",
        title=f"PDF del certificado {found.label}",
        context=str(found.award.acceptance.stage.programme),
        task=DRAW_TASK,
        user=user,
        steps=["Generar el PDF"],
        arguments={"certificates": [found.pk]},
    )
    job.link = reverse("certificate", args=[found.pk])
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job


def _draw_job(found: Certificate, *, active: bool = False) -> Job | None:
    """The last job that was asked to draw it; with `active`, one that waits or runs."""
    jobs = Job.objects.filter(
        kind="certificate_draw", arguments__certificates__contains=[found.pk]
    )
    if active:
        jobs = jobs.filter(state__in=(JobState.QUEUED, JobState.RUNNING))
    return jobs.first()


@transaction.atomic
def _job_started(programme: Programme, user: User, legal_date) -> Job:
    job = certificates_job_open(programme=programme, user=user, legal_date=legal_date)
    job.link = f"{reverse('certificates')}?programa={programme.slug}"
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job
