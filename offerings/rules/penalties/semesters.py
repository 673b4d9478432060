"""A percentage of the greater of two values, by the semester of the sale."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from offerings.rules.amounts import half_up
from offerings.rules.months import last_day
from offerings.rules.penalties.facts import (
    ReleaseFacts,
    ReleasePenalty,
    Timing,
    exit_day,
    month_start,
    semester_basis,
)
from offerings.rules.penalties.monthly import total_step
from offerings.rules.penalty_terms import SemesterRate, SemesterTerms
from offerings.rules.ruling import PESOS, FactError, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import (
    write_date,
    write_exactly,
    write_pesos_exactly,
    write_price,
    write_quantity,
)

BY_REQUEST = "Mientras no se prueba la venta, el semestre es el del día de la solicitud."


def semester_penalty(
    facts: ReleaseFacts, rule: SemesterTerms, terms: Terms, when: Timing
) -> Ruling[ReleasePenalty]:
    """The fine of the semester in which the shares were sold.

    "En caso de enajenarlas dentro del primer semestre siguiente a su compra, la multa causada
    será equivalente al veinticinco por ciento (25%) del mayor valor entre el de adquisición y el
    de enajenación" (2004 FES, numeral 2.1). Where no sale is proved yet, the day of the request
    counts. Raises FactError without the price of the sale.
    """
    if facts.sale_price is None:
        raise FactError(
            "sale_price",
            "Escriba el precio de venta por acción: la multa es sobre el mayor valor entre el de "
            f"compra y el de venta ({rule.cite}).",
        )
    number, rate = _semester_of(exit_day(facts, terms), facts.purchased, rule)
    bought = Fraction(facts.price) * facts.shares
    sold = Fraction(facts.sale_price) * facts.shares
    greater = max(bought, sold)
    amount = half_up(greater * Fraction(rate.percent) / 100)
    steps = (
        when.step,
        _semester_step(number, facts, rule, terms),
        _value_step("Valor de adquisición", bought, facts.price, facts),
        _value_step("Valor de enajenación", sold, facts.sale_price, facts),
        Step(
            "El mayor de los dos",
            _greater_words(bought, sold),
            greater,
            PESOS,
            rate.cite,
            written=write_pesos_exactly(greater),
        ),
        Step(
            f"Multa del {write_exactly(rate.percent)} %",
            f"{write_price(greater)} × {write_exactly(rate.percent)} %",
            greater * Fraction(rate.percent) / 100,
            PESOS,
            rate.cite,
            written=write_pesos_exactly(greater * Fraction(rate.percent) / 100),
        ),
        total_step(amount),
    )
    value = ReleasePenalty(
        amount,
        semester_basis(number),
        when.month,
        when.last_day,
        paid_percent=rate.percent,
        semester=number,
    )
    conclusion = (
        f"Por vender en el semestre {number} se paga el {write_exactly(rate.percent)} %: "
        f"${write_price(amount)}."
    )
    readings = () if facts.sold_on else (BY_REQUEST,)
    return Ruling(value, steps, readings, conclusion)


def _semester_of(day: date, purchased: date, rule: SemesterTerms) -> tuple[int, SemesterRate]:
    """The semester in which a day of the term falls, each closed by its own anniversary."""
    return next(
        (number, rate)
        for number, rate in enumerate(rule.rates, start=1)
        if day <= last_day(purchased, number * rule.months)
    )


def _semester_step(number: int, facts: ReleaseFacts, rule: SemesterTerms, terms: Terms) -> Step:
    day = exit_day(facts, terms)
    opens = month_start(facts.purchased, (number - 1) * rule.months + 1)
    closes = last_day(facts.purchased, number * rule.months)
    what = "la venta" if facts.sold_on else "no hay venta probada, y la solicitud"
    detail = (
        f"{what} del {write_date(day)} cae entre el {write_date(opens)} y el {write_date(closes)}"
    )
    return Step(
        "Semestre de la venta",
        detail,
        number,
        "semestre",
        rule.cite,
        written=f"semestre {number}",
        note=f"de {len(rule.rates)}",
    )


def _value_step(label: str, value: Fraction, price: Decimal, facts: ReleaseFacts) -> Step:
    working = f"{write_quantity(facts.shares)} × {write_price(price)}"
    return Step(label, working, value, PESOS, written=write_pesos_exactly(value))


def _greater_words(bought: Fraction, sold: Fraction) -> str:
    if bought == sold:
        return "los dos son iguales"
    return "el de adquisición" if bought > sold else "el de enajenación"
