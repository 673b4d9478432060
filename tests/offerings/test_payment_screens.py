"""Screens of payments: money that passes what is due, late payments, receipts, what goes back."""

import re
from datetime import date
from decimal import Decimal
from uuid import uuid4

import pytest
from django.urls import reverse

from offerings.models import Payment, Refund
from offerings.rules.payment_reference import payment_reference
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from offerings.services.payments import payment_record
from office.decisions import decisions_on
from office.refusals import Refused
from office.review import ReviewState
from tests.offerings.paid import entry, make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptances
from tests.pdfs import text_of

FIGURES = ("Valor adjudicado", "Quedó sin efecto", "Recibido", "Saldo", "Por devolver")


@pytest.fixture
def awards(closed_stage, irene, ana):
    """Of one share and of ten, at 60,60."""
    return make_awards(make_acceptances(closed_stage, [1, 10]), irene, ana)


@pytest.fixture
def award(awards):
    return awards[0]


def typed(**changes):
    return {
        "means": "cheque",
        "reference": "Cheque 0071",
        "paid_on": "02/10/1995",
        "amount": "61",
        "submission_key": str(uuid4()),
        **changes,
    }


def send(client, person, name, thing, data=None):
    client.force_login(person)
    address = reverse(name, args=[thing.pk])
    return client.post(address, data) if data is not None else client.get(address)


def pay_over(award, user, amount, reference="Consignación 1"):
    given = entry(amount, reference)
    over = type(given)(given.means, given.reference, given.paid_on, given.amount, gives_back=True)
    return payment_record(award_id=award.pk, user=user, entry=over, submission_key=uuid4())


def annul(award, preparer, reviewer):
    asked = adjudication_annulment_prepare(
        adjudication_id=award.adjudication_id,
        ordered_by="Bolsa de Prueba",
        act="Acto de muestra 9",
        act_on=date(1995, 11, 2),
        cause="Por prueba.",
        user=preparer,
    )
    adjudication_annulment_decide(
        annulment_id=asked.pk, user=reviewer, outcome=ReviewState.APPROVED
    )


# What passes the balance


def test_form_does_not_ask_about_a_rest_before_there_is_one(client, award, irene):
    page = send(client, irene, "payment_new", award)
    assert 'type="hidden" name="gives_back"' in page.content.decode()


def test_more_than_what_is_due_offers_to_take_it_in_and_give_the_rest_back(client, award, irene):
    page = send(client, irene, "payment_new", award, typed())
    text = page.content.decode()
    assert page.status_code == 422
    assert "sobrarían $0,40" in text
    assert "Recibir y devolver lo que sobra" in text
    assert 'type="checkbox" name="gives_back"' in text


