"""How the acceptances of one buyer in one stage stand: papers, limit, authorisation, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from offerings.rules.admission import Admission, AdmissionReason, Request, admission
from offerings.rules.documents import (
    Checklist,
    ChecklistFacts,
    HeldDocument,
    Requirement,
    Status,
    checklist,
)
from offerings.rules.holdings import Holding, HoldingFacts, holding
from offerings.rules.limits import FigureSource, LimitFacts, PurchaseLimit, purchase_limit
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import FactError, Ruling, Step, unique
from offerings.rules.terms import Base, Terms

INCOMPLETE_WORD = "incompleta"


class StandingCode(StrEnum):
    """What an acceptance counts as. Only `complete` and `cut` enter the adjudication."""

    COMPLETE = "complete"
    CUT = "cut"
    NOTHING_LEFT = "nothing_left"
    OVER_LIMIT = "over_limit"
    INCOMPLETE = "incomplete"
    NOT_COUNTED = "not_counted"


AFTER_LIMIT = {
    AdmissionReason.IN_FULL: StandingCode.COMPLETE,
    AdmissionReason.CUT: StandingCode.CUT,
    AdmissionReason.NOTHING_LEFT: StandingCode.NOTHING_LEFT,
    AdmissionReason.REJECTED: StandingCode.OVER_LIMIT,
    AdmissionReason.NOT_COUNTED: StandingCode.NOT_COUNTED,
}


@dataclass(frozen=True)
class BuyerPart:
    """A buyer's part in the programme. Holdings in shares; documents as they are held.

    last_year_filed: tax year of the latest return that it says to have filed. stage_opened: day
    on which stage 1 opened.
    """

    kind: BuyerKind
    buyer_class: BuyerClass
    files_tax_return: bool | None = None
    executive: bool = False
    last_year_filed: int | None = None
    present_holding: int = 0
    held_through_others: int = 0
    documents: tuple[HeldDocument, ...] = ()
    stage_opened: date | None = None


@dataclass(frozen=True)
class Presented:
    """One acceptance as it came. requested: shares.

    broker_attested_on: day of the broker's attestation. out: Spanish word for why it takes no
    part any more ("retirada", "rechazada"), or "". brought_by: the broker whose own people
    presented it, or "" where the Fund registered it. through_broker: whether it has a broker.
    """

    reference: str
    receipt: Receipt
    requested: int
    declarations: frozenset[DeclarationKind] = frozenset()
    broker_attested_on: date | None = None
    out: str = ""
    brought_by: str = ""
    through_broker: bool = True


@dataclass(frozen=True)
class Standing:
    """An acceptance after documents, limit and authorisation. Quantities in shares.

    limit: the buyer's limit in the stage; None where the article sets none, or where a figure is
    missing (then `missing` says which).
    """

    reference: str
    code: StandingCode
    admitted: int
    limit: int | None
    missing: tuple[Requirement, ...]
    ruling: Ruling[int]


@dataclass
class _Case:
    """What is known while the acceptances are gone through, by reference."""

    part: BuyerPart
    terms: Terms
    presented: Sequence[Presented]
    missing: dict[str, tuple[Requirement, ...]] = field(default_factory=dict)
    holdings: dict[str, Ruling[Holding]] = field(default_factory=dict)


def standings(
    part: BuyerPart, presented: Sequence[Presented], terms: Terms
) -> Ruling[tuple[Standing, ...]]:
    """How each acceptance of one buyer stands, in order of receipt.

    "Sólo se tendrán en cuenta las aceptaciones de compra que cumplan las condiciones
    establecidas en este Decreto" (Decreto 1118 de 1995, art. 9-1): what lacks a paper, a
    declaration or the authorisation of art. 16 is incomplete, takes nothing from the limit and
    does not enter; the rest share one limit in order of receipt.

    Raises NotCovered where our text has no rule for this buyer and the Fund has entered none.
    """
    case = _Case(part, terms, sorted(presented, key=lambda one: one.receipt.order))
    lists = {one.reference: _checklist(case, one) for one in case.presented}
    case.missing = {reference: found.missing for reference, found in lists.items()}
    limit = _limit(case, lists)
    lines = _admitted(case, limit)
    values = tuple(_standing(case, line, limit) for line in lines)
    steps = tuple(step for value in values for step in value.ruling.steps)
    return Ruling(values, steps)


def _checklist(case: _Case, one: Presented) -> Checklist:
    """The checklist; a paper kept by the exchange rests on this acceptance's attestation, and
    what one broker brought is no paper of what another presents.
    """
    documents = tuple(
        replace(held, attested_on=held.attested_on or one.broker_attested_on)
        for held in case.part.documents
        if not one.brought_by or held.brought_by in ("", one.brought_by)
    )
    part = case.part
    facts = ChecklistFacts(
        kind=part.kind,
        buyer_class=part.buyer_class,
        files_tax_return=part.files_tax_return,
        executive=part.executive,
        last_year_filed=part.last_year_filed,
        stage_opened=part.stage_opened,
        documents=documents,
        declarations=one.declarations,
        broker_attested_on=one.broker_attested_on,
        through_broker=one.through_broker,
    )
    try:
        return checklist(facts, case.terms).value
    except FactError as error:
        return Checklist((_gap(error),))


def _limit(case: _Case, lists: Mapping[str, Checklist]) -> Ruling[PurchaseLimit]:
    """The buyer's limit; a figure that is missing leaves every acceptance incomplete."""
    try:
        return purchase_limit(_limit_facts(case.part, lists), case.terms)
    except FactError as error:
        gap = _gap(error)
        for one in case.presented:
            if not _says(case.missing[one.reference], gap):
                case.missing[one.reference] += (gap,)
        return Ruling(PurchaseLimit(None), ())


