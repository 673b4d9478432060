"""Where no rule of the decree answers, the Fund decides with its reason, by two people."""

from datetime import date
from decimal import Decimal

import pytest

from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import RequestState
from pledges.services.fund_decisions import fund_decision_decide, fund_decision_prepare
from pledges.services.penalties import PenaltyBlocked
from pledges.services.quotes import quote_accept
from tests.guards import change, refused_by, repeat, strike_out
from tests.pledges.early import ASKED_ON, ask, make_case, quoted, undecided_request


@pytest.fixture
def request_(irene, ana):
    return undecided_request(irene, ana)


def decide_on(request, user, amount="25000.00", act_on=ASKED_ON, reason="Equidad con los demás."):
    return fund_decision_prepare(
        request_id=request.pk,
        user=user,
        amount=Decimal(amount),
        act="Acta 50",
        act_on=act_on,
        reason=reason,
    )


def decide(decision, user, outcome=ReviewState.APPROVED, reason=""):
    return fund_decision_decide(decision_id=decision.pk, user=user, outcome=outcome, reason=reason)


def test_quote_rests_on_the_decision_once_another_approved_it(request_, irene, ana):
    decision = decide_on(request_, irene)
    with pytest.raises(PenaltyBlocked):
        quoted(request_, irene)
    decide(decision, ana)
    quote = quoted(request_, irene)
    assert (quote.basis, quote.amount, quote.month) == ("decision", Decimal("25000.00"), 17)
    assert quote.decision == decision
    assert quote.outcome["decision"]["act"] == "Acta 50"
    assert "Equidad con los demás." in [step["detail"] for step in quote.steps]


def test_the_fund_may_decide_that_nothing_is_paid(request_, irene, ana):
    decide(decide_on(request_, irene, "0"), ana)
    quote = quote_accept(quote_id=quoted(request_, irene).pk, user=irene, accepted_on=ASKED_ON)
    quote.request.refresh_from_db()
    assert quote.request.state == RequestState.PAID


def test_where_a_rule_answers_nobody_decides_otherwise(irene, ana):
    with pytest.raises(Refused, match="se liquida por su regla"):
        decide_on(ask(make_case(irene, ana), irene), irene, "0")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"amount": "-1"}, "no puede ser negativo"),
        ({"act_on": date(1997, 1, 19)}, "anterior a la solicitud"),
        ({"act_on": date(2999, 1, 1)}, "está en el futuro"),
        ({"reason": " "}, "Escriba las razones"),
    ],
)
def test_decision_that_cannot_be_is_refused(request_, irene, said, told):
    with pytest.raises(Refused, match=told):
        decide_on(request_, irene, **said)


def test_one_decision_at_a_time_by_who_prepares(request_, irene, ana, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        decide_on(request_, aura)
    decision = decide_on(request_, irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        decide_on(request_, irene)
    decide(decision, ana)
    with pytest.raises(Refused, match="ya está aprobada"):
        decide_on(request_, irene)


def test_rejected_decision_is_prepared_again(request_, irene, ana):
    decide(decide_on(request_, irene), ana, ReviewState.REJECTED, "Falta el acta.")
    assert decide_on(request_, irene).review_state == ReviewState.PENDING


def test_database_keeps_one_decision_with_its_reason_and_no_negative_amount(request_, irene):
    decision = decide_on(request_, irene)
    with refused_by("funddecision_one_under_way"):
        repeat(decision)
    with refused_by("funddecision_content_fixed"):
        change(decision, amount=1)
    with refused_by("funddecision_kept"):
        strike_out(decision)
    with refused_by("funddecision_amount_not_negative"):
        repeat(decision, amount=-1, review_state="draft")
    with refused_by("funddecision_has_reason"):
        repeat(decision, reason="", review_state="draft")