def test_review_of_such_a_payment_says_the_rest_in_words(client, award, irene):
    page = send(client, irene, "payment_new", award, typed(gives_back="on"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "Sobra, por devolver" in text
    assert "cuarenta centavos" in text
    assert "queda pagada en su totalidad" in text
    assert not Payment.objects.exists()
    back = client.get(page.context["change_url"]).content.decode()
    assert 'type="checkbox" name="gives_back"' in back


def test_such_a_payment_is_taken_in_and_its_rest_shown_on_its_page(client, award, irene):
    send(client, irene, "payment_new", award, typed(gives_back="on", paso="confirmar"))
    payment = Payment.objects.get()
    assert (payment.amount, payment.excess) == (Decimal(61), Decimal("0.40"))
    text = send(client, irene, "payment_award", award).content.decode()
    assert "sobran 0,40" in text
    assert reverse("refund_new", args=[award.pk]) in text
    assert "Por devolver" in text


def test_payment_of_what_is_paid_already_is_asked_about_at_once(client, award, irene):
    pay_in_full(award, irene)
    text = send(client, irene, "payment_new", award).content.decode()
    assert 'type="checkbox" name="gives_back"' in text
    assert "no debe nada más" in text


# The reference of the award


def test_reference_of_another_award_is_refused_with_where_it_belongs(awards, irene):
    other = awards[1]
    with pytest.raises(Refused, match=other.acceptance.code) as refusal:
        pay(awards[0], irene, "1", payment_reference(other.pk))
    assert refusal.value.field == "reference"


def test_own_reference_is_recognised_however_it_is_written(client, award, irene):
    given = payment_reference(award.pk)
    spaced = f"{given[:4]} {given[4:7]}-{given[7:]}"
    page = send(client, irene, "payment_new", award, typed(amount="1", reference=spaced))
    assert "Es la referencia de pago de esta adjudicación." in page.content.decode()


def test_number_of_a_cheque_that_happens_to_have_a_check_digit_names_no_award(awards, irene):
    short = payment_reference(awards[1].pk).lstrip("0")
    assert pay(awards[0], irene, "1", short).reference == short


# After the last day


def test_late_payment_is_taken_in_and_said_to_be_late(client, award, irene):
    page = send(client, irene, "payment_new", award, typed(amount="1", paid_on="16/10/1995"))
    assert "Pago tardío." in page.content.decode()
    payment = pay(award, irene, "1", paid_on=date(1995, 10, 16))
    assert "después del último día, el 15/10/1995" in decisions_on([award]).get().sentence
    text = send(client, irene, "payment_award", award).content.decode()
    assert "después del último día" in text
    receipt = send(client, irene, "payment_receipt", payment).content.decode()
    assert "Después del último día, el 15 de octubre de 1995" in receipt


def test_payment_on_the_last_day_is_not_late(client, award, irene):
    pay(award, irene, "1", paid_on=date(1995, 10, 15))
    text = send(client, irene, "payment_award", award).content.decode()
    assert "después del último día" not in text


# The receipt


def test_receipt_on_paper_says_what_was_received_and_what_was_left(client, award, irene):
    payment = pay(award, irene, "1")
    pay(award, irene, "59.60", "Consignación 2")
    answer = send(client, irene, "payment_receipt_pdf", payment)
    assert answer["Content-Type"] == "application/pdf"
    text = text_of(answer.content)
    for said in (payment.receipt, "un peso ($1,00)", "($59,60)", award.acceptance.code):
        assert said in text


def test_receipt_of_an_overpayment_says_what_goes_back(client, award, irene):
    payment = pay_over(award, irene, "61")
    text = text_of(send(client, irene, "payment_receipt_pdf", payment).content)
    assert "cuarenta centavos ($0,40), por devolver" in text
    assert "pagada en su totalidad" in text


def test_receipt_after_an_annulment_promises_no_certificate(client, award, irene, ana):
    payment = pay(award, irene, "60.60")
    annul(award, irene, ana)
    text = text_of(send(client, irene, "payment_receipt_pdf", payment).content)
    assert "se anuló por Acto de muestra 9" in text
    assert "no se expide su certificado" in text
    assert "puede expedirse" not in text
    page = send(client, irene, "payment_receipt", payment).content.decode()
    assert "se anuló por Acto de muestra 9" in page


def test_annulled_award_shows_what_came_in_and_what_goes_back(client, award, irene, ana):
    pay(award, irene, "60.60")
    annul(award, irene, ana)
    page = send(client, irene, "payment_award", award)
    figures = re.findall(r"<dt>(.+?)</dt>\s*<dd>(.+?)</dd>", page.content.decode())
    assert [row for row in figures if row[0] in FIGURES][:5] == [
        ("Valor adjudicado", "$60,60"),
        ("Quedó sin efecto", "$60,60"),
        ("Recibido", "$60,60"),
        ("Saldo", "$0,00"),
        ("Por devolver", "$60,60"),
    ]


def test_receipt_is_drawn_the_same_again(client, award, irene):
    payment = pay(award, irene, "1")
    first, second = (send(client, irene, "payment_receipt_pdf", payment) for _ in range(2))
    assert first.content == second.content


# What goes back


def test_list_of_what_is_to_be_returned_says_why_and_how_much(client, awards, irene, ana):
    pay_over(awards[0], irene, "61")
    text = send_list(client, irene)
    assert "Se recibió más de lo que se debía" in text
    assert "$0,40" in text
    pay(awards[1], irene, "100", "Consignación 9")
    annul(awards[0], irene, ana)
    text = send_list(client, irene)
    assert "se anuló por Acto de muestra 9, de Bolsa de Prueba, del 02/11/1995" in text
    assert "$161,00" in text


def send_list(client, person, **query):
    client.force_login(person)
    return client.get(reverse("refunds"), query).content.decode()


def test_annulled_award_owes_nothing_and_its_page_says_what_goes_back(client, award, irene, ana):
    pay(award, irene, "1")
    annul(award, irene, ana)
    text = send(client, irene, "payment_award", award).content.decode()
    assert "No se debe nada." in text
    assert "se anuló por Acto de muestra 9" in text
    assert "Anulada" in text
    assert "Registrar un pago" not in text
    assert reverse("refund_new", args=[award.pk]) in text


def test_refund_is_reviewed_in_words_and_recorded_once(client, award, irene):
    pay_over(award, irene, "61")
    given = typed(amount="0,40", reference="Egreso 12")
    page = send(client, irene, "refund_new", award, given)
    assert "cuarenta centavos" in page.content.decode()
    assert not Refund.objects.exists()
    for _ in range(2):
        answer = send(client, irene, "refund_new", award, given | {"paso": "confirmar"})
        assert answer.headers["location"] == reverse("payment_award", args=[award.pk])
    assert Refund.objects.get().amount == Decimal("0.40")
    assert "Egreso 12" in send(client, irene, "payment_award", award).content.decode()
    assert "No hay nada por devolver." in send_list(client, irene)


def test_refund_of_more_than_what_is_owed_is_said_at_its_field(client, award, irene):
    pay_over(award, irene, "61")
    page = send(client, irene, "refund_new", award, typed(amount="0,41"))
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"amount"}
    assert "Cheque 0071" in page.content.decode()


def test_auditor_sees_what_is_to_be_returned_and_no_act(client, award, irene, aura):
    pay_over(award, irene, "61")
    text = send_list(client, aura)
    assert award.acceptance.code in text
    assert reverse("refund_new", args=[award.pk]) not in text


def test_empty_list_says_what_will_be_there(client, irene):
    assert "No hay nada por devolver." in send_list(client, irene)
