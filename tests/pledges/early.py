"""Early exits for tests: the index, the auction and its trade, readings confirmed, requests.

The ordinary case: 10.000 shares bought on 15/09/1995 at $60,60, asked for on 20/01/1997 (month
17), the auction's trade at $80,00: $141.702,20.
"""

from datetime import date, datetime
from decimal import Decimal
from uuid import uuid4

from offerings.models import AuctionSession, CpiBase, CpiIndex, ReferenceTrade
from offerings.services.payments import PaymentEntry
from office.dates import BOGOTA
from office.review import ReviewState
from pledges.enums import RequestKind, TransferKind
from pledges.selectors.penalty_readings import readings_open
from pledges.services.penalty_payments import penalty_payment_record
from pledges.services.penalty_readings import penalty_readings_decide, penalty_readings_prepare
from pledges.services.quotes import quote_accept, quote_prepare
from pledges.services.requests import RequestEntry, SaleEntry, release_request_file
from tests.pledges.rows import make_pledge

ASKED = datetime(1997, 1, 20, 10, 30, tzinfo=BOGOTA)
ASKED_ON = date(1997, 1, 20)
UNTIL = date(1997, 2, 15)
AUCTION = date(1995, 11, 20)
DUE = Decimal("141702.20")
INDICES = {date(1995, 9, 1): "21.24", date(1996, 12, 1): "26.52"}


def make_index(user, month, value):
    base, _ = CpiBase.objects.get_or_create(
        month=date(2018, 12, 1), defaults={"in_force": True, "recorded_by": user}
    )
    return CpiIndex.objects.create(
        base=base, month=month, value=Decimal(value), source="DANE, prueba", recorded_by=user
    )


def make_trade(programme, user, price="80.00", shares=30_000_000, day=None, session=None):
    return ReferenceTrade.objects.create(
        programme=programme,
        session=session,
        traded_on=day or session.held_on,
        price=Decimal(price),
        shares=shares,
        venue="Bolsa de Prueba",
        source="Boletín de prueba",
        recorded_by=user,
    )


def make_market(programme, user):
    """The index of the months that the ordinary case needs, the auction and its trade."""
    for month, value in INDICES.items():
        make_index(user, month, value)
    session = AuctionSession.objects.create(
        programme=programme, held_on=AUCTION, source="Acta de prueba", recorded_by=user
    )
    return make_trade(programme, user, session=session)


def proposed_readings(programme):
    return {name: reading.value for name, reading in readings_open(programme).items()}


def pending_readings(programme, preparer, **changed):
    return penalty_readings_prepare(
        programme_id=programme.pk,
        user=preparer,
        readings=proposed_readings(programme) | changed,
        act="Acta 41",
        act_on=date(1995, 7, 7),
    )


def confirm_readings(programme, preparer, reviewer, **changed):
    version = pending_readings(programme, preparer, **changed)
    return penalty_readings_decide(
        readings_id=version.pk, user=reviewer, outcome=ReviewState.APPROVED
    )


def programme_of(pledge):
    return pledge.award.acceptance.stage.programme


def make_case(preparer, reviewer, shares=10_000):
    """A pledge in a programme with its market and its readings confirmed."""
    pledge = make_pledge(preparer, reviewer, shares)
    make_market(programme_of(pledge), preparer)
    confirm_readings(programme_of(pledge), preparer, reviewer)
    return pledge


def ask(pledge, user, shares=10_000, number="R-1", filed_at=ASKED, key=None, **said):
    entry = RequestEntry(shares=shares, filing_number=number, filed_at=filed_at, **said)
    return release_request_file(
        pledge_id=pledge.pk, user=user, entry=entry, submission_key=key or uuid4()
    )


def find_breach(pledge, user, shares=10_000, sold_on=ASKED_ON, **said):
    sale = SaleEntry(
        title=TransferKind.SALE,
        sold_on=sold_on,
        sale_price=Decimal("90.00"),
        sale_proof="Contrato de prueba",
    )
    return ask(
        pledge,
        user,
        shares,
        "INC-1",
        kind=RequestKind.BREACH,
        evidence="Oficio de prueba de la depositaria",
        sale=sale,
        **said,
    )


def quoted(request, user, until=UNTIL):
    return quote_prepare(request_id=request.pk, user=user, valid_until=until)


def settled(request, user, on=ASKED_ON):
    """A request's quote, accepted."""
    return quote_accept(quote_id=quoted(request, user).pk, user=user, accepted_on=on)


def money(amount, reference="Consignación 900", on=ASKED_ON, means="cheque"):
    return PaymentEntry(means=means, reference=reference, paid_on=on, amount=Decimal(amount))


def pay(request, user, amount=DUE, *, key=None, **said):
    return penalty_payment_record(
        request_id=request.pk,
        user=user,
        entry=money(amount, **said),
        submission_key=key or uuid4(),
    )


FES, FINANCIERA_AMERICA = "fiduciaria-fes-2004", "financiera-america-2004"


def undecided_request(preparer, reviewer):
    """A request that no rule answers: Financiera América's text has no penalty."""
    return ask(make_pledge(preparer, reviewer, slug=FINANCIERA_AMERICA), preparer)
