"""An early exit by its screens alone: asked for, quoted, settled, paid; what stops it says why."""

from uuid import uuid4

import pytest
from django.urls import reverse

from config import queue
from config.early_exits import exits_waiting
from office.review import ReviewState
from pledges.enums import RequestKind, RequestState
from pledges.models import FundDecision, PenaltyReadings, Quote, ReleaseRequest, RequestClosing
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from tests.pdfs import text_of
from tests.pledges.early import (
    FES,
    ask,
    confirm_readings,
    find_breach,
    make_case,
    make_market,
    pay,
    programme_of,
    proposed_readings,
    quoted,
    settled,
    undecided_request,
)
from tests.pledges.rows import make_pledge

INVALID = 422


def typed(**changes):
    return {
        "shares": "10.000",
        "filing_number": "Rad. 1997-20",
        "filed_on": "20/01/1997",
        "filed_time": "15:15",
        "submission_key": str(uuid4()),
        **changes,
    }


def read(client, person, name, *args, **query):
    client.force_login(person)
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def send(client, person, name, *args, status=302, **data):
    client.force_login(person)
    answer = client.post(reverse(name, args=args), data, follow=status == 302)
    assert (answer.redirect_chain[0][1] if status == 302 else answer.status_code) == status
    return answer.content.decode()


def review(client, person, name, *args, decision="aprobar", reason=""):
    return send(client, person, name, *args, decision=decision, reason=reason)


def test_month_17_of_the_1995_programme_costs_141_702_20_from_the_request_to_its_payment(
    client, irene, ana
):
    pledge = make_pledge(irene, ana)
    programme = programme_of(pledge)
    make_market(programme, irene)

    page = send(client, irene, "release_request_new", pledge.pk, status=200, **typed())
    assert "diez mil (10.000) acciones" in page
    send(client, irene, "release_request_new", pledge.pk, **typed(paso="confirmar"))
    found = ReleaseRequest.objects.get()
    assert reverse("penalty_readings", args=[programme.slug]) in read(
        client, irene, "release_request", found.pk
    )

    act = proposed_readings(programme) | {"act": "Acta 41", "act_on": "07/07/1995"}
    page = send(client, irene, "penalty_readings_new", programme.slug, status=200, **act)
    assert "Mes anterior a la solicitud ÷ mes de la compra" in page
    send(client, irene, "penalty_readings_new", programme.slug, **act, paso="confirmar")
    version = PenaltyReadings.objects.get()
    review(client, ana, "penalty_readings_review", version.pk)

    page = read(client, irene, "quote_new", found.pk)
    assert "Por qué $141.702,20" in page
    send(client, irene, "quote_new", found.pk, valid_until="15/02/1997")
    quote = Quote.objects.get()
    page = read(client, irene, "quote", quote.pk)
    for said in (
        "cae entre el 16/01/1997 y el 15/02/1997",
        "$80,00",
        "1,248587…",
        "exacto: 26,52/21,24",
        "5 × 8,3 % = 41,5 %",
        "Ciento cuarenta y un mil setecientos dos pesos con veinte centavos ($141.702,20).",
        "Acta 41, 07/07/1995",
        "<td>15/09/1997</td>",
        "Fijar la liquidación",
    ):
        assert said in page

    page = send(client, irene, "quote_accept", quote.pk, status=200, accepted_on="20/01/1997")
    assert "la cifra queda congelada" in page
    send(client, irene, "quote_accept", quote.pk, accepted_on="20/01/1997", paso="confirmar")
    money = {
        "means": "cheque",
        "reference": "Cheque 17",
        "paid_on": "21/01/1997",
        "amount": "141.702,20",
        "submission_key": str(uuid4()),
    }
    page = send(client, irene, "penalty_payment_new", found.pk, status=200, **money)
    assert "queda pagada y puede prepararse el levantamiento" in page
    page = send(client, irene, "penalty_payment_new", found.pk, **money, paso="confirmar")
    assert "PG-1997-" in page
    found.refresh_from_db()
    assert found.state == RequestState.PAID
    assert found.code in read(client, irene, "release_requests", vista="pagadas")


# --- shares asked for already ---


def test_shares_already_asked_for_are_refused_with_a_link_to_the_first_request(client, irene, ana):
    pledge = make_pledge(irene, ana)
    first = ask(pledge, irene)
    page = send(client, irene, "release_request_new", pledge.pk, status=INVALID, **typed())
    assert f"No hay acciones libres: {first.code} ya pide 10.000 acciones" in page
    assert f'href="{reverse("release_request", args=[first.pk])}">{first.code}</a>' in page
    assert 'value="Rad. 1997-20"' in page


def test_double_click_files_one_request(client, irene, ana):
    pledge = make_pledge(irene, ana)
    data = typed(shares="1", paso="confirmar")
    for _ in range(2):
        send(client, irene, "release_request_new", pledge.pk, **data)
    assert ReleaseRequest.objects.count() == 1


