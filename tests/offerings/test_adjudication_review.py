"""The review of a result: its checks, its parts, what became of each, the version before."""

import re
from datetime import date

import pytest
from django.db import connection
from django.urls import reverse

from buyers.models import Broker, Exchange
from offerings.enums import AcceptanceState, Standing
from offerings.models import Acceptance, Adjudication, Award
from offerings.selectors.adjudications import (
    adjudication_checks,
    lines_changed,
    lines_outcomes,
    run_differences,
    shares_by_broker,
    shares_by_class,
    shares_by_exchange,
)
from offerings.selectors.payments import awards_due
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.decisions import decisions_on
from office.review import ReviewState
from tests.offerings.rows import make_acceptance, make_acceptances, make_buyer

SESSION = date(1995, 9, 15)
PROPORTION = "Cada línea en su proporción"
INPUT = "Las aceptaciones son las que se leyeron"


@pytest.fixture
def run(closed_stage, exchange, mateo):
    """Gives the next version for the stage as it stands when called, waiting for its review."""

    def made(session_on: date = SESSION) -> Adjudication:
        opened = adjudication_open(
            stage_id=closed_stage.pk, exchange=exchange, session_on=session_on, user=mateo
        )
        adjudication_run(adjudication_id=opened.pk, report=lambda *told: None)
        return Adjudication.objects.get(pk=opened.pk)

    return made


@pytest.fixture
def page(client, ana):
    """Gives the words of a page that the supervisor opens, blanks in one."""
    client.force_login(ana)

    def words(name, *args, **query):
        response = client.get(reverse(name, args=args), query)
        assert response.status_code == 200
        plain = re.sub(r"<[^>]+>", " ", response.content.decode())
        return re.sub(r"\s+", " ", plain).replace("\u2011", "-").replace("\u00a0", " ")

    return words


