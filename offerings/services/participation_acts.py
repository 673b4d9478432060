"""What is done to a buyer's part in a programme after its first acceptance: papers invoked, data
corrected. While the stage is open every act works the buyer's acceptances out again; after it,
what was presented stays as it was."""

from collections.abc import Iterable

from django.db import transaction

from buyers.models import Document
from buyers.services import buyer_held, presenting_broker
from offerings.models import Participation, ParticipationDocument, Stage
from offerings.selectors.programmes import stage_terms
from offerings.services.changes import Cause, Change
from offerings.services.evaluation import participation_evaluate
from offerings.services.participations import (
    PART_LABELS,
    PartGiven,
    class_check,
    class_check_true,
)
from offerings.services.stages import open_stage_held
from office.decisions import ALONE, decision_record
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability


@transaction.atomic
def documents_invoke(
    *, participation_id: int, documents: Iterable[int], user: User
) -> list[Change]:
    """Let the buyer's `documents` (ids) count in the programme, these and no others.

    Returns the acceptances that changed. A broker's person chooses among the papers that its
    broker brought; the others stay as they are. Raises Refused where no stage is open, or a
    document is not a current one of the buyer.
    """
    participation, stage = _opened(participation_id)
    _check_presents(participation, user)
    wanted = set(documents)
    seen = Document.objects.visible_to(user).filter(buyer=participation.buyer_id)
    current = seen.filter(replaced_at=None)
    if wanted - set(current.values_list("pk", flat=True)):
        raise Refused(
            "Uno de los documentos ya no es de este comprador o fue reemplazado: elija de nuevo.",
            "documents",
        )
    links = ParticipationDocument.objects.filter(participation=participation, document__in=seen)
    links.exclude(document__in=wanted).delete()
    held = set(links.values_list("document", flat=True))
    for pk in sorted(wanted - held):
        ParticipationDocument.objects.create(participation=participation, document_id=pk)
    cause = Cause(user, "al elegir los documentos que se hacen valer")
    changed = participation_evaluate(participation=participation, stage=stage, cause=cause)
    alone = f"Hizo valer {_count(len(wanted))} en {participation.programme}."
    decision_record(
        act="documents_invoke",
        sentence=f"{alone}{_told(changed)}",
        actor=user,
        subject=participation,
        data={ALONE: alone},
    )
    return changed


@transaction.atomic
def participation_change(
    *, participation_id: int, part: PartGiven, reason: str, user: User
) -> list[Change]:
    """Correct what the buyer's part says; `reason` says why. Returns the acceptances that changed.

    Raises Refused where no stage is open, the class is not admitted, or nothing differs.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo analistas y supervisores corrigen lo presentado.")
    participation, stage = _opened(participation_id)
    if not reason.strip():
        raise Refused("Escriba por qué se corrige: queda en la historia.", "reason")
    class_check(participation.buyer, part.buyer_class, stage_terms(stage))
    differing = [
        name for name in PART_LABELS if getattr(participation, name) != getattr(part, name)
    ]
    if not differing:
        raise Refused("Ningún dato cambió: corrija alguno o cancele.")
    if "buyer_class" in differing:
        class_check_true(participation)
    for name in differing:
        setattr(participation, name, getattr(part, name))
    participation.full_clean()
    participation.save()
    cause = Cause(user, "al corregir los datos de su comprador")
    changed = participation_evaluate(participation=participation, stage=stage, cause=cause)
    corrected = ", ".join(PART_LABELS[name] for name in differing)
    decision_record(
        act="participation_change",
        sentence=f"Corrigió {corrected} del comprador en {participation.programme}."
        f"{_told(changed)}",
        reason=reason.strip(),
        actor=user,
        subject=participation,
    )
    return changed


def document_follow(old: Document, new: Document, user: User) -> None:
    """Where a replaced document counted and the stage is open, its successor counts instead."""
    for link in ParticipationDocument.objects.filter(document=old).select_related(
        "participation__programme"
    ):
        stage = open_stage_held(link.participation.programme_id)
        if stage is None:
            continue
        _link_follow(link, new)
        cause = Cause(user, f"con «{new}» en el lugar de «{old}»")
        changed = participation_evaluate(
            participation=link.participation, stage=stage, cause=cause
        )
        alone = f"Con «{new}» en el lugar de «{old}», se calculó de nuevo."
        decision_record(
            act="document_follow",
            sentence=f"{alone}{_told(changed)}",
            actor=user,
            subject=link.participation,
            data={ALONE: alone},
        )


def _link_follow(link: ParticipationDocument, new: Document) -> None:
    """Of two papers that one takes the place of, the second finds its successor there already."""
    twice = ParticipationDocument.objects.filter(participation=link.participation, document=new)
    if twice.exists():
        link.delete()
        return
    link.document = new
    link.save(update_fields=["document"])


def _check_presents(participation: Participation, user: User) -> None:
    """Refuse a broker that has no acceptance of this part: it is not its own."""
    broker = presenting_broker(user)
    if broker is not None and not participation.acceptances.filter(broker=broker).exists():
        raise Refused("Usted elige documentos de los compradores por los que presentó.")


def _opened(participation_id: int) -> tuple[Participation, Stage]:
    parts = Participation.objects.select_related("programme", "buyer")
    buyer_held(parts.get(pk=participation_id).buyer_id)
    # Read again: until its buyer was held a merge may have moved it.
    participation = parts.get(pk=participation_id)
    stage = open_stage_held(participation.programme_id)
    if stage is None:
        raise Refused(
            f"{participation.programme} no tiene una etapa abierta: lo que se presentó queda "
            "como estaba al cierre."
        )
    return participation, stage


def _count(number: int) -> str:
    return "un documento" if number == 1 else f"{write_quantity(number)} documentos"


def _told(changed: list[Change]) -> str:
    if not changed:
        return " Ninguna aceptación cambió."
    told = "; ".join(f"{one.acceptance.code}, {one.words()}" for one in changed)
    return f" Cambiaron: {told}."
