"""From rows to the plain facts that the rules read."""

from collections.abc import Iterable

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from buyers.models import Document
from offerings.enums import AcceptanceState
from offerings.models import Acceptance, Participation, Stage
from offerings.rules.documents import HeldDocument
from offerings.rules.receipt import Receipt
from offerings.rules.standings import BuyerPart, Presented
from offerings.rules.terms import Base
from offerings.rules.window import ReceiptFacts
from office.dates import bogota_day
from office.workdays import next_working_day

FIGURES = tuple(base for base in Base if base != Base.SHARE_CAP)
OUT_WORDS = {
    AcceptanceState.PRESENTED: "",
    AcceptanceState.REJECTED: "rechazada",
    AcceptanceState.WITHDRAWN: "retirada",
}


def document_facts(document: Document) -> HeldDocument:
    """A document with its figures in pesos, and where and by whom it was looked at."""
    figures = {base: getattr(document, base.value) for base in FIGURES}
    return HeldDocument(
        reference=str(document.pk),
        kind=DocumentKind(document.kind),
        year=document.year,
        figures={base: amount for base, amount in figures.items() if amount is not None},
        members=document.members,
        has_file=document.file_id is not None,
        exchange_reference=document.exchange_reference,
        looked_at_by=str(document.seen_by_id),
        looked_at_on=bogota_day(document.seen_at),
        label=document.label,
        norm=document.norm,
        brought_by=str(document.presented_by_id or ""),
    )


def buyer_facts(
    participation: Participation, documents: Iterable[Document], stage: Stage
) -> BuyerPart:
    """A buyer's part in the programme. `documents`: those invoked there, none replaced."""
    return BuyerPart(
        kind=BuyerKind(participation.buyer.kind),
        buyer_class=BuyerClass(participation.buyer_class),
        files_tax_return=participation.files_tax_return,
        executive=participation.is_executive,
        last_year_filed=participation.last_year_filed,
        present_holding=participation.present_holding,
        held_through_others=participation.held_through_others,
        documents=tuple(document_facts(document) for document in documents),
        stage_opened=stage.opened_at and bogota_day(stage.opened_at),
    )


def acceptance_facts(acceptance: Acceptance, *, brokers_brought: bool) -> Presented:
    """One acceptance as it came, named by its code. `brokers_brought`: whether a broker brought
    any of its buyer's papers; without one, who registered it makes no difference."""
    return Presented(
        reference=acceptance.code,
        receipt=Receipt(acceptance.received_at, acceptance.serial),
        requested=acceptance.requested,
        declarations=frozenset(DeclarationKind(kind) for kind in acceptance.declarations),
        broker_attested_on=acceptance.attested_on,
        out=OUT_WORDS[AcceptanceState(acceptance.state)],
        brought_by=_brought_by(acceptance) if brokers_brought else "",
        through_broker=acceptance.broker_id is not None,
    )


def _brought_by(acceptance: Acceptance) -> str:
    own = hasattr(acceptance.registered_by, "broker_user")
    return str(acceptance.broker_id) if own else ""


def receipt_facts(acceptance: Acceptance, stage: Stage, repealed) -> ReceiptFacts:
    """When an acceptance came, against the acts that open and close its stage."""
    return ReceiptFacts(
        received=bogota_day(acceptance.received_at),
        opened=bogota_day(stage.opened_at),
        closed=stage.closed_at and bogota_day(stage.closed_at),
        next_working_day=next_working_day,
        repealed=repealed,
        valid_days=acceptance.valid_days,
    )
