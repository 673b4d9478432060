"""Shares pass to another with their penalty settled, or to heirs with their pledge."""

from datetime import date, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from office.refusals import Refused
from pledges.enums import PledgeState, QuoteState, RequestState, TransferKind
from pledges.models import Pledge, Quote, ReleaseRequest, Transfer
from pledges.services.transfers import TransferEntry, inheritance_record, transfer_record
from tests.conftest import BOGOTA
from tests.pledges.rows import make_pledge
from tests.pledges.test_measures import record


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


def make_request(pledge, user, shares=4, *, settled=True, **said):
    """A request of a pledge, with its quote settled or not."""
    with transaction.atomic():
        request = ReleaseRequest.objects.create(
            pledge=pledge,
            kind="asked",
            shares=shares,
            filing_number=f"R-{ReleaseRequest.objects.count() + 1}",
            filed_at=datetime(1996, 6, 20, 10, 0, tzinfo=BOGOTA),
            recorded_by=user,
            **said,
        )
        Pledge.objects.filter(pk=pledge.pk).update(in_process=pledge.in_process + shares)
        if settled:
            settle(request, user)
    pledge.refresh_from_db()
    return request


def settle(request, user):
    Quote.objects.create(
        request=request,
        state=QuoteState.ACCEPTED,
        amount=Decimal("89.80"),
        basis="difference",
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
    ReleaseRequest.objects.filter(pk=request.pk).update(state=RequestState.SETTLED)


def sale(**changes):
    said = {
        "kind": TransferKind.SALE,
        "transferred_on": date(1996, 6, 25),
        "shares": 4,
        "to_name": "Compradora Supuesta",
        "proof": "Factura 77",
        "price": Decimal("90.00"),
    }
    return TransferEntry(**(said | changes))


def transfer(pledge, user, request, **changes):
    return transfer_record(
        pledge_id=pledge.pk,
        user=user,
        entry=sale(**changes),
        request=request,
        submission_key=uuid4(),
    )


def inherit(pledge, user, heir, shares=4, **changes):
    return inheritance_record(
        pledge_id=pledge.pk,
        user=user,
        heir=heir,
        entry=sale(kind=TransferKind.INHERITANCE, shares=shares, price=None, **changes),
        submission_key=uuid4(),
    )


def test_a_sale_of_pledged_shares_is_refused_until_its_penalty_is_settled(pledge, irene):
    with pytest.raises(Refused, match="Nadie puede dispensarla"):
        transfer(pledge, irene, None)
    request = make_request(pledge, irene, settled=False)
    with pytest.raises(Refused, match="la sanción va primero"):
        transfer(pledge, irene, request)

    settle(request, irene)
    assert transfer(pledge, irene, request).shares == 4


def test_no_more_shares_are_sold_than_their_penalty_was_settled_for(pledge, irene):
    request = make_request(pledge, irene)
    transfer(pledge, irene, request, shares=3)

    with pytest.raises(Refused, match="quedan 1 acción por transferir"):
        transfer(pledge, irene, request, shares=2)


def test_a_sale_on_the_last_day_is_within_the_term_and_the_next_day_is_not(pledge, irene):
    request = make_request(pledge, irene)

    with pytest.raises(Refused, match="no paga sanción ni se registra aquí"):
        transfer(pledge, irene, request, transferred_on=date(1997, 9, 16))
    transfer(pledge, irene, request, transferred_on=date(1997, 9, 15))


def test_the_sale_is_the_one_that_its_quote_was_made_with(pledge, irene):
    request = make_request(
        pledge,
        irene,
        sold_on=date(1996, 6, 24),
        sale_price=Decimal("90.00"),
        sale_proof="Factura 77",
    )

    with pytest.raises(Refused, match="la fecha debe ser la misma"):
        transfer(pledge, irene, request)
    with pytest.raises(Refused, match="el precio debe ser el mismo"):
        transfer(pledge, irene, request, transferred_on=date(1996, 6, 24), price=Decimal("91.00"))


def test_an_heir_has_the_pledge_with_the_same_term_and_no_penalty(pledge, irene, heir):
    theirs = inherit(pledge, irene, heir).heir_pledge
    pledge.refresh_from_db()

    assert (pledge.pledged, pledge.passed_on, pledge.state) == (6, 4, PledgeState.IN_FORCE)
    assert (theirs.holder, theirs.shares, theirs.last_day) == (heir, 4, pledge.last_day)
    assert (theirs.price, theirs.purchased_on) == (pledge.price, pledge.purchased_on)


def test_all_of_it_inherited_the_pledge_passes_on(pledge, irene, heir):
    inherit(pledge, irene, heir, shares=10)

    pledge.refresh_from_db()
    assert (pledge.pledged, pledge.state) == (0, PledgeState.PASSED_ON)


def test_shares_asked_for_or_attached_do_not_pass_to_heirs(pledge, irene, heir):
    make_request(pledge, irene, 4)
    record(pledge, irene, shares=3)

    with pytest.raises(Refused, match="quedan 3 acciones sin solicitud ni embargo"):
        inherit(pledge, irene, heir, shares=4)
    inherit(pledge, irene, heir, shares=3)


def test_the_holder_is_not_its_own_heir(pledge, irene):
    with pytest.raises(Refused, match="Es quien tiene ya las acciones"):
        inherit(pledge, irene, pledge.holder)


def test_an_inheritance_sent_twice_makes_one_pledge(pledge, irene, heir):
    key = uuid4()
    for _ in range(2):
        inheritance_record(
            pledge_id=pledge.pk,
            user=irene,
            heir=heir,
            entry=sale(kind=TransferKind.INHERITANCE, price=None),
            submission_key=key,
        )

    assert Pledge.objects.filter(inherited_from=pledge).count() == 1


def test_the_database_keeps_no_transfer_without_its_penalty(pledge, irene):
    said = {
        "pledge": pledge,
        "kind": TransferKind.SALE,
        "transferred_on": date(1996, 6, 25),
        "shares": 4,
        "to_name": "Compradora Supuesta",
        "proof": "Factura 77",
        "recorded_by": irene,
    }
    with pytest.raises(IntegrityError, match="transfer_has_its_penalty"), transaction.atomic():
        Transfer.objects.create(**said)
    unsettled = make_request(pledge, irene, settled=False)
    with pytest.raises(IntegrityError, match="transfer_after_its_quote"), transaction.atomic():
        Transfer.objects.create(request=unsettled, **said)
    settle(unsettled, irene)
    with pytest.raises(IntegrityError, match="transfer_shares_positive"), transaction.atomic():
        Transfer.objects.create(request=unsettled, **(said | {"shares": 0}))


def test_the_screens_take_a_sale_and_an_inheritance_in(client, pledge, irene, heir):
    request = make_request(pledge, irene)
    client.force_login(irene)
    typed = {
        "submission_key": str(uuid4()),
        "kind": "sale",
        "request": "",
        "transferred_on": "25/06/1996",
        "shares": "4",
        "price": "90,00",
        "to_name": "Compradora Supuesta",
        "proof": "Factura 77",
    }
    address = f"/prendas/{pledge.pk}/transferencias/nueva/"
    assert client.post(address, typed | {"paso": "revisar"}).status_code == 422
    typed["request"] = str(request.pk)
    assert "Su sanción se liquidó en" in client.post(address, typed | {"paso": "revisar"}).text
    assert (
        "Compradora Supuesta"
        in client.post(address, typed | {"paso": "confirmar"}, follow=True).text
    )

    address = f"/prendas/{pledge.pk}/sucesion/"
    typed = {
        "submission_key": str(uuid4()),
        "heir_identity_type": "CC",
        "heir_identity_number": "99887766",
        "transferred_on": "01/03/1997",
        "shares": "6",
        "proof": "Escritura 12",
    }
    unknown = client.post(address, typed | {"paso": "revisar"})
    assert unknown.status_code == 422
    assert "regístrelo antes en Compradores" in unknown.text
    typed["heir_identity_number"] = "20.304.050"
    done = client.post(address, typed | {"paso": "confirmar"}, follow=True)
    assert "pasaron con su prenda a quien hereda" in done.text
