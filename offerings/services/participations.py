"""A buyer's part in a programme and the papers that it invokes there.

What is given anew must agree with what is known: a difference is refused and named, never
overwritten in passing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from buyers.enums import BuyerClass, DocumentKind, kind_of
from buyers.models import YEARLY_KINDS, Broker, Buyer, Document, Exchange
from buyers.services import differs_from_register, document_add
from buyers.services.stated import stated_words
from offerings.models import ClassFinding, Participation, ParticipationDocument, Programme
from offerings.rules.classes import class_admitted
from offerings.rules.documents import same_name
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Base, Terms
from offerings.selectors.class_findings import findings_in_force
from offerings.selectors.on_file import documents_on_file
from office.dates import bogota_day, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.text import fold


@dataclass(frozen=True)
class PartGiven:
    """What an acceptance says of its buyer's part in the programme. Holdings in shares."""

    buyer_class: BuyerClass
    is_executive: bool = False
    files_tax_return: bool | None = None
    last_year_filed: int | None = None
    present_holding: int = 0
    held_through_others: int = 0


@dataclass(frozen=True)
class PaperGiven:
    """A paper that comes with an acceptance: figures in pesos by base, and the reference under
    which `exchange` keeps it."""

    kind: DocumentKind
    exchange: Exchange
    exchange_reference: str
    year: int | None = None
    label: str = ""
    figures: Mapping[Base, Decimal] = field(default_factory=dict)
    members: int | None = None
    issued_on: date | None = None
    norm: str = ""


PART_LABELS = {
    "buyer_class": "la clase",
    "is_executive": "el cargo de nivel directivo",
    "files_tax_return": "la obligación de declarar renta",
    "last_year_filed": "el último año gravable declarado",
    "present_holding": "las acciones que ya tiene",
    "held_through_others": "las acciones por interpuesta persona",
}


def class_check(buyer: Buyer, buyer_class: BuyerClass, terms: Terms) -> None:
    """Refuse a class that is not of the buyer's kind, or that the decree does not list."""
    if kind_of(buyer_class).value != buyer.kind:
        raise Refused(
            f"{buyer_class.label}: esa clase no es de una {_kind_words(buyer)}. Elija otra.",
            "buyer_class",
        )
    try:
        admitted = class_admitted(buyer_class, terms)
    except NotCovered as gap:
        raise Refused(gap.message, "buyer_class") from gap
    if not admitted.value:
        raise Refused(
            f"{buyer_class.label}: no es destinataria de las condiciones especiales "
            f"({admitted.steps[-1].cite}).",
            "buyer_class",
        )


def class_check_true(participation: Participation) -> None:
    """Refuse a part whose class was found to be false, until that is lifted."""
    finding = findings_in_force().filter(participation=participation).first()
    if finding is not None:
        raise false_class_refused(finding)


def false_class_refused(finding: ClassFinding) -> Refused:
    """That whoever claimed a class that it does not have presents nothing more under it."""
    return Refused(
        f"Consta desde el {write_date(bogota_day(finding.found_at))} que la clase de este "
        "comprador es falsa: no presenta aceptaciones en el programa. Si fue un error, un "
        "supervisor levanta la constancia.",
        "buyer_class",
    )


def _kind_words(buyer: Buyer) -> str:
    return "persona natural" if buyer.is_natural else "organización"


def participation_attach(
    *,
    programme: Programme,
    buyer: Buyer,
    part: PartGiven,
    terms: Terms,
    user: User,
    broker: Broker | None = None,
) -> Participation:
    """The buyer's part in the programme: made now, or the known one if it says the same.

    Where it has no acceptance yet, the known part takes what is given now; later on, what nobody
    had said before completes it. A `broker` that has presented nothing of it is not told what it
    says, and has to say the same.
    """
    class_check(buyer, part.buyer_class, terms)
    known = Participation.objects.filter(programme=programme, buyer=buyer).first()
    if known is not None:
        class_check_true(known)
    if known is None:
        known = Participation(programme=programme, buyer=buyer)
    elif known.acceptances.exists():
        _part_check(known, part, broker)
        _part_complete(known, part, user)
        return known
    for name in PART_LABELS:
        setattr(known, name, getattr(part, name))
    known.full_clean()
    known.save()
    return known


def _part_check(known: Participation, part: PartGiven, broker: Broker | None) -> None:
    """Refuse a part that differs from the known one, and say in what to those who may know."""
    if broker is not None and not known.acceptances.filter(broker=broker).exists():
        if not all(getattr(known, name) in (None, getattr(part, name)) for name in PART_LABELS):
            raise differs_from_register()
        return
    for name in PART_LABELS:
        fault = part_difference(known, name, getattr(part, name))
        if fault is not None:
            raise fault


