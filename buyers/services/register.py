"""The register of buyers: each person or organisation once, under its type and number."""

import hashlib
import json
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from buyers.enums import BuyerKind, IdentityType
from buyers.models import Broker, Buyer, Presentation
from buyers.selectors import CHANGE_ACT, CHANGEABLE, REGISTER_ACT
from buyers.services.acting import attorney_set, representative_set
from buyers.services.presenting import differs_from_register, presenting_broker
from buyers.services.typed import NAME_LENGTH, identity_typed, read_text
from office.decisions import ALONE, decision_record, subject_kind
from office.models import Decision, User
from office.refusals import Refused
from office.roles import Capability
from office.text import fold

PRESENT_ACT = "buyer_present"
REGISTERED = "Registró el comprador."


class AlreadyRegistered(Refused):
    """That identity is another buyer's: `buyer` is the one to use, `row` the one that bears the
    identity, another where it was merged."""

    def __init__(self, row: Buyer) -> None:
        self.row, self.buyer = row, row.kept
        told = "Ya está registrado" if self.buyer == row else "Ese registro se unió a otro"
        super().__init__(
            f"{told}: {self.buyer.name}, {self.buyer.identity}. Use ese registro.",
            "identity_number",
        )


class Stale(Refused):
    """Somebody changed the row since the form was shown: `current` is how it is now."""

    def __init__(self, current: Buyer) -> None:
        super().__init__(
            "Otra persona cambió este comprador mientras usted lo corregía. No se guardó nada: "
            "compare los dos valores y vuelva a guardar el que sea cierto."
        )
        self.current = current


def buyer_register(
    *,
    user: User,
    broker: Broker | None = None,
    submission_key: UUID | None = None,
    **said: str,
) -> Buyer:
    """Register a buyer, brought in by `broker` where there is one; `said` as in `buyer_draft`.

    The same form sent twice (`submission_key`) gives the buyer that its first sending made; an
    identity that is there already raises AlreadyRegistered. Where a broker's person registers,
    the broker is its own, and a buyer whom it did not bring is attached to it if what it typed
    is what the register says.
    """
    own = presenting_broker(user, broker)
    buyer = buyer_draft(user=user, **said)
    try:
        return _register(buyer, user, own or broker, submission_key)
    except AlreadyRegistered as refusal:
        if _was_sent(refusal.row, submission_key):
            return refusal.buyer
        if own is None or refusal.row.presentations.filter(broker=own).exists():
            raise
        return _attach(refusal.row, buyer, own, submission_key)


def buyer_change(
    *,
    user: User,
    buyer_id: int,
    seen: str,
    reason: str,
    **said: str,
) -> Buyer:
    """Correct what the register says of a buyer; `reason` says why and
    `said` is all of it, as in `buyer_draft`.

    `seen` is the `buyer_token` of the row as the form showed it: where the row has changed since,
    nothing is saved and Stale is raised.
    """
    check_prepares(user)
    draft = buyer_draft(user=user, **said)
    reason = read_text(reason, "reason")
    if not reason:
        raise Refused("Escriba por qué se corrige: queda en la historia.", "reason")
    return _change(draft, user, buyer_id, seen, reason)


def buyer_present(*, buyer: Buyer, broker: Broker) -> Presentation:
    """Note that `broker` brought `buyer` in, once: from then on the broker sees it."""
    presentation, _ = Presentation.objects.get_or_create(buyer=buyer, broker=broker)
    return presentation


def buyer_draft(
    *,
    user: User,
    kind: str,
    identity_type: str,
    identity_number: str,
    name: str,
    representative_name: str = "",
    representative_identity_type: str = "",
    representative_identity_number: str = "",
    attorney_name: str = "",
    attorney_identity_type: str = "",
    attorney_identity_number: str = "",
) -> Buyer:
    """A buyer that is read and checked but not saved: a file of many saves them at once."""
    if kind not in {member.value for member in BuyerKind}:
        raise Refused("Diga si es persona natural u organización.", "kind")
    if kind == BuyerKind.ORGANISATION and identity_type != IdentityType.NIT:
        raise Refused("Una organización se identifica con NIT.", "identity_type")
    identity = identity_typed(identity_type, identity_number, "identity")
    clean_name = read_text(name, "name")
    if not any(character.isalpha() for character in clean_name):
        raise Refused("Escriba el nombre o la razón social.", "name")
    buyer = Buyer(
        kind=kind,
        identity_type=identity.type,
        identity_number=identity.number,
        check_digit=identity.check_digit,
        name=clean_name,
        name_folded=fold(clean_name)[:NAME_LENGTH],
        registered_by=user,
    )
    if kind == BuyerKind.ORGANISATION:
        representative_set(
            buyer,
            representative_name,
            representative_identity_type,
            representative_identity_number,
        )
    elif representative_name or representative_identity_type or representative_identity_number:
        raise Refused(
            "Una persona natural no tiene representante: déjelo en blanco, o escriba abajo quién "
            "compra con su poder.",
            "representative_name",
        )
    attorney_set(buyer, attorney_name, attorney_identity_type, attorney_identity_number)
    return buyer


