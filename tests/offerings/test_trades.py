"""The auction and the reference trades: recorded, corrected, withdrawn; which of them count."""

from datetime import date
from decimal import Decimal
from uuid import uuid4

import pytest

from offerings.models import ReferenceTrade
from offerings.selectors.trade_standings import trade_standings
from offerings.selectors.trades import auction_day, trades_of
from offerings.services.programmes import programme_open
from offerings.services.trades import (
    TradeEntry,
    auction_session_record,
    auction_session_withdraw,
    entry_of,
    trade_correct,
    trade_record,
    trade_withdraw,
)
from office.models import Decision
from office.refusals import Refused
from tests.offerings.price_rows import HELD
from tests.offerings.programme_1995 import OLD_SLUG, SLUG, confirmed_of, given_1994

LATER = date(1996, 3, 12)
TODAY = date(1997, 1, 20)
# 0,3 % of 5,609,906,000 outstanding shares, upwards.
LEAST = 16_829_718


@pytest.fixture
def programme(irene, ana):
    opened = programme_open(slug=SLUG, user=irene)
    confirmed_of(opened, irene, ana)
    return opened


def hold(programme, user, day=HELD, *, key=None):
    return auction_session_record(
        programme=programme,
        user=user,
        held_on=day,
        exchange=None,
        source="Acta de prueba",
        submission_key=key or uuid4(),
    )


def entry(**changes) -> TradeEntry:
    given = {
        "traded_on": HELD,
        "price": Decimal("80.00"),
        "shares": 30_000_000,
        "in_auction": True,
        "venue": "Bolsa de Muestra",
        "buyer_reference": "",
        "source": "Boletín de prueba",
    }
    return TradeEntry(**given | changes)


def trade(programme, user, *, key=None, **changes) -> ReferenceTrade:
    return trade_record(
        programme=programme, user=user, entry=entry(**changes), submission_key=key or uuid4()
    )


def later(programme, user, **changes) -> ReferenceTrade:
    return trade(programme, user, **{"traded_on": LATER, "in_auction": False} | changes)


def counted(programme) -> dict[int, tuple[bool, str]]:
    found = trade_standings(programme, TODAY).trades
    return {one.trade.shares: (one.counts, one.why) for one in found}


def test_auction_and_its_trade_are_recorded_with_their_legal_day(programme, irene):
    assert auction_day(programme) is None
    hold(programme, irene)
    made = trade(programme, irene)
    assert auction_day(programme) == HELD
    assert list(trades_of(programme)) == [made]
    assert made.in_auction
    told = Decision.objects.get(act="trade_record")
    assert "30.000.000 acciones a $80,00" in told.sentence
    assert told.legal_at.date() == HELD


def test_earliest_of_two_auctions_counts(programme, irene):
    hold(programme, irene, date(1995, 11, 27))
    hold(programme, irene)
    assert auction_day(programme) == HELD


def test_trade_in_the_auction_needs_that_it_was_held_that_day(programme, irene):
    for day in (HELD, LATER):
        with pytest.raises(Refused, match="martillo") as refused:
            trade(programme, irene, traded_on=day)
        assert refused.value.field == "in_auction"


def test_nothing_bears_a_day_to_come(programme, irene):
    with pytest.raises(Refused, match="futuro"):
        hold(programme, irene, date(2090, 1, 1))
    with pytest.raises(Refused, match="futuro"):
        later(programme, irene, traded_on=date(2090, 1, 1))


def test_form_sent_twice_makes_one_record(programme, irene):
    key, other = uuid4(), uuid4()
    assert hold(programme, irene, key=key) == hold(programme, irene, key=key)
    first = later(programme, irene, key=other)
    assert later(programme, irene, key=other) == first


def test_same_trade_is_not_recorded_twice_unless_something_tells_them_apart(programme, irene):
    later(programme, irene)
    with pytest.raises(Refused, match="ya está registrada"):
        later(programme, irene)
    assert later(programme, irene, buyer_reference="Otro comprador de prueba")
    hold(programme, irene)
    with pytest.raises(Refused, match="ya está registrado"):
        hold(programme, irene)


@pytest.mark.parametrize(("field", "value"), [("price", Decimal(0)), ("shares", 0)])
def test_trade_of_nothing_is_refused(programme, irene, field, value):
    with pytest.raises(Refused) as refused:
        later(programme, irene, **{field: value})
    assert refused.value.field == field


