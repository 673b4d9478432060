"""Screens of one certificate: its page, its PDF, issuing it for an award, drawing it again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from offerings.certificates import (
    allotment_check,
    award_notice_check,
    award_notice_issue,
    certificate_allotment_issue,
)
from offerings.forms.certificates import IssueForm
from offerings.models import Award
from offerings.selectors import certificates as selectors
from offerings.selectors.class_findings import finding_told
from offerings.selectors.payments import awards_charged, is_undone
from offerings.services.payments import payment_term
from offerings.views.annulments import annulment_context
from offerings.views.drawing import draw, draw_job, told_already
from office.access import may
from office.certificates import pdf_name, verify_url
from office.decisions import timeline
from office.files import file_response
from office.models import Certificate, CertificateState, User
from office.pdf import PdfError
from office.refusals import Refused
from office.roles import Capability
from office.stamps import annulled_copy

SEAL = "sello"  # in the address: the copy that bears the stamp
OTHER_FACTS = "offerings/certificates/facts_other.html"


@require_GET
@may(Capability.OWN)
def certificate(request: HttpRequest, pk: int) -> HttpResponse:
    """One certificate: what it states, its state, what it took the place of, its history."""
    found = _visible(request.user, pk)
    issued_for = getattr(found, "issued_for", None)
    award = issued_for.award if issued_for else None
    return render(
        request,
        "offerings/certificates/detail.html",
        {
            "certificate": found,
            "award": award,
            "award_is_undone": bool(award) and is_undone(award),
            "run": None if award else selectors.run_of_act(found),
            "facts": found.facts,
            "facts_template": selectors.FACTS_PAGES.get(found.template, OTHER_FACTS),
            "may_download": _may_download(request.user, found),
            "verify_url": verify_url(found),
            "job": draw_job(found),
            "finding": finding_told(award.acceptance.participation) if award else None,
            "events": timeline([found]),
            **annulment_context(found, award, request.user),
        },
    )


@require_GET
@may(Capability.OWN)
def certificate_pdf(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stored PDF, for staff and for the broker of the acceptance; an annulled one is kept by
    staff alone, under a name that says so, and with `?sello` as a copy that says so on its pages.
    """
    found = _visible(request.user, pk)
    if found.file is None or not _may_download(request.user, found):
        raise Http404("No hay un PDF para descargar.")
    if SEAL in request.GET and found.state == CertificateState.ANNULLED:
        return _annulled_copy(request, found)
    return file_response(found.file, name=pdf_name(found))


def _annulled_copy(request: HttpRequest, found: Certificate) -> HttpResponse:
    replacing = Certificate.objects.select_related("series").filter(replaces=found).first()
    try:
        data = annulled_copy(found, replaced_by=replacing.label if replacing else "")
    except PdfError as error:
        messages.error(request, f"No se pudo generar la copia con el sello. {error}")
        return redirect("certificate", pk=found.pk)
    response = HttpResponse(data, content_type="application/pdf")
    name = f"{found.label}-ANULADO-copia-con-sello.pdf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _visible(user: User, pk: int) -> Certificate:
    return get_object_or_404(selectors.certificates_visible(user), pk=pk)


def _may_download(user: User, found: Certificate) -> bool:
    if found.file_id is None:
        return False
    return found.state != CertificateState.ANNULLED or user.may(Capability.READ)


# Issuing one


@dataclass(frozen=True)
class Issuing:
    """The words and the acts of issuing a paper for an award."""

    pointer: str
    heading: str
    verb: str
    check: Callable[..., None]
    issue: Callable[..., Certificate]


ALLOTMENT = Issuing(
    pointer="certificate",
    heading="Expedir el certificado",
    verb="Expedir el certificado",
    check=allotment_check,
    issue=certificate_allotment_issue,
)
NOTICE = Issuing(
    pointer="notice",
    heading="Expedir la constancia",
    verb="Expedir la constancia",
    check=award_notice_check,
    issue=award_notice_issue,
)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def certificate_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """The certificate of one award: its day, check-your-answers, issue."""
    return _new(request, award_pk, ALLOTMENT)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def notice_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """The notice of one award, in the same way."""
    return _new(request, award_pk, NOTICE)


def _new(request: HttpRequest, award_pk: int, paper: Issuing) -> HttpResponse:
    award = get_object_or_404(awards_charged(), pk=award_pk)
    last = getattr(award, paper.pointer)
    form = _issue_form(request)
    if last and last.state != CertificateState.ANNULLED:
        if request.method == "POST" and form.is_valid():
            told_already(request, last, form.cleaned_data["legal_date"])
        return redirect("certificate", pk=last.pk)
    context: dict[str, Any] = {
        "award": award, "form": form, "paper": paper, "replaces": last,
        "term": payment_term(award.adjudication),
    }  # fmt: skip
    if request.method == "POST" and form.is_valid():
        legal_date = form.cleaned_data["legal_date"]
        try:
            if request.POST.get("paso") == "confirmar":
                return _issued(request, award, paper, legal_date)
            paper.check(award=award, user=request.user, legal_date=legal_date)
            context["legal_date"] = legal_date
            return render(request, "offerings/certificates/review.html", context)
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
    context["blocked"] = _blocked(award, paper, request.user)
    status = 422 if form.errors else 200
    return render(request, "offerings/certificates/form.html", context, status=status)


def _blocked(award: Award, paper: Issuing, user: User) -> str:
    """Why the paper cannot be issued whatever the day; "" where it can."""
    try:
        paper.check(award=award, user=user, legal_date=timezone.localdate())
    except Refused as refusal:
        return "" if refusal.field else refusal.message
    return ""


def _issue_form(request: HttpRequest) -> IssueForm:
    if request.method == "POST":
        return IssueForm(request.POST)
    return IssueForm(initial={"legal_date": request.GET.get("legal_date") or None})


@transaction.atomic
def _issued(request: HttpRequest, award: Award, paper: Issuing, legal_date: date) -> HttpResponse:
    found = paper.issue(award_id=award.pk, user=request.user, legal_date=legal_date)
    if not told_already(request, found, legal_date) and not draw_job(found):
        draw(found, request.user)
        messages.success(request, f"Se expidió {found.label}; se genera su PDF.")
    return redirect("certificate", pk=found.pk)


@require_POST
@may(Capability.PREPARE)
def certificate_redraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw again a certificate that stayed as "por generar"."""
    found = _visible(request.user, pk)
    if found.state != CertificateState.PENDING:
        messages.info(request, "Ya está generado, o se anuló.")
    elif not draw_job(found, active=True):
        with transaction.atomic():
            draw(found, request.user)
        messages.success(request, "Se volverá a generar el PDF.")
    return redirect("certificate", pk=pk)
