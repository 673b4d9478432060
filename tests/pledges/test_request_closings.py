"""A request is closed without a release by two people; it says what was wrong."""

import pytest

from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import QuoteState, RequestState
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.early import ask, find_breach, make_case, pay, quoted, settled


@pytest.fixture
def pledge(irene, ana):
    return make_case(irene, ana)


def ask_to_close(request, user, cause="La venta era de otra persona."):
    return request_closing_prepare(request_id=request.pk, user=user, cause=cause)


def decide(closing, user, outcome=ReviewState.APPROVED, reason=""):
    return request_closing_decide(closing_id=closing.pk, user=user, outcome=outcome, reason=reason)


def test_closed_breach_frees_its_shares_and_says_why(pledge, irene, ana):
    request = find_breach(pledge, irene)
    proposed = quoted(request, irene)
    decide(ask_to_close(request, irene), ana)
    for row in (request, proposed, pledge):
        row.refresh_from_db()
    assert (request.state, request.ended_why) == (
        RequestState.CLOSED,
        "La venta era de otra persona.",
    )
    assert (proposed.state, pledge.free) == (QuoteState.REPLACED, 10_000)


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_refused_closing_leaves_the_request_and_it_can_be_asked_for_again(
    pledge, irene, ana, outcome
):
    request = find_breach(pledge, irene)
    decide(ask_to_close(request, irene), ana, outcome, "Falta la prueba.")
    request.refresh_from_db()
    assert request.state == RequestState.OPEN
    assert ask_to_close(request, irene).review_state == ReviewState.PENDING


def test_closing_is_asked_for_once_with_its_cause(pledge, irene, aura):
    request = ask(pledge, irene)
    with pytest.raises(Refused, match="Escriba por qué"):
        ask_to_close(request, irene, "  ")
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        ask_to_close(request, aura)
    ask_to_close(request, irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        ask_to_close(request, irene)


def test_what_has_ended_is_not_closed(pledge, irene, ana):
    request = ask(pledge, irene)
    first = ask_to_close(request, irene)
    decide(first, ana)
    with pytest.raises(Refused, match="no hay nada que cerrar"):
        ask_to_close(request, irene)


def test_cause_of_many_words_is_kept_whole_in_the_closing(pledge, irene, ana):
    request = ask(pledge, irene)
    settled(request, irene)
    pay(request, irene)
    closing = decide(ask_to_close(request, irene, "x" * 900), ana)
    request.refresh_from_db()
    assert (len(closing.cause), len(request.ended_why)) == (900, 300)


def test_database_keeps_one_closing_under_way_and_what_it_says(pledge, irene):
    closing = ask_to_close(ask(pledge, irene), irene)
    with refused_by("requestclosing_one_under_way"):
        repeat(closing)
    with refused_by("requestclosing_content_fixed"):
        change(closing, cause="Otra")
    with refused_by("requestclosing_kept"):
        strike_out(closing)
