"""Money that arrives for an award that was annulled or left without effect: it enters, it pays
nothing, and all of it goes back."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from threading import Event

import pytest
from django.db import connections, transaction

from offerings.enums import DefaultMeasure
from offerings.models import Payment
from offerings.selectors.bank_files import bank_file_counts
from offerings.selectors.payments import awards_due, left_to_return
from offerings.selectors.statements import statement_of
from offerings.services.bank_files import bank_file_confirm, bank_file_load
from offerings.services.defaults import award_default_decide, award_default_prepare
from offerings.services.payments import Overpaid
from office.decisions import decisions_on
from office.refusals import Refused
from office.review import ReviewState
from tests.offerings.bank_rows import bank_csv, bank_reviewed, bank_row
from tests.offerings.paid import PAID_ON, make_awards, pay
from tests.offerings.rows import make_acceptances
from tests.offerings.test_payment_screens import annul, pay_over, send, typed
from tests.offerings.walks import silent
from tests.offerings.walks import text_of as words_of
from tests.pdfs import rows_of


@pytest.fixture
def awards(closed_stage, irene, ana):
    """Of one share and of ten, at 60,60."""
    return make_awards(make_acceptances(closed_stage, [1, 10]), irene, ana)


def undo(award, preparer, reviewer):
    proposed = award_default_prepare(
        award_id=award.pk,
        measure=DefaultMeasure.UNDO,
        decided_on=date(1995, 10, 16),
        cause="No pagó.",
        user=preparer,
    )
    award_default_decide(default_id=proposed.pk, user=reviewer, outcome=ReviewState.APPROVED)


ENDS = pytest.mark.parametrize("end", [annul, undo])


@ENDS
def test_it_counts_whole_to_be_given_back_and_pays_nothing(awards, irene, ana, end):
    pay(awards[1], irene, "6.00")
    end(awards[1], irene, ana)

    late = pay_over(awards[1], irene, "100.00", "Consignación 2")

    assert late.excess == Decimal("100.00")
    assert left_to_return(awards[1]) == Decimal("106.00")
    assert not awards_due().filter(pk=awards[1].pk).exists()
    told = decisions_on([awards[1]]).filter(act="payment_record")
    assert "no se debía nada por ella: se devuelve entero" in told.latest("pk").sentence


@ENDS
def test_it_is_taken_in_where_somebody_says_that_it_goes_back_alone(awards, irene, ana, end):
    end(awards[0], irene, ana)
    with pytest.raises(Overpaid, match=r"no se debe nada.*se devuelve entero") as refusal:
        pay(awards[0], irene, "60.60")
    assert refusal.value.field == "amount"
    assert not Payment.objects.exists()


def test_the_form_offers_it_the_review_says_it_and_sent_twice_it_is_one(
    client, awards, irene, ana
):
    award = awards[0]
    annul(award, irene, ana)
    page = words_of(send(client, irene, "payment_award", award))
    assert "Registrar dinero que llegó" in page
    assert "Recibir y devolver lo que sobra" in words_of(send(client, irene, "payment_new", award))
    refused = send(client, irene, "payment_new", award, typed(amount="60,60"))
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"amount"}

    given = typed(amount="60,60", gives_back="on")
    review = words_of(send(client, irene, "payment_new", award, given))
    assert "por una adjudicación que se anuló o quedó sin efecto" in review
    assert "De lo recibido, sesenta pesos con sesenta centavos ($60,60) no se debe" in review
    assert "pagada en su totalidad" not in review
    for _ in range(2):
        send(client, irene, "payment_new", award, given | {"paso": "confirmar"})
    assert Payment.objects.get().excess == Decimal("60.60")
    assert "Por devolver" in words_of(send(client, irene, "payment_award", award))


def test_its_receipt_says_that_nothing_was_due(client, awards, irene, ana):
    award = awards[1]
    first = pay(award, irene, "6.00")
    annul(award, irene, ana)
    late = pay_over(award, irene, "100.00", "Consignación 2")

    text = rows_of(send(client, irene, "payment_receipt_pdf", late).content)
    assert "estaba anulada o sin efecto: no se debía nada por ella" in text
    assert "pagada en su totalidad" not in text
    assert "cero pesos ($0,00)" in text
    before = rows_of(send(client, irene, "payment_receipt_pdf", first).content)
    assert "anulada" not in before
    assert "seiscientos pesos ($600,00)" in before


@pytest.mark.parametrize("annulled", [True, False])
def test_a_receipt_of_what_came_after_all_was_paid_does_not_say_that_it_paid(
    client, awards, irene, ana, annulled
):
    pay(awards[0], irene, "60.60")
    if annulled:
        annul(awards[0], irene, ana)
    late = pay_over(awards[0], irene, "10.00", "Consignación 2")
    text = rows_of(send(client, irene, "payment_receipt_pdf", late).content)
    assert "no se debía nada: lo recibido se devuelve entero" in text
    assert "Con este pago" not in text


def test_the_statement_tells_it_from_its_day_on(awards, irene, ana):
    award = awards[1]
    annul(award, irene, ana)  # by an act of 2 November
    pay_over(award, irene, "100.00")
    [line] = statement_of(award.acceptance.participation.buyer, irene, date(1995, 11, 2)).lines
    assert (line.balance, line.to_return) == (Decimal("0.00"), Decimal("100.00"))
    assert line.tags == ["Anulada", "Por devolver"]


# In a bank's file


@ENDS
def test_a_row_of_a_banks_file_enters_with_a_warning(awards, irene, ana, end):
    programme = awards[0].acceptance.stage.programme
    end(awards[1], irene, ana)
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[1], "606,00")))

    [row] = source.lines.all()
    assert row.outcome == "ready"
    [told] = row.messages
    assert (told["level"], told["column"]) == ("warning", "referencia")
    assert "no se debe nada por ella. Entran $606,00, por devolver enteros." in told["message"]

    bank_file_confirm(bank_file_id=source.pk, user=irene)
    bank_file_load(bank_file_id=source.pk, report=silent)
    assert Payment.objects.get().excess == Decimal("606.00")
    assert left_to_return(awards[1]) == Decimal("606.00")
    assert bank_file_counts(source).excess == Decimal("606.00")


# Two people at once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("gives_back", [False, True])
def test_what_waited_for_the_annulment_pays_nothing(awards, irene, ana, gives_back):
    """Recorded while the annulment holds the line: refused, or whole to be given back."""
    award, held = awards[0], Event()

    def record_now():
        held.wait(10)
        try:
            record = pay_over if gives_back else pay
            return str(record(award, irene, "60.60").excess)
        except Overpaid as refusal:
            return refusal.message
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            annul(award, irene, ana)
            held.set()
            waiting = pool.submit(record_now)
            time.sleep(0.5)
            assert not waiting.done()
        said = waiting.result(20)
    if gives_back:
        assert said == "60.60"
        assert left_to_return(award) == Decimal("60.60")
    else:
        assert "se anuló" in said
        assert not Payment.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_money_entered_by_two_at_once_is_one_payment(awards, irene, mateo, ana):
    annul(awards[0], irene, ana)

    def record(user):
        try:
            return pay_over(awards[0], user, "60.60").receipt
        except Refused as refusal:
            return refusal.message
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(record, (irene, mateo)))
    assert Payment.objects.get().paid_on == PAID_ON
    assert sum(text.startswith("PG-") for text in said) == 1
    assert left_to_return(awards[0]) == Decimal("60.60")
