"""The difference between the price of a large trade and the purchase price, with the CPI."""

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from offerings.rules.amounts import half_up
from offerings.rules.cpi import CpiFactor, Month, cpi_factors, write_index
from offerings.rules.penalties.facts import Basis, ReleaseFacts, ReleasePenalty, Timing, Trade
from offerings.rules.penalties.monthly import monthly_penalty, reduction_steps, total_step
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalties.reduction import Reduction, reduction
from offerings.rules.penalties.trades import (
    by_date,
    difference_steps,
    highest,
    positive_steps,
    qualifying_trades,
    threshold_shares,
    trade_step,
)
from offerings.rules.ruling import PESOS, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import (
    MILLIONTHS,
    write_cut,
    write_exactly,
    write_pesos_exactly,
    write_price,
)


@dataclass(frozen=True)
class _Working:
    """The case, and the readings that were used on the way."""

    facts: ReleaseFacts
    terms: Terms
    when: Timing
    readings: Readings

    @property
    def cite(self) -> str:
        """The clause of the difference."""
        assert self.terms.penalty is not None
        return self.terms.penalty.cite


@dataclass(frozen=True)
class _Compared:
    """The difference of one share, the steps to it and what was found.

    adjusted: both prices bear their index already, so that it is not applied again.
    """

    difference: Fraction
    adjusted: bool
    steps: tuple[Step, ...]
    found: ReleasePenalty


def indexed_difference(facts: ReleaseFacts, terms: Terms, when: Timing) -> Ruling[ReleasePenalty]:
    """What the difference costs, or the percentage for each month that remains.

    "pagará al Fondo […] por cada acción, la diferencia entre el precio de adquisición de las
    acciones y el precio por acción más alto al cual se negocie, en una sola operación, por lo
    menos el 0,3% de las acciones, ambos precios ajustados mensualmente por el índice de precios
    al consumidor certificado por el DANE, ajuste que se aplicará desde la fecha de compra hasta
    el día en que se presente solicitud de despignoración" (Decreto 1118 de 1995, art. 6-4).
    """
    case = _Working(facts, terms, when, Readings(terms))
    least = threshold_shares(terms).value
    for name in ("trade_threshold_of", "trades_before_auction"):
        case.readings.choose(name)
    found = ReleasePenalty(Decimal(0), Basis.MONTHLY, when.month, when.last_day, threshold=least)
    trades = qualifying_trades(facts, terms)
    if not trades:
        steps = (when.step, trade_step(None, 0, facts, terms))
        return monthly_penalty(facts, terms, when, case.readings, steps, found)
    if case.readings.choose("trade_index_from") == "trade":
        return _by_sign(case, _from_each_month(case, trades, found))
    return _by_sign(case, _from_purchase(case, trades, found))


def _by_sign(case: _Working, compared: _Compared) -> Ruling[ReleasePenalty]:
    """A difference is paid; none pays by the month; a negative one by its reading.

    "La sanción prevista en el inciso anterior no se aplicará si […] es negativa la diferencia"
    (1995, art. 6-4, inciso 2); "en que tal diferencia sea negativa, […] pagará […] el 1%" (1996).
    """
    if compared.difference > 0:
        return _difference_paid(case, compared)
    if compared.difference < 0 and case.readings.choose("on_negative") == "none":
        return _nothing(case, compared)
    return monthly_penalty(
        case.facts, case.terms, case.when, case.readings, compared.steps, compared.found
    )


def _difference_paid(case: _Working, compared: _Compared) -> Ruling[ReleasePenalty]:
    cut = reduction(case.facts, case.terms, case.readings)
    whole = compared.difference * case.facts.shares
    found, steps = compared.found, compared.steps
    if not compared.adjusted and cut.paid:
        factor = _factor(case)
        whole *= factor.value
        steps = (*steps, _factor_step(factor, case), _adjusted_step(whole, factor, compared, case))
        found = replace(found, factor=factor.value, cpi=factor.used)
    elif not compared.adjusted:
        steps = (*steps, _no_factor_step(case))
    amount = half_up(whole * Fraction(cut.paid) / 100)
    value = replace(
        found,
        amount=amount,
        basis=Basis.DIFFERENCE,
        reduction_percent=cut.percent or None,
        paid_percent=cut.paid if cut.percent else None,
    )
    ruled = (*steps, *reduction_steps(whole, cut), total_step(amount))
    return Ruling(value, ruled, case.readings.sentences, _conclusion(case, cut, amount))


def _conclusion(case: _Working, cut: Reduction, amount: Decimal) -> str:
    if not cut.paid:
        return f"En el mes {case.when.month} la reducción ya es del 100 %: no se paga nada."
    paid = f" el {write_exactly(cut.paid)} % de la diferencia:" if cut.percent else ""
    months = case.terms.lock_up.months
    return (
        f"Por salir en el mes {case.when.month} de {months} se paga{paid} ${write_price(amount)}."
    )


