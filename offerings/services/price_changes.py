"""A price that the Fund corrects while the stage is open: every acceptance is worked out anew.

Nothing else of an open stage changes: acceptances were presented under its terms.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from buyers.models import Document
from offerings.decrees.reader import terms_as_data
from offerings.enums import StageState
from offerings.models import (
    Acceptance,
    FundRules,
    Participation,
    ParticipationDocument,
    Programme,
    Stage,
)
from offerings.rules.terms import Terms
from offerings.selectors.programmes import stage_terms
from offerings.services.changes import Cause, Change, changes_record, figures_of
from offerings.services.evaluation import EVALUATED, standing_apply, standings_of
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount, write_count
from office.refusals import Refused

CHUNK = 500
# A decree's file may have come to say what a release costs after the stage was opened.
RELEASE = ("pledge", "penalty", "base_price")
MAY_DIFFER = {"price", "signatory_name", "signatory_title", *RELEASE}


@dataclass(frozen=True)
class Evaluated:
    """All acceptances of a stage as a price leaves them, and those that it changes."""

    acceptances: list[Acceptance]
    changes: list[Change]


def open_stage_of(programme: Programme) -> Stage | None:
    """The stage whose price can still be corrected."""
    stages = Stage.objects.select_related("programme", "rules")
    return stages.filter(programme=programme, state=StageState.OPEN).first()


def price_evaluated(stage: Stage, terms: Terms, terms_sha256: str) -> Evaluated:
    """What the stage's acceptances come to under `terms`; nothing is saved.

    Few queries, however many acceptances. Raises Refused where a rule lacks what it needs.
    """
    acceptances: dict[int, list[Acceptance]] = {}
    presented = stage.acceptances.select_related(
        "registered_by__broker_user", "participation__buyer"
    )
    for acceptance in presented.in_order_of_receipt():
        acceptances.setdefault(acceptance.participation_id, []).append(acceptance)
    documents = _documents_of(acceptances)
    now, changes = timezone.now(), []
    for pk, those in acceptances.items():
        before = {one.pk: figures_of(one) for one in those}
        found = standings_of(those[0].participation, documents.get(pk, ()), those, stage, terms)
        by_code = {standing.reference: standing for standing in found}
        for one in those:
            standing_apply(one, by_code[one.code], terms_sha256, now)
            if before[one.pk] != figures_of(one):
                changes.append(Change(one, before[one.pk]))
    changes.sort(key=lambda change: change.acceptance.serial)
    return Evaluated([one for those in acceptances.values() for one in those], changes)


def _documents_of(participations: Iterable[int]) -> dict[int, list[Document]]:
    links = ParticipationDocument.objects.filter(
        participation__in=participations, document__replaced_at=None
    )
    found: dict[int, list[Document]] = {}
    for link in links.select_related("document").order_by("document"):
        found.setdefault(link.participation_id, []).append(link.document)
    return found


@transaction.atomic
def price_change(*, rules: FundRules, terms: Terms, user: User) -> list[Change]:
    """Put the price of a version that was just approved into its open stage, and work out every
    acceptance anew; those that changed. Where the price is the same, nothing happens.
    """
    stage = open_stage_of(rules.programme)
    if stage is None or terms.price is None or terms.price.value == stage.price:
        return []
    stage = (
        Stage.objects.select_for_update(of=["self"])
        .select_related("programme", "rules")
        .get(pk=stage.pk)
    )
    if stage.state != StageState.OPEN:
        raise Refused(f"{stage} se cerró hace un instante: su precio ya no cambia.")
    price_alone_check(stage, terms)
    parts = Participation.objects.filter(acceptances__stage=stage).values("pk")
    list(Participation.objects.select_for_update().filter(pk__in=parts).order_by("pk"))
    before = stage.price
    stage.rules, stage.price = rules, terms.price.value
    stage.save(update_fields=["rules", "price"])
    evaluated = price_evaluated(stage, terms, rules.terms_sha256)
    Acceptance.objects.bulk_update(evaluated.acceptances, EVALUATED, batch_size=CHUNK)
    _record(stage, before, evaluated.changes, terms.price.cite, user)
    return evaluated.changes


def price_alone_check(stage: Stage, terms: Terms) -> None:
    """Refuse terms that differ from the open stage's in more than its price."""
    before, now = terms_as_data(stage_terms(stage)), terms_as_data(terms)
    differing = {key for key in {*before, *now} if before.get(key) != now.get(key)}
    if differing - MAY_DIFFER:
        raise Refused(
            "Con la etapa abierta solo se corrige el precio; este reglamento cambiaría también "
            "otras condiciones bajo las que se presentaron aceptaciones."
        )


def _record(stage: Stage, before: Decimal, changes: list[Change], cite: str, user: User) -> None:
    changed = write_count(len(changes), "aceptación cambió", "aceptaciones cambiaron")
    decision_record(
        act="price_change",
        sentence=f"Corrigió el precio de {write_amount(before)} a {write_amount(stage.price)}; "
        f"{changed}.",
        article=cite,
        actor=user,
        subject=stage,
        data={"before": str(before), "after": str(stage.price)},
    )
    changes_record(changes, Cause(user, "al corregir el precio de la etapa"))
