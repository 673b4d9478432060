"""What the database itself keeps true of indices, auctions and trades."""

from datetime import date
from uuid import uuid4

import pytest

from offerings.enums import ImportState
from offerings.services.programmes import programme_open
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.price_rows import (
    HELD,
    closed_as,
    make_base,
    make_import,
    make_index,
    make_session,
    make_trade,
)
from tests.offerings.programme_1995 import OLD_SLUG, SLUG

FIGURES = ("cpiindex", "auctionsession", "referencetrade")


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


@pytest.fixture
def rows(programme, irene):
    """A figure of each kind, by the name of its model."""
    made = [make_index(irene), make_session(programme, irene), make_trade(programme, irene)]
    return {row._meta.model_name: row for row in made}


@pytest.mark.parametrize("kind", FIGURES)
def test_figure_that_is_closed_says_by_whom_and_why(rows, irene, kind):
    for lacking in ("closed_by_id", "closed_at", "closed_reason"):
        columns = closed_as("withdrawn", irene)
        columns[lacking] = "" if lacking == "closed_reason" else None
        # cpiindex_closed_with_reason, auctionsession_closed_with_reason and
        # referencetrade_closed_with_reason
        with refused_by(f"{kind}_closed_with_reason"):
            change(rows[kind], **columns)
    with refused_by(f"{kind}_closed_with_reason"):
        change(rows[kind], closed_reason="Sin decir que se retira")


@pytest.mark.parametrize("kind", FIGURES)
def test_figure_has_a_source(rows, kind):
    columns = {"state": "withdrawn", "closed_by": rows[kind].recorded_by, "source": ""}
    closed = closed_as("withdrawn", rows[kind].recorded_by)
    # cpiindex_has_source, auctionsession_has_source and referencetrade_has_source
    with refused_by(f"{kind}_has_source"):
        repeat(rows[kind], submission_key=uuid4(), **(closed | columns))


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize(
    "columns", [{"source": "Otra"}, {"recorded_at": "2020-01-01"}, {"submission_key": uuid4()}]
)
def test_figure_says_the_same_for_ever(rows, kind, columns):
    # cpiindex_says_the_same, auctionsession_says_the_same and referencetrade_says_the_same
    with refused_by(f"{kind}_says_the_same"):
        change(rows[kind], **columns)


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("cpiindex", {"value": 19}),
        ("cpiindex", {"month": date(1995, 2, 1)}),
        ("auctionsession", {"held_on": date(1995, 11, 21)}),
        ("referencetrade", {"price": 81}),
        ("referencetrade", {"shares": 1}),
    ],
)
def test_figure_is_never_written_over(rows, kind, columns):
    with refused_by(f"{kind}_says_the_same"):
        change(rows[kind], **columns)


@pytest.mark.parametrize("kind", FIGURES)
def test_figure_is_closed_once_and_for_good(rows, irene, kind):
    change(rows[kind], **closed_as("withdrawn", irene))
    back = {"state": "in_force", "closed_by_id": None, "closed_at": None, "closed_reason": ""}
    # cpiindex_closed_for_good, auctionsession_closed_for_good and
    # referencetrade_closed_for_good
    for columns in (back, closed_as("corrected", irene)):
        with refused_by(f"{kind}_closed_for_good"):
            change(rows[kind], **columns)


@pytest.mark.parametrize("kind", FIGURES)
def test_figure_is_kept(rows, kind):
    # cpiindex_kept, auctionsession_kept and referencetrade_kept
    with refused_by(f"{kind}_kept"):
        strike_out(rows[kind])


def test_index_is_more_than_nothing(irene):
    with refused_by("cpiindex_value_positive"):
        make_index(irene, value="0")


def test_index_is_of_a_whole_month(irene):
    with refused_by("cpiindex_month_by_first_day"):
        make_index(irene, month=date(1995, 1, 31))


def test_month_has_one_index_in_force_in_each_base(irene):
    first = make_index(irene)
    with refused_by("cpiindex_one_in_force"):
        make_index(irene, value="18.60")
    make_index(irene, value="64.11", base=make_base(irene, date(2008, 12, 1), in_force=False))
    change(first, **closed_as("corrected", irene))
    assert make_index(irene, value="18.60", corrects=first).in_force


def test_base_is_of_a_whole_month_and_stays(irene):
    with refused_by("cpibase_month_by_first_day"):
        make_base(irene, date(2018, 12, 31))
    base = make_base(irene)
    with refused_by("cpibase_month_fixed"):
        change(base, month=date(2008, 12, 1))
    with refused_by("cpibase_kept"):
        strike_out(base)


def test_one_base_is_in_force(irene):
    make_base(irene)
    with refused_by("cpibase_one_in_force"):
        make_base(irene, date(2008, 12, 1))


def test_file_is_reviewed_once_at_a_time(irene):
    first = make_import(irene)
    with refused_by("cpiimport_file_once"):
        make_import(irene)
    change(first, state=ImportState.DISCARDED)
    make_import(irene)


def test_file_is_loaded_by_somebody_and_in_a_base(irene):
    source = make_import(irene)
    with refused_by("cpiimport_confirmed"):
        change(source, state=ImportState.LOADED)
    with refused_by("cpiimport_confirmed"):
        change(source, state=ImportState.LOADED, confirmed_by_id=irene.pk, base_month=None)


@pytest.mark.parametrize("state", [ImportState.REFUSED, ImportState.DISCARDED])
def test_file_that_is_done_with_never_changes(irene, state):
    source = make_import(irene, state=state)
    with refused_by("cpiimport_decided_is_final"):
        change(source, state=ImportState.REVIEWED)
    with refused_by("cpiimport_kept"):
        strike_out(source)


def test_trade_has_a_price_and_shares(programme, irene):
    with refused_by("referencetrade_price_positive"):
        make_trade(programme, irene, price="0")
    with refused_by("referencetrade_shares_positive"):
        make_trade(programme, irene, shares=0)


def test_trade_is_not_registered_twice(programme, irene):
    first = make_trade(programme, irene)
    with refused_by("referencetrade_not_twice"):
        make_trade(programme, irene, venue="BOLSA DE MUESTRA")
    make_trade(programme, irene, buyer_reference="Comprador de prueba")
    change(first, **closed_as("withdrawn", irene))
    make_trade(programme, irene)


def test_auction_of_a_day_is_registered_once(programme, irene):
    first = make_session(programme, irene)
    with refused_by("auctionsession_day_once"):
        make_session(programme, irene)
    change(first, **closed_as("withdrawn", irene))
    make_session(programme, irene)


def test_trade_in_the_auction_is_of_its_programme_and_day_and_of_one_in_force(programme, irene):
    session = make_session(programme, irene)
    with refused_by("referencetrade_in_its_session"):
        make_trade(programme, irene, session=session, traded_on=date(1995, 11, 21))
    other = programme_open(slug=OLD_SLUG, user=irene)
    with refused_by("referencetrade_in_its_session"):
        make_trade(other, irene, session=session)
    assert make_trade(programme, irene, session=session, traded_on=HELD).in_auction
    change(session, **closed_as("withdrawn", irene))
    with refused_by("referencetrade_in_its_session"):
        make_trade(programme, irene, price="81", session=session)
