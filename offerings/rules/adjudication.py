"""The adjudication of stage 1: in full, or pro rata in whole shares, with consent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from offerings.rules.receipt import Receipt
from offerings.rules.ruling import SHARES, FactError, NotCovered, Ruling, Step
from offerings.rules.terms import AdjudicationTerms, Terms
from offerings.rules.wording import write_list, write_quantity


class AwardReason(StrEnum):
    """Why a line got what it got."""

    IN_FULL = "in_full"
    PRO_RATA = "pro_rata"
    NO_REDUCTION = "no_reduction"
    READMITTED = "readmitted"
    NOTHING_ADMITTED = "nothing_admitted"


@dataclass(frozen=True)
class Line:
    """A complete, valid acceptance. asked, admitted (after the limit), least: whole shares.

    least: the smallest award that it accepts; 0 = silent; its whole quantity = no reduction.
    """

    reference: str
    receipt: Receipt
    asked: int
    admitted: int
    least: int = 0


@dataclass(frozen=True)
class AwardLine:
    """A line with its result.

    least: as it counted, never above admitted. quotient, remainder: of admitted × supply ÷
    demand of those kept, where there was a pro rata; else 0. got_left_over: one share came from
    the remainders.
    """

    reference: str
    receipt: Receipt
    asked: int
    admitted: int
    least: int
    quotient: int
    remainder: int
    got_left_over: bool
    awarded: int
    reason: AwardReason


@dataclass(frozen=True)
class Tie:
    """Lines of equal remainder when the last left-over shares ran out among them.

    shares: how many there were for them; references: in order of receipt, so the first
    `shares` of them got one each.
    """

    remainder: int
    shares: int
    references: tuple[str, ...]


@dataclass(frozen=True)
class RunFigures:
    """What holds for the whole run, enough to explain any stored line.

    demand: of all that came in; kept_demand: of those that the consent rule kept. pro_rata: the
    kept demand passed the supply. threshold: t as an exact ratio, None where all were left out
    (or none came). least_winning: the smallest remainder that got a share, None where none did.
    left_over: shares given by remainders.
    """

    supply: int
    demand: int
    kept_demand: int
    pro_rata: bool
    threshold: Fraction | None
    left_over: int
    least_winning: int | None
    awarded: int

    @property
    def factor(self) -> Fraction:
        """Supply ÷ kept demand, at most 1."""
        return Fraction(self.supply, self.kept_demand) if self.pro_rata else Fraction(1)

    @property
    def unsold(self) -> int:
        """What is left for stage 2."""
        return self.supply - self.awarded


@dataclass(frozen=True)
class Adjudication:
    """lines: in order of receipt; left_out: who insisted on more than the ratio gives."""

    figures: RunFigures
    lines: tuple[AwardLine, ...]
    left_out: tuple[str, ...]
    tie: Tie | None


def adjudication(lines: Sequence[Line], supply: int, terms: Terms) -> Ruling[Adjudication]:
    """Who gets how many shares; exact, and the same in whatever order the lines come.

    "Si el conjunto de las aceptaciones de compra es inferior o igual a la cantidad de acciones
    […] a cada interesado se adjudicará una cantidad de acciones igual a la demandada […]. Los
    aceptantes podrán admitir o no reducción […]. En caso de guardar silencio se entenderá […]
    que aceptan la reducción por cualquier cantidad […]. Si […] sobrepasa la cantidad de acciones
    objeto del presente programa, la adjudicación se hará a prorrata en forma directamente
    proporcional a las cantidades demandadas" (Decreto 1118 de 1995, art. 9).

    supply: shares on offer. Raises NotCovered where our text has no rule of adjudication,
    FactError on impossible quantities or a receipt that comes twice.
    """
    rule = adjudication_terms(terms)
    _check(lines, supply)
    ordered = [_opened(line) for line in sorted(lines, key=lambda line: line.receipt.order)]
    live = [line for line in ordered if line.admitted]
    threshold = consent_threshold([(line.admitted, line.least) for line in live], supply)
    kept = [line for line in live if _keeps(line, threshold)]
    left_out = {line.receipt for line in live if not _keeps(line, threshold)}
    results, tie = _allot(kept, supply)
    if rule.readmit_left_out.value == "yes":
        results.update(_readmitted(live, left_out, supply - _total(results)))
    out = tuple(results.get(line.receipt, line) for line in ordered)
    still_out = tuple(line.reference for line in out if line.reason == AwardReason.NO_REDUCTION)
    figures = _figures(out, kept, threshold, supply)
    value = Adjudication(figures, out, still_out, tie)
    return Ruling(value, _run_steps(value, rule), _run_readings(value, rule))


def consent_threshold(quantities: Sequence[tuple[int, int]], supply: int) -> Fraction | None:
    """The greatest t for which supply ÷ demand of those with least ÷ quantity ≤ t is ≥ t.

    quantities: (shares, least) with shares ≥ 1. t runs over the values of least ÷ quantity;
    None where no t qualifies: all are left out.
    """
    demand_at: dict[Fraction, int] = {}
    for shares, least in quantities:
        ratio = Fraction(least, shares)
        demand_at[ratio] = demand_at.get(ratio, 0) + shares
    best, demand = None, 0
    for ratio in sorted(demand_at):
        demand += demand_at[ratio]
        if supply * ratio.denominator >= ratio.numerator * demand:
            best = ratio
    return best


def adjudication_terms(terms: Terms) -> AdjudicationTerms:
    """The programme's rule of adjudication; raises NotCovered where nobody has given one."""
    if terms.adjudication is None:
        raise NotCovered(
            rule="adjudication",
            programme=terms.slug,
            missing=("adjudication_rule",),
            message=(
                f"Adjudicación de {terms.name.value}: el texto que tenemos no dice cómo se "
                "adjudica. El Fondo debe ingresar la regla, con su fuente, en el reglamento del "
                "Fondo."
            ),
        )
    return terms.adjudication


