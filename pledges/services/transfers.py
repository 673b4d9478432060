"""Shares that passed to another: with their penalty settled, or to heirs with their pledge."""

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Sum

from buyers.enums import BuyerKind
from buyers.models import Buyer
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount, write_shares
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.enums import PledgeState, QuoteState, TransferKind
from pledges.models import Pledge, ReleaseRequest, Transfer
from pledges.selectors.penalty_terms import pledge_terms
from pledges.services.pledges import check_in_order, pledge_locked


@dataclass(frozen=True)
class TransferEntry:
    """A transfer as its paper says it. price: pesos a share, or None where there is none."""

    kind: TransferKind
    transferred_on: date
    shares: int
    to_name: str
    proof: str
    price: Decimal | None = None


@transaction.atomic
def transfer_record(
    *,
    pledge_id: int,
    user: User,
    entry: TransferEntry,
    request: ReleaseRequest | None,
    submission_key: UUID,
) -> Transfer:
    """Record a transfer within the term, of shares whose penalty a request has settled. The same
    submission again gives the first one's. Raises Refused: nobody can waive the penalty.
    """
    _check_may(user)
    pledge = pledge_locked(pledge_id)
    known = Transfer.objects.filter(submission_key=submission_key, pledge=pledge).first()
    if known:
        return known
    if entry.kind == TransferKind.INHERITANCE:
        raise Refused("La sucesión se registra aparte: la prenda sigue a las acciones.", "kind")
    _check_day(pledge, entry.transferred_on)
    if request is None:
        raise Refused(
            "Dentro del término, toda transferencia es una salida anticipada: antes se presenta "
            "la solicitud, o se hace constar el incumplimiento, y se fija su liquidación. Nadie "
            "puede dispensarla.",
            "request",
        )
    _check_request(pledge, request, entry)
    transfer = Transfer(
        pledge=pledge,
        request=request,
        submission_key=submission_key,
        recorded_by=user,
        **{name: getattr(entry, name) for name in TransferEntry.__dataclass_fields__},
    )
    transfer.full_clean()
    transfer.save()
    _record(transfer, f"{transfer.get_kind_display()}, {request.code}")
    return transfer


@transaction.atomic
def inheritance_record(
    *, pledge_id: int, user: User, heir: Buyer, entry: TransferEntry, submission_key: UUID
) -> Transfer:
    """Pass shares on to an heir: no penalty, and a pledge of the heir's own, with the same
    purchase, price, term and rank. The same submission again gives the first one's transfer.

    Raises Refused.
    """
    _check_may(user)
    pledge = pledge_locked(pledge_id)
    known = Transfer.objects.filter(submission_key=submission_key, pledge=pledge).first()
    if known:
        return known
    _check_heir(pledge, heir)
    _check_inherited(pledge, entry)
    theirs = _heir_pledge(pledge, heir, entry.shares, user)
    transfer = Transfer(
        pledge=pledge,
        kind=TransferKind.INHERITANCE,
        transferred_on=entry.transferred_on,
        shares=entry.shares,
        to_buyer=heir,
        to_name=heir.name[:200],
        proof=entry.proof,
        heir_pledge=theirs,
        submission_key=submission_key,
        recorded_by=user,
    )
    transfer.full_clean()
    transfer.save()
    _record(transfer, f"sin sanción; siguen en prenda, en {theirs.code}")
    return transfer


def settled_requests(pledge: Pledge) -> list[ReleaseRequest]:
    """The requests of a pledge whose quote is settled, and that were not withdrawn."""
    settled = pledge.requests.filter(quotes__state=QuoteState.ACCEPTED).order_by("pk")
    return list(settled.distinct())


def left_to_transfer(request: ReleaseRequest) -> int:
    """Shares of a request whose transfer is not on record yet."""
    passed = request.transfers.aggregate(total=Sum("shares"))["total"] or 0
    return request.shares - passed


def inheritance_article(pledge: Pledge) -> str:
    """The clause by which inheritance is no early exit, where the programme's terms say it."""
    terms = pledge_terms(pledge)
    return terms.pledge.inheritance.cite if terms.pledge else ""


