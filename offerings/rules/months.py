"""Terms of months by the Civil Code, article 67."""

from dataclasses import dataclass
from datetime import date
from itertools import count

from dateutil.relativedelta import relativedelta  # type: ignore[import-untyped,unused-ignore]

from offerings.rules.ruling import FactError, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import write_date

CIVIL_CODE = "Código Civil, art. 67"


@dataclass(frozen=True)
class LockUpFacts:
    """purchased: the purchase date, which is that of the session that adjudicated."""

    purchased: date


def last_day(start: date, months: int) -> date:
    """The day on which a term of `months` that runs from `start` ends, at midnight.

    "El primero y último día de un plazo de meses o años deberán tener un mismo número en los
    respectivos meses. […] Si el mes en que ha de principiar un plazo de meses o años constare
    de más días que el mes en que ha de terminar el plazo, y si el plazo corriere desde alguno de
    los días en que el primero de dichos meses excede al segundo, el último día del plazo será el
    último día de este segundo mes" (Código Civil, art. 67).
    """
    end: date = start + relativedelta(months=months)
    return end


def running_month(start: date, day: date) -> int:
    """The month, counted from 1, in which `day` falls for a term that runs from `start`.

    Month k runs to and including the k-th monthly anniversary, counted from `start` each time;
    the first day itself is month 1. Raises FactError for a day before the start.
    """
    if day < start:
        message = f"La fecha {write_date(day)} es anterior a la compra ({write_date(start)})."
        raise FactError("day", message)
    return next(month for month in count(1) if day <= last_day(start, month))


def lock_up_end(facts: LockUpFacts, terms: Terms) -> Ruling[date]:
    """The last day on which the shares may not be transferred; it does not move for a holiday.

    "no transferir la propiedad de las acciones dentro de los dos (2) años inmediatamente
    siguientes a la fecha de compra de las mismas" (Decreto 1118 de 1995, art. 6-4).
    """
    months = terms.lock_up.months
    end = last_day(facts.purchased, months)
    detail = f"{months} meses desde la fecha de compra"
    steps = (
        Step("Fecha de compra", "la de la sesión que adjudicó", facts.purchased),
        Step("Plazo", detail, months, "meses", terms.lock_up.cite),
        Step(
            "Último día",
            "el del mismo número; si no lo hay, el último del mes",
            end,
            "",
            CIVIL_CODE,
        ),
    )
    return Ruling(end, steps)