def _says(missing: tuple[Requirement, ...], gap: Requirement) -> bool:
    """Whether what is missing already says so: the gap itself, or the paper of that figure."""
    if any(line.code == gap.code for line in missing):
        return True
    return any(line.status == Status.MISSING for line in missing) and gap.code in set(Base)


def _gap(error: FactError) -> Requirement:
    return Requirement(
        code=error.fact, label=error.message, cite="", status=Status.MISSING, why=error.message
    )


def _limit_facts(part: BuyerPart, lists: Mapping[str, Checklist]) -> LimitFacts:
    """The figures of the documents that count, each with its year and where the paper is."""
    counting = _counting(part, lists)
    figures: dict[Base, Decimal] = {}
    sources: dict[Base, FigureSource] = {}
    for document in counting:
        for base, amount in document.figures.items():
            figures[base] = amount
            sources[base] = FigureSource(document.year, _source(document))
    return LimitFacts(
        kind=part.kind,
        buyer_class=part.buyer_class,
        files_tax_return=part.files_tax_return,
        executive=part.executive,
        gross_equity=figures.get(Base.GROSS_EQUITY),
        net_equity=figures.get(Base.NET_EQUITY),
        annual_income=figures.get(Base.ANNUAL_INCOME),
        annual_remuneration=figures.get(Base.ANNUAL_REMUNERATION),
        statutory_limit=figures.get(Base.STATUTORY_LIMIT),
        no_statutory_limit=any(
            document.kind == DocumentKind.NO_STATUTORY_LIMIT for document in counting
        ),
        held_through_others=part.held_through_others,
        members=_members(part.documents),
        sources=sources,
    )


def _counting(part: BuyerPart, lists: Mapping[str, Checklist]) -> tuple[HeldDocument, ...]:
    """The documents that some checklist rests on; the figures of the others prove nothing yet."""
    named = {
        line.reference
        for found in lists.values()
        for line in found.requirements
        if line.status == Status.COMPLETE and line.reference
    }
    return tuple(document for document in part.documents if document.reference in named)


def _source(document: HeldDocument) -> str:
    where = document.exchange_reference
    return f"{document.kind.label.lower()}, {where}" if where else document.kind.label.lower()


def _members(documents: Sequence[HeldDocument]) -> int | None:
    return next((held.members for held in documents if held.members is not None), None)


def _admitted(case: _Case, limit: Ruling[PurchaseLimit]) -> tuple[Admission, ...]:
    """Admission, done again each time that an acceptance turns out to need authorisation."""
    while True:
        lines = admission(_requests(case), limit.value, case.terms).value
        if not _authorisation_missing(case, lines):
            return lines


def _requests(case: _Case) -> list[Request]:
    return [
        Request(
            one.reference,
            one.receipt,
            one.requested,
            one.out or (INCOMPLETE_WORD if case.missing[one.reference] else ""),
        )
        for one in case.presented
    ]


def _authorisation_missing(case: _Case, lines: Sequence[Admission]) -> bool:
    """Mark the first acceptance that reaches the share of art. 16 without authorisation."""
    taken = 0
    for line in lines:
        taken += line.admitted
        if not line.admitted:
            continue
        found = holding(_holding_facts(case.part, taken), case.terms)
        case.holdings[line.reference] = found
        if not found.value.complete:
            case.missing[line.reference] += (_authorisation(found),)
            return True
    return False


def _holding_facts(part: BuyerPart, asked: int) -> HoldingFacts:
    authorised = any(
        document.kind == DocumentKind.SUPERINTENDENCY_AUTHORISATION and bool(document.looked_at_by)
        for document in part.documents
    )
    return HoldingFacts(part.present_holding, asked, authorised)


def _authorisation(found: Ruling[Holding]) -> Requirement:
    return Requirement(
        code=DocumentKind.SUPERINTENDENCY_AUTHORISATION.value,
        label=DocumentKind.SUPERINTENDENCY_AUTHORISATION.label,
        cite=found.steps[-1].cite,
        status=Status.MISSING,
        why=found.conclusion,
    )


def _standing(case: _Case, line: Admission, limit: Ruling[PurchaseLimit]) -> Standing:
    one = next(each for each in case.presented if each.reference == line.reference)
    missing = () if one.out else case.missing[line.reference]
    code = StandingCode.INCOMPLETE if missing else AFTER_LIMIT[line.reason]
    steps = (*limit.steps, *_holding_steps(case, line), *line.steps)
    conclusion = " ".join(gap.why for gap in missing) if missing else line.conclusion
    ruling = Ruling(line.admitted, steps, unique(limit.readings), conclusion)
    return Standing(line.reference, code, line.admitted, limit.value.shares, missing, ruling)


def _holding_steps(case: _Case, line: Admission) -> tuple[Step, ...]:
    """Shown where the authorisation was needed; elsewhere they would only be noise."""
    found = case.holdings.get(line.reference)
    return found.steps if found and found.value.needs_authorisation else ()