def test_request_after_the_term_is_told_at_its_day(client, irene, ana):
    pledge = make_pledge(irene, ana)
    late = typed(filed_on="16/09/1997", filed_time="0:00")
    page = send(client, irene, "release_request_new", pledge.pk, status=INVALID, **late)
    assert "ya cumplió su término, el 15/09/1997: se levanta sin sanción" in page
    assert 'id="id_filed_on_errors"' in page or 'href="#id_filed_on"' in page


# --- breaches and sales ---


def test_breach_is_recorded_with_its_evidence_and_is_closed_by_two_people_only(client, irene, ana):
    pledge = make_case(irene, ana)
    data = typed(
        evidence="Oficio de la depositaria",
        title="sale",
        sold_on="20/01/1997",
        sale_price="90,00",
        sale_proof="Contrato 8",
        filed_on="03/03/1998",
        paso="confirmar",
    )
    send(client, irene, "release_request_breach", pledge.pk, **data)
    found = ReleaseRequest.objects.get(kind=RequestKind.BREACH)
    page = read(client, irene, "release_request", found.pk)
    assert "Oficio de la depositaria" in page
    assert reverse("release_request_withdraw", args=[found.pk]) not in page
    cause = {"cause": "La venta era de otra persona.", "paso": "confirmar"}
    send(client, irene, "release_request_close", found.pk, **cause)
    closing = RequestClosing.objects.get()
    page = review(client, ana, "release_request_closing_review", closing.pk)
    assert "Cerrada sin salida" in page


def test_sale_of_a_fes_request_is_asked_for_and_completed(client, irene, ana):
    pledge = make_pledge(irene, ana, slug=FES)
    assert "id_sale_price" in read(client, irene, "release_request_new", pledge.pk)
    found = ask(pledge, irene)
    page = read(client, irene, "release_request", found.pk)
    assert "Escriba el precio de venta por acción" in page
    assert reverse("release_request_sale", args=[found.pk]) in page
    sale = {"title": "", "sold_on": "", "sale_price": "80,00", "sale_proof": "Promesa 3"}
    send(client, irene, "release_request_sale", found.pk, **sale)
    page = read(client, irene, "quote_new", found.pk)
    assert "semestre 3" in page


def test_1995_request_asks_for_no_sale(client, irene, ana):
    pledge = make_pledge(irene, ana)
    assert "id_sale_price" not in read(client, irene, "release_request_new", pledge.pk)


# --- what stops a quote ---


def test_missing_index_is_named_with_the_way_to_where_it_is_loaded(client, irene, ana):
    pledge = make_pledge(irene, ana)
    programme = programme_of(pledge)
    make_market(programme, irene)
    confirm_readings(programme, irene, ana, cpi_factor="lagged")
    found = ask(pledge, irene)
    page = read(client, irene, "quote_new", found.pk)
    assert "IPC de 08/1995 no cargado" in page
    assert f'href="{reverse("cpi")}">Cargar el IPC</a>' in page
    page = send(client, irene, "quote_new", found.pk, status=INVALID, valid_until="15/02/1997")
    assert page.count("error-summary") == 1


def test_where_no_rule_answers_the_fund_decides_by_two_people(client, irene, ana):
    found = undecided_request(irene, ana)
    page = read(client, irene, "release_request", found.pk)
    assert "Decide el Fondo." in page
    assert reverse("fund_decision_new", args=[found.pk]) in page
    data = {
        "amount": "25.000,00",
        "act": "Acta 50",
        "act_on": "20/01/1997",
        "reason": "Equidad con los demás.",
    }
    page = send(client, irene, "fund_decision_new", found.pk, status=200, **data)
    assert "veinticinco mil pesos" in page
    send(client, irene, "fund_decision_new", found.pk, **data, paso="confirmar")
    review(client, ana, "fund_decision_review", FundDecision.objects.get().pk)
    assert "Por qué $25.000,00" in read(client, irene, "quote_new", found.pk)


# --- other days, other readings ---


def test_what_if_tells_another_day_and_saves_nothing(client, irene, ana):
    pledge = make_case(irene, ana)
    page = read(client, irene, "penalty_what_if", pledge.pk, shares="10.000", asked="16/08/1997")
    # The index of July 1997 is not needed: month 24 pays nothing.
    assert "Por qué $0,00" in page
    page = read(client, irene, "penalty_what_if", pledge.pk, shares="5.000", asked="20/01/1997")
    assert "Por qué $70.851,10" in page
    assert "Si espera" in page
    assert not ReleaseRequest.objects.exists()


