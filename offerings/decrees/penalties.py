"""The readings of the penalty, which the Fund confirms apart from those of stage 1, and what the
sections [pledge] and [penalty] of a decree's file cannot be.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from decimal import Decimal

from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_values import READINGS, FundValue
from offerings.rules.penalty_terms import (
    PenaltyReadings,
    PenaltyRegime,
    PenaltyTerms,
    SemesterTerms,
)
from offerings.rules.terms import Reading, Terms

_NAMES = tuple(field.name for field in fields(PenaltyReadings))
_NEEDED = {
    PenaltyRegime.AUCTION_DIFFERENCE: ("trade_threshold_of",),
    PenaltyRegime.INDEXED_DIFFERENCE: _NAMES,
    PenaltyRegime.SEMESTERS: (),
}
_PARTS = {
    PenaltyRegime.AUCTION_DIFFERENCE: ("trade",),
    PenaltyRegime.INDEXED_DIFFERENCE: ("trade", "index", "reduction", "monthly"),
    PenaltyRegime.SEMESTERS: ("semesters",),
}


def penalty_readings(terms: Terms) -> dict[str, Reading]:
    """The readings of the programme's penalty by name, in the order in which they are shown.

    Those that are not `settled` are confirmed by the Fund before the programme's first quote.
    """
    if terms.penalty is None:
        return {}
    found = {name: getattr(terms.penalty.readings, name) for name in _NAMES}
    return {name: reading for name, reading in found.items() if reading is not None}


def open_penalty_readings(terms: Terms) -> dict[str, Reading]:
    """Those of which the text admits more than one."""
    return {name: each for name, each in penalty_readings(terms).items() if not each.settled}


def with_penalty_readings(
    terms: Terms, values: Mapping[str, str | FundValue], *, any_known: bool = False
) -> Terms:
    """Terms with these readings of the penalty adopted; a FundValue's source joins the cite.

    any_known: also one that the text does not admit, for what is only compared. Raises
    DecreeError (Spanish) for an unknown name or a value that is not admitted.
    """
    readings = penalty_readings(terms)
    chosen = {
        name: _adopted(terms, name, readings.get(name), value, any_known)
        for name, value in values.items()
    }
    if terms.penalty is None or not chosen:
        return terms
    changed = replace(terms.penalty.readings, **chosen)
    return replace(terms, penalty=replace(terms.penalty, readings=changed))


def _adopted(
    terms: Terms, name: str, reading: Reading | None, value: str | FundValue, any_known: bool
) -> Reading:
    if reading is None:
        raise DecreeError(f"«{name}»: {terms.decree.value} no tiene esa lectura de la sanción.")
    plain = str(value.value) if isinstance(value, FundValue) else value
    admitted = READINGS[name] if any_known else reading.alternatives
    if plain not in admitted:
        raise DecreeError(f"«{name}»: {terms.decree.value} no admite la lectura «{plain}».")
    source = value.source.strip() if isinstance(value, FundValue) else ""
    return replace(
        reading, value=plain, cite=f"{reading.cite}; {source}" if source else reading.cite
    )


def penalty_faults(terms: Terms) -> Iterator[str]:
    """What is missing or cannot be in [penalty], each in a sentence (Spanish)."""
    penalty = terms.penalty
    if penalty is None:
        return
    for part in _PARTS[penalty.regime]:
        if not getattr(penalty, part):
            yield f"[penalty] «{penalty.regime}» lleva «{part}»."
    for name in _NEEDED[penalty.regime]:
        if getattr(penalty.readings, name) is None:
            yield f"[penalty] «{penalty.regime}» lleva la lectura «{name}»."
    yield from _percent_faults(penalty)
    yield from _month_faults(penalty, terms.lock_up.months)
    if penalty.semesters is not None:
        yield from _semester_faults(penalty.semesters, terms.lock_up.months)


def _percent_faults(penalty: PenaltyTerms) -> Iterator[str]:
    rates = penalty.semesters.rates if penalty.semesters else ()
    holders = (penalty.trade, penalty.monthly, *penalty.reduction, *rates)
    if any(holder is not None and not 0 < holder.percent <= 100 for holder in holders):
        yield "[penalty] cada porcentaje es mayor que cero y a lo sumo cien."
    if penalty.monthly is not None and penalty.monthly.days < 1:
        yield "[penalty.monthly] un mes tiene uno o más días."


def _month_faults(penalty: PenaltyTerms, term: int) -> Iterator[str]:
    """Months of the reduction that overlap, run backwards, pass the term or take off too much."""
    reached, taken = 0, Decimal(0)
    for part in penalty.reduction:
        if not reached < part.first_month <= part.last_month <= term:
            yield f"[penalty] los meses de la reducción van en orden y dentro de los {term}."
            return
        reached = part.last_month
        taken += part.percent * (part.last_month - part.first_month + 1)
    if taken > 100:
        yield "[penalty] la reducción suma más del cien por ciento."


def _semester_faults(semesters: SemesterTerms, term: int) -> Iterator[str]:
    if semesters.months < 1 or semesters.months * len(semesters.rates) != term:
        yield f"[penalty.semesters] los semestres no cubren los {term} meses del plazo."
