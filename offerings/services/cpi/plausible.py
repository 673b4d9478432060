"""What tells a series of an index from monthly rates, and one base from two that were joined."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from itertools import pairwise

from offerings.selectors.cpi import month_after, months_between
from offerings.services.cpi.months import base_words
from office.dates import write_month
from office.numbers import write_index

# From a month to the next the index neither falls by more than 5 % nor rises by more than 10 %,
# and in twelve months it does not fall by more than 5 %: nothing near it has happened since
# there is an index. Whatever moves more is not one series of the index.
LEAST_STEP, MOST_STEP = Decimal("0.95"), Decimal("1.10")
LEAST_IN_A_YEAR = Decimal("0.95")
YEAR = 12
HUNDRED = Decimal(100)
# How far from 100 the month of the base may be: its value is rounded.
NEAR_100 = Decimal("0.05")
# A series with a break in more than one step of four is no series of an index at all.
ONE_IN = 4

Series = Mapping[date, Decimal]
Step = tuple[date, date]

RATES = (
    "Los valores parecen variaciones, no índices: {why}. Cargue la serie de números índice, no "
    "la de variaciones ni la de inflación."
)


def series_problem(series: Series, base: date, known: Series | None = None) -> str:
    """Why the values cannot be one series of the index in `base`, in Spanish; "" if they can.

    `known` are the values of the same base that are loaded: those given must go on from them.
    """
    if any(value <= 0 for value in series.values()):
        first = next(month for month in sorted(series) if series[month] <= 0)
        return RATES.format(
            why=f"el de {write_month(first)} es {write_index(series[first])}, y un índice "
            "siempre es mayor que cero"
        )
    at_base = series.get(base, HUNDRED)
    if abs(at_base - HUNDRED) > NEAR_100:
        return (
            f"En la base {base_words(base)} el índice de {write_month(base)} es 100, y aquí es "
            f"{write_index(at_base)}: los valores están en otra base."
        )
    return _shape_problem({base: HUNDRED, **(known or {}), **series}, series)


def _shape_problem(whole: Series, given: Series) -> str:
    steps = list(pairwise(sorted(whole)))
    breaks = [step for step in steps if _touches(step, given) and _is_break(whole, step)]
    fall = _fall_in_a_year(whole, given)
    if len(breaks) * ONE_IN > len(steps) and len(breaks) > 1:
        return RATES.format(
            why=f"de un mes al siguiente suben y bajan ({_told(whole, breaks[0])})"
        )
    if breaks:
        return (
            f"Hay un salto que una sola serie no da: {_told(whole, breaks[0])}. Parece una mezcla "
            "de bases sin enlace: cargue la serie completa en una sola base."
        )
    if fall:
        return RATES.format(why=f"en doce meses bajan ({_told(whole, fall)})")
    return ""


def _touches(step: Step, given: Series) -> bool:
    return step[0] in given or step[1] in given


def _is_break(series: Series, step: Step) -> bool:
    before, after = step
    months = months_between(before, after)
    ratio = series[after] / series[before]
    return not LEAST_STEP**months <= ratio <= MOST_STEP**months


def _fall_in_a_year(series: Series, given: Iterable[date]) -> Step | None:
    for month in sorted(given):
        for step in ((month, month_after(month, YEAR)), (month_after(month, -YEAR), month)):
            if all(one in series for one in step) and (
                series[step[1]] < series[step[0]] * LEAST_IN_A_YEAR
            ):
                return step
    return None


def _told(series: Series, step: Step) -> str:
    before, after = step
    return (
        f"{write_index(series[before])} en {write_month(before)} y "
        f"{write_index(series[after])} en {write_month(after)}"
    )