def _check(lines: Sequence[Line], supply: int) -> None:
    if supply < 0:
        raise FactError("supply", "Las acciones ofrecidas no pueden ser menos de cero.")
    if any(line.admitted < 0 or line.least < 0 or line.asked < line.admitted for line in lines):
        raise FactError("admitted", "Una línea tiene cantidades imposibles tras el límite.")
    if len({line.receipt for line in lines}) < len(lines):
        raise FactError("serial", "Dos aceptaciones tienen el mismo orden de recibo.")


def _opened(line: Line) -> AwardLine:
    """A line before any award; a least above what the limit left is lowered to it."""
    reason = AwardReason.NO_REDUCTION if line.admitted else AwardReason.NOTHING_ADMITTED
    return AwardLine(
        reference=line.reference,
        receipt=line.receipt,
        asked=line.asked,
        admitted=line.admitted,
        least=min(line.least, line.admitted),
        quotient=0,
        remainder=0,
        got_left_over=False,
        awarded=0,
        reason=reason,
    )


def _keeps(line: AwardLine, threshold: Fraction | None) -> bool:
    return threshold is not None and Fraction(line.least, line.admitted) <= threshold


def _allot(kept: list[AwardLine], supply: int) -> tuple[dict[Receipt, AwardLine], Tie | None]:
    demand = sum(line.admitted for line in kept)
    if demand <= supply:
        return {line.receipt: _in_full(line, AwardReason.IN_FULL) for line in kept}, None
    return _pro_rata(kept, supply, demand)


def _in_full(line: AwardLine, reason: AwardReason) -> AwardLine:
    return replace(line, awarded=line.admitted, reason=reason)


def _pro_rata(
    kept: list[AwardLine], supply: int, demand: int
) -> tuple[dict[Receipt, AwardLine], Tie | None]:
    """Floors, then one share each to the largest remainders, the earlier receipt first."""
    floored = [_floored(line, supply, demand) for line in kept]
    left_over = supply - sum(line.quotient for line in floored)
    ranked = sorted(floored, key=lambda line: (-line.remainder, line.receipt.order))
    winners = {line.receipt for line in ranked[:left_over]}
    results = {line.receipt: _topped(line, line.receipt in winners) for line in floored}
    return results, _tie(ranked, left_over)


def _floored(line: AwardLine, supply: int, demand: int) -> AwardLine:
    quotient, remainder = divmod(line.admitted * supply, demand)
    return replace(line, quotient=quotient, remainder=remainder, reason=AwardReason.PRO_RATA)


