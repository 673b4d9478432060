"""That a programme's auction was held, and the trades that may set the price of a penalty:
recorded, corrected with a reason, withdrawn."""

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from buyers.models import Exchange
from offerings.enums import FigureState
from offerings.models import AuctionSession, Programme, ReferenceTrade
from offerings.selectors.programmes import programme_terms
from offerings.selectors.trades import sessions_of
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount, write_shares
from office.refusals import Refused, check_day_not_future
from office.roles import Capability

Closed = TypeVar("Closed", AuctionSession, ReferenceTrade)


@dataclass(frozen=True)
class TradeEntry:
    """A trade as it is brought in. price: pesos a share, with centavos; in_auction: whether it
    was made in the auction, which then must be recorded; buyer_reference: "" where unknown."""

    traded_on: date
    price: Decimal
    shares: int
    in_auction: bool
    venue: str
    buyer_reference: str
    source: str


@transaction.atomic
def auction_session_record(
    *,
    programme: Programme,
    user: User,
    held_on: date,
    exchange: Exchange | None,
    source: str,
    submission_key: UUID,
) -> AuctionSession:
    """Record that the programme's auction was held on a day; the same submission again gives the
    first one's. Raises Refused.
    """
    _may_record(user)
    programme = _locked(programme)
    known = AuctionSession.objects.filter(submission_key=submission_key).first()
    if known:
        return known
    check_day_not_future(held_on, "held_on")
    if sessions_of(programme).filter(held_on=held_on).exists():
        raise Refused(f"El martillo del {write_date(held_on)} ya está registrado.", "held_on")
    session = AuctionSession(
        programme=programme,
        held_on=held_on,
        exchange=exchange,
        source=source,
        submission_key=submission_key,
        recorded_by=user,
    )
    session.full_clean()
    session.save()
    where = f" en {exchange}" if exchange else ""
    decision_record(
        act="auction_session_record",
        sentence=f"Registró que el martillo se realizó el {write_date(held_on)}{where}.",
        actor=user,
        subject=session,
        legal_at=bogota_moment(held_on, time()),
        data={"source": source},
    )
    return session


@transaction.atomic
def auction_session_withdraw(*, session_id: int, user: User, reason: str) -> AuctionSession:
    """Take back that the auction was held on a day; withdrawn already, it is left as it is.

    Raises Refused while trades in it are in force: they would be trades in no auction.
    """
    _may_record(user)
    session = AuctionSession.objects.get(pk=session_id)
    _locked(session.programme)
    session.refresh_from_db()
    if not session.in_force:
        return session
    trades = session.trades.filter(state=FigureState.IN_FORCE).count()
    if trades:
        raise Refused(
            f"Tiene {trades} operaciones vigentes en él: retírelas o corríjalas primero."
            if trades > 1
            else "Tiene una operación vigente en él: retírela o corríjala primero."
        )
    _close(session, FigureState.WITHDRAWN, user, reason)
    decision_record(
        act="auction_session_withdraw",
        sentence=f"Retiró el martillo del {write_date(session.held_on)}.",
        actor=user,
        subject=session,
        reason=reason,
    )
    return session


@transaction.atomic
def trade_record(
    *, programme: Programme, user: User, entry: TradeEntry, submission_key: UUID
) -> ReferenceTrade:
    """Record a trade of the issuer's shares; the same submission again gives the first one's.
    Raises Refused with the field at fault.
    """
    _may_record(user)
    programme = _locked(programme)
    known = ReferenceTrade.objects.filter(submission_key=submission_key).first()
    if known:
        return known
    trade = _trade(programme, user, entry, submission_key)
    _save(trade)
    decision_record(
        act="trade_record",
        sentence=f"Registró la {_told(trade)}.",
        actor=user,
        subject=trade,
        legal_at=bogota_moment(trade.traded_on, time()),
        data=_data(trade),
    )
    return trade


@transaction.atomic
def trade_correct(
    *, trade_id: int, user: User, entry: TradeEntry, reason: str, submission_key: UUID
) -> ReferenceTrade:
    """Put another trade in the place of one that was entered wrong; what was there stays, with
    who corrected it, when and why. Settled quotes keep theirs. Raises Refused.
    """
    _may_record(user)
    before = _trade_locked(trade_id)
    known = ReferenceTrade.objects.filter(submission_key=submission_key).first()
    if known:
        return known
    _check_in_force(before)
    if entry_of(before) == entry:
        raise Refused("No cambió ningún dato: no hay nada que corregir.")
    _close(before, FigureState.CORRECTED, user, reason)
    trade = _trade(before.programme, user, entry, submission_key)
    trade.corrects = before
    _save(trade)
    decision_record(
        act="trade_correct",
        sentence=f"Corrigió la {_told(before)}: queda la {_told(trade)}.",
        actor=user,
        subject=trade,
        reason=reason,
        legal_at=bogota_moment(trade.traded_on, time()),
        data={"before": _data(before), **_data(trade)},
    )
    return trade


