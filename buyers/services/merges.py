"""Twins: two records of one person or organisation, which a supervisor makes one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from buyers.models import YEARLY_KINDS, Buyer, Document, Presentation
from buyers.services.documents import says_the_same
from buyers.services.register import event_latest
from buyers.services.typed import read_text
from office.decisions import decision_record
from office.identities import IdentityError, read_identity_shown
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability

MERGE_ACT = "buyer_merge"
REASON_LENGTH = 1000


@dataclass(frozen=True)
class Moved:
    """Something that a merge moves or changes, as its review tells it."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Merging:
    """A merge under way, both buyers' rows held; `twins`: by the id of a paper of the merged
    buyer that was replaced, the same paper of the kept one."""

    merged: Buyer
    kept: Buyer
    twins: Mapping[int, Document]
    user: User


@dataclass(frozen=True)
class Merge:
    """A merge that is done, with what it moved; nothing where it was done before."""

    merged: Buyer
    kept: Buyer
    moved: tuple[Moved, ...] = ()


# Who stands on buyers further up moves here, in the same transaction, what it keeps of the merged
# buyer, or raises Refused: buyers knows nobody above it. HOLDERS are asked first, with both ids,
# to hold what stops others from adding more to either buyer. The order is one for everybody:
# both buyers by their ids, then stages, then parts, each by theirs.
HOLDERS: list[Callable[[tuple[int, int]], None]] = []
MERGERS: list[Callable[[Merging], list[Moved]]] = []


@transaction.atomic
def buyer_merge(*, user: User, merged_id: int, kept_id: int, typed: str, reason: str) -> Merge:
    """Make one of two records: all that the merged one has is the kept one's from now on.

    `typed`: the merged one's identity, or its number alone, typed again since nothing undoes this.
    The merged row stays and leads to the kept one. Merged already, it is left as it is.
    Raises Refused where the two differ in what only a person can settle.
    """
    if not user.may(Capability.APPROVE):
        raise Refused("Solo un supervisor une dos registros.")
    merged, kept = _held(merged_id, kept_id)
    if merged.merged_into_id == kept.pk:
        return Merge(merged, kept)
    _check(merged, kept, typed)
    reason = read_text(reason, "reason", limit=REASON_LENGTH)
    if not reason:
        raise Refused("Escriba en qué consta que son la misma: queda en la historia.", "reason")
    for hold in HOLDERS:
        hold((merged.pk, kept.pk))
    twins, moved = _papers_move(merged, kept)
    moved += _presentations_move(merged, kept)
    merging = Merging(merged, kept, twins, user)
    moved += [line for merge in MERGERS for line in merge(merging)]
    _point(merged, kept, user, reason)
    return Merge(merged, kept, tuple(moved))


def _held(merged_id: int, kept_id: int) -> tuple[Buyer, Buyer]:
    if merged_id == kept_id:
        raise Refused("Es el mismo registro: elija el que se conserva.", "kept")
    rows = Buyer.objects.select_for_update(no_key=True).filter(pk__in=(merged_id, kept_id))
    held = {buyer.pk: buyer for buyer in rows.order_by("pk")}
    return held[merged_id], held[kept_id]


def _check(merged: Buyer, kept: Buyer, typed: str) -> None:
    for buyer in (merged, kept):
        if buyer.merged_into_id is not None:
            raise Refused(f"{buyer.name} ya se unió a otro registro: use ese.", "kept")
    if merged.kind != kept.kind:
        raise Refused(
            "Una persona natural y una organización no son la misma: no se unen.", "kept"
        )
    try:
        number = read_identity_shown(merged.identity_type, typed).number
    except IdentityError as error:
        raise Refused(str(error), "typed") from error
    if number != merged.identity_number:
        raise Refused(
            f"No es el número del registro que deja de usarse, {merged.identity}.", "typed"
        )


def _papers_move(merged: Buyer, kept: Buyer) -> tuple[dict[int, Document], list[Moved]]:
    """The papers go over. Of one paper that both have, the merged buyer's is replaced by the kept
    one's if they say the same; if not, somebody has to say first which is right."""
    theirs = list(merged.documents.order_by("pk"))
    if not theirs:
        return {}, []
    current = list(kept.documents.filter(replaced_at=None, kind__in=YEARLY_KINDS).order_by("pk"))
    twins = {}
    for paper in theirs:
        twin = _twin(paper, current)
        if twin is not None:
            paper.replaced_at = max(timezone.now(), paper.seen_at)
            paper.save(update_fields=["replaced_at"])
            twins[paper.pk] = twin
    merged.documents.update(buyer=kept)
    repeated = ", ".join(str(twin) for twin in twins.values())
    detail = f"Los dos tienen {repeated}, que dice lo mismo: queda una vez." if twins else ""
    return twins, [Moved("Documentos que pasan", write_quantity(len(theirs)), detail)]


def _twin(paper: Document, current: list[Document]) -> Document | None:
    """The same paper from the same hands; the others of its kind and year must say the same."""
    if paper.replaced_at is not None or paper.kind not in YEARLY_KINDS:
        return None
    alike = [one for one in current if (one.kind, one.year) == (paper.kind, paper.year)]
    if not all(says_the_same(paper, one) for one in alike):
        raise Refused(
            f"Los dos tienen «{paper}» con cifras distintas. Compruebe que sean la misma persona "
            "y, si lo son, reemplace primero el documento equivocado para que digan lo mismo.",
            "kept",
        )
    return next((one for one in alike if one.presented_by_id == paper.presented_by_id), None)


def _presentations_move(merged: Buyer, kept: Buyer) -> list[Moved]:
    """Whoever brought the merged buyer has brought the kept one. Its own presentation stays with
    the merged row: it opens that page, and tells the others nothing."""
    brought = list(merged.presentations.select_related("broker").order_by("pk"))
    for one in brought:
        Presentation.objects.get_or_create(
            buyer=kept, broker=one.broker, defaults={"presented_at": one.presented_at}
        )
    names = "; ".join(str(one.broker) for one in brought)
    return [Moved("Comisionistas que lo presentaron", names)] if brought else []


def _point(merged: Buyer, kept: Buyer, user: User, reason: str) -> None:
    """Lead the merged row, and those that were merged into it before, to the kept one."""
    before = list(Buyer.objects.select_for_update(no_key=True).filter(merged_into=merged))
    _lead(merged, kept, user, reason, "Unió este registro al de otro comprador.")
    for one in before:
        _lead(one, kept, user, reason, "El registro al que estaba unido se unió a otro.")
    decision_record(
        act=MERGE_ACT,
        sentence="Unió a este comprador otro registro suyo.",
        actor=user,
        subject=kept,
        reason=reason,
        data={"merged": [merged.pk, *(one.pk for one in before)]},
    )


def _lead(row: Buyer, kept: Buyer, user: User, reason: str, sentence: str) -> None:
    row.merged_into = kept
    row.merged_at = row.merged_at or timezone.now()
    row.save(update_fields=["merged_into", "merged_at"])
    decision_record(
        act=MERGE_ACT,
        sentence=sentence,
        actor=user,
        subject=row,
        reason=reason,
        data={"into": kept.pk, "event": event_latest(row)},
    )