def _topped(line: AwardLine, wins: bool) -> AwardLine:
    return replace(line, got_left_over=wins, awarded=line.quotient + int(wins))


def _tie(ranked: list[AwardLine], left_over: int) -> Tie | None:
    if not 0 < left_over < len(ranked):
        return None
    last = ranked[left_over - 1].remainder
    if ranked[left_over].remainder != last:
        return None
    above = sum(1 for line in ranked if line.remainder > last)
    tied = tuple(line.reference for line in ranked if line.remainder == last)
    return Tie(last, left_over - above, tied)


def _readmitted(
    live: list[AwardLine], left_out: set[Receipt], unsold: int
) -> dict[Receipt, AwardLine]:
    """Reading `readmit_left_out` = yes: what stays unsold, whole, in order of receipt."""
    back: dict[Receipt, AwardLine] = {}
    for line in live:
        if line.receipt in left_out and line.admitted <= unsold:
            back[line.receipt] = _in_full(line, AwardReason.READMITTED)
            unsold -= line.admitted
    return back


def _total(results: dict[Receipt, AwardLine]) -> int:
    return sum(line.awarded for line in results.values())


def _figures(
    lines: Sequence[AwardLine], kept: list[AwardLine], threshold: Fraction | None, supply: int
) -> RunFigures:
    kept_demand = sum(line.admitted for line in kept)
    winners = [line.remainder for line in lines if line.got_left_over]
    return RunFigures(
        supply=supply,
        demand=sum(line.admitted for line in lines),
        kept_demand=kept_demand,
        pro_rata=kept_demand > supply,
        threshold=threshold,
        left_over=len(winners),
        least_winning=min(winners, default=None),
        awarded=sum(line.awarded for line in lines),
    )


def _run_steps(value: Adjudication, rule: AdjudicationTerms) -> tuple[Step, ...]:
    figures = value.figures
    steps = [
        Step("Oferta", "acciones que se adjudican", figures.supply, SHARES, rule.in_full_cite),
        Step("Demanda", "completas, tras el límite", figures.demand, SHARES, rule.valid_cite),
    ]
    if value.left_out:
        detail = f"{write_quantity(len(value.left_out))} no admiten la reducción"
        out = figures.demand - figures.kept_demand
        steps.append(Step("Quedan fuera", detail, out, SHARES, rule.consent_cite))
    detail = "de quienes admiten la reducción" if value.left_out else "todas"
    steps.append(Step("Demanda que entra", detail, figures.kept_demand, SHARES, rule.valid_cite))
    steps.extend(_pro_rata_steps(value, rule))
    steps.append(Step("Adjudicado", "suma de las líneas", figures.awarded, SHARES))
    steps.append(Step("Queda para la etapa 2", "oferta − adjudicado", figures.unsold, SHARES))
    return tuple(steps)


def _pro_rata_steps(value: Adjudication, rule: AdjudicationTerms) -> list[Step]:
    figures = value.figures
    if not figures.pro_rata:
        return []
    ratio = f"{write_quantity(figures.supply)} ÷ {write_quantity(figures.kept_demand)}"
    steps = [
        Step("Factor de prorrateo", ratio, figures.factor, "", rule.pro_rata_cite),
        Step(
            "Acciones por residuo",
            "una por línea, a los mayores restos",
            figures.left_over,
            SHARES,
            rule.pro_rata_cite,
        ),
    ]
    if value.tie:
        steps.append(_tie_step(value.tie, rule))
    return steps


def _tie_step(tie: Tie, rule: AdjudicationTerms) -> Step:
    names = write_list(tie.references)
    detail = f"{names} tienen el mismo resto; decide el orden de recibo"
    return Step("Empate en el resto", detail, tie.shares, SHARES, rule.pro_rata_cite)


def _run_readings(value: Adjudication, rule: AdjudicationTerms) -> tuple[str, ...]:
    readings = []
    if value.tie:
        readings.append("Un resto igual favorece a la recibida antes.")
    if value.left_out or value.figures.kept_demand < value.figures.demand:
        readings.append(READMIT_READINGS[rule.readmit_left_out.value])
    return tuple(readings)


READMIT_READINGS = {
    "no": "Quien no admite la reducción no vuelve a entrar, aunque queden acciones.",
    "yes": "Lo que queda se entrega, por orden de recibo, a quienes no admiten reducción.",
}
