"""What a rule answers: a value and the steps, each with its clause, that led to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Generic, TypeVar

from offerings.rules.wording import write_date, write_fraction, write_money, write_quantity

T = TypeVar("T")

StepValue = int | Decimal | Fraction | date | str | None

PESOS = "pesos"
SHARES = "acciones"


class NotCovered(Exception):
    """The decree's text that we hold does not answer this, and the Fund has not entered it.

    `message` is Spanish, for the screen; `missing` are the keys of the Fund's values that would
    answer (see offerings.decrees.fund_values); `rule` names the rule; `programme` is the slug.
    """

    def __init__(
        self, *, rule: str, programme: str, message: str, missing: tuple[str, ...] = ()
    ) -> None:
        """Keep what is missing beside the message."""
        super().__init__(message)
        self.rule = rule
        self.programme = programme
        self.message = message
        self.missing = missing


class FactError(ValueError):
    """A fact of the case is missing or impossible; the message is Spanish, `fact` its name."""

    def __init__(self, fact: str, message: str) -> None:
        """Keep the name of the fact, so that a form can point at its field."""
        super().__init__(message)
        self.fact = fact
        self.message = message


@dataclass(frozen=True)
class Step:
    """One line of the "Por qué" panel.

    label, detail: Spanish. value: exact. unit: "pesos", "acciones", "meses" or "".
    cite: the clause, or "" where the step is only arithmetic. written: how the value reads where
    its type and unit do not say it. note: a word beneath the value ("de 24", "por acción").
    """

    label: str
    detail: str
    value: StepValue
    unit: str = ""
    cite: str = ""
    written: str = ""
    note: str = ""

    @property
    def shown(self) -> str:
        """The value as people read it: $10.000.000,00; 495.049; 495.049,50…; 15/09/1997."""
        if self.written:
            return self.written
        value = self.value
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, date):
            return write_date(value)
        if self.unit == PESOS:
            return write_money(value)
        if isinstance(value, int):
            return write_quantity(value)
        return write_fraction(Fraction(value))

    def as_data(self) -> dict[str, str]:
        """The step as JSON can hold it, with its value both exact and as shown."""
        exact = "" if self.value is None else str(self.value)
        return {
            "label": self.label,
            "detail": self.detail,
            "value": exact,
            "shown": self.shown,
            "unit": self.unit,
            "cite": self.cite,
            "note": self.note,
        }


@dataclass(frozen=True)
class Ruling(Generic[T]):
    """A rule's answer.

    value: the answer; steps: how it came about; readings: Spanish sentences on the readings
    that were used; conclusion: one Spanish sentence on what it means, or "".
    """

    value: T
    steps: tuple[Step, ...]
    readings: tuple[str, ...] = ()
    conclusion: str = ""

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses of the steps, each once, in the order in which they were used."""
        return unique(step.cite for step in self.steps if step.cite)

    def steps_as_data(self) -> list[dict[str, str]]:
        """The steps as JSON can hold them, to be stored with the result."""
        return [step.as_data() for step in self.steps]


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """Each word once, the first time that it comes."""
    return tuple(dict.fromkeys(words))
