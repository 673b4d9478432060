"""Requests of an early exit: each share is asked for once, nobody waives what a sale costs."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from office.dates import BOGOTA
from office.models import Decision
from office.refusals import Refused
from pledges.enums import RequestKind, RequestState
from pledges.models import Attachment, ReleaseRequest
from pledges.services.holding import SharesHeld
from pledges.services.pledges import pledge_locked
from pledges.services.request_ends import release_request_reopen, release_request_withdraw
from pledges.services.requests import (
    SaleEntry,
    release_request_state_sale,
)
from tests.pledges.early import (
    ASKED,
    ASKED_ON,
    FES,
    UNTIL,
    ask,
    find_breach,
    make_case,
    pay,
    quoted,
    settled,
)
from tests.pledges.rows import make_pledge

SOLD = SaleEntry(
    title="sale", sold_on=date(1997, 1, 15), sale_price=Decimal("90"), sale_proof="Contrato"
)


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana)


def attach(pledge, user, shares):
    """An embargo on shares of the pledge, straight in the tables."""
    held = Attachment.objects.create(
        pledge=pledge,
        measure="embargo",
        authority="Juzgado 1 de Prueba",
        number="Oficio 7",
        ordered_on=date(1996, 5, 1),
        received_at=ASKED,
        shares=shares,
        recorded_by=user,
    )
    pledge.attached += shares
    pledge.save(update_fields=["attached"])
    return held


def withdraw(request, user, reason="Carta de desistimiento", on=ASKED_ON):
    return release_request_withdraw(
        request_id=request.pk, user=user, withdrawn_on=on, reason=reason
    )


def test_request_holds_its_shares_and_is_written_down(pledge, irene):
    request = ask(pledge, irene, 4_000)
    pledge.refresh_from_db()
    assert (request.state, request.code) == (RequestState.OPEN, f"SD-{request.pk:06d}")
    assert (pledge.in_process, pledge.free) == (4_000, 6_000)
    assert Decision.objects.filter(act="release_request_file", legal_at=ASKED).exists()


def test_second_request_for_shares_already_asked_for_is_refused_and_names_the_first(pledge, irene):
    first = ask(pledge, irene, 7_000)
    with pytest.raises(SharesHeld, match=f"{first.code} ya pide 7.000 acciones") as refusal:
        ask(pledge, irene, 4_000, "R-2")
    assert refusal.value.requests == (first,)
    assert ask(pledge, irene, 3_000, "R-2").shares == 3_000


def test_more_than_is_pledged_is_refused(pledge, irene):
    with pytest.raises(Refused, match=r"hay 10\.000 acciones en prenda"):
        ask(pledge, irene, 10_001)


def test_attached_shares_cannot_be_asked_for_and_the_measure_is_named(pledge, irene):
    held = attach(pledge, irene, 8_000)
    with pytest.raises(SharesHeld, match=r"Oficio 7 \(Juzgado 1 de Prueba\)") as refusal:
        ask(pledge, irene, 2_001)
    assert refusal.value.attachments == (held,)
    ask(pledge, irene, 2_000)


def test_same_submission_twice_is_one_request(pledge, irene):
    key = uuid4()
    assert ask(pledge, irene, 1, key=key) == ask(pledge, irene, 1, key=key)
    assert ReleaseRequest.objects.count() == 1


def test_same_filing_number_twice_is_refused_with_the_first(pledge, irene):
    first = ask(pledge, irene, 1, "Rad. 9")
    with pytest.raises(SharesHeld, match=f"es {first.code}"):
        ask(pledge, irene, 1, "RAD. 9")


@pytest.mark.parametrize("shares", [0, -1])
def test_no_shares_are_refused(pledge, irene, shares):
    with pytest.raises(Refused, match="una acción o más"):
        ask(pledge, irene, shares)


def test_request_is_early_on_the_last_day_and_free_on_the_next(pledge, irene):
    last = datetime(1997, 9, 15, 23, 59, tzinfo=BOGOTA)
    with pytest.raises(Refused, match=r"ya cumplió su término.*se levanta sin sanción"):
        ask(pledge, irene, 1, filed_at=last + timedelta(minutes=1))
    assert ask(pledge, irene, 1, filed_at=last).shares == 1


def test_request_before_the_purchase_or_in_the_future_is_refused(pledge, irene):
    with pytest.raises(Refused, match="anterior a la compra"):
        ask(pledge, irene, 1, filed_at=datetime(1995, 9, 14, tzinfo=BOGOTA))
    with pytest.raises(Refused, match="está en el futuro"):
        ask(pledge, irene, 1, filed_at=timezone.now() + timedelta(minutes=5))


def test_only_who_prepares_files_or_withdraws(pledge, irene, aura, bruno):
    for person in (aura, bruno):
        with pytest.raises(Refused, match="Solo un analista o un supervisor"):
            ask(pledge, person, 1)
    request = ask(pledge, irene, 1)
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        withdraw(request, aura)


def test_request_on_a_pledge_of_which_nothing_is_left_is_refused(pledge, irene):
    type(pledge).objects.filter(pk=pledge.pk).update(state="annulled")
    with pytest.raises(Refused, match="no le quedan acciones en prenda"):
        ask(pledge, irene, 1)


def test_inheritance_is_no_early_exit(pledge, irene):
    with pytest.raises(Refused, match="la prenda sigue a las acciones"):
        ask(pledge, irene, 1, sale=SaleEntry(title="inheritance"))


# --- breaches ---


def test_breach_is_assessed_without_a_request_by_the_day_of_the_transfer(irene, ana):
    request = find_breach(make_case(irene, ana), irene, filed_at=timezone.now())
    assert request.kind == RequestKind.BREACH
    assert quoted(request, irene, date(1999, 1, 1)).outcome["month"] == 17


@pytest.mark.parametrize(
    ("sale", "told"),
    [
        (SaleEntry(), "por qué título"),
        (SaleEntry(title="sale"), "cuándo se enajenaron"),
        (SaleEntry(title="sale", sold_on=date(1996, 1, 1)), "en qué consta"),
        (SaleEntry("sale", date(1995, 9, 14), None, "Acta"), "anterior a la compra"),
        (SaleEntry("sale", date(1997, 9, 16), None, "Acta"), "posterior al término"),
    ],
)
def test_breach_says_what_was_transferred_when_and_its_proof(pledge, irene, sale, told):
    with pytest.raises(Refused, match=told):
        ask(
            pledge,
            irene,
            1,
            kind=RequestKind.BREACH,
            evidence="Oficio",
            sale=sale,
            filed_at=datetime(1998, 1, 1, tzinfo=BOGOTA),
        )


def test_breach_is_found_out_after_its_transfer(pledge, irene):
    with pytest.raises(Refused, match="posterior al día en que se comprobó, el 20/01/1997"):
        find_breach(pledge, irene, 1, sold_on=date(1997, 1, 21))


def test_sale_within_the_term_that_comes_out_after_it_is_a_breach(pledge, irene):
    after = datetime(1998, 1, 1, tzinfo=BOGOTA)
    with pytest.raises(Refused, match="regístrela como incumplimiento"):
        ask(pledge, irene, 1, filed_at=after, sale=SOLD)
    assert find_breach(pledge, irene, 1, filed_at=after).shares == 1


def test_in_fes_it_is_asked_for_after_the_term_by_the_day_of_its_sale(irene, ana):
    pledge = make_pledge(irene, ana, slug=FES)
    after = datetime(1998, 1, 1, tzinfo=BOGOTA)
    assert ask(pledge, irene, 1, filed_at=after, sale=SOLD).sold_on == SOLD.sold_on


# --- what is sold is stated ---


def test_sale_is_completed_while_the_request_is_open_and_the_proposal_falls(irene, ana):
    request = ask(make_case(irene, ana), irene)
    proposed = quoted(request, irene)
    release_request_state_sale(
        request_id=request.pk,
        user=irene,
        sale=SOLD,
        file={"data": b"%PDF-1.7", "name": "contrato.pdf", "content_type": "application/pdf"},
    )
    request.refresh_from_db()
    proposed.refresh_from_db()
    assert request.sale_file.original_name == "contrato.pdf"
    assert (request.sold_on, proposed.state) == (SOLD.sold_on, "replaced")
    settled(request, irene)
    with pytest.raises(Refused, match="ya no cambian"):
        release_request_state_sale(request_id=request.pk, user=irene, sale=SOLD)


def test_sale_after_the_request_is_not_proved_in_it(pledge, irene):
    request = ask(pledge, irene)
    later = SaleEntry("sale", date(1997, 1, 21), None, "Contrato")
    with pytest.raises(Refused, match="posterior a la solicitud"):
        release_request_state_sale(request_id=request.pk, user=irene, sale=later)


# --- giving up ---


def test_holder_gives_up_and_the_shares_are_free_again(pledge, irene):
    request = withdraw(ask(pledge, irene, 10_000), irene)
    pledge.refresh_from_db()
    assert (request.state, request.ended_why) == (RequestState.WITHDRAWN, "Carta de desistimiento")
    assert pledge.free == 10_000
    with pytest.raises(Refused, match="no se desiste"):
        withdraw(request, irene)


def test_settled_request_is_given_up_too(irene, ana):
    request = ask(make_case(irene, ana), irene)
    settled(request, irene)
    assert withdraw(request, irene).state == RequestState.WITHDRAWN


def test_nobody_gives_up_alone_what_was_sold_or_paid_for(irene, ana):
    pledge = make_case(irene, ana)
    breach = find_breach(pledge, irene, 1_000)
    stated = ask(pledge, irene, 1_000, sale=SOLD)
    paid = ask(pledge, irene, 8_000, "R-2")
    settled(paid, irene)
    pay(paid, irene, 1)
    for request, told in ((breach, "no se perdona"), (stated, "no se perdona"), (paid, "dinero")):
        with pytest.raises(Refused, match=told):
            withdraw(request, irene)


def test_giving_up_needs_its_paper_and_a_day_after_the_request(pledge, irene):
    request = ask(pledge, irene)
    with pytest.raises(Refused, match="en qué consta"):
        withdraw(request, irene, " ")
    with pytest.raises(Refused, match="anterior a la solicitud"):
        withdraw(request, irene, on=date(1997, 1, 19))


# --- a quote that lapsed ---


def test_lapsed_unpaid_quote_lets_the_request_be_quoted_again(irene, ana):
    request = ask(make_case(irene, ana), irene)
    first = settled(request, irene)
    release_request_reopen(request_id=request.pk, user=irene, reason="No pagó a tiempo.")
    request.refresh_from_db()
    first.refresh_from_db()
    assert (request.state, first.state) == (RequestState.OPEN, "replaced")
    assert quoted(request, irene).amount == first.amount


def test_quote_in_force_or_partly_paid_is_not_reopened(irene, ana, time_machine):
    request = ask(make_case(irene, ana), irene)
    settled(request, irene)
    time_machine.move_to(datetime(1997, 2, 15, 23, 0, tzinfo=BOGOTA))
    with pytest.raises(Refused, match="vigente hasta el 15/02/1997"):
        release_request_reopen(request_id=request.pk, user=irene, reason="No pagó.")
    pay(request, irene, 1, on=UNTIL)
    time_machine.move_to(datetime(1997, 2, 16, tzinfo=BOGOTA))
    with pytest.raises(Refused, match="Ya se pagó una parte"):
        release_request_reopen(request_id=request.pk, user=irene, reason="No pagó.")
    assert pledge_locked(request.pledge_id).in_process == 10_000
