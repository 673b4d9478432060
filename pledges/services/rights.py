"""The Fund in the shareholder's place, where the decree lets it; and the lender told of a sale."""

from dataclasses import dataclass
from datetime import date, time
from uuid import UUID

from django.db import transaction

from offerings.rules.terms import Cited
from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.enums import RequestState, RightsCause
from pledges.models import Attachment, LenderNotice, Pledge, ReleaseRequest, ShareholderRights
from pledges.selectors.penalty_terms import pledge_terms
from pledges.services.pledges import pledge_locked


@dataclass(frozen=True)
class RightsEntry:
    """Why and since when. attachment: the measure that is the cause, or None for a default."""

    detail: str
    since: date
    attachment: Attachment | None = None


def rights_clause(pledge: Pledge) -> Cited[str] | None:
    """What the programme's decree says of the Fund exercising the rights; None: nothing."""
    terms = pledge_terms(pledge)
    return terms.pledge.shareholder_rights if terms.pledge else None


def lender_clause(pledge: Pledge) -> Cited[str] | None:
    """What it says of the lender calling the loan after an early sale; None: nothing."""
    terms = pledge_terms(pledge)
    return terms.pledge.lender_may_call if terms.pledge else None


@transaction.atomic
def rights_begin(
    *, pledge_id: int, user: User, entry: RightsEntry, submission_key: UUID
) -> ShareholderRights:
    """Record that the Fund exercises the shareholder's rights from a day on. The same submission
    again gives the first one's. Raises Refused, also where the decree does not let it.
    """
    _check_may(user)
    pledge = pledge_locked(pledge_id)
    known = ShareholderRights.objects.filter(submission_key=submission_key, pledge=pledge).first()
    if known:
        return known
    clause = rights_clause(pledge)
    if clause is None:
        raise Refused("El decreto de este programa no da al Fondo los derechos de accionista.")
    if not pledge.pledged:
        raise Refused(f"{pledge.code} ya no tiene acciones en prenda.")
    _check_begin(pledge, entry)
    rights = ShareholderRights(
        pledge=pledge,
        cause=RightsCause.ATTACHMENT if entry.attachment else RightsCause.DEFAULT,
        attachment=entry.attachment,
        detail=entry.detail.strip(),
        since=entry.since,
        submission_key=submission_key,
        recorded_by=user,
    )
    rights.full_clean()
    rights.save()
    decision_record(
        act="rights_begin",
        sentence=f"El Fondo ejerce los derechos de accionista de {pledge.code} desde el "
        f"{write_date(rights.since)}, por {rights.get_cause_display().lower()}.",
        article=clause.cite,
        reason=rights.detail,
        actor=user,
        subject=pledge,
        legal_at=bogota_moment(rights.since, time()),
    )
    return rights


@transaction.atomic
def rights_end(*, rights_id: int, user: User, until: date, why: str) -> ShareholderRights:
    """Record until when the Fund exercised them; ended already, it is left as it is."""
    _check_may(user)
    pledge_locked(ShareholderRights.objects.values_list("pledge", flat=True).get(pk=rights_id))
    rights = ShareholderRights.objects.select_for_update().get(pk=rights_id)
    if rights.until is not None:
        return rights
    check_day_not_future(until, "until")
    if until < rights.since:
        raise Refused(f"Empezó el {write_date(rights.since)}: no termina antes.", "until")
    rights_close(rights, until=until, why=why.strip(), user=user)
    return rights


def rights_close(rights: ShareholderRights, *, until: date, why: str, user: User) -> None:
    """End what the caller has locked, by an act of which this is a part."""
    rights.until, rights.ended_why, rights.ended_by = until, why, user
    rights.full_clean()
    rights.save(update_fields=["until", "ended_why", "ended_by"])
    decision_record(
        act="rights_end",
        sentence=f"El Fondo dejó de ejercer los derechos de accionista de {rights.pledge.code} "
        f"el {write_date(until)}.",
        reason=why,
        actor=user,
        subject=rights.pledge,
        legal_at=bogota_moment(until, time()),
    )


@transaction.atomic
def lender_notice_record(
    *,
    request_id: int,
    user: User,
    lender: str,
    notified_on: date,
    reference: str,
    submission_key: UUID,
) -> LenderNotice:
    """Record that the lender was told of an early exit. The same submission again gives the first
    one's. Raises Refused, also where the decree says nothing of the lender.
    """
    _check_may(user)
    request = ReleaseRequest.objects.select_related("pledge__award__adjudication").get(
        pk=request_id
    )
    known = LenderNotice.objects.filter(submission_key=submission_key, request=request).first()
    if known:
        return known
    clause = lender_clause(request.pledge)
    if clause is None:
        raise Refused("El decreto de este programa no habla del aviso al acreedor.")
    if request.state in (RequestState.WITHDRAWN, RequestState.CLOSED):
        raise Refused(f"{request.code} está «{request.get_state_display()}»: no hay salida.")
    check_day_not_future(notified_on, "notified_on")
    if notified_on < bogota_day(request.filed_at):
        raise Refused(
            f"El aviso no puede ser anterior a la solicitud, del "
            f"{write_date(bogota_day(request.filed_at))}.",
            "notified_on",
        )
    notice = LenderNotice(
        request=request,
        lender=lender.strip(),
        notified_on=notified_on,
        reference=reference.strip(),
        submission_key=submission_key,
        recorded_by=user,
    )
    notice.full_clean()
    notice.save()
    decision_record(
        act="lender_notice_record",
        sentence=f"Avisó a {notice.lender} de {request.code}: {notice.reference}.",
        article=clause.cite,
        actor=user,
        subject=request,
        legal_at=bogota_moment(notified_on, time()),
    )
    return notice


def _check_may(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra este acto.")


def _check_begin(pledge: Pledge, entry: RightsEntry) -> None:
    check_day_not_future(entry.since, "since")
    if entry.since < pledge.opened_on:
        raise Refused(
            f"La prenda es del {write_date(pledge.opened_on)}: no se ejercen antes.", "since"
        )
    if ShareholderRights.objects.filter(pledge=pledge, until=None).exists():
        raise Refused("El Fondo ya los ejerce: termine antes ese ejercicio.")
    measure = entry.attachment
    if measure is None:
        return
    if measure.pledge_id != pledge.pk or measure.lifted_on is not None:
        raise Refused("Elija una medida vigente de esta prenda.", "attachment")
    if entry.since < measure.ordered_on:
        raise Refused(
            f"La medida es del {write_date(measure.ordered_on)}: no se ejercen antes.", "since"
        )
