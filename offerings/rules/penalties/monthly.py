"""One percentage of the purchase price for each month that remains."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import count

from offerings.rules.amounts import half_up
from offerings.rules.months import last_day
from offerings.rules.penalties.facts import Basis, ReleaseFacts, ReleasePenalty, Timing
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalties.reduction import Reduction, reduction
from offerings.rules.penalty_terms import MonthlyTerms
from offerings.rules.ruling import PESOS, NotCovered, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import (
    MILLIONTHS,
    write_cut,
    write_date,
    write_exactly,
    write_pesos_exactly,
    write_price,
    write_quantity,
)


@dataclass(frozen=True)
class Remaining:
    """Whole months, the days of a part of one, and of how many days that month is."""

    whole: int
    days: int
    month_days: int
    reached: date

    @property
    def months(self) -> Fraction:
        """All of it in months, exact."""
        return self.whole + Fraction(self.days, self.month_days)


def remaining(asked: date, end: date, rule: MonthlyTerms, readings: Readings) -> Remaining:
    """The months from the day of the request to the last day of the term.

    "por cada mes o proporcionalmente por fracción de mes que falte para completar los dos años"
    (Decreto 1118 de 1995, art. 6-4, parágrafo 2.º). Anniversaries are counted forward from the
    request, day 0, each time.
    """
    whole = next(month for month in count() if last_day(asked, month + 1) > end)
    reached, following = last_day(asked, whole), last_day(asked, whole + 1)
    days = (end - reached).days
    actual = readings.choose("month_fraction") == "actual"
    return Remaining(whole, days, (following - reached).days if actual else rule.days, reached)


def monthly_penalty(
    facts: ReleaseFacts,
    terms: Terms,
    when: Timing,
    readings: Readings,
    before: tuple[Step, ...],
    found: ReleasePenalty,
) -> Ruling[ReleasePenalty]:
    """The percentage for each month that remains; `before`: the steps that led here, `found`:
    what they found (reference trade, difference, indices).
    """
    rule = _rule(terms)
    left = remaining(facts.asked, when.last_day, rule, readings)
    price = Fraction(facts.price) * facts.shares
    full = price * Fraction(rule.percent) / 100 * left.months
    cut = _reduction(facts, terms, readings)
    amount = half_up(full * Fraction(cut.paid) / 100)
    steps = (
        *before,
        _months_step(left, facts, when, rule),
        _price_step(price, facts),
        _percent_step(full, price, left, rule),
        *reduction_steps(full, cut),
        total_step(amount),
    )
    value = replace(
        found,
        amount=amount,
        basis=Basis.MONTHLY,
        reduction_percent=cut.percent or None,
        paid_percent=cut.paid if cut.percent else None,
        remaining=left.months,
    )
    conclusion = (
        f"{_left_words(left)} para el {write_date(when.last_day)}: se pagan "
        f"${write_price(amount)}."
    )
    return Ruling(value, steps, readings.sentences, conclusion)


def _months_step(left: Remaining, facts: ReleaseFacts, when: Timing, rule: MonthlyTerms) -> Step:
    span = f"del {write_date(facts.asked)} al {write_date(when.last_day)}"
    detail = f"{span}: {_counted(left.whole, 'mes', 'meses')}"
    if left.whole and left.days:
        detail += f", hasta el {write_date(left.reached)},"
    if left.days:
        detail += f" y {_counted(left.days, 'día', 'días')} de un mes de {left.month_days}"
    written = write_cut(left.months, MILLIONTHS)
    return Step(
        "Meses que faltan", detail, left.months, "meses", rule.cite, written=written, note="meses"
    )


def _price_step(price: Fraction, facts: ReleaseFacts) -> Step:
    return Step(
        f"Precio de compra de {_counted(facts.shares, 'acción', 'acciones')}",
        f"{write_quantity(facts.shares)} × {write_price(facts.price)}",
        price,
        PESOS,
        written=write_pesos_exactly(price),
    )


def _percent_step(full: Fraction, price: Fraction, left: Remaining, rule: MonthlyTerms) -> Step:
    percent = f"{write_exactly(rule.percent)} %"
    return Step(
        f"{percent} por cada mes que falta",
        f"{write_price(price)} × {percent} × {write_cut(left.months, MILLIONTHS)}",
        full,
        PESOS,
        rule.cite,
        written=write_pesos_exactly(full),
    )


def _left_words(left: Remaining) -> str:
    if not left.days:
        return f"Faltan {_counted(left.whole, 'mes', 'meses')}"
    return f"Faltan {write_cut(left.months, 100)} meses"


def _counted(number: int, one: str, many: str) -> str:
    return f"{write_quantity(number)} {one if number == 1 else many}"


def reduction_steps(full: Fraction, cut: Reduction) -> tuple[Step, ...]:
    """What the reduction takes off; nothing before it runs."""
    if not cut.percent:
        return ()
    off = full * Fraction(cut.percent) / 100
    months = f"del mes {cut.first}" if cut.first == cut.last else _span(cut)
    detail = (
        f"{cut.working} = {write_exactly(cut.percent)} %, sumada y no compuesta; se paga el "
        f"{write_exactly(cut.paid)} %"
    )
    written = f"−{write_pesos_exactly(off)}" if off else write_pesos_exactly(off)
    return (Step(f"Reducción {months}", detail, -off, PESOS, cut.cite, written=written),)


def _span(cut: Reduction) -> str:
    return f"de los meses {cut.first} a {cut.last}"


def total_step(amount: Decimal) -> Step:
    """The last line of every working."""
    return Step("Total por pagar", "redondeado al centavo una sola vez, al final", amount, PESOS)


def _rule(terms: Terms) -> MonthlyTerms:
    if terms.penalty is None or terms.penalty.monthly is None:
        raise NotCovered(
            rule="release_penalty",
            programme=terms.slug,
            message=f"{terms.name.value}: el texto no dice qué se paga cuando no hay diferencia.",
        )
    return terms.penalty.monthly


def _reduction(facts: ReleaseFacts, terms: Terms, readings: Readings) -> Reduction:
    if readings.choose("reduction_on_monthly") == "no":
        return Reduction(Decimal(0))
    return reduction(facts, terms, readings)
