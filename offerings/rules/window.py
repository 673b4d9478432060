"""When stage 1 may open, how long it lasts, and what may come in while it does."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from offerings.rules.months import CIVIL_CODE, last_day
from offerings.rules.ruling import NotCovered, Ruling, Step
from offerings.rules.terms import Cited, Terms
from offerings.rules.wording import write_date

VALIDITY = "Vigencia mínima"
LAW_4_1913 = "Ley 4 de 1913, art. 62"


@dataclass(frozen=True)
class OpeningFacts:
    """opens: the day of the act that opens the stage.

    notice: day of the public notice; credit_line: day of the first line; repealed: day on which
    a decree that repeals this one was published. None where there is none.
    """

    opens: date
    notice: date | None
    credit_line: date | None
    repealed: date | None = None


@dataclass(frozen=True)
class WindowFacts:
    """opened: day of the act that opened the stage.

    next_working_day: gives a day itself if it is a working day, else the first one after it.
    """

    opened: date
    next_working_day: Callable[[date], date]


@dataclass(frozen=True)
class Window:
    """The first and the last day, both included; the last ends at midnight in Bogotá."""

    first_day: date
    last_day: date


@dataclass(frozen=True)
class ReceiptFacts:
    """received: legal day of the acceptance; opened, closed: days of the stage's acts.

    closed: None while it is open. next_working_day: as in WindowFacts. valid_days: how long the
    buyer stands by it, None = not said.
    """

    received: date
    opened: date
    closed: date | None
    next_working_day: Callable[[date], date]
    repealed: date | None = None
    valid_days: int | None = None


def opening_obstacles(facts: OpeningFacts, terms: Terms) -> Ruling[tuple[str, ...]]:
    """Why the stage cannot open yet, in Spanish; empty when it can.

    "se ofrecerán en venta cuando una o varias instituciones financieras establezcan líneas de
    crédito" (Decreto 1118 de 1995, art. 7); the notice: arts. 15 and 18. No programme opens
    without a notice, also where our text of its decree does not speak of one.
    """
    steps = [step for step in _opening_steps(facts, terms) if step is not None]
    return Ruling(tuple(step.detail for step in steps), tuple(steps))


def offer_window(facts: WindowFacts, terms: Terms) -> Ruling[Window]:
    """The stage's first and last day.

    "a través de oferta pública en las bolsas de valores del país, por un plazo de dos (2) meses"
    (Decreto 1118 de 1995, art. 8). "Los de meses y años se computan según el calendario; pero si
    el último día fuere feriado o de vacante, se extenderá el plazo hasta el primer día hábil"
    (Ley 4 de 1913, art. 62). The decree's latest day does not move.

    Raises NotCovered where nobody has said how many months the stage lasts.
    """
    months = _months(terms)
    counted = last_day(facts.opened, months.value)
    end = facts.next_working_day(counted)
    steps = [
        Step("Se abrió", "acto que abre la etapa", facts.opened),
        Step("Plazo", f"{months.value} meses ({months.cite})", counted, "", CIVIL_CODE),
    ]
    if end != counted:
        detail = f"el {write_date(counted)} no es hábil"
        steps.append(Step("Pasa al día hábil siguiente", detail, end, "", LAW_4_1913))
    latest = terms.stage.latest_day
    if latest is not None and end > latest.value:
        end = latest.value
        steps.append(Step("No más allá de", "límite del programa", end, "", latest.cite))
    return Ruling(Window(facts.opened, end), tuple(steps))


def receipt_obstacles(facts: ReceiptFacts, terms: Terms) -> Ruling[tuple[str, ...]]:
    """Why an acceptance of that day cannot be taken, in Spanish; empty when it can. The step about
    its own validity is labelled VALIDITY, the others are about its receipt.

    It lies between the acts that open and close the stage and inside the window; a repealed
    programme takes none from the publication of the repeal on (Decreto 1118 de 1995, art. 25);
    one valid for less than the Fund's minimum is not admitted (Decreto 814 de 1994, numeral 3).
    """
    window = offer_window(WindowFacts(facts.opened, facts.next_working_day), terms).value
    steps = (
        *_day_steps(facts, window, terms),
        _repeal_step(facts.received, facts.repealed, terms),
        _validity_step(facts, terms),
    )
    found = [step for step in steps if step is not None]
    return Ruling(tuple(step.detail for step in found), tuple(found))


def _opening_steps(facts: OpeningFacts, terms: Terms) -> tuple[Step | None, ...]:
    return (
        _notice_missing(facts, terms),
        _credit_line_missing(facts, terms),
        _too_early(facts.opens, terms),
        _too_late(facts.opens, terms),
        _repeal_step(facts.opens, facts.repealed, terms),
    )


def _notice_missing(facts: OpeningFacts, terms: Terms) -> Step | None:
    if _stands(facts.notice, facts.opens):
        return None
    asked = terms.stage.public_notice
    detail = "La etapa se abre después de su aviso público, y no consta uno hasta ese día."
    return Step("Aviso público", detail, facts.notice, "", asked.cite if asked else "")


def _credit_line_missing(facts: OpeningFacts, terms: Terms) -> Step | None:
    asked = terms.stage.credit_line
    if asked is None or not asked.value or _stands(facts.credit_line, facts.opens):
        return None
    detail = "La etapa se abre cuando hay una línea de crédito, y no consta una hasta ese día."
    return Step("Línea de crédito", detail, facts.credit_line, "", asked.cite)


def _stands(day: date | None, opens: date) -> bool:
    """Whether what happened on `day` was there when the stage opened."""
    return day is not None and day <= opens


def _too_early(opens: date, terms: Terms) -> Step | None:
    published = terms.published
    if published is None or opens >= published.value:
        return None
    detail = f"El decreto se publicó el {write_date(published.value)}; no se abre antes."
    return Step("Publicación", detail, published.value, "", published.cite)


def _too_late(opens: date, terms: Terms) -> Step | None:
    latest = terms.stage.latest_day
    if latest is None or opens <= latest.value:
        return None
    detail = f"El programa no va más allá del {write_date(latest.value)}."
    return Step("Último día del programa", detail, latest.value, "", latest.cite)


def _months(terms: Terms) -> Cited[int]:
    if terms.stage.months is None:
        raise NotCovered(
            rule="offer_window",
            programme=terms.slug,
            missing=("stage_months",),
            message=(
                f"Duración de la etapa 1 de {terms.name.value}: el texto que tenemos no la dice. "
                "El Fondo debe ingresarla con su fuente."
            ),
        )
    return terms.stage.months


def _day_steps(facts: ReceiptFacts, window: Window, terms: Terms) -> tuple[Step | None, ...]:
    months = _months(terms)
    before = f"La etapa se abrió el {write_date(window.first_day)}; la aceptación es anterior."
    after = f"El plazo terminó el {write_date(window.last_day)}; la aceptación es posterior."
    closed = facts.closed
    return (
        Step("Antes de abrir", before, window.first_day, "", months.cite)
        if facts.received < window.first_day
        else None,
        Step("Fuera del plazo", after, window.last_day, "", months.cite)
        if facts.received > window.last_day
        else None,
        Step(
            "Etapa cerrada",
            f"La etapa se cerró el {write_date(closed)}; la aceptación es posterior.",
            closed,
        )
        if closed is not None and facts.received > closed
        else None,
    )


def _repeal_step(day: date, repealed: date | None, terms: Terms) -> Step | None:
    if repealed is None or day < repealed:
        return None
    detail = (
        f"{terms.decree.value} quedó derogado el {write_date(repealed)}: desde ese día no recibe "
        "aceptaciones."
    )
    return Step("Programa derogado", detail, repealed)


def _validity_step(facts: ReceiptFacts, terms: Terms) -> Step | None:
    minimum = terms.minimum_validity_days
    if minimum is None or facts.valid_days is None or facts.valid_days >= minimum.value:
        return None
    detail = (
        f"La aceptación vale {facts.valid_days} días y el Fondo pide al menos {minimum.value}."
    )
    return Step(VALIDITY, detail, minimum.value, "días", minimum.cite)
