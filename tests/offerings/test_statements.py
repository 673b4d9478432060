"""The statement of a buyer on a day: what it owes, paid, got back; on a page, paper, workbook."""

from datetime import date
from decimal import Decimal
from io import BytesIO
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from buyers.models import BrokerUser, Presentation
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.standing import run_standing
from offerings.selectors.statements import statement_of
from offerings.services.payments import PaymentEntry, payment_record
from offerings.services.refunds import refund_record
from tests.offerings.paid import PAID_ON, make_awards, pay, undo
from tests.offerings.rows import make_acceptance, make_buyer
from tests.offerings.test_payment_screens import annul
from tests.pdfs import text_of

LATER = date(1996, 1, 1)


@pytest.fixture
def buyer(irene):
    return make_buyer(irene, 1)


@pytest.fixture
def awards(closed_stage, irene, ana, buyer, broker, other_broker):
    """Two of one buyer, of ten shares and of one, each through another broker."""
    acceptances = [
        make_acceptance(closed_stage, 1, 10, buyer=buyer, broker=broker),
        make_acceptance(closed_stage, 2, 1, buyer=buyer, broker=other_broker),
    ]
    for one in (broker, other_broker):
        Presentation.objects.create(buyer=buyer, broker=one)
    return make_awards(acceptances, irene, ana)


def give_back(award, user, amount, paid_on):
    given = PaymentEntry("cheque", "Egreso 7", paid_on, Decimal(amount))
    refund_record(award_id=award.pk, user=user, entry=given, submission_key=uuid4())


def pay_over(award, user, amount):
    given = PaymentEntry("cash", "Consignación 3", PAID_ON, Decimal(amount), gives_back=True)
    payment_record(award_id=award.pk, user=user, entry=given, submission_key=uuid4())


def test_statement_adds_up_what_is_due_paid_and_to_be_returned(awards, buyer, irene):
    pay(awards[0], irene, "100")
    pay_over(awards[1], irene, "61")
    give_back(awards[1], irene, "0.10", date(1995, 10, 20))
    statement = statement_of(buyer, irene, LATER)
    assert (statement.due, statement.received) == (Decimal("666.60"), Decimal("161.00"))
    assert (statement.returned, statement.balance) == (Decimal("0.10"), Decimal("506.00"))
    assert statement.to_return == Decimal("0.30")
    assert [line.tags for line in statement.lines] == [
        ["Pago parcial", "Vencida"],
        ["Pagada", "Por devolver"],
    ]


def test_statement_knows_nothing_of_what_came_after_its_day(awards, buyer, irene, ana):
    pay(awards[0], irene, "100", paid_on=date(1995, 10, 2))
    pay(awards[0], irene, "50", "Consignación 2", paid_on=date(1995, 10, 3))
    annul(awards[0], irene, ana)  # by an act of 2 November
    assert statement_of(buyer, irene, date(1995, 9, 14)).lines == []
    assert statement_of(buyer, irene, date(1995, 10, 1)).received == 0
    assert statement_of(buyer, irene, date(1995, 10, 2)).balance == Decimal("566.60")
    assert statement_of(buyer, irene, date(1995, 11, 1)).balance == Decimal("516.60")
    after = statement_of(buyer, irene, date(1995, 11, 2))
    assert (after.balance, after.to_return) == (0, Decimal(150))
    assert "se anuló por Acto de muestra 9" in after.lines[0].nothing_due


def adds_up(line):
    """The column of the account is what is told under it."""
    assert sum(row.amount for row in line.movements) == line.net
    assert line.net == line.balance - line.to_return


def test_the_column_adds_up_also_once_it_was_annulled_and_given_back(awards, buyer, irene, ana):
    pay(awards[0], irene, "606")
    annul(awards[0], irene, ana)  # by an act of 2 November
    give_back(awards[0], irene, "6", date(1995, 11, 3))
    first, second = statement_of(buyer, irene, LATER).lines
    assert [(row.kind, row.amount) for row in first.movements] == [
        ("Adjudicación", Decimal("606.00")),
        ("Pago", Decimal("-606.00")),
        ("Anulación", Decimal("-606.00")),
        ("Devolución", Decimal("6.00")),
    ]
    assert (first.net, first.to_return) == (Decimal("-600.00"), Decimal("600.00"))
    assert first.standing == "Anulada, por devolver"
    for line in (first, second, *statement_of(buyer, irene, date(1995, 11, 1)).lines):
        adds_up(line)


def test_the_column_adds_up_where_more_was_paid_or_it_was_left_without_effect(
    awards, buyer, irene, mateo, ana
):
    pay_over(awards[1], irene, "61")
    pay(awards[0], irene, "100")
    undo(awards[0], mateo, ana, date(1995, 10, 20))
    undone, over = statement_of(buyer, irene, LATER).lines
    assert [row.kind for row in undone.movements] == ["Adjudicación", "Pago", "Queda sin efecto"]
    assert (undone.to_return, over.to_return) == (Decimal("100.00"), Decimal("0.40"))
    for line in (undone, over):
        adds_up(line)


