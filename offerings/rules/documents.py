"""The checklist: which documents and declarations a decree asks of a buyer, and what is there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from offerings.rules.intermediaries import intermediaries_required
from offerings.rules.ruling import FactError, NotCovered, Ruling, Step
from offerings.rules.terms import Base, DeclarationTerm, DocumentTerm, Scope, Terms

BASE_NAMES = {
    Base.GROSS_EQUITY: "el patrimonio bruto",
    Base.NET_EQUITY: "el patrimonio líquido",
    Base.ANNUAL_INCOME: "los ingresos anuales",
    Base.ANNUAL_REMUNERATION: "la remuneración anual",
    Base.STATUTORY_LIMIT: "el límite legal",
}


YEARLY = frozenset(
    {DocumentKind.TAX_RETURN, DocumentKind.INCOME_CERTIFICATE, DocumentKind.INCOME_DECLARATION}
)


class Status(StrEnum):
    """How a requirement stands; what is missing and what is only begun both keep it out."""

    COMPLETE = "complete"
    IN_PROGRESS = "in_progress"
    MISSING = "missing"


STATUS_LABELS = {
    Status.COMPLETE: "Completa",
    Status.IN_PROGRESS: "En curso",
    Status.MISSING: "Sin empezar",
}


@dataclass(frozen=True)
class HeldDocument:
    """A document of the buyer.

    year: the tax or calendar year that it is of. figures: pesos by base. Proved by its stored
    file, or by its reference at the exchange with the broker's attestation; either way by who
    looked at it and when. label: only for DocumentKind.OTHER, the Fund's own words. norm: only for
    a declaration that the law sets no limit, the norm that it cites. brought_by: the broker that
    brought it, or "" where the Fund took it in.
    """

    reference: str
    kind: DocumentKind
    year: int | None = None
    figures: Mapping[Base, Decimal] = field(default_factory=dict)
    members: int | None = None
    has_file: bool = False
    exchange_reference: str = ""
    attested_on: date | None = None
    looked_at_by: str = ""
    looked_at_on: date | None = None
    label: str = ""
    norm: str = ""
    brought_by: str = ""


@dataclass(frozen=True)
class ChecklistFacts:
    """The buyer's part in the programme and what is held of it.

    last_year_filed: tax year of the latest return that it has filed, held or not; None = not
    said. stage_opened: day on which stage 1 opened, for decrees that count from it.
    declarations: made in writing. broker_attested_on: the broker's attestation on the limits.
    through_broker: whether there is a broker to attest.
    """

    kind: BuyerKind
    buyer_class: BuyerClass
    files_tax_return: bool | None = None
    executive: bool = False
    last_year_filed: int | None = None
    stage_opened: date | None = None
    documents: tuple[HeldDocument, ...] = ()
    declarations: frozenset[DeclarationKind] = frozenset()
    broker_attested_on: date | None = None
    through_broker: bool = True


@dataclass(frozen=True)
class Requirement:
    """One line of the checklist. reference: the document that counts for it, or "".

    why: Spanish, what is missing, or "" when complete. code: a document or declaration kind.
    """

    code: str
    label: str
    cite: str
    status: Status
    why: str
    reference: str = ""
    note: str = ""


@dataclass(frozen=True)
class Checklist:
    """Every requirement, documents first, in the decree's order."""

    requirements: tuple[Requirement, ...]

    @property
    def complete(self) -> bool:
        """Whether the acceptance may enter the adjudication, as far as papers go."""
        return all(line.status == Status.COMPLETE for line in self.requirements)

    @property
    def missing(self) -> tuple[Requirement, ...]:
        """What keeps it incomplete."""
        return tuple(line for line in self.requirements if line.status != Status.COMPLETE)


def checklist(facts: ChecklistFacts, terms: Terms) -> Ruling[Checklist]:
    """Which documents and declarations are asked of this buyer, and which of them are there.

    "Sólo se tendrán en cuenta las aceptaciones de compra que cumplan las condiciones
    establecidas en este Decreto y en los reglamentos que se expidan al mismo" (Decreto 1118 de
    1995, art. 9-1). Of the tax years that a decree lists, the last one filed counts: "al año
    gravable de 1993 o al de [1994], si ya presentó esta última" (art. 6-1).

    Raises NotCovered where our text does not list what this buyer must bring.
    """
    _check_covered(facts, terms)
    documents = [
        _document_line(term, facts)
        for term in terms.documents.required
        if _asked(term, facts, terms)
    ]
    declarations = [_declaration_line(term, facts) for term in terms.documents.declarations]
    value = Checklist((*documents, *declarations))
    steps = tuple(
        Step(
            line.label,
            line.why or STATUS_LABELS[line.status],
            STATUS_LABELS[line.status],
            "",
            line.cite,
        )
        for line in value.requirements
    )
    return Ruling(value, steps)


def _check_covered(facts: ChecklistFacts, terms: Terms) -> None:
    if any(_covers(scope, facts) for scope in terms.documents.scopes):
        return
    raise NotCovered(
        rule="checklist",
        programme=terms.slug,
        missing=("organisation_documents",),
        message=(
            f"Documentos de {terms.name.value}: el texto que tenemos no dice qué trae una "
            "organización. El Fondo debe ingresarlo, con su fuente, en el reglamento del Fondo."
        ),
    )


def _covers(scope: Scope, facts: ChecklistFacts) -> bool:
    return scope.covers(facts.kind, facts.buyer_class)


