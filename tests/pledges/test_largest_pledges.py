"""What is pledged holds all the shares of the programme, and its amounts what they cost."""

from datetime import date
from decimal import Decimal

from django.db import transaction

from offerings.models import ReferenceTrade
from pledges.enums import QuoteState, TransferKind
from pledges.models import (
    Attachment,
    FundDecision,
    PenaltyPayment,
    PenaltyRefund,
    Pledge,
    Quote,
    ReleaseRequest,
    Transfer,
)
from tests.offerings.test_largest_figures import SHARES, WORTH
from tests.pledges.befallen import attach, release
from tests.pledges.early import make_trade
from tests.pledges.rows import make_pledge
from tests.pledges.test_transfers import inherit, make_request

MONEY = {
    "means": "cheque",
    "reference": "Cheque de prueba",
    "paid_on": date(1996, 6, 25),
    "amount": WORTH,
}


def kept(model, *names):
    """The columns of the model's newest row."""
    return model.objects.order_by("-pk").values_list(*names).first()


def test_all_the_shares_are_pledged_attached_and_released(irene, ana):
    pledge = make_pledge(irene, ana, SHARES)
    measure = attach(pledge, irene, SHARES)
    assert kept(Pledge, "shares", "attached") == (SHARES, SHARES)
    assert kept(Attachment, "shares") == (measure.shares,) == (SHARES,)
    with transaction.atomic():
        Attachment.objects.update(
            lifted_on=date(1996, 4, 1), lifted_act="Oficio 2", lifted_by=irene
        )
        Pledge.objects.update(attached=0)

    line = release(pledge, irene, ana, SHARES)

    assert (line.shares, line.release.shares_planned) == (SHARES, SHARES)
    assert kept(Pledge, "released") == (SHARES,)


def test_nearly_all_the_shares_stay_pledged_after_a_release(irene, ana):
    line = release(make_pledge(irene, ana, SHARES), irene, ana, 1)

    line.refresh_from_db()
    assert line.still_pledged == SHARES - 1


def test_all_the_shares_are_asked_for_and_sold_for_all_that_they_cost(irene, ana):
    pledge = make_pledge(irene, ana, SHARES)
    request = make_request(
        pledge, irene, SHARES, settled=False, sale_price=WORTH, sale_proof="Factura 77"
    )
    assert kept(ReleaseRequest, "shares", "sale_price") == (SHARES, WORTH)
    assert kept(Pledge, "in_process") == (SHARES,)
    _settle(request, irene)

    PenaltyPayment.objects.create(
        request=request, receipt="PG-1996-000001", recorded_by=irene, **MONEY
    )
    PenaltyRefund.objects.create(request=request, recorded_by=irene, **MONEY)
    Transfer.objects.create(
        pledge=pledge,
        request=request,
        kind=TransferKind.SALE,
        transferred_on=date(1996, 6, 25),
        shares=SHARES,
        price=WORTH,
        to_name="Compradora Supuesta",
        proof="Factura 77",
        recorded_by=irene,
    )

    for model in (Quote, FundDecision, PenaltyPayment, PenaltyRefund):
        assert kept(model, "amount") == (WORTH,)
    assert kept(Transfer, "shares", "price") == (SHARES, WORTH)


def _settle(request, user):
    FundDecision.objects.create(
        request=request,
        amount=WORTH,
        act="Acta 50",
        act_on=date(1996, 6, 21),
        reason="Prueba",
        prepared_by=user,
        review_state="pending",
    )
    Quote.objects.create(
        request=request,
        state=QuoteState.ACCEPTED,
        amount=WORTH,
        basis="decision",
        month=10,
        valid_until=date(1996, 7, 15),
        facts={},
        steps=[],
        outcome={},
        terms={},
        terms_sha256="0" * 64,
        prepared_by=user,
        accepted_on=date(1996, 6, 21),
        accepted_by=user,
    )
    ReleaseRequest.objects.filter(pk=request.pk).update(state="settled")


def test_all_the_shares_pass_to_an_heir(irene, ana, heir):
    pledge = make_pledge(irene, ana, SHARES)
    inherit(pledge, irene, heir, SHARES)

    assert Pledge.objects.get(pk=pledge.pk).passed_on == SHARES


def test_a_trade_of_all_the_shares_at_all_that_they_cost_is_kept(irene, ana):
    programme = make_pledge(irene, ana, 10).award.acceptance.stage.programme
    make_trade(programme, irene, price=WORTH, shares=SHARES, day=date(1996, 3, 1))

    trade = ReferenceTrade.objects.get()
    assert (trade.price, trade.shares) == (WORTH, SHARES)


def test_a_pledge_bought_at_all_that_they_cost_a_share_is_kept(irene, ana):
    pledge = make_pledge(irene, ana, 10)
    heirs = Pledge(
        award=pledge.award,
        holder=pledge.holder,
        inherited_from=pledge,
        shares=1,
        price=WORTH,
        purchased_on=pledge.purchased_on,
        opened_on=pledge.opened_on,
        last_day=pledge.last_day,
        rank=pledge.rank,
        opened_by=irene,
    )
    with transaction.atomic():
        heirs.save()
        Pledge.objects.filter(pk=pledge.pk).update(passed_on=1)

    heirs.refresh_from_db()
    assert heirs.price == Decimal(WORTH)
