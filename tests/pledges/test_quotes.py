"""Quotes: worked out from what is known that day, frozen once they are accepted."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from office.dates import BOGOTA
from office.models import Decision
from office.refusals import Refused
from pledges.certificates.early import early_facts
from pledges.enums import QuoteState, RequestState
from pledges.models import Quote
from pledges.services.penalties import (
    CPI,
    DECISION,
    READINGS,
    SALE,
    PenaltyBlocked,
    other_readings,
    penalty_ruled,
    pledge_case,
    request_case,
)
from pledges.services.quotes import quote_accept, valid_until_proposed
from pledges.services.request_ends import release_request_withdraw
from pledges.services.requests import SaleEntry
from tests.pledges.early import (
    ASKED_ON,
    DUE,
    FES,
    UNTIL,
    ask,
    confirm_readings,
    make_case,
    make_index,
    make_market,
    make_trade,
    pay,
    programme_of,
    quoted,
    settled,
    undecided_request,
)
from tests.pledges.release_rows import release_early
from tests.pledges.rows import make_pledge


@pytest.fixture
def pledge(irene, ana):
    return make_case(irene, ana)


@pytest.fixture
def request_(pledge, irene):
    return ask(pledge, irene)


def test_month_17_costs_141_702_20_with_all_that_it_was_worked_out_from(request_, irene):
    quote = quoted(request_, irene)
    assert (quote.amount, quote.month, quote.basis) == (DUE, 17, "difference")
    assert quote.code == f"LQ-{quote.pk:06d}"
    assert [step["shown"] for step in quote.steps][-1] == "$141.702,20"
    assert quote.facts["cpi"] == [
        {"month": "09/1995", "index": "21.240000"},
        {"month": "12/1996", "index": "26.520000"},
    ]
    assert quote.facts["trades"][0]["shares"] == 30_000_000
    assert quote.outcome["paid_percent"] == "58.5"
    assert quote.confirmed.act == "Acta 41"
    points = {reading["label"]: reading["confirmed"] for reading in quote.readings}
    assert points["Meses del IPC"] == "Acta 41, 07/07/1995"
    assert "Parte de un mes" not in points  # not used


def test_first_quote_waits_for_the_readings(irene, ana):
    pledge = make_pledge(irene, ana)
    make_market(programme_of(pledge), irene)
    request = ask(pledge, irene)
    with pytest.raises(PenaltyBlocked, match="no ha confirmado") as blocked:
        quoted(request, irene)
    assert blocked.value.lacks == READINGS
    confirm_readings(programme_of(pledge), irene, ana)
    assert quoted(request, irene).amount == DUE


def test_missing_index_stops_the_quote_and_names_its_month(pledge, irene):
    request = ask(pledge, irene, 1, "R-2", filed_at=datetime(1997, 3, 1, tzinfo=BOGOTA))
    with pytest.raises(PenaltyBlocked, match="IPC de 02/1997 no cargado") as blocked:
        quoted(request, irene, date(1997, 3, 15))
    assert blocked.value.lacks == CPI
    make_index(irene, date(1997, 2, 1), "27.80")
    assert quoted(request, irene, date(1997, 3, 15)).amount > 0


def test_later_index_or_trade_moves_no_settled_quote(request_, pledge, irene):
    quote = settled(request_, irene)
    said = Quote.objects.values().get(pk=quote.pk)
    make_trade(programme_of(pledge), irene, "500.00", day=date(1996, 12, 1))
    make_index(irene, date(1997, 1, 1), "99.00")
    assert Quote.objects.values().get(pk=quote.pk) == said
    assert penalty_ruled(request_case(request_)).value.amount > DUE


def test_later_version_of_the_readings_moves_no_settled_quote(request_, pledge, irene, ana):
    quote = settled(request_, irene)
    confirm_readings(programme_of(pledge), irene, ana, reduction_month="completed")
    quote.refresh_from_db()
    assert (quote.amount, quote.confirmed.version) == (DUE, 1)
    assert penalty_ruled(request_case(request_)).value.amount > DUE


def test_new_proposal_takes_the_place_of_the_last(request_, irene):
    first = quoted(request_, irene)
    second = quoted(request_, irene)
    first.refresh_from_db()
    assert (first.state, second.state) == (QuoteState.REPLACED, QuoteState.PROPOSED)
    with pytest.raises(Refused, match="«Reemplazada»"):
        quote_accept(quote_id=first.pk, user=irene, accepted_on=ASKED_ON)


def test_accepted_quote_is_owed_and_its_request_is_quoted_no_more(request_, irene):
    quote = settled(request_, irene)
    request_.refresh_from_db()
    assert (request_.state, quote.accepted_by) == (RequestState.SETTLED, irene)
    assert settled_again(quote, irene) == quote
    with pytest.raises(Refused, match="«Liquidada»: no se liquida"):
        quoted(request_, irene)
    said = Decision.objects.get(act="quote_accept")
    assert "ciento cuarenta y un mil setecientos dos pesos con veinte centavos" in said.sentence
    assert "art. 6-4, parágrafo 1.º" in said.article


def settled_again(quote, user):
    return quote_accept(quote_id=quote.pk, user=user, accepted_on=ASKED_ON)


def test_quote_of_nothing_is_paid_when_it_is_accepted(pledge, irene):
    request = ask(pledge, irene, filed_at=datetime(1997, 8, 16, tzinfo=BOGOTA))
    quote = quoted(request, irene, date(1997, 9, 15))
    assert (quote.amount, quote.month) == (0, 24)
    quote_accept(quote_id=quote.pk, user=irene, accepted_on=date(1997, 8, 16))
    request.refresh_from_db()
    assert request.state == RequestState.PAID


@pytest.mark.parametrize(
    ("day", "told"),
    [
        (date(1997, 2, 16), "venció el 15/02/1997"),
        (date(1997, 1, 19), "anterior a la solicitud"),
        (date(2999, 1, 1), "está en el futuro"),
    ],
)
def test_quote_is_accepted_between_its_request_and_its_last_day(request_, irene, day, told):
    quote = quoted(request_, irene)
    with pytest.raises(Refused, match=told):
        quote_accept(quote_id=quote.pk, user=irene, accepted_on=day)
    assert quote_accept(quote_id=quote.pk, user=irene, accepted_on=UNTIL).accepted_on == UNTIL


def test_quote_of_a_request_that_was_given_up_is_not_accepted(request_, irene):
    quote = quoted(request_, irene)
    release_request_withdraw(
        request_id=request_.pk, user=irene, withdrawn_on=ASKED_ON, reason="Carta"
    )
    with pytest.raises(Refused, match="no se fija"):
        quote_accept(quote_id=quote.pk, user=irene, accepted_on=ASKED_ON)


def test_act_on_what_was_released_already_is_refused(pledge, request_, irene, ana):
    settled(request_, irene)
    pay(request_, irene)
    release_early(request_, irene, ana)
    with pytest.raises(Refused, match="«Levantada»: no se liquida"):
        quoted(request_, irene)
    with pytest.raises(Refused, match="está «Liberada»: no le quedan acciones en prenda"):
        ask(pledge, irene, 1, "R-2")
    with pytest.raises(Refused, match="«Levantada»: no se debe nada"):
        pay(request_, irene, 1, reference="Consignación 901")


def test_certificate_states_what_the_quote_says(request_, irene):
    quote = settled(request_, irene)
    facts = early_facts(quote)
    assert (facts["amount"], facts["month"]) == ("141702.20", 17)
    assert facts["reduction_of"] == "5 × 8,3 %"
    assert facts["reference"]["price"] == "80.00"
    assert facts["readings"] == [reading["sentence"] for reading in quote.readings]
    assert "art. 6-4, parágrafo 1.º" in facts["cites"]


def test_validity_begins_with_the_running_month_and_in_late_work_with_the_present_one(request_):
    assert valid_until_proposed(request_, date(1997, 1, 20)) == UNTIL
    assert valid_until_proposed(request_, date(1997, 2, 16)) == date(1997, 2, 28)
    assert valid_until_proposed(request_, date(2026, 12, 5)) == date(2026, 12, 31)


def test_validity_that_ends_before_the_request_is_refused(request_, irene):
    with pytest.raises(Refused, match=r"antes del 20/01/1997"):
        quoted(request_, irene, date(1997, 1, 19))


def test_only_who_prepares_quotes_and_settles(request_, irene, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor liquida"):
        quoted(request_, aura)
    quote = quoted(request_, irene)
    with pytest.raises(Refused, match="Solo un analista o un supervisor fija"):
        quote_accept(quote_id=quote.pk, user=aura, accepted_on=ASKED_ON)


def test_another_day_is_worked_out_without_a_trace(pledge, irene):
    before = Decision.objects.count()
    case = pledge_case(pledge, shares=10_000, asked=date(1997, 1, 15))
    assert penalty_ruled(case).value.month == 16
    assert (Quote.objects.count(), Decision.objects.count()) == (0, before)


def test_each_other_reading_says_what_would_be_paid(request_):
    rows = list(other_readings(request_case(request_)))
    current = {row.amount for row in rows if row.current}
    assert current == {DUE}
    completed = next(row for row in rows if row.words.startswith("El mes cumplido"))
    assert completed.amount == Decimal("161806.96")
    lagged = next(row for row in rows if "mes anterior a la compra" in row.words)
    assert (lagged.amount, lagged.why) == (None, lagged.why)
    assert "IPC de 08/1995 no cargado" in lagged.why


def test_fes_needs_the_price_and_goes_by_the_semester_of_the_sale(irene, ana):
    request = ask(make_pledge(irene, ana, slug=FES), irene)
    with pytest.raises(PenaltyBlocked, match="precio de venta") as blocked:
        quoted(request, irene)
    assert blocked.value.lacks == SALE
    sale = SaleEntry("sale", date(1996, 3, 15), Decimal("80.00"), "Contrato de prueba")
    sold = ask(make_more(request), irene, 1_000, "R-2", sale=sale)
    assert quoted(sold, irene).amount == Decimal("20000.00")  # 25 % of 80.000


def make_more(request):
    """Its pledge, of which that request has been given up."""
    request.pledge.refresh_from_db()
    release_request_withdraw(
        request_id=request.pk, user=request.recorded_by, withdrawn_on=ASKED_ON, reason="Carta"
    )
    return request.pledge


def test_price_agreed_before_the_sale_counts_by_the_day_of_the_request(irene, ana):
    sale = SaleEntry(sale_price=Decimal("50.00"), sale_proof="Promesa de prueba")
    request = ask(make_pledge(irene, ana, slug=FES), irene, sale=sale)
    quote = quoted(request, irene)
    assert (quote.basis, quote.amount) == ("semester 3", Decimal("90900.00"))
    assert "no se prueba la venta" in quote.readings[0]["sentence"]


def test_where_no_rule_answers_the_fund_decides(irene, ana):
    with pytest.raises(PenaltyBlocked, match="La decide el Fondo") as blocked:
        quoted(undecided_request(irene, ana), irene)
    assert blocked.value.lacks == DECISION
