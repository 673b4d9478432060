"""What is known of the buyers in a file, looked up in as many queries for ten rows as for ten
thousand."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from buyers.models import Broker, Buyer, Document, Exchange
from offerings.models import (
    Acceptance,
    ClassFinding,
    Participation,
    ParticipationDocument,
    Stage,
)
from offerings.rules.terms import Terms
from offerings.selectors.class_findings import findings_in_force
from offerings.selectors.programmes import repealed_on, stage_terms
from office.identities import Identity
from office.text import fold

Key = tuple[str, str]


@dataclass
class BuyerCase:
    """One buyer of the file: its rows as they are kept, known or still to be saved.

    `part_completed`: the file said of the part what nobody had said before.
    `said`: what the file has said of the buyer so far, by column, with its row.
    `presented`: its acceptances in the stage from before, of which rows have `claimed` some as
    their own; `new`: those of the file. `finding`: that its class is false, in force.
    """

    buyer: Buyer
    participation: Participation
    part_completed: bool = False
    documents: list[Document] = field(default_factory=list)
    invoked: list[Document] = field(default_factory=list)
    presented: list[Acceptance] = field(default_factory=list)
    new: list[Acceptance] = field(default_factory=list)
    said: dict[str, tuple[Any, int]] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)
    finding: ClassFinding | None = None

    @property
    def is_known(self) -> bool:
        """Whether the register had the buyer before the file."""
        return self.buyer.pk is not None

    def part_known(self, name: str) -> bool:
        """Whether the register says something of its part; what it does not say, a file fills
        in."""
        part = self.participation
        return part.pk is not None and getattr(part, name) is not None

    def claim(self, same: Callable[[Acceptance], bool]) -> Acceptance | None:
        """The first acceptance from before that is the same, for one row alone."""
        for one in self.presented:
            if one.pk not in self.claimed and same(one):
                self.claimed.add(one.pk)
                return one
        return None

    def invoke(self, document: Document) -> None:
        """Note that the document is invoked in the programme, once."""
        if not any(document is one for one in self.invoked):
            self.invoked.append(document)


@dataclass
class Known:
    """The stage with its terms, the places, and the buyers by the key of their identity."""

    stage: Stage
    terms: Terms
    repealed: date | None
    brokers: dict[str, Broker]
    exchanges: dict[str, Exchange]
    cases: dict[Key, BuyerCase]


def key_of(identity: Identity) -> Key:
    """What a buyer is known by: the same number under another type is another person."""
    return (identity.type, identity.number)


def known_of(stage: Stage, identities: Iterable[Identity], *, hold: bool) -> Known:
    """All that is known of these identities in the stage's programme.

    `hold`: the caller, who holds the stage's row, will hold those of the buyers' parts too.
    """
    return Known(
        stage=stage,
        terms=stage_terms(stage),
        repealed=repealed_on(stage.programme.slug),
        brokers={broker.nit: broker for broker in Broker.objects.all()},
        exchanges={fold(exchange.name): exchange for exchange in Exchange.objects.all()},
        cases=_cases(stage, {key_of(identity) for identity in identities}, hold),
    )


def _cases(stage: Stage, keys: set[Key], hold: bool) -> dict[Key, BuyerCase]:
    numbers = {number for _, number in keys}
    # Under the identity of one that was merged stands the one that it was merged into.
    named = {
        (row.identity_type, row.identity_number): row.kept
        for row in Buyer.objects.filter(identity_number__in=numbers).select_related("merged_into")
    }
    buyers = {buyer.pk: buyer for key, buyer in named.items() if key in keys}
    parts = _parts(stage, buyers, hold)
    cases = {}
    for buyer in buyers.values():
        part = parts.get(buyer.pk) or Participation(programme=stage.programme, buyer=buyer)
        cases[buyer.pk] = BuyerCase(buyer, part)
    _add_documents(cases)
    _add_acceptances(stage, cases)
    _add_findings(cases)
    return {key: cases[buyer.pk] for key, buyer in named.items() if key in keys}


def _parts(stage: Stage, buyers: dict[int, Buyer], hold: bool) -> dict[int, Participation]:
    parts = Participation.objects.order_by("pk")
    if hold:
        parts = parts.select_for_update()
    found = {
        part.buyer_id: part for part in parts.filter(programme=stage.programme, buyer__in=buyers)
    }
    for part in found.values():
        part.buyer = buyers[part.buyer_id]
    return found


def _add_documents(cases: dict[int, BuyerCase]) -> None:
    current = Document.objects.filter(buyer__in=cases, replaced_at=None).order_by("pk")
    by_pk = {document.pk: document for document in current}
    for document in by_pk.values():
        cases[document.buyer_id].documents.append(document)
    parts = [case.participation.pk for case in cases.values() if case.participation.pk]
    uses = ParticipationDocument.objects.filter(participation__in=parts, document__in=by_pk)
    for document_id in uses.order_by("document").values_list("document", flat=True):
        document = by_pk[document_id]
        cases[document.buyer_id].invoke(document)


def _add_findings(cases: dict[int, BuyerCase]) -> None:
    by_part = {case.participation.pk: case for case in cases.values() if case.participation.pk}
    for finding in findings_in_force().filter(participation__in=by_part):
        by_part[finding.participation_id].finding = finding


def _add_acceptances(stage: Stage, cases: dict[int, BuyerCase]) -> None:
    by_part = defaultdict(list)
    parts = [case.participation.pk for case in cases.values() if case.participation.pk]
    for acceptance in Acceptance.objects.filter(participation__in=parts).order_by("pk"):
        by_part[acceptance.participation_id].append(acceptance)
    for case in cases.values():
        there = by_part.get(case.participation.pk, [])
        case.presented = [one for one in there if one.stage_id == stage.pk]
