"""From the request to the certificate by the house's services: the same figures all the way."""

from datetime import date
from decimal import Decimal

import pytest

from office.certificates import certificate_draw
from office.files import file_read
from office.review import ReviewState
from office.words import amount_phrase
from pledges.certificates import release_certificate_issue
from pledges.enums import RequestState
from pledges.services.fund_decisions import fund_decision_decide, fund_decision_prepare
from tests.pdfs import text_of
from tests.pledges.early import (
    ASKED_ON,
    DUE,
    ask,
    make_case,
    make_trade,
    pay,
    programme_of,
    settled,
    undecided_request,
)
from tests.pledges.release_rows import RELEASED_ON, annul, release_early


def certified(request, preparer, reviewer):
    request.refresh_from_db()
    line = release_early(request, preparer, reviewer).lines.get()
    issued = release_certificate_issue(line_id=line.pk, user=preparer, legal_date=RELEASED_ON)
    return certificate_draw(issued.pk)


def printed(certificate):
    text = text_of(file_read(certificate.file))
    return text.replace("\u2011", "-").replace("\xa0", " ")


@pytest.fixture
def paid(irene, ana):
    """Ten thousand of twenty thousand shares, asked for in month 17 and paid."""
    pledge = make_case(irene, ana, 20_000)
    request = ask(pledge, irene, 10_000)
    settled(request, irene)
    pay(request, irene)
    request.refresh_from_db()
    return request


def test_the_certificate_states_what_the_quote_settled(paid, irene, ana):
    quote = paid.quotes.get()
    certificate = certified(paid, irene, ana)
    early, text = certificate.facts["early"], printed(certificate)

    assert Decimal(early["amount"]) == quote.amount == DUE
    assert early["number"] == quote.code
    assert early["readings"] == [reading["sentence"] for reading in quote.readings]
    assert amount_phrase(DUE) in text
    assert "diecisiete (17); reducción sumada, 5 × 8,3 %: 41,5 %" in text
    assert "diciembre de 1996 (26,52) entre septiembre de 1995 (21,24)" in text
    assert "martillo del 20 de noviembre de 1995" in text
    assert paid.payments.get().receipt in text
    assert "Siguen pignoradas diez mil (10.000) acciones" in text


def test_a_later_trade_moves_no_certificate_that_takes_its_place(paid, irene, ana):
    first = certified(paid, irene, ana)
    make_trade(programme_of(paid.pledge), irene, price="99.00", day=date(1996, 12, 2))
    annul(paid.releases.get().lines.get(), irene, ana)
    paid.refresh_from_db()
    assert paid.state == RequestState.PAID
    second = certified(paid, irene, ana)
    assert second.replaces == first
    assert second.facts["early"] == first.facts["early"]


def test_what_the_fund_decided_is_on_the_paper_with_its_act(irene, ana):
    request = undecided_request(irene, ana)
    decision = fund_decision_prepare(
        request_id=request.pk,
        user=irene,
        amount=Decimal("500.00"),
        act="Acta 50",
        act_on=ASKED_ON,
        reason="Equidad.",
    )
    fund_decision_decide(decision_id=decision.pk, user=ana, outcome=ReviewState.APPROVED)
    settled(request, irene)
    pay(request, irene, Decimal("500.00"))
    text = printed(certified(request, irene, ana))
    assert "Acta 50, del 20 de enero de 1997" in text
    assert "quinientos pesos ($500,00)" in text
    assert "Operación de referencia" not in text