def buyer_token(buyer: Buyer) -> str:
    """What the row says, as a short word that a form carries to notice a change meanwhile."""
    values = [getattr(buyer, field) for field in CHANGEABLE]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def buyer_held(buyer_id: int) -> Buyer:
    """The buyer's row, held to the end of the transaction; one that was merged is refused."""
    buyer = Buyer.objects.select_for_update(no_key=True).get(pk=buyer_id)
    if buyer.merged_into_id is not None:
        raise Refused("Este registro se unió al de otro comprador: use ese.")
    return buyer


def check_prepares(user: User) -> None:
    """Refuse whoever may not correct what the register says."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor puede hacer este registro.")


@transaction.atomic
def _register(
    buyer: Buyer, user: User, broker: Broker | None, submission_key: UUID | None
) -> Buyer:
    _check_free(buyer)
    _save(buyer)
    if broker is not None:
        buyer_present(buyer=buyer, broker=broker)
    decision_record(
        act=REGISTER_ACT,
        sentence=REGISTERED,
        actor=user,
        subject=buyer,
        data=_key_data(submission_key),
    )
    return buyer


@transaction.atomic
def _attach(there: Buyer, said: Buyer, broker: Broker, submission_key: UUID | None) -> Buyer:
    """Let a broker see a buyer whom another brought, once it has shown that it knows who it is.

    It is told the same as where it registers somebody new. What it typed of a representative or
    of an attorney is not kept, and what is known of one is not told.
    """
    if (there.kind, there.name_folded) != (said.kind, said.name_folded):
        raise differs_from_register()
    for buyer in {there, there.kept}:
        buyer_present(buyer=buyer, broker=broker)
    decision_record(
        act=PRESENT_ACT,
        sentence="Presentó el comprador, que ya estaba registrado.",
        actor=said.registered_by,
        subject=there,
        data={ALONE: REGISTERED, **_key_data(submission_key)},
    )
    return there.kept


@transaction.atomic
def _change(draft: Buyer, user: User, buyer_id: int, seen: str, reason: str) -> Buyer:
    buyer = buyer_held(buyer_id)
    if buyer_token(buyer) != seen:
        raise Stale(buyer)
    if buyer_token(buyer) == buyer_token(draft):
        raise Refused("No cambió ningún dato: corrija alguno, o vuelva sin guardar.")
    for field in (*CHANGEABLE, "name_folded"):
        setattr(buyer, field, getattr(draft, field))
    _check_free(buyer)
    _save(buyer)
    decision_record(
        act=CHANGE_ACT,
        sentence="Corrigió los datos del comprador.",
        actor=user,
        subject=buyer,
        reason=reason,
        data={"event": event_latest(buyer)},
    )
    return buyer


def event_latest(buyer: Buyer) -> int | None:
    """The history's row of the change just made, whose before and after the timeline shows."""
    return buyer.events.order_by("-pk").values_list("pk", flat=True).first()


def _check_free(buyer: Buyer) -> None:
    there = _with_identity_of(buyer).exclude(pk=buyer.pk).first()
    if there is not None:
        raise AlreadyRegistered(there)


def _save(buyer: Buyer) -> None:
    """Save; of two people at once the constraint lets one through, and the other is told."""
    try:
        buyer.full_clean(validate_unique=False, validate_constraints=False)
        buyer.validate_constraints(exclude={"identity_number"})
        with transaction.atomic():
            buyer.save()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error
    except IntegrityError as error:
        there = _with_identity_of(buyer).exclude(pk=buyer.pk).first()
        if there is None:
            raise
        raise AlreadyRegistered(there) from error


def _with_identity_of(buyer: Buyer):
    return Buyer.objects.filter(
        identity_type=buyer.identity_type, identity_number=buyer.identity_number
    )


def _was_sent(buyer: Buyer, submission_key: UUID | None) -> bool:
    return (
        submission_key is not None
        and Decision.objects.filter(
            act__in=(REGISTER_ACT, PRESENT_ACT),
            subject_kind=subject_kind(buyer),
            subject_id=buyer.pk,
            data__submission_key=str(submission_key),
        ).exists()
    )


def _key_data(submission_key: UUID | None) -> dict[str, str]:
    return {"submission_key": str(submission_key)} if submission_key else {}
