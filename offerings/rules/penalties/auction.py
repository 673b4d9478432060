"""The plain difference with what a large purchase was awarded for in the auction."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from offerings.rules.amounts import half_up
from offerings.rules.penalties.facts import (
    Basis,
    DecisionNeeded,
    ReleaseFacts,
    ReleasePenalty,
    Timing,
)
from offerings.rules.penalties.monthly import total_step
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalties.trades import (
    difference_steps,
    highest,
    qualifying_trades,
    threshold_shares,
    trade_step,
)
from offerings.rules.ruling import PESOS, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import write_date, write_price


def auction_difference(facts: ReleaseFacts, terms: Terms, when: Timing) -> Ruling[ReleasePenalty]:
    """The difference with the highest award of the auction; nothing if there is none.

    "se obligue a pagar al Fondo del monto de la diferencia entre el precio de adquisición y el
    precio más alto al que se adjudiquen acciones en una sola compra que represente por lo menos
    el 1% de las acciones del Banco Popular" (1994, numeral 4). Raises DecisionNeeded for a
    request before the auction.
    """
    _check_auction_held(facts, terms, when)
    readings = Readings(terms)
    readings.choose("trade_threshold_of")
    found = ReleasePenalty(
        Decimal(0),
        Basis.NONE,
        when.month,
        when.last_day,
        threshold=threshold_shares(terms).value,
    )
    trades = qualifying_trades(facts, terms)
    best = highest(trades)
    steps: tuple[Step, ...] = (when.step, trade_step(best, len(trades), facts, terms))
    if best is None:
        return _nothing(found, steps, "no hay adjudicación de ese tamaño en el martillo", terms)
    difference = Fraction(best.price) - Fraction(facts.price)
    found = replace(found, reference=best, difference=difference)
    steps = (*steps, *difference_steps(difference, Fraction(best.price), facts, _cite(terms)))
    if difference <= 0:
        return _nothing(found, steps, "el precio del martillo no es mayor que el de compra", terms)
    amount = half_up(difference * facts.shares)
    value = replace(found, amount=amount, basis=Basis.DIFFERENCE)
    conclusion = f"Por salir antes del {write_date(when.last_day)} se paga ${write_price(amount)}."
    return Ruling(value, (*steps, total_step(amount)), readings.sentences, conclusion)


def _check_auction_held(facts: ReleaseFacts, terms: Terms, when: Timing) -> None:
    auction = facts.auction_on
    if auction is not None and facts.asked >= auction:
        return
    held = f"del martillo ({write_date(auction)})" if auction else "de que haya martillo"
    raise DecisionNeeded(
        programme=terms.slug,
        message=f"{terms.name.value}: se pidió el {write_date(facts.asked)}, antes {held}, y "
        f"la sanción es la diferencia con su precio ({_cite(terms)}). La solicitud espera el "
        "martillo, o la decide el Fondo, con su motivo y la aprobación de otra persona.",
        month=when.month,
        last_day=when.last_day,
    )


def _nothing(
    found: ReleasePenalty, steps: tuple[Step, ...], why: str, terms: Terms
) -> Ruling[ReleasePenalty]:
    amount = half_up(Fraction(0))
    total = Step("Total por pagar", why, amount, PESOS, _cite(terms))
    conclusion = f"No se causa sanción: {why}."
    return Ruling(replace(found, amount=amount), (*steps, total), (), conclusion)


def _cite(terms: Terms) -> str:
    assert terms.penalty is not None
    return terms.penalty.cite
