"""The readings of a programme's penalty: those that its decree leaves open, those confirmed."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from offerings.decrees.fund_values import READING_LABELS, READING_VALUE_LABELS, FundValue
from offerings.decrees.penalties import open_penalty_readings, with_penalty_readings
from offerings.decrees.reader import terms_of
from offerings.models import Programme
from offerings.rules.terms import Reading, Terms
from office.dates import write_date
from office.review import ReviewState
from pledges.models import PenaltyReadings


@dataclass(frozen=True)
class Alternative:
    """One way of reading a point, in words."""

    value: str
    words: str
    proposed: bool


def readings_open(programme: Programme) -> dict[str, Reading]:
    """By name, the readings that the programme's decree leaves open."""
    return open_penalty_readings(terms_of(programme.slug))


def readings_of(programme: Programme) -> QuerySet[PenaltyReadings]:
    """Every version of the programme's readings, the last first."""
    rows = programme.penalty_readings.select_related("prepared_by", "reviewed_by", "programme")
    return rows.order_by("-version")


def readings_in_force(programme: Programme) -> PenaltyReadings | None:
    """The last version that was approved."""
    return readings_of(programme).filter(review_state=ReviewState.APPROVED).first()


def readings_waiting(programme: Programme) -> PenaltyReadings | None:
    """The version that waits for its review."""
    return readings_of(programme).filter(review_state=ReviewState.PENDING).first()


def readings_adopted(terms: Terms, confirmed: PenaltyReadings | None) -> Terms:
    """Terms with the readings that the Fund confirmed, each citing the Fund's act."""
    if confirmed is None:
        return terms
    source = act_words(confirmed)
    values = {name: FundValue(value, source) for name, value in confirmed.readings.items()}
    return with_penalty_readings(terms, values)


def act_words(act: Any) -> str:
    """The Fund's act of a decision with its day: "Acta 41, 07/07/1995"."""
    return f"{act.act}, {write_date(act.act_on)}"


def reading_label(name: str) -> str:
    """The point that a reading settles, in words."""
    return READING_LABELS[name]


def reading_words(name: str, value: str) -> str:
    """A reading's value, in words."""
    return READING_VALUE_LABELS[name][value]


def alternatives(name: str, reading: Reading) -> list[Alternative]:
    """The ways in which a point can be read; the one that the decree's file proposes is said."""
    return [
        Alternative(value, reading_words(name, value), value == reading.value)
        for value in reading.alternatives
    ]


def readings_lines(
    programme: Programme, confirmed: PenaltyReadings | None
) -> list[dict[str, Any]]:
    """Each open reading as the pages show it: point, alternatives, clause, note, what was
    confirmed."""
    chosen = confirmed.readings if confirmed else {}
    return [
        {
            "name": name,
            "label": reading_label(name),
            "cite": reading.cite,
            "note": reading.note,
            "alternatives": alternatives(name, reading),
            "value": chosen.get(name, ""),
            "words": reading_words(name, chosen[name]) if name in chosen else "",
        }
        for name, reading in readings_open(programme).items()
    ]
