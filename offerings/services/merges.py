"""What a merge of two buyers does to their parts in the programmes and to their acceptances."""

from collections.abc import Mapping

from django.db.models import Q, QuerySet

from buyers.models import Document
from buyers.services.merges import Merging, Moved
from offerings.enums import StageState
from offerings.models import Acceptance, Participation, ParticipationDocument, Stage
from offerings.services.changes import Cause, Change
from offerings.services.evaluation import participation_evaluate
from offerings.services.participations import PART_LABELS, part_completes, part_difference
from office.decisions import decision_record
from office.models import User
from office.numbers import write_count, write_quantity
from office.refusals import Refused


def stages_hold(buyer_ids: tuple[int, int]) -> None:
    """Hold every stage that is open and those of both buyers' programmes: a file that is being
    loaded ends first, and what it brought is moved too."""
    of_theirs = Participation.objects.filter(buyer__in=buyer_ids).values("programme")
    stages = Stage.objects.select_for_update().filter(
        Q(state=StageState.OPEN) | Q(programme__in=of_theirs)
    )
    list(stages.order_by("pk"))


def parts_merge(merging: Merging) -> list[Moved]:
    """Move the merged buyer's parts. Where both have one in a programme, its acceptances go to
    the kept one, under one limit, while their stage is open and both say the same."""
    buyers = (merging.merged.pk, merging.kept.pk)
    held = Participation.objects.select_for_update(of=["self"]).filter(buyer__in=buyers)
    parts = list(held.select_related("programme", "buyer").order_by("pk"))
    theirs = {part.programme_id: part for part in parts if part.buyer_id == merging.kept.pk}
    moved = []
    for part in [one for one in parts if one.buyer_id == merging.merged.pk]:
        into = theirs.get(part.programme_id)
        if into is None:
            moved.append(_part_move(part, merging))
        else:
            moved += _part_join(part, into, merging)
    changed = _evaluated(Participation.objects.filter(buyer=merging.kept), merging.user)
    return [*moved, *(_changed_told(one) for one in changed)]


def _part_move(part: Participation, merging: Merging) -> Moved:
    part.buyer = merging.kept
    part.save(update_fields=["buyer"])
    if part.programme.stages.filter(state=StageState.OPEN).exists():
        _links_follow(part, merging.twins)
    count = part.acceptances.count()
    decision_record(
        act="participation_move",
        sentence="Pasó al registro al que se unió su comprador.",
        actor=merging.user,
        subject=part,
    )
    return Moved(f"Su parte en {part.programme}", "Pasa entera", _counted(count))


def _part_join(part: Participation, into: Participation, merging: Merging) -> list[Moved]:
    """Empty the part into the other; its row stays with the merged buyer."""
    acceptances = list(part.acceptances.select_related("stage").in_order_of_receipt())
    _check_open(part, into, acceptances, merging)
    if acceptances:
        _say_the_same(part, into)
    _links_move(part, into, merging.twins)
    part.acceptances.update(participation=into)
    codes = ", ".join(one.code for one in acceptances) or "ninguna"
    decision_record(
        act="participation_join",
        sentence=f"Recibió las aceptaciones de un registro que se unió a su comprador: {codes}.",
        actor=merging.user,
        subject=into,
        data={"from": part.pk},
    )
    return [Moved(f"Aceptaciones que pasan en {part.programme}", codes)]


def _check_open(
    part: Participation,
    into: Participation,
    acceptances: list[Acceptance],
    merging: Merging,
) -> None:
    """Refuse what is frozen: acceptances of a stage that is not open stay as they are."""
    frozen = [one for one in acceptances if one.stage.state != StageState.OPEN]
    if not frozen:
        return
    if into.acceptances.exists():
        raise Refused(
            f"Los dos tienen aceptaciones en {part.programme}, y {frozen[0].stage} se cerró: lo "
            "presentado ya no cambia. Deje los dos registros. Si lo adjudicado debe deshacerse, "
            "se anula la adjudicación entera con el acto de la bolsa o de un juez.",
            "kept",
        )
    raise Refused(
        f"{merging.merged.name} tiene aceptaciones en {part.programme}, cuya etapa se cerró, y el "
        f"otro registro ninguna. Hágalo al revés: conserve {merging.merged.identity}.",
        "kept",
    )


def _say_the_same(part: Participation, into: Participation) -> None:
    """Both parts say the same of the buyer; what only one says completes the kept one. A part
    without acceptances takes what the other says."""
    alone = not into.acceptances.exists()
    for name in PART_LABELS:
        said = getattr(part, name)
        if alone or part_completes(into, name, said):
            setattr(into, name, said)
        fault = part_difference(into, name, said)
        if fault is not None:
            raise Refused(
                f"En {part.programme} los dos no dicen lo mismo. {fault.message}", "kept"
            )
    if _has_finding(part) != _has_finding(into):
        raise Refused(
            f"En {part.programme} consta que la clase de uno es falsa, y del otro no. Aclare "
            "primero la clase en la parte que corresponda.",
            "kept",
        )
    into.full_clean()
    into.save()


def _has_finding(part: Participation) -> bool:
    return part.class_findings.filter(lifted_at=None).exists()


def _links_move(part: Participation, into: Participation, twins: Mapping[int, Document]) -> None:
    """What was invoked in one part is invoked in the other, once."""
    _links_follow(part, twins)
    links = ParticipationDocument.objects.filter(participation=part)
    invoked = list(links.order_by("document").values_list("document", flat=True))
    links.delete()
    for document_id in invoked:
        ParticipationDocument.objects.get_or_create(participation=into, document_id=document_id)


def _links_follow(part: Participation, twins: Mapping[int, Document]) -> None:
    """Of a paper that both buyers had, the one that is left is invoked."""
    links = ParticipationDocument.objects.filter(participation=part, document__in=twins)
    for link in links.order_by("document"):
        ParticipationDocument.objects.get_or_create(
            participation=part, document=twins[link.document_id]
        )
    links.delete()


def _evaluated(parts: QuerySet[Participation], user: User) -> list[Change]:
    """Work the kept buyer's acceptances out anew where their stage is open; those that change."""
    changed = []
    for part in parts.select_related("buyer").order_by("pk"):
        stages = Stage.objects.filter(programme=part.programme_id, state=StageState.OPEN)
        for stage in stages.select_related("programme", "rules").order_by("pk"):
            changed += participation_evaluate(
                participation=part,
                stage=stage,
                cause=Cause(user, "al unir dos registros de su comprador"),
            )
    return changed


def _changed_told(change: Change) -> Moved:
    acceptance = change.acceptance
    return Moved(
        f"Cambia {acceptance.code}",
        f"{write_quantity(acceptance.admitted)} acciones",
        f"{acceptance.get_standing_display()}; tenía {write_quantity(change.before.admitted)}",
    )


def _counted(count: int) -> str:
    return f"Con {write_count(count, 'aceptación', 'aceptaciones')}"
