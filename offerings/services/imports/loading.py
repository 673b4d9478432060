"""Works out what a file brought under each buyer's limit, and saves it in bulk: triggers and
constraints see every row."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from django.db.models import Model
from django.utils import timezone

from buyers.models import Buyer, Document, Presentation
from offerings.models import Acceptance, Participation, ParticipationDocument, Stage
from offerings.services.changes import Cause, Change, changes_record, figures_of
from offerings.services.evaluation import EVALUATED, standing_apply, standings_of
from offerings.services.imports.copying import rows_copy
from offerings.services.imports.known import BuyerCase, Known
from offerings.services.participations import PART_LABELS
from office.refusals import Refused

CHUNK = 20_000
UPDATE_CHUNK = 500  # an update of many costs the square of its rows
REPORT_EVERY = 500
FIRST_IMAGINED = 2**62  # no register gets there
# The steps of both jobs: reading, checking, the buyers, the acceptances under their limits.
READING, CHECKING, BUYERS, EVALUATING = 1, 2, 3, 4

Report = Callable[..., None]
NotEvaluated = tuple[Acceptance, Refused]


@dataclass(frozen=True)
class Evaluation:
    """`gaps`: by the first acceptance of their buyer, the cases that the terms do not cover;
    `changed`: acceptances from before that stand otherwise now, with how they stood."""

    gaps: list[NotEvaluated]
    changed: list[Change]


def buyers_save(cases: list[BuyerCase], report: Report) -> None:
    """Save the buyers, their parts and papers that are new, and the parts that were filled in."""
    steps = (_save_buyers, _save_parts, _save_documents, _save_uses, _save_presentations)
    for done, save in enumerate(steps):
        report(BUYERS, done * len(cases) // len(steps), len(cases), "compradores")
        save(cases)


def _save_buyers(cases: list[BuyerCase]) -> None:
    _create(Buyer, (case.buyer for case in cases if case.buyer.pk is None))


def _save_parts(cases: list[BuyerCase]) -> None:
    new = [case.participation for case in cases if case.participation.pk is None]
    filled = [
        case.participation
        for case in cases
        if case.participation.pk is not None and case.part_completed
    ]
    _create(Participation, new)
    Participation.objects.bulk_update(filled, PART_LABELS, batch_size=UPDATE_CHUNK)


def _save_documents(cases: list[BuyerCase]) -> None:
    new = [one for case in cases for one in case.documents if one.pk is None]
    at = timezone.now()
    for document in new:
        document.seen_at = at
    _create(Document, new)


def _save_uses(cases: list[BuyerCase]) -> None:
    uses = (
        ParticipationDocument(participation=case.participation, document=document)
        for case in cases
        for document in case.invoked
    )
    _create(ParticipationDocument, uses, ignore_conflicts=True)


def _save_presentations(cases: list[BuyerCase]) -> None:
    pairs = {
        (case.buyer.pk, acceptance.broker_id)
        for case in cases
        for acceptance in case.new
        if acceptance.broker_id is not None
    }
    _create(
        Presentation,
        (Presentation(buyer_id=buyer, broker_id=broker) for buyer, broker in sorted(pairs)),
        ignore_conflicts=True,
    )


def buyers_imagine(cases: list[BuyerCase], report: Report) -> None:
    """Number the new papers for an evaluation that will not be saved, after all that are known."""
    report(BUYERS, 0, len(cases), "compradores")
    at, number = timezone.now(), count(FIRST_IMAGINED)
    for document in (one for case in cases for one in case.documents if one.pk is None):
        document.pk, document.seen_at = next(number), at


def acceptances_save(
    known: Known, acceptances: list[Acceptance], evaluation: Evaluation, cause: Cause
) -> None:
    """Save the acceptances of the file, and those from before that they changed, each with what
    `cause` did to it in its history."""
    changed = [change.acceptance for change in evaluation.changed]
    Acceptance.objects.bulk_update(changed, EVALUATED, batch_size=UPDATE_CHUNK)
    changes_record(evaluation.changed, cause)
    rows_copy(Acceptance, acceptances)
    Stage.objects.filter(pk=known.stage.pk).update(last_serial=known.stage.last_serial)


def acceptances_evaluate(known: Known, cases: list[BuyerCase], report: Report) -> Evaluation:
    """Work out each buyer's acceptances under its one limit; nothing is saved."""
    presented = [one for case in cases for one in case.presented]
    before = [(one, figures_of(one), _said_of(one)) for one in presented]
    gaps = _evaluate(known, cases, report)
    changed = [Change(one, stood) for one, stood, said in before if said != _said_of(one)]
    return Evaluation(gaps, changed)


def _said_of(acceptance: Acceptance) -> list[Any]:
    """What the evaluation says of an acceptance, without the moment at which it was made."""
    return [getattr(acceptance, name) for name in EVALUATED if name != "evaluated_at"]


def _evaluate(known: Known, cases: list[BuyerCase], report: Report) -> list[NotEvaluated]:
    gaps = []
    at = timezone.now()
    for done, case in enumerate(cases):
        if done % REPORT_EVERY == 0:
            report(EVALUATING, done, len(cases), "compradores")
        try:
            _evaluate_one(known, case, at)
        except Refused as refusal:
            gaps.append((case.new[0], refusal))
    return gaps


def _evaluate_one(known: Known, case: BuyerCase, at: datetime) -> None:
    acceptances = [*case.presented, *case.new]
    documents = sorted(case.invoked, key=lambda document: document.pk)
    found = standings_of(case.participation, documents, acceptances, known.stage, known.terms)
    by_code = {standing.reference: standing for standing in found}
    for acceptance in acceptances:
        standing_apply(acceptance, by_code[acceptance.code], known.stage.rules.terms_sha256, at)


def _create(model: type[Model], rows: Iterable[Model], *, ignore_conflicts: bool = False) -> None:
    model._default_manager.bulk_create(rows, batch_size=CHUNK, ignore_conflicts=ignore_conflicts)
