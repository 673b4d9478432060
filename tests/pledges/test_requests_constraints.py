"""Past every form and service: what the database keeps of requests and quotes."""

from datetime import date
from uuid import uuid4

import pytest

from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.early import ASKED_ON, ask, find_breach, make_case, quoted, settled


@pytest.fixture
def pledge(irene, ana):
    return make_case(irene, ana)


@pytest.fixture
def request_(pledge, irene):
    return ask(pledge, irene, 1_000)


@pytest.fixture
def quote(request_, irene):
    return quoted(request_, irene)


def again(row, **fields):
    repeat(row, **{"submission_key": uuid4(), "filing_number": "R-9", **fields})


@pytest.mark.parametrize(
    ("guard", "fields"),
    [
        ("releaserequest_shares_positive", {"shares": 0}),
        ("releaserequest_filed_once", {"filing_number": "R-1"}),
        ("releaserequest_price_proved", {"sale_price": 90}),
        ("releaserequest_price_proved", {"sale_price": 0, "sale_proof": "Contrato"}),
        ("releaserequest_sale_proved", {"sold_on": date(1996, 1, 1)}),
        ("releaserequest_breach_proved", {"kind": "breach"}),
        ("releaserequest_never_inheritance", {"title": "inheritance"}),
        ("releaserequest_ended_says_why", {"state": "withdrawn"}),
        ("releaserequest_ended_says_why", {"state": "closed"}),
    ],
)
def test_database_refuses_a_request_that_cannot_be(request_, guard, fields):
    with refused_by(guard):
        again(request_, **fields)


def test_request_that_its_pledge_does_not_count_is_refused(request_):
    for guard in ("pledge_counts_hold", "releaserequest_counted"):
        with refused_by(guard):
            again(request_)


def test_shares_cannot_be_asked_for_twice(pledge, request_):
    pledge.refresh_from_db()
    with refused_by("pledge_never_asked_twice"):
        change(pledge, in_process=10_001)


@pytest.mark.parametrize("state", ["released", "paid"])
def test_request_moves_only_as_it_may(request_, state):
    with refused_by("releaserequest_moves"):
        change(request_, state=state, ended_why="Carta")


@pytest.mark.parametrize(
    ("column", "value"), [("shares", 2), ("filed_at", "1997-01-19 00:00-05"), ("evidence", "x")]
)
def test_what_a_request_says_stays(request_, column, value):
    with refused_by("releaserequest_says_fixed"):
        change(request_, **{column: value})


def test_what_a_settled_quote_was_worked_out_from_stays(request_, irene):
    settled(request_, irene)
    for columns in (
        {"sold_on": date(1996, 1, 1), "sale_proof": "Contrato"},
        {"title": "sale"},
        {"sale_price": 5, "sale_proof": "Contrato"},
    ):
        with refused_by("releaserequest_sale_settled"):
            change(request_, **columns)


def test_requests_and_breaches_are_kept(pledge, request_, irene):
    for row in (request_, find_breach(pledge, irene, 1_000)):
        with refused_by("releaserequest_kept"):
            strike_out(row)


@pytest.mark.parametrize(
    ("guard", "fields"),
    [
        ("quote_one_proposed", {}),
        ("quote_amount_not_negative", {"amount": -1, "state": "replaced"}),
        ("quote_accepted_says_when", {"state": "accepted"}),
    ],
)
def test_database_refuses_a_quote_that_cannot_be(quote, guard, fields):
    with refused_by(guard):
        repeat(quote, **fields)


def test_quote_is_accepted_while_it_is_valid(quote, irene):
    with refused_by("quote_accepted_while_valid"):
        change(
            quote,
            state="accepted",
            accepted_on=date(1997, 2, 16),
            accepted_by_id=irene.pk,
        )


@pytest.mark.parametrize(
    ("column", "value"), [("amount", 0), ("steps", "[]"), ("terms_sha256", "0"), ("month", 24)]
)
def test_what_a_quote_says_never_changes(quote, column, value):
    with refused_by("quote_frozen"):
        change(quote, **{column: value})


def test_accepted_quote_is_one_and_stays_accepted(request_, irene):
    accepted = settled(request_, irene)
    with refused_by("quote_one_accepted"):
        repeat(accepted)
    with refused_by("quote_accepted_for_good"):
        change(accepted, accepted_on=date(1997, 1, 21))
    with refused_by("quote_moves"):
        change(quote_replaced(request_, irene), state="accepted", accepted_on=ASKED_ON)
    with refused_by("quote_kept"):
        strike_out(accepted)


def quote_replaced(request, user):
    """One that lapsed."""
    found = request.quotes.get()
    found.state = "replaced"
    found.save(update_fields=["state"])
    return found
