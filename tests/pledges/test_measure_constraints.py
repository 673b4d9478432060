"""What the database keeps true of measures, the Fund's rights, lenders' notices and transfers."""

from datetime import date, datetime
from uuid import uuid4

import pytest
from django.db import connection, transaction

from pledges.models import Attachment, LenderNotice, Pledge, ShareholderRights, Transfer
from tests.conftest import BOGOTA
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.rows import make_pledge
from tests.pledges.test_measures import record
from tests.pledges.test_transfers import make_request, transfer

LIFTED = {"lifted_on": date(1996, 5, 2), "lifted_act": "Oficio 9"}


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def measure(pledge, irene):
    return record(pledge, irene)


@pytest.fixture
def rights(pledge, irene):
    return ShareholderRights.objects.create(
        pledge=pledge,
        cause="default",
        detail="Carta 12",
        since=date(1996, 2, 6),
        recorded_by=irene,
    )


@pytest.fixture
def request_(pledge, irene):
    return make_request(pledge, irene)


@pytest.fixture
def notice(request_, irene):
    return LenderNotice.objects.create(
        request=request_,
        lender="Banco de Muestra",
        notified_on=date(1996, 6, 22),
        reference="Carta 30",
        recorded_by=irene,
    )


def counts_checked():
    """Ask now what is otherwise asked at the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_measure_reaches_a_share_or_more(pledge, irene):
    with refused_by("attachment_shares_positive"):
        Attachment.objects.create(
            pledge=pledge,
            measure="embargo",
            authority="Juzgado",
            number="1",
            ordered_on=date(1996, 2, 1),
            received_at=datetime(1996, 2, 1, tzinfo=BOGOTA),
            shares=0,
            recorded_by=irene,
        )


def test_an_order_of_an_authority_is_recorded_once(measure):
    with refused_by("attachment_once"):
        repeat(measure, submission_key=uuid4())


def test_a_measure_is_lifted_by_an_order_after_its_own(measure, irene):
    with refused_by("attachment_lifted_says_how"):
        change(measure, lifted_on=date(1996, 5, 2), lifted_by_id=irene.pk)
    with refused_by("attachment_lifted_after_order"):
        change(measure, **(LIFTED | {"lifted_on": date(1996, 1, 1)}), lifted_by_id=irene.pk)


def test_what_a_measure_orders_is_fixed_and_lifted_it_stays_so(measure, irene):
    with refused_by("attachment_order_fixed"):
        change(measure, shares=1)
    with refused_by("attachment_kept"):
        strike_out(measure)
    with transaction.atomic():
        change(measure, **LIFTED, lifted_by_id=irene.pk)
        Pledge.objects.update(attached=0)
    with refused_by("attachment_lifted_for_good"):
        change(measure, lifted_act="Otro oficio")


def test_attached_shares_are_counted_on_their_pledge(measure, irene):
    """The trigger attachment_counted asks at the end of the transaction."""
    with refused_by("pledge_counts_hold"):
        change(measure, **LIFTED, lifted_by_id=irene.pk)
        counts_checked()


def test_rights_have_a_cause_and_an_end_with_its_reason(pledge, rights, measure):
    with refused_by("shareholderrights_one_in_force"):
        repeat(rights, submission_key=uuid4())
    with refused_by("shareholderrights_ended_says_why"):
        change(rights, until=date(1996, 3, 1))
    with refused_by("shareholderrights_start_fixed"):
        change(rights, since=date(1996, 2, 7))
    with refused_by("shareholderrights_kept"):
        strike_out(rights)


def test_rights_by_a_measure_name_it(pledge, irene):
    with refused_by("shareholderrights_cause_shown"):
        ShareholderRights.objects.create(
            pledge=pledge,
            cause="attachment",
            detail="Carta 12",
            since=date(1996, 2, 6),
            recorded_by=irene,
        )


def test_rights_that_ended_stay_ended(rights, irene):
    change(rights, until=date(1996, 3, 1), ended_why="Pagó", ended_by_id=irene.pk)
    with refused_by("shareholderrights_ended_for_good"):
        change(rights, ended_why="Otra razón")


def test_a_notice_to_the_lender_is_kept_and_recorded_once(notice):
    with refused_by("lendernotice_once"):
        repeat(notice, submission_key=uuid4())
    with refused_by("lendernotice_kept"):
        change(notice, lender="Otro banco")


def test_a_transfer_is_kept_as_it_was_recorded(pledge, irene, request_):
    made = transfer(pledge, irene, request_)
    with refused_by("transfer_kept"):
        change(made, to_name="Otra persona")
    with refused_by("transfer_kept"):
        strike_out(made)
    assert Transfer.objects.count() == 1
