"""Reports: results for exchange and brokers, the share register's list, the board's."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from offerings.certificates import certificate_allotment_issue
from offerings.enums import Standing
from offerings.models import Programme, Stage
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.board import (
    Amount,
    left_without_effect,
    money_by_class,
    money_to_return,
    money_total,
    paid_in_full,
    papers_issued,
)
from tests.offerings.paid import PAID_ON, make_awards, pay, pay_in_full, undo
from tests.offerings.rows import SLUG, make_acceptance, places
from tests.offerings.test_payment_screens import annul
from tests.pdfs import rows_of as lines_of

STAGE = [SLUG, 1]


@pytest.fixture
def awards(closed_stage, irene, ana, broker):
    """Three: the first, of a worker, paid and certified; the second, of a cooperative and of
    another broker, paid in part; the third not at all."""
    acceptances = [
        make_acceptance(closed_stage, 1, 100),
        make_acceptance(closed_stage, 2, 50, buyer_class="cooperative", broker=broker),
        make_acceptance(closed_stage, 3, 20),
    ]
    awards = make_awards(acceptances, irene, ana)
    pay_in_full(awards[0], irene)
    pay(awards[1], irene, "60.60", "Consignación 2")
    certificate_allotment_issue(award_id=awards[0].pk, user=irene, legal_date=date(1995, 10, 3))
    return awards


def rows_of(response) -> list[dict]:
    assert response.status_code == 200
    sheet, _ = load_workbook(BytesIO(response.content)).worksheets
    heading, *rows = list(sheet.iter_rows(values_only=True))
    return [dict(zip(heading, row, strict=True)) for row in rows]


def about_of(response) -> dict:
    """What the workbook says of itself."""
    sheet = load_workbook(BytesIO(response.content))["Acerca de"]
    return dict(sheet.iter_rows(min_row=2, values_only=True))


# Results


def test_the_exchange_gets_every_line_with_what_is_due_and_why(awards, client, ana):
    client.force_login(ana)
    exchange = places()["exchange"]
    rows = rows_of(client.get(reverse("report_exchange", args=[*STAGE, exchange.pk])))
    assert [row["Aceptación"] for row in rows] == ["A-000001", "A-000002", "A-000003"]
    first = rows[0]
    assert (first["Comprador"], first["Documento"]) == ("María Ejemplo Ñáñez 1", "51.000.001")
    assert (first["Solicitado"], first["Tras el límite"], first["Adjudicado"]) == (100, 100, 100)
    assert Decimal(str(first["Valor adjudicado"])) == 6060
    assert first["Referencia de pago"] == payment_reference(awards[0].pk)
    assert first["Resultado"] == "Completa"


def test_what_leaves_the_house_says_of_which_sale_session_and_sum_it_is(
    awards, client, ana, broker
):
    client.force_login(ana)
    exchange = places()["exchange"]
    run = awards[0].adjudication
    same = {
        "Programa": awards[0].acceptance.stage.programme.name,
        "Etapa": 1,
        "Adjudicación": run.code,
        "La adjudicó": exchange.name,
    }
    for address, more in (
        (
            reverse("report_exchange", args=[*STAGE, exchange.pk]),
            {"Bolsa": exchange.name, "Filas": 3, "Total, adjudicado": 170,
             "Total, valor adjudicado": 10_302},
        ),
        (
            reverse("report_broker", args=[*STAGE, broker.pk]),
            {"Comisionista": broker.name, "Filas": 1, "Total, adjudicado": 50},
        ),
        (reverse("report_register", args=STAGE), {"Filas": 1, "Total, acciones": 100}),
    ):  # fmt: skip
        about = about_of(client.get(address))
        assert about.items() >= (same | more).items()
        assert about["Fecha de la sesión"].date() == date(1995, 9, 15)
        assert about["Fecha y hora de Bogotá"]


def test_a_broker_downloads_its_own_results_and_no_other(awards, client, bruno, olga, broker):
    address = reverse("report_broker", args=[*STAGE, broker.pk])
    client.force_login(bruno)
    assert [row["Aceptación"] for row in rows_of(client.get(address))] == ["A-000002"]
    page = client.get(reverse("programme_reports", args=STAGE)).content.decode()
    assert address in page
    assert "Corredores de Prueba" not in page
    assert "Junta" not in page
    other = reverse("report_broker", args=[*STAGE, places()["broker"].pk])
    assert client.get(other).status_code == 404
    client.force_login(olga)
    assert client.get(address).status_code == 404
    assert (
        "Valores Ficticios"
        not in client.get(reverse("programme_reports", args=STAGE)).content.decode()
    )
    for name in ("report_register", "report_board"):
        assert client.get(reverse(name, args=STAGE)).status_code == 403


def test_what_was_not_admitted_bears_its_cause(closed_stage, exchange, mateo, ana, client):
    from offerings.services.adjudications import (
        adjudication_decide,
        adjudication_open,
        adjudication_run,
    )
    from office.review import ReviewState

    make_acceptance(
        closed_stage, 1, 7, admitted=0, standing=Standing.INCOMPLETE,
        missing=[{"code": "x", "label": "Declaración de renta.", "cite": "art. 6-1", "why": ""}],
    )  # fmt: skip
    run = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=date(1995, 9, 15), user=mateo
    )
    adjudication_run(adjudication_id=run.pk, report=lambda *told: None)
    adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    client.force_login(ana)
    (row,) = rows_of(client.get(reverse("report_exchange", args=[*STAGE, exchange.pk])))
    assert row["Resultado"] == "Incompleta"
    assert row["Causa"] == "incompleta; falta: Declaración de renta (art. 6-1)"
    board = client.get(reverse("report_board", args=STAGE), {"al": "30/09/1995"})
    assert "desierta" in lines_of(board.content)


def test_before_the_approval_there_are_no_results(closed_stage, irene, ana, client, broker):
    make_awards([make_acceptance(closed_stage, 1, 100)], irene, ana, state="pending")
    client.force_login(ana)
    exchange = places()["exchange"]
    assert client.get(reverse("report_exchange", args=[*STAGE, exchange.pk])).status_code == 404
    assert client.get(reverse("report_register", args=STAGE)).status_code == 404
    page = client.get(reverse("programme_reports", args=STAGE)).content.decode()
    assert "La adjudicación no está aprobada" in page


def test_the_reports_are_reached_from_the_programme(closed_stage, client, ana):
    client.force_login(ana)
    page = client.get(reverse("programme", args=[SLUG])).content.decode()
    assert reverse("programme_reports", args=STAGE) in page


# The share register


def test_the_register_gets_what_is_wholly_paid_with_pledge_and_term(awards, client, ana):
    client.force_login(ana)
    (row,) = rows_of(client.get(reverse("report_register", args=STAGE)))
    assert (row["Titular"], row["Acciones"]) == ("María Ejemplo Ñáñez 1", 100)
    assert row["Prenda a favor del Fondo"] == "Primer grado"
    assert row["Fecha de compra"].date() == date(1995, 9, 15)
    assert row["Pagada el"].date() == PAID_ON
    assert row["Término hasta"].date() == date(1997, 9, 15)
    assert (row["Aceptación"], row["Certificado"]) == ("A-000001", "ADJ-1995-000001")


# One programme alone


def test_a_report_on_one_programme_shows_that_programme_alone(awards, client, irene, ana):
    first = Programme.objects.get(slug=SLUG)
    stage = awards[0].acceptance.stage
    other = Programme.objects.create(
        slug="programa-ajeno", name="Ajeno", short_name="Ajeno 2004", opened_by=irene
    )
    rules = stage.rules
    foreign = Stage.objects.create(
        programme=other, number=1, state=stage.state, rules=rules, supply=900,
        price=Decimal("2.00"), opened_at=stage.opened_at, last_moment=stage.last_moment,
        closed_at=stage.closed_at,
    )  # fmt: skip
    away = [make_acceptance(foreign, serial, 77, admitted=77) for serial in (11, 12)]
    for award in make_awards(away, irene, ana):
        pay_in_full(award, irene)
    client.force_login(ana)
    exchange, broker = places()["exchange"], places()["broker"]
    for address in (
        reverse("report_exchange", args=[*STAGE, exchange.pk]),
        reverse("report_broker", args=[*STAGE, broker.pk]),
        reverse("report_register", args=STAGE),
    ):
        codes = {row["Aceptación"] for row in rows_of(client.get(address))}
        assert codes
        assert not codes & {"A-000011", "A-000012"}
    board = client.get(reverse("report_board", args=STAGE), {"al": "31/12/1995"})
    text = lines_of(board.content)
    assert "10.302,00" in text
    assert "154" not in text
    assert "Ajeno" not in text
    assert first.short_name in text
    assert rows_of(client.get(reverse("report_register", args=["programa-ajeno", 1])))


# The board's


def test_the_board_sees_money_and_papers_as_they_stood_at_the_end_of_a_day(awards):
    run = awards[0].adjudication
    before, after = date(1995, 10, 1), date(1995, 10, 3)
    assert money_total(money_by_class(run, before)).paid == 0
    rows = {row.label: row for row in money_by_class(run, after)}
    assert (rows["Trabajadores activos"].due, rows["Trabajadores activos"].paid) == (
        Decimal("7272.00"),
        Decimal("6060.00"),
    )
    assert rows["Cooperativas"].balance == Decimal("2969.40")
    assert [paid_in_full(run, day) for day in (before, PAID_ON, after)] == [0, 1, 1]
    told = {
        paper.label: (paper.wanted, paper.issued) for paper in papers_issued(run, after, paid=1)
    }
    assert told["Certificados de adjudicación"] == (1, 1)
    assert papers_issued(run, PAID_ON, paid=1)[1].issued == 0


def test_what_was_left_without_effect_or_paid_over_counts_from_its_own_day(
    awards, irene, mateo, ana
):
    run, stage = awards[0].adjudication, awards[0].adjudication.stage
    pay(awards[2], irene, "1300.00", "Consignación 3", gives_back=True)
    undo(awards[1], mateo, ana, date(1995, 11, 2))
    before, after = date(1995, 11, 1), date(1995, 11, 2)
    assert money_total(money_by_class(run, before)).awards == 3
    assert left_without_effect(run, before) == Amount(0, Decimal("0.00"))
    assert money_to_return(stage, before) == Amount(1, Decimal("88.00"))
    total = money_total(money_by_class(run, after))
    assert (total.awards, total.due, total.paid) == (2, Decimal("7272.00"), Decimal("7272.00"))
    assert left_without_effect(run, after) == Amount(1, Decimal("3030.00"))
    assert money_to_return(stage, after) == Amount(2, Decimal("148.60"))


def test_the_board_reads_the_version_that_was_in_force_on_its_day(
    awards, client, irene, mateo, ana
):
    """Annulled by an act of 2 November: until the day before, it stood and was paid."""
    annul(awards[0], mateo, ana)
    client.force_login(ana)
    address = reverse("report_board", args=STAGE)
    before = lines_of(client.get(address, {"al": "01/11/1995"}).content)
    assert "se había pagado $6.120,60" in before
    after = lines_of(client.get(address, {"al": "02/11/1995"}).content)
    assert "no tiene una adjudicación en firme" in after
    assert "quedaban por devolver $6.120,60, de 2 aceptaciones" in after


def test_the_boards_report_is_drawn_for_the_day_asked(awards, client, ana):
    client.force_login(ana)
    address = reverse("report_board", args=STAGE)
    text = lines_of(client.get(address, {"al": "03/10/1995"}).content)
    for said in (
        "Informe a la Junta Directiva",
        "al 3 de octubre de 1995",
        "ciento setenta (170) acciones del Banco Popular, a 3 aceptaciones, por $10.302,00",
        "se había pagado $6.120,60",
        "Demanda frente a oferta",
        "Total 3 10.302,00 6.120,60 4.181,40",
        "Lo generó Ana Ficticia Rey",
    ):
        assert said in text, said
    early = lines_of(client.get(address, {"al": "14/09/1995"}).content)
    assert "no tiene una adjudicación en firme" in early


@pytest.mark.parametrize("asked", ["", "31/02/1995", "x", "01/01/2999"])
def test_a_day_that_is_none_is_refused_at_its_field(awards, client, ana, asked):
    client.force_login(ana)
    answer = client.get(reverse("report_board", args=STAGE), {"al": asked})
    assert answer.status_code == 422
    assert "is-invalid" in answer.content.decode()
