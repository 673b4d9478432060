"""What is not paid in time: no lapse by itself, but an act of the Fund, approved by another."""

from datetime import date, time

from django.db import transaction

from offerings.decrees.reader import terms_from_data
from offerings.enums import DefaultMeasure
from offerings.models import Award, AwardDefault
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.payments import payments_total
from offerings.services.payments import award_locked, check_holds
from office.annulments import certificate_annul, certificate_locked
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import CertificateState, User
from office.numbers import write_amount
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_block, review_decide
from office.roles import Capability

SENTENCES = {
    DefaultMeasure.CLAIM: "reclamar al comisionista y a la bolsa lo que falta por pagar de {code}",
    DefaultMeasure.UNDO: "dejar sin efecto la adjudicación de {code}",
}
VERBS = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió la propuesta de",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def award_default_prepare(
    *, award_id: int, measure: DefaultMeasure, decided_on: date, cause: str, user: User
) -> AwardDefault:
    """Propose what to do about an award that was not wholly paid by its last day.

    `decided_on`: the act's legal day, after that last day. Raises Refused.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara este acto.")
    award = award_locked(award_id)
    _check_unpaid(award, decided_on)
    if measure == DefaultMeasure.CLAIM and award.acceptance.broker_id is None:
        raise Refused("Llegó directamente al Fondo: no hay comisionista que responda.", "measure")
    if award.defaults.filter(measure=measure, review_state=ReviewState.PENDING).exists():
        raise Refused("Esa medida ya espera revisión.", "measure")
    default = AwardDefault(
        award=award,
        measure=measure,
        decided_on=decided_on,
        cause=cause,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    default.full_clean()
    default.save()
    _record(default, "prepare", f"Propuso {_words(default)}.", cause, user)
    return default


@transaction.atomic
def award_default_decide(
    *, default_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> AwardDefault:
    """Approve, send back or reject what another proposed.

    Approved, an undone award has nothing due, and what was paid of it is to be given back; stage
    1 has no guarantee to keep.
    """
    proposed = AwardDefault.objects.get(pk=default_id)
    award = award_locked(proposed.award_id)
    default = AwardDefault.objects.select_for_update().get(pk=default_id)
    if outcome == ReviewState.APPROVED and not review_block(default, user):
        # Paid meanwhile, or annulled: then there is nothing to act on.
        _check_unpaid(award, default.decided_on)
    review_decide(act=default, user=user, outcome=outcome, reason=reason)
    if outcome == ReviewState.APPROVED and default.measure == DefaultMeasure.UNDO:
        _annul_notice(award, default)
    _record(default, outcome.value, f"{VERBS[outcome]} {_words(default)}.", reason.strip(), user)
    return default


def _annul_notice(award: Award, default: AwardDefault) -> None:
    """Nothing is due any more, and nobody may be lent money on a paper that says so."""
    if award.notice_id is None:
        return
    notice = certificate_locked(award.notice_id)
    if notice.state != CertificateState.ANNULLED:
        day = default.decided_on
        why = f"La adjudicación quedó sin efecto el {write_date(day)}, por falta de pago."
        certificate_annul(notice, why, day)


def _check_unpaid(award: Award, decided_on: date) -> None:
    check_holds(award)
    balance = award.total - payments_total(award)
    if not balance:
        raise Refused("Está pagada en su totalidad: no hay incumplimiento.")
    check_day_not_future(decided_on, "decided_on")
    term = payment_term(award.adjudication)
    if term is None:
        raise Refused(
            "No consta el plazo de pago, que fija el reglamento del Fondo: no se puede decir que "
            "venció."
        )
    if decided_on <= term.value:
        raise Refused(
            f"Se puede pagar hasta el {write_date(term.value)} ({', '.join(term.cites)}): el acto "
            f"es posterior a ese día. Faltan {write_amount(balance)}.",
            "decided_on",
        )


def _words(default: AwardDefault) -> str:
    code = default.award.acceptance.code
    return SENTENCES[DefaultMeasure(default.measure)].format(code=code)


def _record(default: AwardDefault, act: str, sentence: str, reason: str, user: User) -> None:
    decision_record(
        act=f"award_default_{act}",
        sentence=sentence,
        article=_article(default),
        reason=reason,
        actor=user,
        subject=default.award,
        legal_at=bogota_moment(default.decided_on, time()),
        data={"measure": default.measure},
    )


def _article(default: AwardDefault) -> str:
    """The clause by which broker and exchange answer, where the decree has it."""
    answer = terms_from_data(default.award.adjudication.terms).through_broker
    return answer.cite if answer and answer.value else ""
