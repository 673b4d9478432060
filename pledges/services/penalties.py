"""What an early exit costs, worked out and not saved: for a quote, another day, other readings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from offerings.decrees.penalties import open_penalty_readings, with_penalty_readings
from offerings.rules.cpi import CpiMissing
from offerings.rules.penalties.readings import SENTENCES
from offerings.rules.penalty import (
    DecisionNeeded,
    ReleaseFacts,
    ReleasePenalty,
    release_penalty,
)
from offerings.rules.ruling import FactError, NotCovered, Ruling
from offerings.rules.terms import Terms
from office.refusals import Refused
from pledges.models import PenaltyReadings, Pledge, ReleaseRequest
from pledges.selectors.penalty_facts import release_facts, request_facts
from pledges.selectors.penalty_readings import (
    act_words,
    reading_label,
    reading_words,
    readings_adopted,
    readings_in_force,
)
from pledges.selectors.penalty_terms import pledge_terms

CPI, READINGS, DECISION, RULES, SALE = "cpi", "readings", "decision", "rules", "sale"


class PenaltyBlocked(Refused):
    """The penalty cannot be worked out yet; `lacks` says what it waits for: an index, the
    readings' confirmation, the Fund's decision, a value of the reglamento, the sale's facts."""

    def __init__(self, message: str, lacks: str) -> None:
        """Keep what is lacking, so that a page can lead there."""
        super().__init__(message)
        self.lacks = lacks


@dataclass(frozen=True)
class PenaltyCase:
    """Facts and terms of one early exit, and the readings that the Fund confirmed."""

    facts: ReleaseFacts
    terms: Terms
    confirmed: PenaltyReadings | None

    @property
    def unconfirmed(self) -> list[str]:
        """The readings that are open still, by name."""
        known = self.confirmed.readings if self.confirmed else {}
        return [name for name in open_penalty_readings(self.terms) if name not in known]


@dataclass(frozen=True)
class OtherReading:
    """What would be paid if one point were read otherwise; `why` where that cannot be told."""

    label: str
    words: str
    current: bool
    amount: Decimal | None
    why: str = ""


def request_case(request: ReleaseRequest, *, asked_on: date | None = None) -> PenaltyCase:
    """The case of a request, or of the same asked on another day."""
    return _case(request.pledge, request_facts(request, asked_on=asked_on))


def pledge_case(
    pledge: Pledge,
    *,
    shares: int,
    asked: date,
    sale_price: Decimal | None = None,
    sold_on: date | None = None,
) -> PenaltyCase:
    """The case of so many shares of a pledge that would leave it on a day."""
    facts = release_facts(
        pledge, shares=shares, asked=asked, sale_price=sale_price, sold_on=sold_on
    )
    return _case(pledge, facts)


def _case(pledge: Pledge, facts: ReleaseFacts) -> PenaltyCase:
    programme = pledge.award.acceptance.stage.programme
    confirmed = readings_in_force(programme)
    return PenaltyCase(facts, readings_adopted(pledge_terms(pledge), confirmed), confirmed)


def penalty_ruled(case: PenaltyCase) -> Ruling[ReleasePenalty]:
    """What the rule answers; raises PenaltyBlocked where it cannot yet."""
    try:
        return release_penalty(case.facts, case.terms)
    except CpiMissing as missing:
        raise PenaltyBlocked(missing.message, CPI) from missing
    except FactError as fault:
        raise PenaltyBlocked(fault.message, SALE) from fault
    except DecisionNeeded as needed:
        raise PenaltyBlocked(needed.message, DECISION) from needed
    except NotCovered as gap:
        raise PenaltyBlocked(gap.message, RULES) from gap


def other_readings(case: PenaltyCase) -> Iterator[OtherReading]:
    """The amount by each way of reading each open point, the other points as they are."""
    for name, reading in open_penalty_readings(case.terms).items():
        for value in reading.alternatives:
            terms = with_penalty_readings(case.terms, {name: value})
            amount, why = _amount_or_why(replace(case, terms=terms))
            yield OtherReading(
                label=reading_label(name),
                words=reading_words(name, value),
                current=value == reading.value,
                amount=amount,
                why=why,
            )


def _amount_or_why(case: PenaltyCase) -> tuple[Decimal | None, str]:
    try:
        return penalty_ruled(case).value.amount, ""
    except PenaltyBlocked as blocked:
        return None, blocked.message


def readings_used(case: PenaltyCase, ruling: Ruling[ReleasePenalty]) -> list[dict[str, str]]:
    """The readings that a ruling used, as they are kept with it: the point, how it is read, and
    the Fund's act that confirmed it."""
    told = set(ruling.readings)
    act = act_words(case.confirmed) if case.confirmed else ""
    rows = []
    for name, reading in open_penalty_readings(case.terms).items():
        sentence = SENTENCES[name][reading.value]
        if sentence in told:
            told.discard(sentence)
            rows.append(
                {
                    "name": name,
                    "label": reading_label(name),
                    "value": reading.value,
                    "words": reading_words(name, reading.value),
                    "sentence": sentence,
                    "confirmed": act,
                }
            )
    rest = [sentence for sentence in ruling.readings if sentence in told]
    return [
        *rows,
        *({"name": "", "label": "", "value": "", "words": sentence, "sentence": sentence,
           "confirmed": ""} for sentence in rest),
    ]  # fmt: skip
