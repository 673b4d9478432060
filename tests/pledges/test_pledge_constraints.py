"""What the database itself keeps true of a pledge: past every form, service and model."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import transaction

from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.services.pledges import pledge_enter
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.befallen import attach, release
from tests.pledges.rows import make_pledge, make_pledges


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


def again(pledge, **fields):
    """The pledge's row once more, as an heir's, with these fields different."""
    repeat(pledge, **({"submission_key": uuid4(), "inherited_from": pledge} | fields))


def test_an_award_has_one_pledge_of_its_own(pledge):
    with refused_by("pledge_one_per_award"):
        again(pledge, inherited_from=None)


def test_a_pledge_is_of_shares(pledge):
    with refused_by("pledge_shares_positive"):
        again(pledge, shares=0)


def test_a_pledge_s_shares_had_a_price(pledge):
    with refused_by("pledge_price_positive"):
        again(pledge, price=0)


@pytest.mark.parametrize("count", ["released", "in_process", "attached", "passed_on"])
def test_no_sum_is_under_nothing(pledge, count):
    with refused_by("pledge_counts_not_negative"):
        change(pledge, **{count: -1})


def test_a_share_is_not_asked_for_twice(pledge):
    with refused_by("pledge_never_asked_twice"):
        change(pledge, in_process=11)
    with refused_by("pledge_never_asked_twice"):
        change(pledge, in_process=8, released=3)


def test_a_share_under_a_measure_is_not_released_or_passed_on(pledge):
    with refused_by("pledge_attached_never_released"):
        change(pledge, attached=8, released=3)
    with refused_by("pledge_attached_never_released"):
        change(pledge, attached=8, passed_on=3)


def test_a_second_rank_has_its_lender(pledge):
    with refused_by("pledge_second_names_lender"):
        change(pledge, rank="second")


@pytest.mark.parametrize(
    "days", [{"opened_on": date(1995, 9, 14)}, {"last_day": date(1995, 9, 15)}]
)
def test_a_pledge_is_opened_after_its_purchase_and_ends_later(pledge, days):
    with refused_by("pledge_days_in_order"):
        again(pledge, **days)


@pytest.mark.parametrize(
    "entry",
    [
        {"entered_on": date(1995, 10, 3)},
        {"entry_reference": "A-1"},
        {"entered_on": date(1995, 10, 3), "entry_reference": "A-1"},
    ],
)
def test_an_entry_says_where_which_and_when(pledge, entry):
    with refused_by("pledge_entry_whole"):
        change(pledge, **entry)


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "released"},
        {"state": "released", "released": 9},
        {"state": "passed_on", "passed_on": 9},
        {"released": 10},
        {"state": "matured", "released": 10},
        {"state": "annulled", "attached": 1},
        {"state": "annulled", "in_process": 1},
    ],
)
def test_its_state_is_what_its_shares_say(pledge, columns):
    with refused_by("pledge_state_agrees_with_shares"):
        change(pledge, **columns)


def test_nobody_inherits_from_itself(pledge):
    with refused_by("pledge_not_its_own_heir"):
        again(pledge, pk=99_999, inherited_from_id=99_999)
    with refused_by("pledge_terms_fixed"):
        change(pledge, inherited_from_id=pledge.pk)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("matured", "in_force"),
        ("annulled", "in_force"),
        ("annulled", "matured"),
    ],
)
def test_a_state_does_not_go_back(pledge, first, then):
    change(pledge, state=first)
    with refused_by("pledge_moves"):
        change(pledge, state=then)


@pytest.mark.parametrize(
    "columns",
    [
        {"shares": 11},
        {"price": "1.00"},
        {"purchased_on": "1995-09-14"},
        {"opened_on": "1995-10-03"},
        {"last_day": "1996-09-15"},
        {"recorded_at": "1995-10-03 10:00"},
    ],
)
def test_what_was_pledged_never_changes(pledge, columns):
    with refused_by("pledge_terms_fixed"):
        change(pledge, **columns)


@pytest.mark.parametrize(
    "columns",
    [
        {"released": 1},
        {"in_process": 1},
        {"attached": 1},
        {"passed_on": 1},
        {"state": PledgeState.MATURED},
    ],
)
def test_a_pledge_begins_whole_and_in_force(pledge, columns):
    with refused_by("pledge_starts_whole"):
        again(pledge, **columns)


@pytest.mark.parametrize("count", ["released", "in_process", "attached", "passed_on"])
def test_its_sums_are_those_of_its_rows_when_the_act_ends(pledge, count):
    with refused_by("pledge_counts_hold"):
        change(pledge, **{count: 1})


def test_the_sums_may_wait_for_the_end_of_the_act_and_no_longer(pledge, irene, ana):
    with transaction.atomic():
        attach(pledge, irene, 4)
    release(pledge, irene, ana, 3)
    held = Pledge.objects.get()
    assert (held.attached, held.released, held.pledged, held.free) == (4, 3, 7, 3)


def test_a_line_does_not_change_without_its_pledge_s_sums(pledge, irene, ana):
    """Held by releaseline_counted, on the side of the line."""
    line = release(pledge, irene, ana, 3)
    with refused_by("pledge_counts_hold"):
        change(line, state="annulled")


def test_what_an_heir_has_is_what_left_the_dead_one_s_pledge(pledge):
    with refused_by("pledge_counts_hold"):
        again(pledge, shares=4)
    names = {trigger.name for trigger in Pledge._meta.triggers}
    assert "pledge_heirs_counted" in names


def test_a_pledge_is_never_deleted(pledge):
    with refused_by("pledge_kept"):
        strike_out(pledge)


def test_entered_again_or_given_to_another_record_it_is_the_same_pledge(irene, ana):
    """What may change does: the entry, and whose record it is."""
    pledge, other = make_pledges(irene, ana, (10, 20))
    pledge_enter(
        pledge_id=pledge.pk, user=irene, kept_by="Depósito de Prueba", reference="A-1",
        entered_on=date(1995, 10, 3),
    )  # fmt: skip
    change(pledge, holder_id=other.holder_id)
    pledge.refresh_from_db()
    assert (pledge.holder_id, pledge.entry_reference) == (other.holder_id, "A-1")
