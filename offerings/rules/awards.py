"""Why a line of an adjudication got what it got, written from its stored figures."""

from fractions import Fraction

from offerings.rules.adjudication import (
    AwardLine,
    AwardReason,
    RunFigures,
    adjudication_terms,
)
from offerings.rules.ruling import SHARES, Step
from offerings.rules.terms import AdjudicationTerms, Terms
from offerings.rules.wording import write_fraction, write_quantity


def award_steps(line: AwardLine, figures: RunFigures, terms: Terms) -> tuple[Step, ...]:
    """The steps of one stored line, written from its figures; nothing is allotted again.

    The first step is what was asked, the last what was awarded; the steps of the limit are
    kept with the acceptance.
    """
    rule = adjudication_terms(terms)
    asked = Step("Solicitó", "", line.asked, SHARES)
    admitted = Step("Tras el límite", "", line.admitted, SHARES, terms.limits.over_limit.cite)
    middle = _REASON_STEPS[line.reason](line, figures, rule)
    return (asked, admitted, *middle, Step("Adjudicado", "", line.awarded, SHARES))


def _shared_steps(line: AwardLine, figures: RunFigures, rule: AdjudicationTerms) -> list[Step]:
    product = f"{write_quantity(line.admitted)} × {write_quantity(figures.supply)}"
    quotient = f"{product} ÷ {write_quantity(figures.kept_demand)}, entero"
    remainder = f"{write_quantity(line.remainder)} de {write_quantity(figures.kept_demand)}"
    if figures.least_winning is not None:
        least = write_quantity(figures.least_winning)
        remainder += f"; el menor resto que recibió una acción fue {least}"
    given = int(line.got_left_over)
    return [
        Step("Cociente", quotient, line.quotient, SHARES, rule.pro_rata_cite),
        Step("Residuo", remainder, given, SHARES, rule.pro_rata_cite),
    ]


def _whole_steps(line: AwardLine, figures: RunFigures, rule: AdjudicationTerms) -> list[Step]:
    detail = (
        f"la demanda que entra ({write_quantity(figures.kept_demand)}) no pasa la oferta "
        f"({write_quantity(figures.supply)})"
    )
    return [Step("Se atiende completa", detail, line.admitted, SHARES, rule.in_full_cite)]


def _refused_steps(line: AwardLine, figures: RunFigures, rule: AdjudicationTerms) -> list[Step]:
    wanted = write_fraction(Fraction(line.least * 100, line.admitted))
    given = write_fraction(figures.factor * 100)
    detail = f"pide al menos {wanted} % de su cantidad; a quienes entran les toca {given} %"
    return [Step("No admite reducción", detail, line.least, SHARES, rule.consent_cite)]


def _readmitted_steps(line: AwardLine, figures: RunFigures, rule: AdjudicationTerms) -> list[Step]:
    detail = "lo que quedaba la atiende completa, por orden de recibo"
    return [Step("Vuelve a entrar", detail, line.admitted, SHARES, rule.consent_cite)]


def _empty_steps(line: AwardLine, figures: RunFigures, rule: AdjudicationTerms) -> list[Step]:
    detail = "el límite no le dejó acciones"
    return [Step("No entra", detail, line.admitted, SHARES, rule.in_full_cite)]


_REASON_STEPS = {
    AwardReason.PRO_RATA: _shared_steps,
    AwardReason.IN_FULL: _whole_steps,
    AwardReason.NO_REDUCTION: _refused_steps,
    AwardReason.READMITTED: _readmitted_steps,
    AwardReason.NOTHING_ADMITTED: _empty_steps,
}
