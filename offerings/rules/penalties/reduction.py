"""What comes off month by month, and what is paid if one waits."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from offerings.rules.months import last_day, running_month
from offerings.rules.penalties.facts import Basis, ReleaseFacts, ReleasePenalty
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalty_terms import ReductionTerm
from offerings.rules.terms import Terms
from offerings.rules.wording import write_exactly


@dataclass(frozen=True)
class Reduction:
    """What comes off, in per cent, how it adds up ("5 × 8,3 %") and from where.

    first, last: the months that it counts; 0 where none.
    """

    percent: Decimal
    working: str = ""
    cite: str = ""
    first: int = 0
    last: int = 0

    @property
    def paid(self) -> Decimal:
        """What is left to pay, in per cent."""
        return Decimal(100) - self.percent


def reduction(facts: ReleaseFacts, terms: Terms, readings: Readings) -> Reduction:
    """What comes off on the day of the request.

    "se reducirá mensual y sucesivamente a partir del decimotercero (13) mes posterior a la fecha
    de compra, en un porcentaje igual a 8,3% mensual durante los meses 13 a 23 y en un 8,7% en el
    vigesimocuarto (24) mes" (Decreto 1118 de 1995, art. 6-4, parágrafo 1.º): added up, not
    compounded.
    """
    return _in_month(_counted_month(facts.purchased, facts.asked, readings), terms)


def _counted_month(purchased: date, asked: date, readings: Readings) -> int:
    month = running_month(purchased, asked)
    if readings.choose("reduction_month") == "running" or asked == last_day(purchased, month):
        return month
    return month - 1


def _in_month(month: int, terms: Terms) -> Reduction:
    listed = terms.penalty.reduction if terms.penalty else ()
    counted = [(term, _months(term, month)) for term in listed if term.first_month <= month]
    if not counted:
        return Reduction(Decimal(0))
    percent = sum((term.percent * months for term, months in counted), Decimal(0))
    working = " + ".join(f"{months} × {write_exactly(term.percent)} %" for term, months in counted)
    first, last = counted[0][0], counted[-1][0]
    return Reduction(percent, working, last.cite, first.first_month, min(month, last.last_month))


def _months(term: ReductionTerm, month: int) -> int:
    return min(month, term.last_month) - term.first_month + 1


@dataclass(frozen=True)
class Wait:
    """Asked until this day, in this month of the term, this percentage is paid."""

    until: date
    month: int
    percent: Decimal
    of: str


REDUCED, OF_VALUE = "de la diferencia", "del mayor valor"


def waiting(value: ReleasePenalty, facts: ReleaseFacts, terms: Terms) -> tuple[Wait, ...]:
    """What share is paid from the day of the request to the end of the term, step by step.

    value: the answer for the day of the request. Empty where waiting does not change a share:
    no difference, no reduction, a sale that has been made.
    """
    penalty = terms.penalty
    if penalty is None:
        return ()
    if value.semester is not None and facts.sold_on is None:
        return _semesters_ahead(facts, terms)
    by_difference = value.basis == Basis.DIFFERENCE and penalty.reduction
    return _months_ahead(facts, terms) if by_difference else ()


def _months_ahead(facts: ReleaseFacts, terms: Terms) -> tuple[Wait, ...]:
    readings = Readings(terms)
    term = terms.lock_up.months
    start = running_month(facts.purchased, facts.asked)
    if readings.choose("reduction_month") == "running":
        days = [last_day(facts.purchased, month) for month in range(start, term + 1)]
    else:
        ends = [last_day(facts.purchased, month) for month in range(start, term + 1)]
        days = [end - timedelta(days=1) for end in ends] + ends[-1:]
        days = [day for day in days if day >= facts.asked]
    return tuple(
        Wait(
            day,
            running_month(facts.purchased, day),
            _in_month(_counted_month(facts.purchased, day, readings), terms).paid,
            REDUCED,
        )
        for day in days
    )


def _semesters_ahead(facts: ReleaseFacts, terms: Terms) -> tuple[Wait, ...]:
    semesters = terms.penalty.semesters if terms.penalty else None
    assert semesters is not None
    ends = [
        (last_day(facts.purchased, number * semesters.months), number, rate)
        for number, rate in enumerate(semesters.rates, start=1)
    ]
    return tuple(
        Wait(end, number * semesters.months, rate.percent, OF_VALUE)
        for end, number, rate in ends
        if end >= facts.asked
    )
