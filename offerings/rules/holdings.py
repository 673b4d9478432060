"""Who needs the superintendency's authorisation before it buys."""

from dataclasses import dataclass
from fractions import Fraction

from offerings.rules.ruling import SHARES, FactError, NotCovered, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import write_number, write_quantity


@dataclass(frozen=True)
class HoldingFacts:
    """Shares of the issuer. present: held already; asked: all that the buyer would buy.

    authorised: the superintendency's authorisation is among its documents, looked at.
    """

    present: int
    asked: int
    authorised: bool


@dataclass(frozen=True)
class Holding:
    """after: shares it would hold. reaches_from: the least holding that needs authorisation.

    complete: no authorisation is needed, or it is there; otherwise the acceptance is incomplete.
    """

    after: int
    reaches_from: int
    needs_authorisation: bool
    complete: bool


def holding(facts: HoldingFacts, terms: Terms) -> Ruling[Holding]:
    """Whether the buyer would reach the share of the issuer that needs prior authorisation.

    "las personas que pretendan adquirir un porcentaje igual o superior al 5% de las acciones
    del Banco Popular, deberán solicitar previamente autorización a la Superintendencia Bancaria.
    La misma regla se aplicará a […] accionistas del Banco [que] deseen incrementar su
    participación accionaria al 5% o más […] o elevar en cualquier proporción la participación
    que ya posean por encima del límite" (Decreto 1118 de 1995, art. 16).

    Raises NotCovered where the percentage or the outstanding shares are unknown.
    """
    percent, cite, outstanding = _threshold(terms)
    if facts.present < 0 or facts.asked < 0:
        raise FactError("present", "Las acciones que ya tiene no pueden ser menos de cero.")
    after = facts.present + facts.asked
    reaches_from = (percent * outstanding / 100).__ceil__()
    needs = facts.asked > 0 and after >= reaches_from
    value = Holding(after, reaches_from, needs, facts.authorised or not needs)
    detail = f"{write_number(percent)} % de {write_quantity(outstanding)} acciones ({cite})"
    total = f"{write_quantity(facts.present)} + {write_quantity(facts.asked)}"
    steps = (
        Step("Ya tiene", "acciones del emisor", facts.present, SHARES, cite),
        Step("Tendría", total, after, SHARES),
        Step("Pide autorización desde", detail, reaches_from, SHARES, cite),
    )
    return Ruling(value, steps, conclusion=_conclusion(value))


def _threshold(terms: Terms) -> tuple[Fraction, str, int]:
    if terms.authorisation is None or terms.outstanding is None:
        needed = {
            "authorisation_percent": terms.authorisation,
            "outstanding": terms.outstanding,
        }
        raise NotCovered(
            rule="holding",
            programme=terms.slug,
            missing=tuple(key for key, value in needed.items() if value is None),
            message=(
                f"Autorización de la Superintendencia en {terms.name.value}: faltan las acciones "
                "en circulación del emisor, o el porcentaje desde el que se pide. El Fondo debe "
                "ingresarlos con su fuente."
            ),
        )
    return (
        Fraction(terms.authorisation.percent),
        terms.authorisation.cite,
        terms.outstanding.value,
    )


def _conclusion(value: Holding) -> str:
    if not value.needs_authorisation:
        return "No necesita autorización previa de la Superintendencia."
    if value.complete:
        return "Necesita autorización previa de la Superintendencia y la trae."
    return (
        "Necesita autorización previa de la Superintendencia y no la trae: la aceptación queda "
        "incompleta."
    )
