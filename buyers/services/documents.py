"""A buyer's papers: the figures read from them, and their file or their place at the exchange."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from buyers.enums import DocumentKind
from buyers.models import YEARLY_KINDS, Broker, Buyer, Document, Exchange
from buyers.services.presenting import differs_from_register, presenting_broker
from buyers.services.register import buyer_held
from buyers.services.stated import STATED
from buyers.services.typed import read_text
from buyers.services.uploads import upload_read
from office.dates import bogota_day, write_date
from office.decisions import decision_record, subject_kind
from office.files import file_store
from office.models import Decision, User
from office.refusals import Refused

ADD_ACT, REPLACE_ACT = "document_add", "document_replace"
# Who stands on documents further up (old, new, who) hears here, in the same transaction, that one
# took another's place: buyers knows nobody above it.
FOLLOWERS: list[Callable[[Document, Document, User], None]] = []
FIRST_YEAR = 1900
REFERENCE_LENGTH = Document._meta.get_field("exchange_reference").max_length
NORM_LENGTH = Document._meta.get_field("norm").max_length
MOST_MEMBERS = 2_147_483_647  # what its column holds

_EQUITY_AND_INCOME = ("gross_equity", "net_equity", "annual_income")
# The figures that a paper of each kind proves; the others are refused, not dropped.
FIGURES_OF: dict[str, tuple[str, ...]] = {
    DocumentKind.TAX_RETURN: _EQUITY_AND_INCOME,
    DocumentKind.INCOME_CERTIFICATE: ("annual_income",),
    DocumentKind.INCOME_DECLARATION: ("annual_income",),
    DocumentKind.REMUNERATION_CERTIFICATE: ("annual_remuneration",),
    DocumentKind.CERTIFIED_STATEMENTS: _EQUITY_AND_INCOME,
    DocumentKind.STATUTORY_LIMIT_PROOF: ("statutory_limit",),
    DocumentKind.MEMBERS_CERTIFICATE: ("members",),
}


class DocumentExists(Refused):
    """The buyer has a current document of that kind and year: `document`."""

    def __init__(self, document: Document) -> None:
        super().__init__(
            f"Ya hay un documento de ese tipo y año ({document}): reemplácelo.", "year"
        )
        self.document = document


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What a person reads off a paper, or its reference at the exchange that keeps it."""

    kind: str
    label: str = ""
    year: int | None = None
    issued_on: date | None = None
    figures: Mapping[str, Decimal] = field(default_factory=dict)  # pesos, by column
    members: int | None = None
    norm: str = ""
    exchange: Exchange | None = None
    exchange_reference: str = ""


def document_add(
    *,
    user: User,
    buyer: Buyer,
    file: File | None = None,
    submission_key: UUID | None = None,
    **paper: Any,
) -> Document:
    """Take in a buyer's paper, seen by `user` now; `paper` is what Paper names.

    It is proved by its `file`, or by `exchange` and `exchange_reference`. The same form sent
    twice (`submission_key`) gives the document of its first sending; a second one of a yearly
    kind and year raises DocumentExists. A broker's person brings it for its own broker.
    """
    broker = presenting_broker(user)
    with transaction.atomic():
        buyer_held(buyer.pk)
        _check_sees(user, buyer)
        sent = _sent(ADD_ACT, submission_key)
        if sent is not None:
            return sent
        document = document_draft(user=user, buyer=buyer, has_file=file is not None, **paper)
        document.presented_by = broker
        _check_only_one(document)
        _save(document, file, user)
        decision_record(
            act=ADD_ACT,
            sentence=f"Registró el documento «{document}».",
            actor=user,
            subject=document,
            data=_key_data(submission_key),
        )
    return document


def document_replace(
    *,
    user: User,
    document_id: int,
    reason: str,
    file: File | None = None,
    submission_key: UUID | None = None,
    **paper: Any,
) -> Document:
    """Put another paper in the place of a current one, which stays in the history as replaced.

    `paper` is what Paper names. Returns the new document. Where staff replace it, so is the same
    paper that another broker brought; a broker replaces what it brought itself.
    """
    broker = presenting_broker(user)
    reason = read_text(reason, "reason", limit=1000)
    with transaction.atomic():
        old = Document.objects.select_related("buyer").get(pk=document_id)
        _check_brought(broker, old)
        buyer_held(old.buyer_id)
        sent = _sent(REPLACE_ACT, submission_key)
        if sent is not None:
            return sent
        old = Document.objects.select_for_update().get(pk=document_id)
        if old.replaced_at is not None:
            raise Refused("Este documento ya fue reemplazado: reemplace el vigente.")
        if not reason:
            raise Refused("Escriba por qué se reemplaza: queda en la historia.", "reason")
        new = document_draft(user=user, buyer=old.buyer, has_file=file is not None, **paper)
        new.presented_by = broker
        if new.kind != old.kind:
            raise Refused("El nuevo documento debe ser del mismo tipo.", "kind")
        gone = [old, *(_twins(old) if broker is None else ())]
        for one in gone:
            one.replaced_at = max(timezone.now(), one.seen_at)
            one.save(update_fields=["replaced_at"])
        _check_only_one(new)
        _save(new, file, user)
        decision_record(
            act=REPLACE_ACT,
            sentence=f"Reemplazó el documento «{old}» por «{new}».",
            actor=user,
            subject=new,
            reason=reason,
            data={"replaced": old.pk, **_key_data(submission_key)},
        )
        for follow, one in product(FOLLOWERS, gone):
            follow(one, new, user)
    return new


