"""Puts what the rules say of one buyer's acceptances into their rows, while the stage is open."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from buyers.models import Document
from offerings.enums import StageState
from offerings.facts import acceptance_facts, buyer_facts
from offerings.models import Acceptance, Participation, Stage
from offerings.rules.ruling import NotCovered
from offerings.rules.standings import Standing, standings
from offerings.rules.terms import Terms
from offerings.selectors.programmes import stage_terms
from offerings.services.changes import Cause, Change, changes_record, figures_of
from office.refusals import Refused

EVALUATED = (
    "standing",
    "admitted",
    "limit_shares",
    "missing",
    "ruling",
    "terms_sha256",
    "evaluated_at",
)


def standings_of(
    participation: Participation,
    documents: Iterable[Document],
    acceptances: Sequence[Acceptance],
    stage: Stage,
    terms: Terms,
) -> tuple[Standing, ...]:
    """How one buyer's acceptances stand; nothing is saved, so a form can ask while one types.

    Raises Refused with the sentence of NotCovered: what the Fund has to enter first.
    """
    part = buyer_facts(participation, documents, stage)
    brokers_brought = any(held.brought_by for held in part.documents)
    presented = [
        acceptance_facts(acceptance, brokers_brought=brokers_brought) for acceptance in acceptances
    ]
    try:
        return standings(part, presented, terms).value
    except NotCovered as gap:
        raise Refused(gap.message) from gap


def standing_apply(
    acceptance: Acceptance, standing: Standing, terms_sha256: str, at: datetime
) -> None:
    """Write a standing into a row that the caller saves."""
    acceptance.standing = standing.code.value
    acceptance.admitted = standing.admitted
    acceptance.limit_shares = standing.limit
    acceptance.missing = missing_as_data(standing)
    acceptance.ruling = ruling_as_data(standing)
    acceptance.terms_sha256 = terms_sha256
    acceptance.evaluated_at = at


def missing_as_data(standing: Standing) -> list[dict[str, str]]:
    """What is missing, as it is stored and shown."""
    return [
        {"code": gap.code, "label": gap.label, "cite": gap.cite, "why": gap.why}
        for gap in standing.missing
    ]


def ruling_as_data(standing: Standing) -> dict[str, Any]:
    """The ruling as it is stored and shown: steps, readings, conclusion, articles."""
    return {
        "steps": standing.ruling.steps_as_data(),
        "readings": list(standing.ruling.readings),
        "conclusion": standing.ruling.conclusion,
        "cites": list(standing.ruling.cites),
    }


@transaction.atomic
def participation_evaluate(
    *, participation: Participation, stage: Stage, cause: Cause
) -> list[Change]:
    """Work out anew every acceptance of a buyer in an open stage, and return those that changed,
    each with how it stood; what `cause` did to it stands in its history.

    Holds the participation's row, so that two people who register for one buyer at once are
    taken one after the other. In a stage that is not open nothing changes.
    """
    Participation.objects.select_for_update().get(pk=participation.pk)
    if stage.state != StageState.OPEN:
        return []
    acceptances = list(
        Acceptance.objects.filter(participation=participation, stage=stage).in_order_of_receipt()
    )
    documents = participation.documents.filter(replaced_at=None).order_by("pk")
    found = standings_of(participation, documents, acceptances, stage, stage_terms(stage))
    by_code = {standing.reference: standing for standing in found}
    changed = []
    for acceptance in acceptances:
        before, limit = figures_of(acceptance), acceptance.limit_shares
        standing_apply(
            acceptance, by_code[acceptance.code], stage.rules.terms_sha256, timezone.now()
        )
        acceptance.save(update_fields=EVALUATED)
        if (before, limit) != (figures_of(acceptance), acceptance.limit_shares):
            changed.append(Change(acceptance, before))
    changes_record(changed, cause)
    return changed
