from datetime import UTC, datetime

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.adjudication import AwardLine, AwardReason, Line, RunFigures, adjudication
from offerings.rules.awards import award_steps
from offerings.rules.receipt import Receipt

T1995 = terms_of("banco-popular-1995")
START = datetime(1995, 9, 14, 10, 42, tzinfo=UTC)


def explained(lines, supply, terms=T1995):
    result = adjudication(lines, supply, terms).value
    return [award_steps(line, result.figures, terms) for line in result.lines]


def line(serial, shares, least=0):
    return Line(f"A{serial:03}", Receipt(START, serial), shares, shares, least)


def test_a_stored_line_is_explained_from_its_figures_alone():
    stored = AwardLine(
        reference="A-040712",
        receipt=Receipt(START, 40712),
        asked=600000,
        admitted=495049,
        least=0,
        quotient=407184,
        remainder=448537798,
        got_left_over=False,
        awarded=407184,
        reason=AwardReason.PRO_RATA,
    )
    figures = RunFigures(
        supply=5234634742,
        demand=6365399021,
        kept_demand=6364199590,
        pro_rata=True,
        threshold=None,
        left_over=20465,
        least_winning=3179292366,
        awarded=5234634742,
    )
    steps = award_steps(stored, figures, T1995)
    assert [(step.label, step.shown) for step in steps] == [
        ("Solicitó", "600.000"),
        ("Tras el límite", "495.049"),
        ("Cociente", "407.184"),
        ("Residuo", "0"),
        ("Adjudicado", "407.184"),
    ]
    assert steps[2].detail == "495.049 × 5.234.634.742 ÷ 6.364.199.590, entero"
    assert steps[3].detail == (
        "448.537.798 de 6.364.199.590; el menor resto que recibió una acción fue 3.179.292.366"
    )
    assert steps[2].cite == "art. 9-3"


def test_who_refuses_the_reduction_reads_its_ratio_and_that_of_the_others():
    steps = explained([line(1, 100, 50), line(2, 101)], 100)[0]
    assert steps[2].label == "No admite reducción"
    assert steps[2].detail == (
        "pide al menos 50,00 % de su cantidad; a quienes entran les toca 99,00… %"
    )
    assert steps[-1].value == 0


def test_who_is_met_in_full_reads_that_demand_does_not_pass_the_supply():
    steps = explained([line(1, 10)], 100)[0]
    assert steps[2].detail == "la demanda que entra (10) no pasa la oferta (100)"


def test_who_comes_back_in_reads_the_reading_that_let_it():
    values = {"readmit_left_out": FundValue("yes", "Acto ficticio 6")}
    terms = terms_of("banco-popular-1995", values)
    lines = [line(1, 50, 50), line(2, 60, 60), line(3, 40)]
    assert explained(lines, 100, terms)[0][2].label == "Vuelve a entrar"


def test_who_has_nothing_after_the_limit_reads_that():
    empty = Line("A001", Receipt(START, 1), asked=10, admitted=0)
    assert explained([empty], 100)[0][2].detail == "el límite no le dejó acciones"