def tamper(model, pk, **values):
    """Change a row behind the back of every trigger, as somebody with the database could."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        model.objects.filter(pk=pk).update(**values)
        cursor.execute("SET LOCAL session_replication_role = origin")


def failing(run):
    return [check.label for check in adjudication_checks(run) if not check.holds]


# The checks


@pytest.mark.parametrize(
    "changes",
    [
        {"quotient": 82, "awarded": 82},
        {"remainder": 1},
        {"got_left_over": False},
        {"awarded": 80},
        {"reason": "in_full"},
        {"quotient": None},
    ],
)
def test_one_line_out_of_its_proportion_is_found(closed_stage, run, changes):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    found = run()
    assert failing(found) == []
    tamper(Award, found.awards.get(acceptance__serial=1).pk, **changes)
    assert PROPORTION in failing(found)


@pytest.mark.parametrize("changes", [{"awarded": 9}, {"quotient": 10}, {"reason": "incomplete"}])
def test_a_whole_award_that_is_not_whole_is_found(closed_stage, run, changes):
    make_acceptances(closed_stage, [10, 20])
    found = run()
    assert failing(found) == []
    tamper(Award, found.awards.get(acceptance__serial=1).pk, **changes)
    assert PROPORTION in failing(found)


@pytest.mark.parametrize("supply", [42_212_620_563_213])
def test_the_proportion_is_checked_beyond_64_bits(closed_stage, run):
    make_acceptances(closed_stage, [9_223_372_036_854_775_807, 7, 42_212_620_563_213])
    assert failing(run()) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"requested": 99},
        {"minimum": 5},
        {"state": AcceptanceState.WITHDRAWN},
        {"standing": Standing.INCOMPLETE},
    ],
)
def test_an_acceptance_changed_after_the_run_is_found(closed_stage, run, changes):
    acceptances = make_acceptances(closed_stage, [98, 92])
    found = run()
    assert failing(found) == []
    tamper(Acceptance, acceptances[0].pk, **changes)
    assert INPUT in failing(found)


def test_what_was_read_is_the_same_with_fractions_of_a_second_and_minimums(closed_stage, run):
    half = closed_stage.opened_at.replace(microsecond=50)
    make_acceptance(closed_stage, 1, 10, received_at=half, minimum=4)
    make_acceptance(closed_stage, 2, 10)
    assert failing(run()) == []


def test_a_result_that_does_not_hold_cannot_be_approved(closed_stage, run, client, ana):
    acceptances = make_acceptances(closed_stage, [98, 92])
    found = run()
    tamper(Acceptance, acceptances[0].pk, requested=99)
    client.force_login(ana)
    answer = client.post(reverse("adjudication_approve", args=[found.pk]))
    assert answer.status_code == 422
    assert INPUT in answer.content.decode()


# Its parts


def test_shares_are_told_by_class_by_broker_and_by_exchange(closed_stage, run, page):
    other = Broker.objects.create(name="Valores Ficticios S. A.", nit="800197268-4")
    away = Exchange.objects.create(name="Bolsa de Muestra")
    make_acceptance(closed_stage, 1, 300)
    make_acceptance(closed_stage, 2, 500, buyer_class="cooperative", broker=other, exchange=away)
    make_acceptance(closed_stage, 3, 200, broker=None, exchange=None)
    found = run()
    told = [
        [(row.label, row.admitted, row.awarded) for row in shares(found)]
        for shares in (shares_by_class, shares_by_broker, shares_by_exchange)
    ]
    assert told == [
        [("Cooperativas", 500, 250), ("Trabajadores activos", 500, 250)],
        [
            ("Valores Ficticios S. A.", 500, 250),
            ("Corredores de Prueba S. A.", 300, 150),
            ("Directamente al Fondo", 200, 100),
        ],
        [
            ("Bolsa de Muestra", 500, 250),
            ("Bolsa de Prueba", 300, 150),
            ("Directamente al Fondo", 200, 100),
        ],
    ]
    review = page("adjudication", found.pk)
    assert "Directamente al Fondo 1 200 100 20,00" in review
    assert "Razón exacta 500 ÷ 1.000" in review
    assert "Demanda de la oferta 200,00 %" in review
    assert "Adjudicado de la oferta 100,00 %" in review


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"comisionista": "directo"}, "1 de 3 líneas"),
        ({"bolsa": "directo"}, "1 de 3 líneas"),
        ({"comisionista": "0"}, "3 líneas"),
        ({"comisionista": "x"}, "3 líneas"),
    ],
)
def test_a_part_leads_to_its_lines(closed_stage, run, page, query, count):
    make_acceptances(closed_stage, [300, 200])
    make_acceptance(closed_stage, 3, 200, broker=None, exchange=None)
    found = run()
    assert count in page("adjudication", found.pk, **query)


def test_the_lines_of_a_broker_are_its_own(closed_stage, run, page, broker):
    make_acceptances(closed_stage, [300, 200])
    make_acceptance(closed_stage, 3, 200, broker=broker)
    found = run()
    assert "1 de 3 líneas" in page("adjudication", found.pk, comisionista=broker.pk)
    assert "Comisionista: Valores Ficticios S. A." in page(
        "adjudication", found.pk, comisionista=broker.pk
    )


# What became of each


def test_each_result_is_counted_and_leads_to_its_lines(closed_stage, run, page):
    make_acceptance(closed_stage, 1, 400)
    make_acceptance(closed_stage, 2, 400, minimum=400)
    make_acceptance(closed_stage, 3, 300, admitted=200, limit_shares=200, standing=Standing.CUT)
    make_acceptance(closed_stage, 4, 7, admitted=0, standing=Standing.INCOMPLETE)
    make_acceptance(closed_stage, 5, 6, admitted=0, standing=Standing.OVER_LIMIT)
    make_acceptance(closed_stage, 6, 5, state=AcceptanceState.WITHDRAWN)
    make_acceptance(closed_stage, 7, 4, state=AcceptanceState.REJECTED)
    found = run()
    outcomes, received, cut = lines_outcomes(found)
    assert {outcome.code: outcome.lines for outcome in outcomes} == {
        "pro_rata": 2, "refuses_reduction": 1, "incomplete": 1, "over_limit": 1, "rejected": 1,
        "withdrawn": 1,
    }  # fmt: skip
    assert (received.lines, received.requested, received.awarded) == (7, 1122, 500)
    assert (cut.lines, cut.taken_off) == (1, 100)
    review = page("adjudication", found.pk)
    assert "No admiten reducción 1 400 400 0" in review
    assert "Retiradas 1 5 – 0" in review
    for outcome in [*outcomes, cut]:
        lines = page("adjudication", found.pk, resultado=outcome.code)
        assert f"{outcome.lines} de 7 líneas" in lines


# Nobody


def test_a_stage_without_a_valid_acceptance_is_deserted_through_the_screens(
    closed_stage, run, page, client, ana
):
    make_acceptance(closed_stage, 1, 7, admitted=0, standing=Standing.INCOMPLETE)
    found = run()
    review = page("adjudication", found.pk)
    assert f"Revisión de la adjudicación {found.code}, desierta" in review
    assert "Desierta: ninguna aceptación es válida y completa, y las 500 acciones" in review
    asked = page("adjudication_approve", found.pk)
    assert "la etapa 1 queda desierta" in asked
    assert "quinientas (500) acciones quedan para la etapa 2" in asked
    assert "constancias y los pagos" not in asked
    client.post(reverse("adjudication_approve", args=[found.pk]))
    found.refresh_from_db()
    assert found.is_in_force
    assert found.unsold == 500
    assert "queda desierta" in decisions_on([found]).last().sentence
    assert not awards_due().exists()
    done = page("adjudication", found.pk)
    assert "Expedir las constancias" not in done
    assert "1,000000000" not in done
    line = found.awards.get()
    assert "Sin acciones" in page("award", line.pk)
    programme = page("programme", closed_stage.programme.slug)
    assert "desierta; sesión del 15/09/1995" in programme
    assert "nada por pagar" in programme


@pytest.mark.parametrize("supply", [100])
def test_a_stage_where_all_refuse_the_reduction_is_deserted_for_that(closed_stage, run, page):
    make_acceptance(closed_stage, 1, 300, minimum=300)
    found = run()
    assert found.is_deserted
    assert "Desierta: ninguna aceptación admite lo que le tocaría" in page(
        "adjudication", found.pk
    )


# The version before


@pytest.fixture
def two(closed_stage, run, ana):
    """The first version sent back; then what Mateo's buyer had presented is found withdrawn."""
    acceptances = make_acceptances(closed_stage, [300, 300, 400])
    first = run()
    adjudication_decide(
        adjudication_id=first.pk, user=ana, outcome=ReviewState.RETURNED, reason="Prueba"
    )
    tamper(Acceptance, acceptances[2].pk, state=AcceptanceState.WITHDRAWN)
    return Adjudication.objects.get(pk=first.pk), run()


