"""The base price of the auction."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from offerings.rules.amounts import half_up
from offerings.rules.cpi import Cpi, Month, cpi_factors
from offerings.rules.penalty_terms import BasePriceTerms
from offerings.rules.ruling import PESOS, FactError, NotCovered, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import MILLIONTHS, write_cut, write_date, write_price


@dataclass(frozen=True)
class BasePriceFacts:
    """The day on which the offer of stage 1 began, that of the auction's first notice, the CPI."""

    offer_started: date
    first_notice: date
    cpi: Cpi


def base_price(facts: BasePriceFacts, terms: Terms) -> Ruling[Decimal]:
    """The least price of a bid: the fixed price moved by the CPI, half up to the centavo.

    "a un precio mínimo por acción igual al precio indicado en el numeral anterior, ajustado
    mensualmente por una tasa igual al índice de precios al consumidor certificado por el DANE
    […] a partir del mes siguiente al de la fecha en la cual se inicie la oferta pública […] y
    hasta el mes inmediatamente anterior a aquel durante el cual se divulgue el primer aviso del
    Martillo" (Decreto 1118 de 1995, art. 4-2). Raises NotCovered where the text has no such
    rule or no fixed price, CpiMissing for a month that is needed.
    """
    rule, price, price_cite = _rule_and_price(terms)
    if facts.first_notice < facts.offer_started:
        raise FactError(
            "first_notice",
            f"El primer aviso ({write_date(facts.first_notice)}) no puede ser anterior al inicio "
            f"de la oferta ({write_date(facts.offer_started)}).",
        )
    pair = (Month.of(facts.first_notice).before, Month.of(facts.offer_started))
    [factor] = cpi_factors([pair], facts.cpi)
    exact = Fraction(price) * factor.value
    amount = half_up(exact)
    shown = write_cut(factor.value, MILLIONTHS)
    steps = (
        Step("Precio fijo", "por acción", price, PESOS, price_cite),
        Step(
            "Factor del IPC",
            factor.working,
            factor.value,
            "",
            rule.cite,
            shown,
        ),
        Step(
            "Precio base",
            f"{write_price(price)} × {shown}, al centavo más cercano",
            amount,
            PESOS,
            rule.cite,
        ),
    )
    conclusion = f"El precio base del martillo es ${write_price(amount)} por acción."
    return Ruling(amount, steps, (), conclusion)


def _rule_and_price(terms: Terms) -> tuple[BasePriceTerms, Decimal, str]:
    if terms.base_price is None:
        raise NotCovered(
            rule="base_price",
            programme=terms.slug,
            message=f"{terms.name.value}: el texto que tenemos no dice el precio base del "
            "martillo.",
        )
    if terms.price is None:
        raise NotCovered(
            rule="base_price",
            programme=terms.slug,
            message=f"{terms.name.value}: no consta el precio fijo. Lo ingresa el Fondo.",
            missing=("price",),
        )
    return terms.base_price, terms.price.value, terms.price.cite