def _asked(term: DocumentTerm, facts: ChecklistFacts, terms: Terms) -> bool:
    if _nobody_attests(term, facts, terms):
        return False
    if term.kind is not None and term.kind != facts.kind:
        return False
    if term.executive is not None and term.executive != facts.executive:
        return False
    if term.files_tax_return is None:
        return True
    if facts.files_tax_return is None:
        raise FactError("files_tax_return", "Diga si está obligada a declarar renta.")
    return term.files_tax_return == facts.files_tax_return


def _nobody_attests(term: DocumentTerm, facts: ChecklistFacts, terms: Terms) -> bool:
    """Whether it is the attestation of a broker that there need not be, and is not."""
    if facts.through_broker or term.kinds != (DocumentKind.BROKER_ATTESTATION,):
        return False
    return not intermediaries_required(terms).value


def _document_line(term: DocumentTerm, facts: ChecklistFacts) -> Requirement:
    if term.kinds == (DocumentKind.BROKER_ATTESTATION,) and facts.broker_attested_on is not None:
        return _document(term, Status.COMPLETE, "")
    held = [one for one in facts.documents if answers_to(one.kind, one.label, term)]
    if not held:
        return _document(term, Status.MISSING, _absent(term, facts))
    tried = [(document, _fault(document, term, facts)) for document in held]
    best, fault = next(((held_, why) for held_, why in tried if not why), tried[0])
    status = Status.IN_PROGRESS if fault else Status.COMPLETE
    return _document(term, status, fault, best.reference)


def _document(term: DocumentTerm, status: Status, why: str, reference: str = "") -> Requirement:
    return Requirement(
        code=term.kinds[0].value,
        label=term.label,
        cite=term.cite,
        status=status,
        why=why,
        reference=reference,
        note=term.note,
    )


def answers_to(kind: str, label: str, term: DocumentTerm) -> bool:
    """Whether a paper of that kind is one that `term` asks for.

    Those that the Fund adds go by their name, whatever its capitals and blanks.
    """
    if kind not in term.kinds:
        return False
    return kind != DocumentKind.OTHER or same_name(label, term.label)


def same_name(one: str, other: str) -> bool:
    """Whether two names of papers are one, capitals and blanks aside."""
    return one.casefold().split() == other.casefold().split()


def _absent(term: DocumentTerm, facts: ChecklistFacts) -> str:
    year = counting_year(term, facts)
    if year is None:
        return f"Falta «{term.label}»."
    named = f"Falta «{term.label}», del año {year}"
    if facts.last_year_filed is None and term.years[1:]:
        return f"{named}, o del año {term.years[-1]} si ya la presentó."
    return f"{named}."


def _fault(document: HeldDocument, term: DocumentTerm, facts: ChecklistFacts) -> str:
    """What is wrong with a document, in Spanish; "" when nothing is."""
    year = counting_year(term, facts)
    if year is not None and document.year != year:
        return f"Debe ser del año {year}; la que consta es de {document.year or 'año sin anotar'}."
    return _unstated(document, term) or _unproved(document)


def _unstated(document: HeldDocument, term: DocumentTerm) -> str:
    """What the document should state and nobody has noted."""
    if document.kind == DocumentKind.NO_STATUTORY_LIMIT:
        return "" if document.norm else "Falta la norma que no le fija límite."
    for base in term.figures:
        if base not in document.figures:
            return f"Falta anotar {BASE_NAMES[base]} que dice el documento."
    if term.members and document.members is None:
        return "Falta anotar el número de afiliados que dice el documento."
    return ""


def _unproved(document: HeldDocument) -> str:
    at_exchange = bool(document.exchange_reference) and document.attested_on is not None
    if not document.has_file and not at_exchange:
        return "Falta el archivo, o la referencia en la bolsa con la constancia del comisionista."
    if not document.looked_at_by or document.looked_at_on is None:
        return "Falta que alguien lo revise."
    return ""


def counting_year(term: DocumentTerm, facts: ChecklistFacts) -> int | None:
    """The year that a document must be of; None where the decree takes any.

    Of several listed years, the last one that the buyer has filed: as it says, or as the
    returns that are held show. Where the decree lists none and takes "la última declaración de
    renta" (1994, numeral 1) or "el último certificado" (1995, art. 6-2), the last one.
    """
    if term.year_before_stage:
        if facts.stage_opened is None:
            raise FactError("stage_opened", "Falta la fecha en que se abrió la etapa.")
        return facts.stage_opened.year - 1
    if not term.years:
        return _last_year(term, facts)
    held = [document.year for document in facts.documents if document.kind in term.kinds]
    filed = [year for year in (facts.last_year_filed, *held) if year is not None]
    reached = [year for year in term.years if filed and year <= max(filed)]
    return reached[-1] if reached else term.years[0]


def _last_year(term: DocumentTerm, facts: ChecklistFacts) -> int | None:
    """The year of the last paper of its kind, of those that are of a year."""
    yearly = YEARLY.intersection(term.kinds)
    years = [one.year for one in facts.documents if one.kind in yearly and one.year is not None]
    if DocumentKind.TAX_RETURN in yearly and facts.last_year_filed is not None:
        years.append(facts.last_year_filed)
    return max(years, default=None)


def _declaration_line(term: DeclarationTerm, facts: ChecklistFacts) -> Requirement:
    made = not term.express or term.kind in facts.declarations
    note = "" if term.express else "Se entiende por el hecho de presentar la aceptación."
    return Requirement(
        code=term.kind.value,
        label=term.kind.label,
        cite=term.cite,
        status=Status.COMPLETE if made else Status.MISSING,
        why="" if made else "Falta la declaración expresa, por escrito.",
        note=note,
    )
