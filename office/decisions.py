"""The decision log: every act leaves who, what, when and why, once and for good."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone

from office.models import Decision, User


def subject_kind(subject: Model | type[Model]) -> str:
    """The name under which acts on `subject` are kept, as `offerings.stage`."""
    return subject._meta.label_lower


def decision_record(
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
    """Write down an act inside the caller's transaction.

    `sentence` is Spanish and tells what was done, without identity data; `legal_at` is the act's
    legal date and time (now by default); `data` holds figures worth keeping as JSON.
    """
    return Decision.objects.create(
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


def decisions_on(subjects: Iterable[Model]) -> QuerySet[Decision]:
    """The acts on any of `subjects`, oldest first, with who did them."""
    found = Decision.objects.none()
    for subject in subjects:
        found |= Decision.objects.filter(subject_kind=subject_kind(subject), subject_id=subject.pk)
    return found.select_related("actor").order_by("pk")
