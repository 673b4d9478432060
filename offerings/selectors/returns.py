"""Why money is to be given back, or why nothing is due any more, in words."""

from collections.abc import Iterable

from offerings.enums import DefaultMeasure
from offerings.models import AdjudicationAnnulment, Award, AwardDefault
from office.dates import write_date
from office.review import ReviewState

PAID_OVER = "Se recibió más de lo que se debía"


def reasons_nothing_due(awards: Iterable[Award]) -> dict[int, str]:
    """By award, the act that annulled its adjudication or left it without effect; in two queries
    for however many."""
    awards = list(awards)
    annulments = {
        act.adjudication_id: act
        for act in AdjudicationAnnulment.objects.filter(
            adjudication__in={award.adjudication_id for award in awards},
            review_state=ReviewState.APPROVED,
        )
    }
    undone = AwardDefault.objects.filter(
        award__in=awards, measure=DefaultMeasure.UNDO, review_state=ReviewState.APPROVED
    )
    reasons = {act.award_id: undone_words(act) for act in undone}
    for award in awards:
        annulment = annulments.get(award.adjudication_id)
        if annulment is not None:
            reasons[award.pk] = annulment_words(annulment, award.adjudication.code)
    return reasons


def annulment_words(annulment: AdjudicationAnnulment, code: str) -> str:
    """What annulled an adjudication."""
    return (
        f"{code} se anuló por {annulment.act}, de {annulment.ordered_by}, "
        f"del {write_date(annulment.act_on)}"
    )


def undone_words(act: AwardDefault) -> str:
    """What left an award without effect."""
    return f"Quedó sin efecto por falta de pago, por acto del {write_date(act.decided_on)}"