def _part_complete(known: Participation, part: PartGiven, user: User) -> None:
    said = [name for name in PART_LABELS if part_completes(known, name, getattr(part, name))]
    if not said:
        return
    for name in said:
        setattr(known, name, getattr(part, name))
    known.full_clean()
    known.save()
    told = "; ".join(f"{PART_LABELS[name]}, {_shown(name, getattr(part, name))}" for name in said)
    decision_record(
        act="participation_complete",
        sentence=f"Completó lo que se sabía del comprador en {known.programme}: {told}.",
        actor=user,
        subject=known,
    )


def part_completes(known: Participation, name: str, given: Any) -> bool:
    """Whether what is given under `name` was not known before."""
    return getattr(known, name) is None and given is not None


def part_difference(known: Participation, name: str, given: Any) -> Refused | None:
    """What is wrong where the known part says something else under `name` than what is given.

    Where either says nothing there is no contradiction.
    """
    before = getattr(known, name)
    if before == given or before is None or given is None:
        return None
    return Refused(
        f"En este programa ya consta {PART_LABELS[name]} del comprador: {_shown(name, before)}; "
        f"ahora dice {_shown(name, given)}. Corrija el dato, o corrija primero el registro del "
        "comprador.",
        name,
    )


def _shown(name: str, value: Any) -> str:
    if name == "buyer_class":
        return f"«{BuyerClass(value).label}»"
    if value is None:
        return "«sin dato»"
    if isinstance(value, bool):
        return "«sí»" if value else "«no»"
    return f"«{value}»" if name == "last_year_filed" else f"«{write_quantity(value)}»"


def papers_attach(
    *, participation: Participation, papers: Iterable[PaperGiven], user: User
) -> None:
    """Add each paper to the buyer, unless `user` knows the same, and invoke it in the
    programme."""
    current = Document.objects.visible_to(user).filter(
        buyer=participation.buyer_id, replaced_at=None
    )
    for paper in papers:
        known = document_known(current.all(), paper)
        if known is None:
            known = document_add(
                buyer=participation.buyer,
                kind=paper.kind,
                year=paper.year,
                label=paper.label,
                members=paper.members,
                issued_on=paper.issued_on,
                norm=paper.norm,
                exchange=paper.exchange,
                exchange_reference=paper.exchange_reference,
                user=user,
                figures={base.value: amount for base, amount in paper.figures.items()},
            )
        ParticipationDocument.objects.get_or_create(participation=participation, document=known)


def on_file_attach(*, participation: Participation, terms: Terms, user: User) -> None:
    """Invoke the buyer's papers that are proved by their file, of those that the decree asks
    for: no exchange keeps them whose references would name them."""
    for document in documents_on_file(participation.buyer, terms, user):
        ParticipationDocument.objects.get_or_create(participation=participation, document=document)


def document_known(documents: Iterable[Document], paper: PaperGiven) -> Document | None:
    """The document that the paper repeats, if any; refuses one that contradicts it."""
    document = next((one for one in documents if same_paper(one, paper)), None)
    if document is not None:
        for fault in paper_differences(document, paper):
            raise fault
    return document


def same_paper(document: Document, paper: PaperGiven) -> bool:
    """Whether both are one paper: of a yearly kind one a year, of the others one a reference."""
    if not same_kind(document, paper):
        return False
    if paper.kind in YEARLY_KINDS:
        return document.year == paper.year
    return document.exchange_reference == paper.exchange_reference


def same_kind(document: Document, paper: PaperGiven) -> bool:
    """Whether both prove the same; what the Fund adds goes by its name."""
    if document.kind != paper.kind:
        return False
    return paper.kind != DocumentKind.OTHER or same_name(document.label, paper.label)


def paper_differences(document: Document, paper: PaperGiven) -> Iterator[Refused]:
    """Each figure of the paper that the known document states otherwise, or not at all."""
    given: dict[str, Any] = {base.value: amount for base, amount in paper.figures.items()}
    if paper.members is not None:
        given["members"] = paper.members
    if paper.norm:
        given["norm"] = paper.norm
    for name, value in given.items():
        before = getattr(document, name)
        if before == value or (name == "norm" and fold(before) == fold(value)):
            continue
        label = document._meta.get_field(name).verbose_name
        stated = f"con {label} {stated_words(name, before)}" if before else f"sin {label}"
        yield Refused(
            f"«{document}» ya consta {stated}; ahora dice {stated_words(name, value)}. Corrija "
            "el dato, o reemplace el documento en la página del comprador.",
            name,
        )
