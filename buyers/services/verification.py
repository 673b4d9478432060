"""The second look: somebody else types again what a paper says, without seeing what was typed.

Where both agree the document is verified. A difference is written down with both values: the paper
is then replaced, with a reason, or the difference goes to whoever registered it. Who found it has
seen what was typed, and verifies afterwards with a reason alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from buyers.models import Document
from buyers.selectors.documents import DIFFERENCE_ACT as SEND_ACT
from buyers.services.stated import figures_stated, stated_label, stated_words
from buyers.services.typed import read_text
from office.decisions import decision_record, decisions_on
from office.models import Decision, User
from office.refusals import Refused
from office.roles import Capability

VERIFY_ACT, DIFFER_ACT = "document_verify", "document_differ"
REASON_LENGTH = 1000
OTHER_NORM = "otra norma, o ninguna"


@dataclass(frozen=True, slots=True)
class Difference:
    """What the document has noted and what the paper was read to say, both in words."""

    label: str
    known: str
    given: str


def document_verify(
    *, user: User, document_id: int, read: Mapping[str, Any], reason: str = ""
) -> tuple[Difference, ...]:
    """Verify a document by what `read` says of the paper, by the names of `figures_stated`;
    `norm` is whether the paper cites the norm that is noted.

    Nothing differs: it is verified by `user` now. Otherwise the differences are written down and
    returned, and it is not. Verified by the same person before, nothing is done again.
    Refused at `reason` where `user` read something else before and gives none.
    """
    with transaction.atomic():
        document = _held(document_id)
        if document.verified_by_id == user.pk:
            return ()
        verification_check(document, user)
        found = _differences(document, read)
        if found:
            _record_differences(document, found, user)
            return found
        reason = read_text(reason, "reason", limit=REASON_LENGTH)
        if not reason and differed_before(document, user):
            raise Refused(
                "Antes escribió otra cosa y vio lo que consta: escriba por qué ahora coincide, o "
                "deje que lo verifique otra persona.",
                "reason",
            )
        document.verified_by, document.verified_at = user, max(timezone.now(), document.seen_at)
        document.save(update_fields=["verified_by", "verified_at"])
        decision_record(
            act=VERIFY_ACT,
            sentence=f"Verificó el documento «{document}»: dice lo que consta.",
            actor=user,
            subject=document,
            reason=reason,
        )
    return ()


def document_difference_send(*, user: User, document_id: int, note: str) -> Decision:
    """Send the difference that `user` found last to whoever registered the document."""
    with transaction.atomic():
        document = _held(document_id)
        verification_check(document, user)
        found = (
            decisions_on([document])
            .filter(actor=user, act__in=[DIFFER_ACT, SEND_ACT])
            .order_by("pk")
            .last()
        )
        if found is None:
            raise Refused("Primero verifique el documento: no consta ninguna diferencia suya.")
        if found.act == SEND_ACT:  # the form was sent twice
            return found
        note = read_text(note, "note", limit=REASON_LENGTH)
        if not note:
            raise Refused("Escriba qué debe revisar quien lo registró.", "note")
        return decision_record(
            act=SEND_ACT,
            sentence=f"Envió a {document.seen_by} la diferencia en «{document}»: "
            f"{found.data['told']}.",
            actor=user,
            subject=document,
            reason=note,
            data={"told": found.data["told"]},
        )


def differed_before(document: Document, user: User) -> bool:
    """Whether `user` read something else in the paper once, and was shown what is noted."""
    return decisions_on([document]).filter(actor=user, act=DIFFER_ACT).exists()


def verification_check(document: Document, user: User) -> None:
    """Refuse whoever may not verify the document, and say why."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo analistas y supervisores verifican documentos.")
    if document.replaced_at is not None:
        raise Refused("Este documento fue reemplazado: verifique el que tomó su lugar.")
    if document.verified_at is not None:
        raise Refused(f"Ya lo verificó {document.verified_by}.")
    if document.seen_by_id == user.pk:
        raise Refused("Usted lo registró: debe verificarlo otra persona.")


def _held(document_id: int) -> Document:
    held = Document.objects.select_for_update(of=["self"]).select_related("seen_by", "verified_by")
    return held.get(pk=document_id)


def _differences(document: Document, read: Mapping[str, Any]) -> tuple[Difference, ...]:
    names = figures_stated(document)
    for name in names:
        if read.get(name) is None:
            raise Refused("Escriba lo que dice el documento.", name)
    found = [
        Difference(
            stated_label(name),
            stated_words(name, getattr(document, name)),
            stated_words(name, read[name]),
        )
        for name in names
        if getattr(document, name) != read[name]
    ]
    if document.norm and not read.get("norm"):
        known = stated_words("norm", document.norm)
        found.append(Difference(stated_label("norm"), known, OTHER_NORM))
    return tuple(found)


def _record_differences(document: Document, found: tuple[Difference, ...], user: User) -> None:
    told = "; ".join(
        f"{one.label}, consta {one.known} y el papel dice {one.given}" for one in found
    )
    decision_record(
        act=DIFFER_ACT,
        sentence=f"Al verificar «{document}» encontró una diferencia: {told}.",
        actor=user,
        subject=document,
        data={"told": told},
    )