def _nothing(case: _Working, compared: _Compared) -> Ruling[ReleasePenalty]:
    assert case.terms.penalty is not None
    reading = case.terms.penalty.readings.on_negative
    cite = reading.cite if reading else case.cite
    amount = half_up(Fraction(0))
    value = replace(compared.found, amount=amount, basis=Basis.NONE)
    total = Step("Total por pagar", "la diferencia es negativa", amount, PESOS, cite)
    conclusion = "La operación de referencia fue más barata que la compra: no se causa sanción."
    return Ruling(value, (*compared.steps, total), case.readings.sentences, conclusion)


def _from_purchase(case: _Working, trades: tuple[Trade, ...], found: ReleasePenalty) -> _Compared:
    """Both prices move from the purchase on: the factor, once, on their difference."""
    best = highest(trades)
    assert best is not None
    difference = Fraction(best.price) - Fraction(case.facts.price)
    steps = (
        case.when.step,
        trade_step(best, len(trades), case.facts, case.terms),
        *difference_steps(difference, Fraction(best.price), case.facts, case.cite),
    )
    kept = replace(found, reference=best, difference=difference)
    return _Compared(difference, False, steps, kept)


def _from_each_month(
    case: _Working, trades: tuple[Trade, ...], found: ReleasePenalty
) -> _Compared:
    """Each trade's price moves from its own month on, the purchase price from the purchase."""
    asked = Month.of(case.facts.asked).before
    pairs = [(asked, Month.of(trade.traded_on)) for trade in trades]
    *factors, bought = cpi_factors([*pairs, _purchase_pair(case)], case.facts.cpi)
    moved = {
        trade: Fraction(trade.price) * factor.value
        for trade, factor in zip(trades, factors, strict=True)
    }
    best = max(sorted(trades, key=by_date), key=lambda trade: moved[trade])
    of_best = factors[trades.index(best)]
    paid = Fraction(case.facts.price) * bought.value
    difference = moved[best] - paid
    steps = (
        case.when.step,
        trade_step(best, len(trades), case.facts, case.terms),
        _moved_step("Operación, ajustada", best.price, of_best, case),
        _moved_step("Precio de compra, ajustado", case.facts.price, bought, case),
        Step(
            "Diferencia por acción",
            f"{write_price(moved[best])} − {write_price(paid)}, ya ajustados",
            difference,
            PESOS,
            case.cite,
            written=write_pesos_exactly(difference),
        ),
        *positive_steps(difference, case.facts),
    )
    used = dict([*of_best.used, *bought.used])
    kept = replace(
        found,
        reference=best,
        difference=difference,
        factor=bought.value,
        cpi=tuple(sorted(used.items())),
    )
    return _Compared(difference, True, steps, kept)


def _purchase_pair(case: _Working) -> tuple[Month, Month]:
    """The months of the factor from the purchase to the request.

    decree_window is art. 4-2's own way: from the month after the purchase up to the month before
    the request, so that the index of the purchase month divides that of the month before.
    """
    purchased = Month.of(case.facts.purchased)
    lagged = case.readings.choose("cpi_factor") == "lagged"
    return Month.of(case.facts.asked).before, purchased.before if lagged else purchased


def _factor(case: _Working) -> CpiFactor:
    [factor] = cpi_factors([_purchase_pair(case)], case.facts.cpi)
    return factor


def _index_cite(case: _Working) -> str:
    index = case.terms.penalty.index if case.terms.penalty else None
    return index.cite if index else case.cite


def _factor_step(factor: CpiFactor, case: _Working) -> Step:
    return Step(
        "Factor del IPC",
        factor.working,
        factor.value,
        "",
        _index_cite(case),
        written=write_cut(factor.value, MILLIONTHS),
        note=_exact(factor),
    )


def _exact(factor: CpiFactor) -> str:
    if not factor.used:
        return ""
    later, earlier = write_index(factor.later_index), write_index(factor.earlier_index)
    return f"exacto: {later}/{earlier}"


def _no_factor_step(case: _Working) -> Step:
    return Step(
        "Factor del IPC",
        "la reducción es del 100 %: nada queda por ajustar",
        None,
        "",
        _index_cite(case),
        written="no hace falta",
    )


def _adjusted_step(
    whole: Fraction, factor: CpiFactor, compared: _Compared, case: _Working
) -> Step:
    plain = write_price(compared.difference * case.facts.shares)
    return Step(
        "Diferencia ajustada",
        f"{plain}{_times(factor)}",
        whole,
        PESOS,
        written=write_pesos_exactly(whole),
    )


def _moved_step(label: str, price: Decimal, factor: CpiFactor, case: _Working) -> Step:
    moved = Fraction(price) * factor.value
    working = f"{write_price(price)}{_times(factor)} ({factor.working})"
    return Step(
        label,
        working,
        moved,
        PESOS,
        _index_cite(case),
        written=write_pesos_exactly(moved),
        note="por acción",
    )


def _times(factor: CpiFactor) -> str:
    if not factor.used:
        return " × 1"
    later, earlier = write_index(factor.later_index), write_index(factor.earlier_index)
    return f" × {later} ÷ {earlier}"