def document_draft(*, user: User, buyer: Buyer, has_file: bool = False, **paper: Any) -> Document:
    """A document that is read and checked but not saved: a file of many saves them at once."""
    said = Paper(**paper)
    if said.kind not in {member.value for member in DocumentKind}:
        raise Refused("Elija el tipo de documento.", "kind")
    if said.kind == DocumentKind.OTHER and not said.label.strip():
        raise Refused("Escriba cómo se llama: como lo llama el reglamento del Fondo.", "label")
    _check_dates(said)
    _check_figures(said)
    norm = read_text(said.norm, "norm", limit=NORM_LENGTH)
    _check_norm(said.kind, norm)
    reference = read_text(said.exchange_reference, "exchange_reference", limit=REFERENCE_LENGTH)
    _check_proof(said.exchange, reference, has_file)
    return Document(
        buyer=buyer,
        seen_by=user,
        kind=said.kind,
        label=read_text(said.label, "label"),
        year=said.year,
        issued_on=said.issued_on,
        members=said.members,
        norm=norm,
        exchange=said.exchange,
        exchange_reference=reference,
        **said.figures,
    )


def _check_dates(paper: Paper) -> None:
    today = bogota_day(timezone.now())
    if paper.year is None and paper.kind in YEARLY_KINDS:
        raise Refused("Escriba el año gravable, por ejemplo 1994.", "year")
    if paper.year is not None and not FIRST_YEAR <= paper.year <= today.year:
        raise Refused(
            f"El año debe estar entre {FIRST_YEAR} y {today.year}, por ejemplo 1994.", "year"
        )
    if paper.issued_on is not None and paper.issued_on > today:
        raise Refused(
            f"{write_date(paper.issued_on)} está en el futuro: escriba la fecha del documento.",
            "issued_on",
        )


def _check_figures(paper: Paper) -> None:
    proved = FIGURES_OF.get(paper.kind, ())
    given = {**paper.figures, "members": paper.members}
    given = {name: value for name, value in given.items() if value is not None}
    for name, value in given.items():
        if name not in proved:
            raise Refused("Un documento de este tipo no prueba este dato: déjelo en blanco.", name)
        if value < 0:
            raise Refused("No puede ser negativo.", name)
    if proved and not given:
        raise Refused("Escriba la cifra que prueba este documento.", proved[0])
    if paper.members is not None and paper.members > MOST_MEMBERS:
        raise Refused("Es demasiado grande: revise el número de afiliados.", "members")


def _check_norm(kind: str, norm: str) -> None:
    if kind == DocumentKind.NO_STATUTORY_LIMIT and not norm:
        raise Refused(
            "Escriba la norma por la que la ley no le fija límite, con su artículo.", "norm"
        )
    if kind != DocumentKind.NO_STATUTORY_LIMIT and norm:
        raise Refused("Un documento de este tipo no cita esa norma: déjela en blanco.", "norm")


def _check_proof(exchange: Exchange | None, reference: str, has_file: bool) -> None:
    if exchange is None and reference:
        raise Refused("Elija la bolsa que conserva el documento.", "exchange")
    if exchange is not None and not reference:
        raise Refused("Escriba la referencia del documento en la bolsa.", "exchange_reference")
    if exchange is None and not has_file:
        raise Refused(
            "Adjunte el archivo, o diga qué bolsa conserva el documento y su referencia "
            "(art. 14).",
            "file",
        )


def _check_only_one(document: Document) -> None:
    """Refuse a second current paper of a yearly kind and year. A broker may bring the one that
    another brought already, if it says the same; it is not told what that one says."""
    for there in _twins(document):
        if document.presented_by_id in (None, there.presented_by_id):
            raise DocumentExists(there)
    if document.presented_by_id is None:
        return
    others = _current_like(document).exclude(presented_by=document.presented_by_id)
    if not all(says_the_same(document, other) for other in others):
        raise differs_from_register()


def _current_like(document: Document) -> QuerySet[Document]:
    """The other current papers of the same buyer, kind and year."""
    return Document.objects.filter(
        buyer=document.buyer, kind=document.kind, year=document.year, replaced_at=None
    ).exclude(pk=document.pk)


def _twins(document: Document) -> QuerySet[Document]:
    """Those of a yearly kind: they are the same paper, which several brought."""
    found = _current_like(document)
    return found if document.kind in YEARLY_KINDS else found.none()


def says_the_same(one: Document, other: Document) -> bool:
    """Whether two papers bear the same figures."""
    return all(getattr(one, name) == getattr(other, name) for name in STATED)


def _check_sees(user: User, buyer: Buyer) -> None:
    if not Buyer.objects.visible_to(user).filter(pk=buyer.pk).exists():
        raise Refused("Usted registra documentos de los compradores que presentó.")


def _check_brought(broker: Broker | None, document: Document) -> None:
    if broker is not None and document.presented_by_id != broker.pk:
        raise Refused("Usted reemplaza solo los documentos que registró su sociedad.")


def _save(document: Document, file: File | None, user: User) -> None:
    if file is not None:
        document.file = file_store(**upload_read(file), user=user)
    try:
        document.full_clean()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error
    document.save()


def _sent(act: str, submission_key: UUID | None) -> Document | None:
    if submission_key is None:
        return None
    decision = Decision.objects.filter(
        act=act,
        subject_kind=subject_kind(Document),
        data__submission_key=str(submission_key),
    ).first()
    return decision and Document.objects.get(pk=decision.subject_id)


def _key_data(submission_key: UUID | None) -> dict[str, str]:
    return {"submission_key": str(submission_key)} if submission_key else {}