def test_what_if_that_cannot_be_read_says_so(client, irene, ana):
    pledge = make_case(irene, ana)
    client.force_login(irene)
    address = reverse("penalty_what_if", args=[pledge.pk])
    answer = client.get(address, {"shares": "1e3", "asked": "31/02/1997"})
    assert answer.status_code == INVALID
    page = read(client, irene, "penalty_what_if", pledge.pk, shares="1", asked="14/09/1995")
    assert "anterior a la compra" in page


def test_other_readings_show_what_each_would_cost(client, irene, ana):
    quote = quoted(ask(make_case(irene, ana), irene), irene)
    page = read(client, irene, "quote_other_readings", quote.pk)
    assert "161.806,96" in page
    assert "20.104,76" in page
    assert "la del programa" in page


def test_readings_page_tells_points_and_the_history_of_versions(client, irene, ana):
    programme = programme_of(make_case(irene, ana))
    page = read(client, irene, "penalty_readings", programme.slug)
    assert "sin decir qué meses se dividen" in page
    assert "Acta 41, 07/07/1995" in page
    send(
        client,
        irene,
        "penalty_readings_new",
        programme.slug,
        **proposed_readings(programme) | {"reduction_month": "completed"},
        act="Acta 60",
        act_on="01/02/1997",
        paso="confirmar",
    )
    page = read(client, irene, "penalty_readings", programme.slug)
    assert "Versión 2" in page
    assert "espera la revisión de un supervisor" in page


# --- home ---


def test_home_tells_what_waits_with_the_exits(client, irene, ana, mateo):
    pledge = make_case(irene, ana)
    ask(pledge, irene, 1)
    quoted(ask(pledge, irene, 2, "R-2"), irene)
    paid = ask(pledge, irene, 1_000, "R-3")
    settled(paid, irene)
    pay(paid, irene, 1)
    closing = request_closing_prepare(request_id=paid.pk, user=irene, cause="Prueba")
    (act,) = queue.acts_to_review(ana)
    assert act["url"] == reverse("release_request_closing_review", args=[closing.pk])
    request_closing_decide(closing_id=closing.pk, user=ana, outcome=ReviewState.APPROVED)
    assert [row["label"] for row in exits_waiting(mateo)] == [
        "1 solicitud de despignoración sin liquidar",
        "1 liquidación propuesta por fijar",
        "1 solicitud cerrada con dinero por devolver",
    ]
    for row in exits_waiting(mateo):
        client.force_login(mateo)
        assert client.get(row["url"]).status_code == 200
    assert "1 liquidación propuesta por fijar" in read(client, mateo, "home")


def test_returned_acts_come_back_to_who_prepared_them(client, irene, ana):
    found = find_breach(make_case(irene, ana), irene)
    closing = request_closing_prepare(request_id=found.pk, user=irene, cause="Prueba")
    request_closing_decide(
        closing_id=closing.pk, user=ana, outcome=ReviewState.RETURNED, reason="Falta la prueba."
    )
    (act,) = queue.acts_returned(irene)
    assert (act["url"], act["reason"]) == (
        reverse("release_request", args=[found.pk]),
        "Falta la prueba.",
    )


def test_page_of_a_pledge_shows_its_requests_and_a_broker_follows_none(client, irene, ana, aura):
    pledge = make_case(irene, ana)
    found = ask(pledge, irene, 10)
    page = read(client, irene, "pledge", pledge.pk)
    assert reverse("release_request", args=[found.pk]) in page
    assert reverse("release_request_new", args=[pledge.pk]) in page
    assert reverse("release_request_new", args=[pledge.pk]) not in read(
        client, aura, "pledge", pledge.pk
    )


@pytest.mark.parametrize("text", ["51000001", "ejemplo", "R-1", "SD-"])
def test_list_is_searched_by_holder_identity_and_number(client, irene, ana, text):
    found = ask(make_pledge(irene, ana), irene, 10)
    text = found.code if text == "SD-" else text
    assert found.code in read(client, irene, "release_requests", q=text)
    assert found.code not in read(client, irene, "release_requests", q="nadie")


def test_list_goes_out_as_a_file(client, irene, ana):
    found = ask(make_pledge(irene, ana), irene, 10)
    client.force_login(irene)
    answer = client.get(reverse("release_requests_export", args=["csv"]))
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert found.code in text
    assert "Pide (acciones)" in text


def test_paper_of_a_quote_bears_every_step_and_says_while_it_binds_nobody(client, irene, ana):
    request = ask(make_case(irene, ana), irene)
    quote = quoted(request, irene)
    client.force_login(irene)
    address = reverse("quote_pdf", args=[quote.pk])
    text = text_of(client.get(address).content)
    for step in quote.steps:
        assert step["shown"] in text
    assert "diez mil (10.000) acciones" in text
    assert "Propuesta: todavía no obliga" in text
    last = settled(request, irene)
    text = text_of(client.get(reverse("quote_pdf", args=[last.pk])).content)
    assert "todavía no obliga" not in text
    assert "Fijada con fecha del 20 de enero de 1997" in text
