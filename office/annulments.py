"""Withdrawing a certificate: asked for by one person, approved by another; all of it stays."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time

from django.db import transaction
from django.utils import timezone

from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import Certificate, CertificateAnnulment, CertificateState, User
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_decide
from office.roles import Capability

LONGEST_CAUSE = 1000


@dataclass(frozen=True)
class Elsewhere:
    """Why a certificate is not annulled by itself: in a sentence, and where the act that it
    certifies is annulled, with it; or, `waiting`, where that was asked for already.
    """

    sentence: str
    url: str
    waiting: bool = False


# Asked of a certificate whose annulment somebody wants; each app adds its own when it starts.
ELSEWHERE: list[Callable[[Certificate], Elsewhere | None]] = []
OUTCOME_SENTENCES = {
    ReviewState.APPROVED: "Aprobó la anulación de {label}.",
    ReviewState.RETURNED: "Devolvió la anulación de {label}.",
    ReviewState.REJECTED: "Rechazó la anulación de {label}.",
}


@transaction.atomic
def certificate_annulment_prepare(
    *, certificate_id: int, annulled_on: date, cause: str, user: User
) -> CertificateAnnulment:
    """Ask for a certificate's annulment; it stays in force until another person approves.

    `annulled_on`: the annulment's legal date. Raises Refused: without a cause, dated before the
    certificate or later than today, annulled already, or with an annulment under way.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor pide anular un certificado.")
    certificate = certificate_locked(certificate_id)
    _check_in_force(certificate)
    elsewhere = annulled_elsewhere(certificate)
    if elsewhere:
        raise Refused(elsewhere.sentence)
    _check_day(certificate, annulled_on)
    cause = cause.strip()
    if not cause:
        raise Refused("Escriba por qué se anula: queda en la historia.", "cause")
    if len(cause) > LONGEST_CAUSE:
        raise Refused(f"Use {LONGEST_CAUSE} letras como máximo.", "cause")
    if certificate.annulments.filter(review_state=ReviewState.PENDING).exists():
        raise Refused("Su anulación ya espera revisión.")
    annulment = CertificateAnnulment.objects.create(
        certificate=certificate,
        annulled_on=annulled_on,
        cause=cause,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    decision_record(
        act="certificate_annulment_prepare",
        sentence=f"Pidió anular {certificate.label}.",
        reason=cause,
        actor=user,
        subject=certificate,
        legal_at=bogota_moment(annulled_on, time()),
    )
    return annulment


@transaction.atomic
def certificate_annulment_decide(
    *, annulment_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> CertificateAnnulment:
    """Approve, send back or reject an annulment that another asked for.

    Approved, the certificate is annulled at once, and what it certified may be certified anew.
    """
    asked = CertificateAnnulment.objects.get(pk=annulment_id)
    certificate = certificate_locked(asked.certificate_id)
    annulment = CertificateAnnulment.objects.select_for_update().get(pk=annulment_id)
    review_decide(act=annulment, user=user, outcome=outcome, reason=reason)
    if outcome == ReviewState.APPROVED:
        certificate_annul(certificate, annulment.cause, annulment.annulled_on)
    decision_record(
        act=f"certificate_annulment_{outcome.value}",
        sentence=OUTCOME_SENTENCES[outcome].format(label=certificate.label),
        reason=reason.strip(),
        actor=user,
        subject=certificate,
        legal_at=bogota_moment(annulment.annulled_on, time()),
    )
    return annulment


def annulled_elsewhere(certificate: Certificate) -> Elsewhere | None:
    """Where it is annulled together with what it certifies; None where it is annulled alone."""
    found = (ask(certificate) for ask in ELSEWHERE)
    return next((where for where in found if where), None)


def certificate_locked(certificate_id: int) -> Certificate:
    """The certificate with its series, its row held until the caller's transaction ends."""
    certificates = Certificate.objects.select_for_update(of=["self"]).select_related("series")
    return certificates.get(pk=certificate_id)


def certificate_annul(certificate: Certificate, why: str, on: date) -> None:
    """Withdraw a certificate that the caller has locked, by an act that the caller records.

    `on`: that act's legal date. A paper issued after it, by whoever did not know of it, stood
    for no day at all: it is annulled on the day of its issue.
    """
    _check_in_force(certificate)
    certificate.state = CertificateState.ANNULLED
    certificate.annulled_at = timezone.now()
    certificate.annulled_on = max(on, certificate.legal_date)
    certificate.annulled_why = why[: Certificate._meta.get_field("annulled_why").max_length]
    certificate.save(update_fields=["state", "annulled_at", "annulled_on", "annulled_why"])


def _check_in_force(certificate: Certificate) -> None:
    if certificate.state == CertificateState.ANNULLED:
        raise Refused(f"{certificate.label} ya está anulado.")


def _check_day(certificate: Certificate, annulled_on: date) -> None:
    check_day_not_future(annulled_on, "annulled_on")
    if annulled_on < certificate.legal_date:
        raise Refused(
            f"No puede ser anterior a su expedición, del {write_date(certificate.legal_date)}.",
            "annulled_on",
        )