@transaction.atomic
def trade_withdraw(*, trade_id: int, user: User, reason: str) -> ReferenceTrade:
    """Take a trade out of use without another in its place; withdrawn already, it is left as it
    is. Raises Refused.
    """
    _may_record(user)
    trade = _trade_locked(trade_id)
    if trade.state == FigureState.WITHDRAWN:
        return trade
    _check_in_force(trade)
    _close(trade, FigureState.WITHDRAWN, user, reason)
    decision_record(
        act="trade_withdraw",
        sentence=f"Retiró la {_told(trade)}.",
        actor=user,
        subject=trade,
        reason=reason,
        data=_data(trade),
    )
    return trade


def entry_of(trade: ReferenceTrade) -> TradeEntry:
    """A trade as it was brought in."""
    return TradeEntry(
        traded_on=trade.traded_on,
        price=trade.price,
        shares=trade.shares,
        in_auction=trade.in_auction,
        venue=trade.venue,
        buyer_reference=trade.buyer_reference,
        source=trade.source,
    )


def _may_record(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra el martillo y las operaciones.")


def _locked(programme: Programme) -> Programme:
    return Programme.objects.select_for_update().get(pk=programme.pk)


def _trade_locked(pk: int) -> ReferenceTrade:
    """The trade, read once its programme's row is held."""
    programme = Programme.objects.filter(reference_trades=pk).get()
    _locked(programme)
    return ReferenceTrade.objects.select_related("programme", "session").get(pk=pk)


def _check_in_force(trade: ReferenceTrade) -> None:
    if not trade.in_force:
        raise Refused(f"Esa operación ya no está vigente: {trade.get_state_display().lower()}.")


def _trade(
    programme: Programme, user: User, entry: TradeEntry, submission_key: UUID
) -> ReferenceTrade:
    check_day_not_future(entry.traded_on, "traded_on")
    _check_shares(programme, entry)
    return ReferenceTrade(
        programme=programme,
        session=_session(programme, entry),
        traded_on=entry.traded_on,
        price=entry.price,
        shares=entry.shares,
        venue=entry.venue,
        buyer_reference=entry.buyer_reference,
        source=entry.source,
        submission_key=submission_key,
        recorded_by=user,
    )


def _check_shares(programme: Programme, entry: TradeEntry) -> None:
    """Refuse more shares in one trade than the issuer has: the highest price that counts is what
    a penalty is worked out from."""
    outstanding = programme_terms(programme).outstanding
    if outstanding and entry.shares > outstanding.value:
        raise Refused(
            f"El emisor tiene {write_shares(outstanding.value)} en circulación "
            f"({outstanding.cite}): una operación no puede ser de más. Revise la cifra.",
            "shares",
        )


def _session(programme: Programme, entry: TradeEntry) -> AuctionSession | None:
    if not entry.in_auction:
        return None
    session = sessions_of(programme).filter(held_on=entry.traded_on).first()
    if session is None:
        raise Refused(
            f"No hay un martillo registrado el {write_date(entry.traded_on)}: regístrelo primero, "
            "o diga que la operación no fue en él.",
            "in_auction",
        )
    return session


def _save(trade: ReferenceTrade) -> None:
    trade.full_clean(validate_constraints=False)
    try:
        trade.validate_constraints()
        with transaction.atomic():
            trade.save()
    except ValidationError as error:
        raise Refused(" ".join(error.messages), _field_at_fault(trade)) from error
    except IntegrityError as error:
        raise Refused("La misma operación se registró hace un instante.") from error


def _field_at_fault(trade: ReferenceTrade) -> str:
    if trade.price <= 0:
        return "price"
    return "shares" if trade.shares <= 0 else "buyer_reference"


def _close(row: Closed, state: FigureState, user: User, reason: str) -> None:
    if not reason.strip():
        raise Refused("Escriba el motivo.", "reason")
    row.state, row.closed_by, row.closed_at = state, user, timezone.now()
    row.closed_reason = reason.strip()
    row.full_clean()
    row.save()


def _told(trade: ReferenceTrade) -> str:
    where = "en el martillo" if trade.in_auction else f"en {trade.venue}"
    return (
        f"operación del {write_date(trade.traded_on)} {where}: {write_shares(trade.shares)} a "
        f"{write_amount(trade.price)}"
    )


def _data(trade: ReferenceTrade) -> dict[str, str]:
    return {
        "traded_on": str(trade.traded_on),
        "price": str(trade.price),
        "shares": str(trade.shares),
        "source": trade.source,
    }