def test_a_second_version_tells_what_differs_from_the_first(two, page):
    first, second = two
    differences = run_differences(second, first)
    assert (differences.lines, differences.terms, differences.same_acceptances) == (3, [], False)
    changed = {
        line.acceptance.serial: (line.was, line.awarded) for line in lines_changed(second, first)
    }
    assert changed == {1: (150, 250), 2: (150, 250), 3: (200, 0)}
    review = page("adjudication", second.pk)
    assert f"3 líneas reciben otra cantidad que en {first.code}" in review
    whole = page("adjudication_differences", second.pk)
    assert "Demanda que entra 1.000 600 −400" in whole
    assert "Son las mismas, palabra por palabra" in whole
    assert "A-000003 María Ejemplo Ñáñez 3 200 0 Retirada" in whole


def test_a_value_of_the_terms_that_changed_is_told_with_its_clause(two):
    first, second = two
    second.terms = {**second.terms, "adjudication": {**second.terms["adjudication"]}}
    second.terms["adjudication"]["readmit_left_out"] = {
        **second.terms["adjudication"]["readmit_left_out"], "value": "yes",
    }  # fmt: skip
    (change,) = run_differences(second, first).terms
    assert change.place == "adjudication.readmit_left_out.value"
    assert (change.before, change.now) == ("no", "yes")
    assert change.cite == second.terms["adjudication"]["readmit_left_out"]["cite"]


def test_the_same_again_as_a_new_version_differs_in_nothing(closed_stage, run, ana, page):
    make_acceptances(closed_stage, [6, 6, 2])
    first = run()
    adjudication_decide(
        adjudication_id=first.pk, user=ana, outcome=ReviewState.REJECTED, reason="Prueba"
    )
    second = run()
    assert second.version == 2
    assert "Todas las líneas reciben lo mismo" in page("adjudication", second.pk)
    assert "Todas reciben lo mismo" in page("adjudication_differences", second.pk)
    assert "La sesión es otra" not in page("adjudication", second.pk)


def test_another_session_is_told_where_all_else_is_the_same(closed_stage, run, ana, page):
    make_acceptances(closed_stage, [6, 6, 2])
    first = run()
    adjudication_decide(
        adjudication_id=first.pk, user=ana, outcome=ReviewState.REJECTED, reason="Prueba"
    )
    second = run(session_on=date(1995, 9, 16))
    assert "La sesión es otra: la de antes fue" in page("adjudication", second.pk)


def test_a_first_version_has_nothing_to_be_compared_with(closed_stage, run, client, ana):
    make_acceptances(closed_stage, [6])
    client.force_login(ana)
    address = reverse("adjudication_differences", args=[run().pk])
    assert client.get(address).status_code == 404


def test_each_line_of_one_buyer_opens_its_explanation(closed_stage, run, page, irene):
    buyer = make_buyer(irene, 1)
    for serial in (1, 2):
        make_acceptance(closed_stage, serial, 300, buyer=buyer)
    found = run()
    for award in found.awards.all():
        assert "300 × 500 ÷ 600, entero" in page("award", award.pk)