def _check_may(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra transferencias.")


def _check_day(pledge: Pledge, day: date) -> None:
    check_day_not_future(day, "transferred_on")
    if day < pledge.purchased_on:
        raise Refused(
            f"Se compraron el {write_date(pledge.purchased_on)}: no se transfieren antes.",
            "transferred_on",
        )
    if day > pledge.last_day:
        raise Refused(
            f"El término terminó el {write_date(pledge.last_day)}: lo que se transfiere después "
            "no paga sanción ni se registra aquí; levante la prenda.",
            "transferred_on",
        )


def _check_request(pledge: Pledge, request: ReleaseRequest, entry: TransferEntry) -> None:
    if request.pk not in [one.pk for one in settled_requests(pledge)]:
        raise Refused(
            f"{request.code} no tiene fijada su liquidación: la sanción va primero.", "request"
        )
    left = left_to_transfer(request)
    if entry.shares > left:
        raise Refused(f"De {request.code} quedan {write_shares(left)} por transferir.", "shares")
    if request.sold_on and request.sold_on != entry.transferred_on:
        raise Refused(
            f"La liquidación de {request.code} se hizo con la enajenación del "
            f"{write_date(request.sold_on)}: la fecha debe ser la misma.",
            "transferred_on",
        )
    if request.sale_price and entry.price and request.sale_price != entry.price:
        raise Refused(
            f"La liquidación de {request.code} se hizo a {write_amount(request.sale_price)} por "
            "acción: el precio debe ser el mismo.",
            "price",
        )


def _check_heir(pledge: Pledge, heir: Buyer) -> None:
    if pledge.holder.kind != BuyerKind.NATURAL:
        raise Refused("Solo de una persona natural se hereda: esta prenda es de una organización.")
    if heir.merged_into_id is not None:
        raise Refused("Ese registro se unió a otro: elija el que se conserva.", "heir")
    if heir.pk == pledge.holder_id:
        raise Refused("Es quien tiene ya las acciones: elija a quien hereda.", "heir")


def _check_inherited(pledge: Pledge, entry: TransferEntry) -> None:
    check_day_not_future(entry.transferred_on, "transferred_on")
    if entry.transferred_on < pledge.opened_on:
        raise Refused(
            f"La prenda es del {write_date(pledge.opened_on)}: escriba una fecha posterior.",
            "transferred_on",
        )
    check_in_order(pledge, entry.transferred_on, "transferred_on")
    if entry.shares < 1:
        raise Refused("Escriba cuántas acciones pasan al heredero.", "shares")
    if entry.shares > pledge.free:
        raise Refused(
            f"De {pledge.code} quedan {write_shares(pledge.free)} sin solicitud ni embargo: "
            "termine antes la solicitud, o haga levantar la medida.",
            "shares",
        )


def _heir_pledge(pledge: Pledge, heir: Buyer, shares: int, user: User) -> Pledge:
    theirs = Pledge(
        award=pledge.award,
        holder=heir,
        shares=shares,
        inherited_from=pledge,
        opened_by=user,
        **{
            name: getattr(pledge, name)
            for name in ("price", "purchased_on", "opened_on", "last_day", "rank", "lender")
        },
    )
    theirs.full_clean()
    theirs.save()
    pledge.passed_on += shares
    if pledge.released + pledge.passed_on == pledge.shares:
        pledge.state = PledgeState.RELEASED if pledge.released else PledgeState.PASSED_ON
    pledge.save(update_fields=["passed_on", "state"])
    return theirs


def _record(transfer: Transfer, how: str) -> None:
    pledge = transfer.pledge
    is_heir = transfer.heir_pledge_id is not None
    decision_record(
        act="inheritance_record" if is_heir else "transfer_record",
        sentence=f"Registró que {write_shares(transfer.shares)} de {pledge.code} pasaron a otro: "
        f"{how}.",
        article=inheritance_article(pledge) if is_heir else "",
        reason=transfer.proof,
        actor=transfer.recorded_by,
        subject=pledge,
        legal_at=bogota_moment(transfer.transferred_on, time()),
    )
