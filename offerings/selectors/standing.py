"""Which adjudications and awards stood on a day: one rule for statements, reports and papers.

Two versions of a stage are never in force together: one stops on the day of the act that annuls
it, or at the latest on the day of the session of the version that took its place.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from offerings.enums import DefaultMeasure
from offerings.models import Adjudication, AdjudicationAnnulment, Award, AwardDefault, Stage
from office.review import ReviewState


@dataclass(frozen=True)
class Ended:
    """From which day a version was no longer in force, and the act that annulled it."""

    on: date
    act: AdjudicationAnnulment


def runs_standing(day: date) -> QuerySet[Adjudication]:
    """The adjudications that were in force at the end of a day."""
    approved = Adjudication.objects.filter(review_state=ReviewState.APPROVED)
    ended = AdjudicationAnnulment.objects.filter(
        adjudication=OuterRef("pk"), review_state=ReviewState.APPROVED, act_on__lte=day
    )
    later = approved.filter(
        stage=OuterRef("stage"), version__gt=OuterRef("version"), session_on__lte=day
    )
    return approved.filter(~Exists(ended), ~Exists(later), session_on__lte=day)


def run_standing(stage: Stage, day: date) -> Adjudication | None:
    """The adjudication of a stage that was in force at the end of a day."""
    runs = runs_standing(day).filter(stage=stage)
    return runs.select_related("stage__programme", "exchange").first()


def runs_ended(runs: Iterable[int]) -> dict[int, Ended]:
    """By adjudication, since when each that was annulled is not in force; in two queries."""
    acts = AdjudicationAnnulment.objects.filter(
        adjudication__in=list(runs), review_state=ReviewState.APPROVED
    ).select_related("adjudication")
    acts = list(acts)
    sessions = Adjudication.objects.filter(
        stage__in={act.adjudication.stage_id for act in acts}, review_state=ReviewState.APPROVED
    ).values_list("stage", "version", "session_on")
    later = list(sessions) if acts else []
    return {act.adjudication_id: Ended(_ended_on(act, later), act) for act in acts}


def _ended_on(act: AdjudicationAnnulment, sessions: Iterable[tuple[int, int, date]]) -> date:
    run = act.adjudication
    after = [
        session
        for stage, version, session in sessions
        if stage == run.stage_id and version > run.version
    ]
    return min([act.act_on, *after])


def ended_on(award: Award) -> date | None:
    """The day of the act since which nothing is due for an award; None while it stands."""
    undone = award.defaults.filter(measure=DefaultMeasure.UNDO, review_state=ReviewState.APPROVED)
    annulled = award.adjudication.annulments.filter(review_state=ReviewState.APPROVED)
    days = [
        *undone.values_list("decided_on", flat=True),
        *annulled.values_list("act_on", flat=True),
    ]
    return min(days, default=None)


def awards_standing(run: Adjudication, day: date) -> QuerySet[Award]:
    """The awards of at least one share that no act had left without effect by the end of a day."""
    return run.awards.filter(~Exists(undone_until(day)), awarded__gt=0)


def undone_until(day: date) -> QuerySet[AwardDefault]:
    """The act that had left an outer query's award without effect by the end of a day."""
    return AwardDefault.objects.filter(
        award=OuterRef("pk"),
        measure=DefaultMeasure.UNDO,
        review_state=ReviewState.APPROVED,
        decided_on__lte=day,
    )
