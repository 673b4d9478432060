"""Payments of what was adjudicated: the exact balance, each payment once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.urls import reverse

from offerings.models import Award, Payment
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.payments import awards_due
from offerings.services.payments import payment_record
from office.decisions import decisions_on
from office.models import Series
from office.refusals import Refused
from tests.offerings.paid import PAID_ON, SESSION, entry, make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance


@pytest.fixture
def award(broker, closed_stage, irene, ana):
    """Ten shares at 60,60: 606,00 due."""
    return make_awards([make_acceptance(closed_stage, 1, 10)], irene, ana)[0]


@pytest.fixture
def one_share(closed_stage, irene, ana):
    """One share at 60,60."""
    return make_awards([make_acceptance(closed_stage, 1, 1)], irene, ana)[0]


def typed(**changes):
    return {
        "means": "cheque",
        "reference": "Cheque 0071",
        "paid_on": "02/10/1995",
        "amount": "606,00",
        "submission_key": str(uuid4()),
        **changes,
    }


# The balance


def test_a_payment_gets_a_receipt_of_its_legal_year(award, irene):
    payment = pay(award, irene, "606.00")
    assert payment.receipt == "PG-1995-000001"
    assert (payment.amount, payment.recorded_by) == (Decimal("606.00"), irene)


def test_one_peso_of_sixty_sixty_leaves_fifty_nine_sixty(one_share, irene):
    pay(one_share, irene, "1")
    due = awards_due().get(pk=one_share.pk)
    assert (due.due, due.paid, due.balance) == (
        Decimal("60.60"),
        Decimal("1.00"),
        Decimal("59.60"),
    )


def test_more_than_what_is_due_is_refused_with_the_balance_said(one_share, irene):
    with pytest.raises(Refused) as refusal:
        pay(one_share, irene, "61")
    assert refusal.value.field == "amount"
    assert "$60,60" in refusal.value.message
    assert "$0,40" in refusal.value.message
    assert not Payment.objects.exists()


def test_a_second_payment_pays_the_rest_and_no_more(one_share, irene):
    pay(one_share, irene, "1", "A")
    with pytest.raises(Refused, match=r"59,60"):
        pay(one_share, irene, "59.61", "B")
    assert pay(one_share, irene, "59.60", "B").receipt == "PG-1995-000002"
    with pytest.raises(Refused, match="no se debe nada más"):
        pay(one_share, irene, "0.01", "C")


@pytest.mark.parametrize("supply", [5_234_634_742])
def test_the_balance_is_exact_for_all_the_shares_of_the_programme(closed_stage, irene, ana):
    whole = make_acceptance(closed_stage, 1, 5_234_634_742, buyer_class="cooperative")
    award = make_awards([whole], irene, ana)[0]
    pay(award, irene, "0.20")
    assert awards_due().get(pk=award.pk).balance == Decimal("317218865365.00")


@pytest.mark.parametrize("amount", ["0", "-1"])
def test_nothing_or_less_is_no_payment(award, irene, amount):
    with pytest.raises(Refused, match="mayor que cero"):
        pay(award, irene, amount)


# Each payment once


@pytest.mark.parametrize("reference", ["Consignación 4118", "CONSIGNACIÓN 4118"])
def test_the_same_reference_date_and_amount_twice_is_stopped(award, irene, reference):
    first = pay(award, irene, "100")
    with pytest.raises(Refused) as refusal:
        pay(award, irene, "100", reference)
    assert refusal.value.field == "reference"
    assert first.receipt in refusal.value.message
    assert awards_due().get(pk=award.pk).balance == Decimal("506.00")


def test_a_double_click_leaves_one_payment(award, irene):
    key = uuid4()
    first, second = (
        payment_record(award_id=award.pk, user=irene, entry=entry("606"), submission_key=key)
        for _ in range(2)
    )
    assert first == second
    assert Payment.objects.count() == 1
    assert Series.objects.get(kind="PG").last_number == 1


@pytest.mark.django_db(transaction=True)
def test_two_payments_at_once_do_not_pass_what_is_due(award, irene, mateo):
    barrier = Barrier(2)

    def record(user, reference):
        barrier.wait(10)
        try:
            return pay(award, user, "606", reference).receipt
        except Refused as refusal:
            return refusal.message
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(record, irene, "A"), pool.submit(record, mateo, "B")]
        said = [answer.result() for answer in answers]
    assert Payment.objects.count() == 1
    assert any(text == "PG-1995-000001" for text in said)
    assert any("no se debe nada más" in text for text in said)


def test_a_payment_cannot_be_changed_or_deleted_by_raw_sql(award, irene):
    payment = pay(award, irene, "1")
    for statement in (
        "UPDATE offerings_payment SET amount = 606 WHERE id = %s",
        "DELETE FROM offerings_payment WHERE id = %s",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [payment.pk])


# When, by whom, for what


def test_a_payment_before_the_session_is_refused(award, irene):
    with pytest.raises(Refused, match="anterior a la sesión") as refusal:
        pay(award, irene, "1", paid_on=date(1995, 9, 14))
    assert refusal.value.field == "paid_on"
    assert pay(award, irene, "1", paid_on=SESSION).paid_on == SESSION


def test_a_payment_in_the_future_is_refused(award, irene, time_machine):
    time_machine.move_to("1995-10-02 23:30:00-05:00", tick=False)
    with pytest.raises(Refused, match="futuro"):
        pay(award, irene, "1", paid_on=date(1995, 10, 3))
    assert pay(award, irene, "1", paid_on=PAID_ON)


def test_only_cash_or_a_cheque_is_taken(award, irene):
    with pytest.raises(Refused, match="efectivo o cheque"):
        pay(award, irene, "1", means="shares")


def test_nothing_is_paid_before_the_adjudication_is_approved(closed_stage, irene, ana):
    waiting = make_awards([make_acceptance(closed_stage, 1, 10)], irene, ana, state="pending")[0]
    with pytest.raises(Refused, match="no está aprobada"):
        pay(waiting, irene, "1")
    assert not awards_due().exists()


def test_an_acceptance_that_got_nothing_owes_nothing(closed_stage, irene, ana):
    left_out = make_acceptance(closed_stage, 1, 10, admitted=0)
    award = make_awards([left_out], irene, ana)[0]
    with pytest.raises(Refused, match="no se le adjudicó nada"):
        pay(award, irene, "1")


@pytest.mark.parametrize("person", ["aura", "adela", "root", "bruno"])
def test_who_may_not_prepare_records_no_payment(award, person, request):
    with pytest.raises(Refused, match="analista o un supervisor"):
        pay(award, request.getfixturevalue(person), "1")


def test_a_late_payment_is_taken_since_nothing_lapses_by_itself(award, irene):
    assert pay(award, irene, "1", paid_on=date(1995, 10, 16))


def test_the_last_day_is_the_thirtieth_after_the_session(award):
    term = payment_term(award.adjudication)
    assert term.value == date(1995, 10, 15)
    assert term.cites == ("art. 13",)


def test_the_decision_log_cites_article_13_and_the_day_of_the_payment(award, irene):
    pay(award, irene, "606")
    decision = decisions_on([award]).get()
    assert (decision.article, decision.actor) == ("art. 13", irene)
    assert decision.legal_at.date() == PAID_ON
    assert "queda pagada" in decision.sentence


# Screens


def test_the_list_shows_what_each_owes(client, award, irene):
    pay(award, irene, "6")
    client.force_login(irene)
    page = client.get(reverse("payments"))
    text = page.content.decode()
    for shown in ("606,00", "600,00", "Pago parcial", "15/10/1995", "A-000001"):
        assert shown in text


def test_the_list_narrows_to_a_saved_view_and_a_search(client, closed_stage, irene, ana):
    paid, owing = make_awards(
        [make_acceptance(closed_stage, 1, 1), make_acceptance(closed_stage, 2, 1)], irene, ana
    )
    pay_in_full(paid, irene)
    client.force_login(irene)
    page = client.get(reverse("payments"), {"vista": "sin-pago"})
    assert [row.pk for row in page.context["page"]] == [owing.pk]
    found = client.get(reverse("payments"), {"q": "ejemplo nanez 1\x00"})
    assert [row.pk for row in found.context["page"]] == [paid.pk]
    assert not client.get(reverse("payments"), {"programa": "otro"}).context["page"].object_list


def test_the_list_asks_as_many_queries_for_ten_as_for_one(
    client, closed_stage, irene, ana, django_assert_max_num_queries
):
    make_awards([make_acceptance(closed_stage, n, 1) for n in range(1, 11)], irene, ana)
    client.force_login(irene)
    with django_assert_max_num_queries(21):  # one of them for the person's kept views
        assert len(client.get(reverse("payments")).context["page"]) == 10


def test_the_review_says_amounts_in_words_and_records_nothing(client, award, irene):
    client.force_login(irene)
    page = client.post(reverse("payment_new", args=[award.pk]), typed(amount="6,60"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "seis pesos con sesenta centavos" in text
    assert "quinientos noventa y nueve pesos con cuarenta centavos" in text
    assert not Payment.objects.exists()


def test_the_confirmed_form_sent_twice_records_one_payment(client, award, irene):
    client.force_login(irene)
    sent = typed(paso="confirmar")
    for _ in range(2):
        page = client.post(reverse("payment_new", args=[award.pk]), sent)
        assert page.headers["location"] == reverse("payment_award", args=[award.pk])
    assert Payment.objects.get().receipt == "PG-1995-000001"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("amount", "607", "sobrarían"),
        ("amount", "1,234.50", "1,234.50"),
        ("amount", "99999999999999999999999999", "99"),
        ("amount", "1\x00", "amount"),
        ("paid_on", "31/02/1995", "31/02/1995"),
        ("paid_on", "14/09/1995", "anterior a la sesión"),
        ("reference", "a\u202eb", "reference"),
        ("reference", "x" * 81, "81"),
        ("reference", "", "Escriba la referencia"),
        ("means", "shares", "means"),
    ],
)
def test_bad_input_is_said_at_its_field_and_nothing_typed_is_lost(
    client, award, irene, field, value, message
):
    client.force_login(irene)
    page = client.post(
        reverse("payment_new", args=[award.pk]), typed(paso="confirmar", **{field: value})
    )
    text = page.content.decode()
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {field}
    assert message in text
    assert "02/10/1995" in text or field == "paid_on"
    assert not Payment.objects.exists()


def test_change_brings_what_was_typed_back_to_the_form(client, award, irene):
    client.force_login(irene)
    review = client.post(reverse("payment_new", args=[award.pk]), typed())
    form = client.get(review.context["change_url"]).content.decode()
    assert "Cheque 0071" in form
    assert "606,00" in form


def test_the_award_page_tells_its_payments_and_history(client, award, irene, aura):
    pay(award, irene, "6")
    client.force_login(aura)
    text = client.get(reverse("payment_award", args=[award.pk])).content.decode()
    assert "PG-1995-000001" in text
    assert "Irene Ejemplo Ñáñez recibió $6,00" in text
    assert "Registrar un pago" not in text


@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("bruno", 403), ("adela", 403), ("aura", 403)]
)
def test_who_may_not_record_is_kept_out_of_the_form(client, award, request, person, status):
    if person:
        client.force_login(request.getfixturevalue(person))
    assert client.get(reverse("payment_new", args=[award.pk])).status_code == status


def test_an_award_that_does_not_exist_is_not_found(client, irene):
    client.force_login(irene)
    assert client.get(reverse("payment_award", args=[999])).status_code == 404
    assert not Award.objects.exists()
