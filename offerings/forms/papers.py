"""The paper fields of the acceptance form: which there are, and what they can say already."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.forms import BoundField

from buyers.enums import DocumentKind
from buyers.models import Document
from offerings.rules.documents import answers_to
from offerings.rules.terms import Base, DocumentTerm, Terms

FIGURE_LABELS = {
    Base.GROSS_EQUITY: "Patrimonio bruto",
    Base.NET_EQUITY: "Patrimonio líquido",
    Base.ANNUAL_INCOME: "Ingresos del año",
    Base.ANNUAL_REMUNERATION: "Remuneración anual",
    Base.STATUTORY_LIMIT: "Límite de sus normas",
}
NOT_TYPED = {DocumentKind.BROKER_ATTESTATION}


@dataclass(frozen=True)
class PaperGroup:
    """The fields of one document that the decree asks for, as a template lays them out."""

    term: DocumentTerm
    kind: BoundField | None
    year: BoundField | None
    figures: tuple[BoundField, ...]
    members: BoundField | None
    norm: BoundField | None
    reference: BoundField

    @property
    def condition(self) -> str:
        """For whom the decree asks it, in Spanish."""
        if self.term.executive:
            return "Solo de quien ocupa un cargo de nivel directivo."
        if self.term.files_tax_return is None:
            return ""
        return "Si declara renta." if self.term.files_tax_return else "Si no declara renta."


def paper_terms(terms: Terms) -> list[DocumentTerm]:
    """The documents that are typed in, in the order of their fields: paper0, paper1 …"""
    return [term for term in terms.documents.required if not NOT_TYPED.intersection(term.kinds)]


def papers_initial(terms: Terms, held: Iterable[Document]) -> dict[str, Any]:
    """What the form can say already of the papers that are held, each in its own fields."""
    initial: dict[str, Any] = {}
    for index, term in enumerate(paper_terms(terms)):
        for document in held:
            # One without a reference is proved by its file, and its figures are not typed again.
            if document.exchange_reference and answers_to(document.kind, document.label, term):
                initial |= _paper_initial(f"paper{index}", document, term)
    return initial


def _paper_initial(name: str, document: Document, term: DocumentTerm) -> dict[str, Any]:
    found = {
        f"{name}_kind": document.kind,
        f"{name}_year": document.year,
        f"{name}_members": document.members,
        f"{name}_norm": document.norm,
        f"{name}_reference": document.exchange_reference,
    }
    return found | {f"{name}_{base.value}": getattr(document, base.value) for base in term.figures}
