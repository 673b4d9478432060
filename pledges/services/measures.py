"""An authority's measures on pledged shares: recorded, and lifted by its own order."""

from dataclasses import dataclass
from datetime import date, datetime, time
from uuid import UUID

from django.db import transaction

from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_shares
from office.refusals import Refused, check_day_not_future, check_not_future
from office.roles import Capability
from pledges.enums import Measure
from pledges.models import Attachment, Pledge, ShareholderRights
from pledges.services.pledges import pledge_locked
from pledges.services.rights import rights_close


@dataclass(frozen=True)
class MeasureEntry:
    """A measure as its order says it. shares: those that it reaches, one or more."""

    measure: Measure
    authority: str
    number: str
    ordered_on: date
    received_at: datetime
    shares: int
    detail: str = ""


@transaction.atomic
def attachment_record(
    *, pledge_id: int, user: User, entry: MeasureEntry, submission_key: UUID
) -> Attachment:
    """Record a measure: its shares are not released while it stands. The same submission again
    gives the first one's. Raises Refused.
    """
    _check_may(user)
    pledge = pledge_locked(pledge_id)
    known = Attachment.objects.filter(submission_key=submission_key, pledge=pledge).first()
    if known:
        return known
    _check_entry(pledge, entry)
    attachment = Attachment(
        pledge=pledge,
        submission_key=submission_key,
        recorded_by=user,
        **{name: getattr(entry, name) for name in MeasureEntry.__dataclass_fields__},
    )
    attachment.full_clean()
    attachment.save()
    _count(pledge, entry.shares)
    decision_record(
        act="attachment_record",
        sentence=f"Registró sobre {write_shares(entry.shares)} de {pledge.code}: {attachment}, "
        f"de {entry.authority}.",
        actor=user,
        subject=pledge,
        legal_at=entry.received_at,
    )
    return attachment


@transaction.atomic
def attachment_lift(
    *, attachment_id: int, user: User, lifted_on: date, lifted_act: str
) -> Attachment:
    """Lift a measure by its authority's order; what the Fund exercised because of it ends with
    it. Lifted already, it is left as it is. Raises Refused.
    """
    _check_may(user)
    pledge = pledge_locked(
        Attachment.objects.values_list("pledge", flat=True).get(pk=attachment_id)
    )
    attachment = Attachment.objects.select_for_update().get(pk=attachment_id)
    if attachment.lifted_on is not None:
        return attachment
    check_day_not_future(lifted_on, "lifted_on")
    if lifted_on < attachment.ordered_on:
        raise Refused(
            f"No se levanta antes de ordenarse, el {write_date(attachment.ordered_on)}.",
            "lifted_on",
        )
    attachment.lifted_on, attachment.lifted_act = lifted_on, lifted_act.strip()
    attachment.lifted_by = user
    attachment.full_clean()
    attachment.save(update_fields=["lifted_on", "lifted_act", "lifted_by"])
    _count(pledge, -attachment.shares)
    decision_record(
        act="attachment_lift",
        sentence=f"Levantó la medida sobre {write_shares(attachment.shares)} de {pledge.code}: "
        f"{attachment}, por {attachment.lifted_act}.",
        actor=user,
        subject=pledge,
        legal_at=bogota_moment(lifted_on, time()),
    )
    exercised = ShareholderRights.objects.select_for_update().filter(
        attachment=attachment, until=None
    )
    for rights in exercised:
        rights_close(
            rights, until=max(lifted_on, rights.since), why=f"Se levantó: {attachment}.", user=user
        )
    return attachment


def _check_may(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra medidas.")


def _check_entry(pledge: Pledge, entry: MeasureEntry) -> None:
    if not pledge.pledged:
        raise Refused(
            f"{pledge.code} está «{pledge.get_state_display()}»: no le quedan acciones en prenda."
        )
    check_day_not_future(entry.ordered_on, "ordered_on")
    check_not_future(entry.received_at, "received_on")
    if bogota_day(entry.received_at) < entry.ordered_on:
        raise Refused(
            f"No se recibe antes de ordenarse, el {write_date(entry.ordered_on)}.", "received_on"
        )
    left = pledge.pledged - pledge.attached
    if entry.shares > left:
        raise Refused(
            f"Quedan {write_shares(left)} en prenda sin otra medida: la orden no puede recaer "
            "sobre más.",
            "shares",
        )
    same = Attachment.objects.filter(pledge=pledge, authority=entry.authority, number=entry.number)
    if same.exists():
        raise Refused("Ese oficio de esa autoridad ya está registrado en esta prenda.", "number")


def _count(pledge: Pledge, more: int) -> None:
    pledge.attached += more
    pledge.save(update_fields=["attached"])
