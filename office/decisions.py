"""The decision log: every act leaves who, what, when and why, once and for good; and how it is
told on the pages of what it was about.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone

from office.dates import bogota_day, write_date, write_datetime
from office.models import Decision, User

# Under this name an act's data hold its sentence without what it did to other people's things.
ALONE = "alone"
# An act with this mark is told alone without who did it: somebody else's, that reached this thing.
UNNAMED = "unnamed"


def subject_kind(subject: Model | type[Model]) -> str:
    """The name under which acts on `subject` are kept, as `offerings.stage`."""
    return subject._meta.label_lower


def decision_draft(
    *,
    act: str,
    sentence: str,
    actor: User,
    subject: Model,
    article: str = "",
    reason: str = "",
    legal_at: datetime | None = None,
    data: dict[str, Any] | None = None,
) -> Decision:
    """An act as it will be written down; the caller saves it, alone or with many.

    `sentence` is Spanish and tells what was done, without identity data; `legal_at` is the act's
    legal date and time (now by default); `data` holds figures worth keeping as JSON.
    """
    return Decision(
        act=act,
        sentence=sentence,
        article=article,
        reason=reason,
        actor=actor,
        legal_at=legal_at or timezone.now(),
        subject_kind=subject_kind(subject),
        subject_id=subject.pk,
        data=data or {},
    )


def decision_record(**said: Any) -> Decision:
    """Write down an act inside the caller's transaction; `said`: what `decision_draft` takes."""
    decision = decision_draft(**said)
    decision.save()
    return decision


def decisions_on(subjects: Iterable[Model]) -> QuerySet[Decision]:
    """The acts on any of `subjects`, oldest first, with who did them."""
    found = Decision.objects.none()
    for subject in subjects:
        found |= Decision.objects.filter(subject_kind=subject_kind(subject), subject_id=subject.pk)
    return found.select_related("actor").order_by("pk")


def timeline(subjects: Iterable[Model]) -> list[dict[str, str]]:
    """The acts on `subjects`, oldest first, as the partial `timeline.html` shows them."""
    return [decision_event(decision) for decision in decisions_on(subjects)]


def decision_event(decision: Decision, *, alone: bool = False) -> dict[str, str]:
    """An act in words: when, who did what, under which article, why.

    With `alone`, without what it did to other people's things.
    """
    return {
        "when": _when(decision),
        "sentence": _told(decision, alone=alone),
        "article": decision.article,
        "reason": decision.reason,
    }


def _told(decision: Decision, *, alone: bool) -> str:
    """The sentence with who did it: «Recibió $1,00.» becomes «Irene Ejemplo recibió $1,00.»; the
    stop comes after the article, where there is one.
    """
    sentence = decision.data.get(ALONE, decision.sentence) if alone else decision.sentence
    unnamed = alone and UNNAMED in decision.data
    told = sentence if unnamed else f"{decision.actor} {sentence[:1].lower()}{sentence[1:]}"
    return told.removesuffix(".") if decision.article else told


def _when(decision: Decision) -> str:
    """The moment of recording, and the legal day where it is another."""
    recorded = write_datetime(decision.recorded_at)
    legal = bogota_day(decision.legal_at)
    if legal == bogota_day(decision.recorded_at):
        return recorded
    return f"{write_date(legal)} · registrado {recorded}"
