"""The annulment of an approved adjudication, as a whole, by an act of the exchange or a court."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time

from django.db import transaction
from django.utils import timezone

from offerings.decrees.reader import terms_from_data
from offerings.models import Adjudication, AdjudicationAnnulment
from offerings.rules.adjudication import adjudication_terms
from office.annulments import certificate_annul
from office.certificates import papers_told
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import Certificate, CertificateState, User
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_decide
from office.roles import Capability

OUTCOME_SENTENCES = {
    ReviewState.APPROVED: "Aprobó la anulación de {code}{told}.",
    ReviewState.RETURNED: "Devolvió la anulación de {code}.",
    ReviewState.REJECTED: "Rechazó la anulación de {code}.",
}


@dataclass(frozen=True)
class Dependant:
    """What stands on an adjudication in an app further up, of which this one knows nothing.

    block: what has to be undone first, in order, in words; "" where nothing is in the way.
    told: what goes, or went, without effect together with the adjudication, in words, or "".
    unwind: leaves that without effect, inside the annulment's transaction and once its lines are
    held; answers the words that close the act's sentence, or "".
    """

    block: Callable[[Adjudication], str]
    told: Callable[[Adjudication], str]
    unwind: Callable[[Adjudication, AdjudicationAnnulment, User], str]


DEPENDANTS: list[Dependant] = []


@transaction.atomic
def adjudication_annulment_prepare(
    *,
    adjudication_id: int,
    ordered_by: str,
    act: str,
    act_on: date,
    cause: str,
    user: User,
) -> AdjudicationAnnulment:
    """Ask for the annulment of an approved adjudication; it holds until another approves.

    `act`, of `act_on`, is what the exchange or the court ordered. Raises Refused.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara una anulación.")
    run = _locked(adjudication_id)
    _check_in_force(run)
    if run.annulments.filter(review_state=ReviewState.PENDING).exists():
        raise Refused("Su anulación ya espera revisión.")
    _check_act(run, act_on)
    _check_free(run)
    annulment = AdjudicationAnnulment(
        adjudication=run,
        ordered_by=ordered_by,
        act=act,
        act_on=act_on,
        cause=cause,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    annulment.full_clean()
    annulment.save()
    decision_record(
        act="adjudication_annulment_prepare",
        sentence=f"Pidió anular {run.code}, por {act} de {ordered_by}, del {write_date(act_on)}.",
        article=_article(run),
        reason=cause,
        actor=user,
        subject=run,
        legal_at=bogota_moment(act_on, time()),
    )
    return annulment


@transaction.atomic
def adjudication_annulment_decide(
    *, annulment_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> AdjudicationAnnulment:
    """Approve, send back or reject an annulment that another asked for.

    Approved: nothing is due for the adjudication, what was paid is to be given back, and its
    certificates, notices and act are annulled; all of it stays, and the stage can be adjudicated
    again as a new version.
    """
    asked = AdjudicationAnnulment.objects.get(pk=annulment_id)
    run = _locked(asked.adjudication_id)
    annulment = AdjudicationAnnulment.objects.select_for_update().get(pk=annulment_id)
    review_decide(act=annulment, user=user, outcome=outcome, reason=reason)
    told = _unwind(run, annulment, user) if outcome == ReviewState.APPROVED else ""
    decision_record(
        act=f"adjudication_annulment_{outcome.value}",
        sentence=OUTCOME_SENTENCES[outcome].format(code=run.code, told=told),
        article=_article(run),
        reason=reason.strip(),
        actor=user,
        subject=run,
        legal_at=bogota_moment(annulment.act_on, time()),
    )
    return annulment


def _unwind(run: Adjudication, annulment: AdjudicationAnnulment, user: User) -> str:
    """Annul the run, its certificates and what stands on it; what came of it, to close the act's
    sentence."""
    _check_in_force(run)
    # The lines first, as where a payment or a certificate is made: two acts at once take turns.
    # Not their keys: what stands on a line and is held by another act may still point to it.
    held = run.awards.select_for_update(no_key=True).order_by("pk")
    list(held.values_list("pk", flat=True))
    also = [dependant.unwind(run, annulment, user) for dependant in DEPENDANTS]
    run.annulled_at = timezone.now()
    run.save(update_fields=["annulled_at"])
    why = f"{run.code} se anuló por {annulment.act}, del {write_date(annulment.act_on)}."
    annulled = _certificates(run)
    for certificate in annulled:
        certificate_annul(certificate, why, annulment.act_on)
    verb = "se anuló" if len(annulled) == 1 else "se anularon"
    papers = f"{verb} {papers_told(one.title for one in annulled)}" if annulled else ""
    return "".join(f"; {words}" for words in (papers, *also) if words)


def _certificates(run: Adjudication) -> list[Certificate]:
    """What was certified of the run and is in force, its rows held."""
    certificates = Certificate.objects.select_for_update(of=["self"]).select_related("series")
    in_force = certificates.exclude(state=CertificateState.ANNULLED)
    found = {
        one.pk: one
        for where in ("award__adjudication", "noticed_award__adjudication", "record__adjudication")
        for one in in_force.filter(**{where: run}).order_by("pk")
    }
    return [found[pk] for pk in sorted(found)]


def _locked(adjudication_id: int) -> Adjudication:
    runs = Adjudication.objects.select_for_update(of=["self"]).select_related("stage__programme")
    return runs.get(pk=adjudication_id)


def _check_in_force(run: Adjudication) -> None:
    if run.annulled_at is not None:
        raise Refused(f"{run.code} ya está anulada.")
    if run.review_state != ReviewState.APPROVED:
        raise Refused(f"{run.code} no está aprobada: devuélvala o rechácela en su revisión.")


def _check_free(run: Adjudication) -> None:
    """Refuse while something that stands on the run has to be undone first."""
    for dependant in DEPENDANTS:
        block = dependant.block(run)
        if block:
            raise Refused(block)


def _check_act(run: Adjudication, act_on: date) -> None:
    check_day_not_future(act_on, "act_on")
    if act_on < run.session_on:
        raise Refused(
            f"El acto no puede ser anterior a la sesión, del {write_date(run.session_on)}.",
            "act_on",
        )


def _article(run: Adjudication) -> str:
    return adjudication_terms(terms_from_data(run.terms)).valid_cite