def test_two_versions_are_never_in_force_together(awards, buyer, irene, ana):
    """The second one's session is before the act that annulled the first: as it was recorded."""
    pay(awards[0], irene, "606")
    annul(awards[0], irene, ana)  # by an act of 2 November
    again = make_awards(
        [award.acceptance for award in awards], irene, ana, version=2, session=date(1995, 10, 20)
    )
    for day, due in ((date(1995, 10, 19), "666.60"), (date(1995, 10, 20), "666.60")):
        assert statement_of(buyer, irene, day).due == Decimal(due)
    stage = again[0].adjudication.stage
    assert run_standing(stage, date(1995, 10, 19)) == awards[0].adjudication
    assert run_standing(stage, date(1995, 10, 20)) == again[0].adjudication


def test_before_the_last_day_has_passed_nothing_is_overdue(awards, buyer, irene):
    assert not statement_of(buyer, irene, date(1995, 10, 15)).lines[0].is_overdue
    assert statement_of(buyer, irene, date(1995, 10, 16)).lines[0].is_overdue


def test_broker_sees_the_part_that_it_presented_alone(client, awards, buyer, irene, bruno):
    payment = pay(awards[0], irene, "100")
    other = pay(awards[1], irene, "60.60", "Consignación 2")
    client.force_login(bruno)
    page = client.get(reverse("buyer_statement", args=[buyer.pk])).content.decode()
    assert payment.receipt in page
    assert other.receipt not in page
    assert payment_reference(awards[1].pk) not in page
    assert client.get(reverse("payment_receipt", args=[payment.pk])).status_code == 200
    assert client.get(reverse("payment_receipt", args=[other.pk])).status_code == 404


def test_broker_who_presented_nothing_of_the_buyer_does_not_find_it(client, awards, buyer, irene):
    stranger = make_stranger()
    client.force_login(stranger)
    assert client.get(reverse("buyer_statement", args=[buyer.pk])).status_code == 404


def make_stranger():
    from buyers.models import Broker
    from tests.conftest import make_user

    broker = Broker.objects.create(name="Bolsistas Supuestos S. A.", nit="860530751-7")
    user = make_user("sara", "comisionista", "Sara", "Supuesta")
    BrokerUser.objects.create(user=user, broker=broker)
    return user


def test_page_shows_each_payment_with_its_receipt_and_reference(client, awards, buyer, irene):
    payment = pay(awards[0], irene, "100", "Consignación 4118")
    client.force_login(irene)
    page = client.get(reverse("buyer_statement", args=[buyer.pk]), {"al": "02/10/1995"})
    text = page.content.decode()
    for said in (payment.receipt, "Consignación 4118", "506,00", "15 de octubre de 1995"):
        assert said in text
    assert "Estado de cuenta al 2 de octubre de 1995" in text


@pytest.mark.parametrize("day", ["31/02/1995", "01/01/2999"])
@pytest.mark.parametrize("name", ["", "_pdf", "_xlsx"])
def test_day_that_is_none_or_has_not_come_is_said_at_its_field(
    client, awards, buyer, irene, name, day
):
    client.force_login(irene)
    page = client.get(reverse(f"buyer_statement{name}", args=[buyer.pk]), {"al": day})
    assert page.status_code == 422
    assert day in page.content.decode()


def test_paper_says_what_the_page_says(client, awards, buyer, irene):
    payment = pay(awards[0], irene, "100", "Consignación 4118")
    client.force_login(irene)
    address = reverse("buyer_statement_pdf", args=[buyer.pk])
    text = text_of(client.get(address, {"al": "31/10/1995"}).content)
    told = (buyer.name, payment.receipt, "Consignación 4118", "566,60", "Pago parcial, vencida")
    for said in told:
        assert said in text
    assert "31 de octubre de 1995" in text


def test_workbook_has_a_row_for_each_award_payment_and_refund(client, awards, buyer, irene):
    pay_over(awards[1], irene, "61")
    give_back(awards[1], irene, "0.40", date(1995, 10, 20))
    client.force_login(irene)
    answer = client.get(reverse("buyer_statement_xlsx", args=[buyer.pk]))
    sheet = load_workbook(BytesIO(answer.content)).active
    heading, *rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    kinds = [row[heading.index("Movimiento")] for row in rows]
    assert kinds == ["Adjudicación", "Adjudicación", "Pago", "Devolución"]
    values = [Decimal(str(row[heading.index("Valor")])) for row in rows]
    assert values == [606, Decimal("60.6"), -61, Decimal("0.4")]
    about = load_workbook(BytesIO(answer.content))["Acerca de"]
    said = dict(about.iter_rows(min_row=2, values_only=True))
    assert (said["Comprador"], said["Documento"]) == (buyer.name, buyer.identity)
    assert Decimal(str(said["Saldo (pesos)"])) == 606
    assert said["Al"]


def test_statement_takes_as_many_queries_for_ten_awards_as_for_one(
    client, closed_stage, irene, ana, buyer
):
    client.force_login(irene)
    address = reverse("buyer_statement", args=[buyer.pk])
    client.get(address)

    def taken():
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        return len(captured)

    acceptances = [make_acceptance(closed_stage, n, 5, buyer=buyer) for n in range(1, 11)]
    first, *others = make_awards(acceptances, irene, ana)
    pay(first, irene, "1")
    few = taken()
    for award in others:
        pay(award, irene, "1", f"Consignación {award.pk}")
    assert taken() == few


def test_buyers_page_leads_to_its_statement(client, awards, buyer, irene):
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[buyer.pk])).content.decode()
    assert reverse("buyer_statement", args=[buyer.pk]) in page