def test_correction_keeps_what_was_there_and_why(programme, irene, mateo):
    before = later(programme, irene)
    key = uuid4()
    given = {
        "trade_id": before.pk,
        "user": mateo,
        "entry": entry(traded_on=LATER, in_auction=False, price=Decimal("81.00")),
        "reason": "Se leyó mal el boletín",
        "submission_key": key,
    }
    after = trade_correct(**given)
    assert trade_correct(**given) == after
    before.refresh_from_db()
    assert (before.state, before.price) == ("corrected", Decimal("80.00"))
    assert (before.closed_by, before.closed_reason) == (mateo, "Se leyó mal el boletín")
    assert list(trades_of(programme)) == [after]
    assert after.corrects == before


def test_correction_that_changes_nothing_or_has_no_reason_is_refused(programme, irene):
    made = later(programme, irene)
    for given, reason in ((entry_of(made), "Prueba"), (entry(in_auction=False), " ")):
        with pytest.raises(Refused):
            trade_correct(
                trade_id=made.pk, user=irene, entry=given, reason=reason, submission_key=uuid4()
            )


def test_withdrawn_trade_stays_in_the_history_and_counts_no_more(programme, irene):
    made = later(programme, irene)
    trade_withdraw(trade_id=made.pk, user=irene, reason="Se anuló")
    assert trade_withdraw(trade_id=made.pk, user=irene, reason="Otra vez").state == "withdrawn"
    assert not trades_of(programme)
    assert ReferenceTrade.objects.count() == 1
    with pytest.raises(Refused, match="ya no está vigente"):
        trade_correct(
            trade_id=made.pk,
            user=irene,
            entry=entry(in_auction=False),
            reason="Prueba",
            submission_key=uuid4(),
        )


def test_auction_with_trades_in_it_is_not_withdrawn(programme, irene):
    session = hold(programme, irene)
    made = trade(programme, irene)
    with pytest.raises(Refused, match="una operación vigente"):
        auction_session_withdraw(session_id=session.pk, user=irene, reason="Prueba")
    trade_withdraw(trade_id=made.pk, user=irene, reason="Prueba")
    auction_session_withdraw(session_id=session.pk, user=irene, reason="Prueba")
    assert auction_day(programme) is None


def test_whoever_may_not_prepare_records_nothing(programme, aura, adela, bruno, irene):
    session, made = hold(programme, irene), later(programme, irene)
    for person in (aura, adela, bruno):
        for act in (
            lambda user: hold(programme, user, LATER),
            lambda user: later(programme, user, price=Decimal(90)),
            lambda user: trade_withdraw(trade_id=made.pk, user=user, reason="Prueba"),
            lambda user: auction_session_withdraw(
                session_id=session.pk, user=user, reason="Prueba"
            ),
        ):
            with pytest.raises(Refused):
                act(person)


def test_trade_counts_from_the_least_number_of_shares_on(programme, irene):
    hold(programme, irene)
    later(programme, irene, shares=LEAST)
    later(programme, irene, shares=LEAST - 1)
    assert trade_standings(programme, TODAY).threshold.value == LEAST
    assert counted(programme) == {
        LEAST: (True, ""),
        LEAST - 1: (False, "Son menos de 16.829.718 acciones: le falta 1 acción."),
    }


def test_no_trade_counts_before_the_auction(programme, irene):
    later(programme, irene)
    assert counted(programme)[30_000_000] == (
        False,
        "Todavía no consta el martillo: antes de él ninguna cuenta.",
    )
    hold(programme, irene, date(1996, 4, 1))
    assert counted(programme)[30_000_000] == (False, "Es anterior al martillo, del 01/04/1996.")


def test_in_1994_only_what_was_awarded_in_the_auction_counts(irene, ana):
    programme = programme_open(slug=OLD_SLUG, user=irene)
    confirmed_of(programme, irene, ana, given_1994())
    hold(programme, irene)
    trade(programme, irene, shares=60_000_000)
    later(programme, irene, shares=70_000_000)
    found = counted(programme)
    assert found[60_000_000] == (True, "")
    assert "solo cuenta lo adjudicado en el martillo" in found[70_000_000][1]


def test_trades_are_listed_where_the_least_number_is_not_known(irene):
    programme = programme_open(slug=SLUG, user=irene)
    later(programme, irene)
    standings = trade_standings(programme, TODAY)
    assert standings.threshold is None
    assert standings.uncovered
    assert not standings.trades[0].counts
