"""The annulment of one pledge's release: its certificate with it, and the pledge stands again."""

from datetime import date, time

from django.db import transaction

from office.annulments import certificate_annul, certificate_locked
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import CertificateState, User
from office.numbers import write_shares
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_decide
from office.roles import Capability
from pledges.enums import LineState, PledgeState, RequestState
from pledges.models import Pledge, ReleaseAnnulment, ReleaseLine, ReleaseRequest, Transfer
from pledges.services.maturing import was_looked_at
from pledges.services.pledges import check_in_order, pledge_locked
from pledges.services.releases import release_article

VERBS = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def release_annulment_prepare(
    *, line_id: int, annulled_on: date, cause: str, user: User
) -> ReleaseAnnulment:
    """Ask for the annulment of a pledge's release; it holds until another approves.

    Raises Refused: not released, annulled already, or its shares have passed to another.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara una anulación.")
    pledge, line = _line_locked(line_id)
    _check(pledge, line, annulled_on)
    if line.annulments.filter(review_state=ReviewState.PENDING).exists():
        raise Refused("Su anulación ya espera revisión.")
    if not cause.strip():
        raise Refused("Escriba por qué se anula: queda en la historia.", "cause")
    annulment = ReleaseAnnulment(
        line=line,
        annulled_on=annulled_on,
        cause=cause.strip(),
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    annulment.full_clean()
    annulment.save()
    _record(annulment, "prepare", f"Pidió anular el {_what(line)}.", user, cause.strip())
    return annulment


@transaction.atomic
def release_annulment_decide(
    *, annulment_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> ReleaseAnnulment:
    """Approve, send back or reject an annulment that another asked for.

    Approved: the shares are pledged again, the certificate is annulled, and an early exit's
    request is paid and waits for its release again.
    """
    asked = ReleaseAnnulment.objects.get(pk=annulment_id)
    pledge, line = _line_locked(asked.line_id)
    annulment = ReleaseAnnulment.objects.select_for_update().get(pk=annulment_id)
    review_decide(act=annulment, user=user, outcome=outcome, reason=reason)
    told = ""
    if outcome == ReviewState.APPROVED:
        _check(pledge, line, annulment.annulled_on)
        told = _undo(pledge, line, annulment)
    sentence = f"{VERBS[outcome]} la anulación del {_what(line)}{told}."
    _record(annulment, outcome.value, sentence, user, reason.strip())
    return annulment


def _undo(pledge: Pledge, line: ReleaseLine, annulment: ReleaseAnnulment) -> str:
    """Pledge the line's shares again; what came of it, to close the act's sentence."""
    line.state = LineState.ANNULLED
    line.save(update_fields=["state"])
    pledge.released -= line.shares
    if line.release.request_id:
        request = ReleaseRequest.objects.select_for_update().get(pk=line.release.request_id)
        request.state = RequestState.PAID
        request.save(update_fields=["state"])
        pledge.in_process += line.shares
    if pledge.state == PledgeState.RELEASED:
        looked_at = was_looked_at(pledge.last_day)
        pledge.state = PledgeState.MATURED if looked_at else PledgeState.IN_FORCE
    pledge.save(update_fields=["released", "in_process", "state"])
    return f": vuelven a la prenda {write_shares(line.shares)}{_annul_paper(line, annulment)}"


def _annul_paper(line: ReleaseLine, annulment: ReleaseAnnulment) -> str:
    if line.certificate_id is None:
        return ""
    certificate = certificate_locked(line.certificate_id)
    if certificate.state == CertificateState.ANNULLED:
        return ""
    day = annulment.annulled_on
    why = f"El levantamiento {line.release.code} se anuló el {write_date(day)}."
    certificate_annul(certificate, why, day)
    return f", y se anuló {certificate.label}"


def _line_locked(line_id: int) -> tuple[Pledge, ReleaseLine]:
    """The line and its pledge, the pledge's row held first."""
    pledge = pledge_locked(ReleaseLine.objects.values_list("pledge_id", flat=True).get(pk=line_id))
    lines = ReleaseLine.objects.select_for_update(of=["self"])
    return pledge, lines.select_related("release").get(pk=line_id)


def _check(pledge: Pledge, line: ReleaseLine, annulled_on: date) -> None:
    if line.state == LineState.ANNULLED:
        raise Refused(f"El levantamiento de {pledge.code} en {line.release.code} ya está anulado.")
    if line.state != LineState.DONE:
        raise Refused(
            f"{pledge.code} está «{line.get_state_display()}» en {line.release.code}: no hay "
            "levantamiento que anular."
        )
    passed = transfer_of(line)
    if passed:
        raise Refused(
            f"Las acciones ya pasaron a {passed.to_name}, el {write_date(passed.transferred_on)}: "
            "no pueden volver a la prenda de quien ya no las tiene."
        )
    check_day_not_future(annulled_on, "annulled_on")
    if annulled_on < line.release.released_on:
        raise Refused(
            "La anulación no puede ser anterior al levantamiento, del "
            f"{write_date(line.release.released_on)}.",
            "annulled_on",
        )
    check_in_order(pledge, annulled_on, "annulled_on")


def transfer_of(line: ReleaseLine) -> Transfer | None:
    """A transfer on record of the shares that a line freed."""
    if line.release.request_id is None:
        return None
    return Transfer.objects.filter(request_id=line.release.request_id).order_by("pk").first()


def _what(line: ReleaseLine) -> str:
    shares = write_shares(line.shares)
    return f"levantamiento de {shares} de {line.pledge.code} en {line.release.code}"


def _record(annulment: ReleaseAnnulment, act: str, sentence: str, user: User, reason: str) -> None:
    """On the line: the pages of its pledge and of its release tell it."""
    line = annulment.line
    decision_record(
        act=f"release_annulment_{act}",
        sentence=sentence,
        article=release_article(line.release),
        reason=reason,
        actor=user,
        subject=line,
        legal_at=bogota_moment(annulment.annulled_on, time()),
    )
