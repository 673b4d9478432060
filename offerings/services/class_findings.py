"""That a buyer claimed a class that it does not have: recorded, and lifted where that was a
mistake. While the stage is open its acceptances are rejected, or come back; after the close, and
after the award, it is recorded and no figure changes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from buyers.services import buyer_held
from offerings.enums import AcceptanceState
from offerings.models import Acceptance, ClassFinding, Participation, Stage
from offerings.selectors.class_findings import false_class_article, findings_in_force
from offerings.services.changes import Cause
from offerings.services.evaluation import participation_evaluate
from offerings.services.stages import open_stage_held
from office.dates import write_date, write_datetime
from office.decisions import decision_record
from office.models import User
from office.refusals import Refused, check_not_future
from office.roles import Capability


@dataclass(frozen=True)
class FindingMade:
    """A finding, the acceptances that changed with it, and whether a stage was open."""

    finding: ClassFinding
    changed: list[Acceptance]
    is_open: bool


@transaction.atomic
def class_finding_record(
    *, participation_id: int, found_at: datetime, evidence: str, reason: str, user: User
) -> FindingMade:
    """Record that the class of a buyer's part is false, found on the legal moment `found_at`.

    `evidence`: in what paper it stands; `reason`: why the class is not the buyer's. In an open
    stage its presented acceptances become rejected. Raises Refused.
    """
    _check_may(user, "hace constar")
    participation = _held(participation_id)
    _check_not_yet(participation)
    _check_moment(participation, found_at)
    _check_said(evidence, "evidence", "Escriba en qué papel consta.")
    _check_said(reason, "reason", "Escriba por qué la clase no es la que tiene.")
    stage = open_stage_held(participation.programme_id)
    finding = ClassFinding(
        participation=participation,
        found_at=found_at,
        evidence=evidence.strip(),
        recorded_by=user,
    )
    finding.full_clean(exclude=["recorded_at"])
    finding.save()
    cause = Cause(user, "al hacer constar que la clase de su comprador es falsa")
    states = AcceptanceState.PRESENTED, AcceptanceState.REJECTED
    changed = _turn(participation, stage, states, cause)
    article = false_class_article(participation.programme)
    _record_each(changed, user, article, found_at, "Rechazó {code}: la clase que alegó es falsa.")
    decision_record(
        act="class_finding_record",
        sentence=f"Hizo constar que la clase «{participation.get_buyer_class_display()}» es "
        f"falsa en {participation.programme}. {_told(changed, 'Rechazó')}",
        article=article,
        reason=reason.strip(),
        actor=user,
        subject=participation,
        legal_at=found_at,
        data={"evidence": finding.evidence, "rejected": [one.code for one in changed]},
    )
    return FindingMade(finding, changed, stage is not None)


@transaction.atomic
def class_finding_lift(*, finding_id: int, reason: str, user: User) -> FindingMade:
    """Lift a finding that was a mistake; lifted already, it is left as it is.

    In an open stage the acceptances that it rejected are presented again and worked out anew;
    in one that has closed they stay rejected. Raises Refused.
    """
    _check_may(user, "levanta")
    there = ClassFinding.objects.get(pk=finding_id)
    participation = _held(there.participation_id)
    finding = ClassFinding.objects.select_for_update().get(pk=finding_id)
    stage = open_stage_held(participation.programme_id)
    if finding.lifted_at is not None:
        return FindingMade(finding, [], stage is not None)
    _check_said(reason, "reason", "Escriba por qué fue un error y en qué papel consta.")
    finding.lifted_by, finding.lifted_at = user, timezone.now()
    finding.full_clean()
    finding.save()
    cause = Cause(user, "al levantar la constancia de clase falsa de su comprador")
    states = AcceptanceState.REJECTED, AcceptanceState.PRESENTED
    changed = _turn(participation, stage, states, cause)
    article = false_class_article(participation.programme)
    _record_each(
        changed, user, article, finding.lifted_at, "Volvió a presentada {code}: su clase es buena."
    )
    decision_record(
        act="class_finding_lift",
        sentence=f"Levantó la constancia de clase falsa en {participation.programme}. "
        f"{_told(changed, 'Vuelven a estar presentadas')}",
        article=article,
        reason=reason.strip(),
        actor=user,
        subject=participation,
        data={"presented": [one.code for one in changed]},
    )
    return FindingMade(finding, changed, stage is not None)


def _turn(
    participation: Participation,
    stage: Stage | None,
    states: tuple[AcceptanceState, AcceptanceState],
    cause: Cause,
) -> list[Acceptance]:
    """Bring the part's acceptances of an open stage from one of `states` to the other, and work
    all of them out anew; those that were brought, in order of receipt."""
    if stage is None:
        return []
    held = Acceptance.objects.select_for_update().filter(participation=participation, stage=stage)
    before, after = states
    turned = list(held.filter(state=before).values_list("pk", flat=True))
    Acceptance.objects.filter(pk__in=turned).update(state=after)
    participation_evaluate(participation=participation, stage=stage, cause=cause)
    shown = Acceptance.objects.filter(pk__in=turned).select_related("stage__programme")
    return list(shown.in_order_of_receipt())


def _held(participation_id: int) -> Participation:
    parts = Participation.objects.select_related("programme", "buyer")
    buyer_held(parts.get(pk=participation_id).buyer_id)
    # Read again: until its buyer was held a merge may have moved it.
    return parts.get(pk=participation_id)


def _check_may(user: User, verb: str) -> None:
    if not user.may(Capability.APPROVE):
        raise Refused(f"Solo un supervisor {verb} que una clase es falsa.")


def _check_not_yet(participation: Participation) -> None:
    there = findings_in_force().filter(participation=participation).first()
    if there is not None:
        raise Refused(f"Ya consta que la clase es falsa, desde el {write_date(there.found_at)}.")


def _check_moment(participation: Participation, found_at: datetime) -> None:
    check_not_future(found_at, "found_on")
    first = participation.acceptances.order_by("received_at").first()
    if first is not None and found_at < first.received_at:
        raise Refused(
            f"La primera aceptación se recibió el {write_datetime(first.received_at)}; la "
            "comprobación es anterior.",
            "found_on",
        )


def _check_said(text: str, field: str, message: str) -> None:
    if not text.strip():
        raise Refused(message, field)


def _record_each(
    acceptances: Iterable[Acceptance], user: User, article: str, at: datetime, sentence: str
) -> None:
    """In each acceptance's own history, without the evidence: its broker reads it too."""
    for one in acceptances:
        decision_record(
            act="class_finding_acceptance",
            sentence=sentence.format(code=one.code),
            article=article,
            actor=user,
            subject=one,
            legal_at=at,
        )


def _told(acceptances: list[Acceptance], verb: str) -> str:
    if not acceptances:
        return "Ninguna aceptación cambió."
    return f"{verb}: {', '.join(one.code for one in acceptances)}."
