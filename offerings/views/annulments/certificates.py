"""Screens of a certificate's annulment: asking for it, and deciding on it."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.forms.annulments import CertificateAnnulmentForm
from offerings.models import Award
from offerings.selectors.certificates import (
    ALLOTMENT,
    NOTICE,
    certificates_visible,
    run_of_act,
)
from offerings.selectors.payments import is_undone
from offerings.views.annulments.deciding import (
    Decision,
    asked,
    asked_lines,
    decided,
    decision_buttons,
)
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.annulments import (
    annulled_elsewhere,
    certificate_annulment_decide,
    certificate_annulment_prepare,
)
from office.dates import bogota_day, write_date_long
from office.models import Certificate, CertificateAnnulment, CertificateState, User
from office.review import ReviewState, review_block
from office.roles import Capability


def annulment_context(found: Certificate, award: Award | None, user: User) -> dict[str, Any]:
    """What a certificate's page shows of its annulment: asked for, done, and what follows."""
    acts = found.annulments.select_related("prepared_by", "reviewed_by")
    pending = acts.filter(review_state=ReviewState.PENDING).first()
    annulled = found.state == CertificateState.ANNULLED
    return {
        "annulment": pending,
        "annulled_by": acts.filter(review_state=ReviewState.APPROVED).first(),
        "buttons": decision_buttons("certificate_annulment", pending, user),
        "elsewhere": None if annulled else annulled_elsewhere(found),
        "waits_for": review_block(pending, user) if pending else "",
        "replaced_by": getattr(found, "replaced_by", None),
        "anew_url": _anew_url(found, award) if annulled else "",
    }


def _anew_url(found: Certificate, award: Award | None) -> str:
    """Where what it certified is certified again; "" where another took its place, or nothing is
    due any more."""
    if hasattr(found, "replaced_by"):
        return ""
    run = award.adjudication if award else run_of_act(found)
    if run is None or not run.is_in_force or (award and is_undone(award)):
        return ""
    if award is None:
        return reverse("adjudication_record_new", args=[run.pk])
    names = {ALLOTMENT: "certificate_new", NOTICE: "certificate_notice"}
    name = names.get(found.series.kind)
    return reverse(name, args=[award.pk]) if name else ""


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def certificate_annul_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for a certificate's annulment, with its number typed."""
    found = get_object_or_404(certificates_visible(request.user), pk=pk)
    address = reverse("certificate", args=[pk])
    elsewhere = annulled_elsewhere(found)
    if elsewhere:
        messages.info(request, elsewhere.sentence)
        return redirect(elsewhere.url)
    refused = _certificate_block(found)
    if refused and request.method == "GET":
        messages.error(request, refused)
        return redirect(address)
    binding = BindingAct(
        form=partial(CertificateAnnulmentForm, number=found.label),
        act=lambda form: certificate_annulment_prepare(
            certificate_id=pk,
            annulled_on=form.cleaned_data["annulled_on"],
            cause=form.cleaned_data["cause"],
            user=request.user,
        ),
        shown=lambda form, _: _certificate_shown(form, found),
        done=lambda _: asked(request, found.label, address),
        page={
            "list_url": reverse("certificates"),
            "list_label": "Certificados",
            "back_label": found.label,
            "heading": f"Anular {found.label}",
            "short": "Anular",
            "verb": "Pedir la anulación",
            "danger": True,
            "why": "Un certificado no se corrige: se anula y, si hace falta, se expide otro con "
            "otro número. La anulación la aprueba un supervisor que no sea usted.",
            "back_url": address,
        },
        initial={"annulled_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _certificate_block(found: Certificate) -> str:
    if found.state == CertificateState.ANNULLED:
        return f"{found.label} ya está anulado."
    if found.annulments.filter(review_state=ReviewState.PENDING).exists():
        return "Su anulación ya espera revisión."
    return ""


def _certificate_shown(form: CertificateAnnulmentForm, found: Certificate) -> dict[str, Any]:
    return {
        "answers": [
            *_certificate_lines(found),
            {
                "label": "Fecha de la anulación",
                "value": write_date_long(form.cleaned_data["annulled_on"]),
                "field": "annulled_on",
            },
            {
                "label": "Por qué se anula",
                "value": form.cleaned_data["cause"],
                "field": "cause",
            },
        ],
        "consequence": f"Al pedirla, {found.label} sigue vigente hasta que otra persona, "
        "supervisora, la apruebe. Aprobada, ya no certifica nada, la consulta pública lo dice, su "
        "número no se vuelve a usar y el PDF se conserva. No se puede deshacer.",
    }


def _certificate_lines(found: Certificate) -> list[dict[str, Any]]:
    holder = found.facts.get("holder", {})
    return [
        {"label": "Se anula", "value": found.label, "detail": found.title, "big": True},
        *([{"label": "Titular", "value": holder["name"]}] if holder else []),
        {"label": "Expedido", "value": write_date_long(found.legal_date)},
    ]


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def certificate_annulment_decision(
    request: HttpRequest, pk: int, outcome: ReviewState
) -> HttpResponse:
    """Approve, send back or reject a certificate's annulment that another asked for."""
    acts = CertificateAnnulment.objects.select_related("certificate__series", "prepared_by")
    annulment = get_object_or_404(acts, pk=pk)
    found = annulment.certificate
    return decided(
        request,
        Decision(
            act=annulment,
            number=found.label,
            decide=certificate_annulment_decide,
            lines=[
                *_certificate_lines(found),
                {
                    "label": "Fecha de la anulación",
                    "value": write_date_long(annulment.annulled_on),
                },
                *asked_lines(annulment),
            ],
            approved=f"Al aprobar, {found.label} queda anulado: ya no certifica nada y la "
            "consulta pública lo dice desde ese momento. Su número no se vuelve a usar; puede "
            "expedirse otro, que dirá a cuál reemplaza. No se puede deshacer.",
            crumbs=[("Certificados", reverse("certificates"))],
            address=reverse("certificate", args=[found.pk]),
        ),
        outcome,
    )
