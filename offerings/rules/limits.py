"""How many shares one buyer may buy in stage 1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from buyers.enums import BuyerClass, BuyerKind
from offerings.rules.ruling import (
    PESOS,
    SHARES,
    FactError,
    NotCovered,
    Ruling,
    Step,
)
from offerings.rules.terms import Base, Cited, Limb, Terms
from offerings.rules.wording import write_number, write_quantity

BASE_LABELS = {
    Base.GROSS_EQUITY: "Patrimonio bruto",
    Base.NET_EQUITY: "Patrimonio líquido",
    Base.ANNUAL_INCOME: "Ingresos anuales",
    Base.ANNUAL_REMUNERATION: "Remuneración anual",
    Base.STATUTORY_LIMIT: "Límite legal de la entidad",
    Base.SHARE_CAP: "Tope de acciones por persona",
}
INSTEAD_OF_INCOME = "instead_of_income"
SMALLEST_BINDS = "Los límites se combinan por el menor."


@dataclass(frozen=True)
class FigureSource:
    """Where a figure comes from: its tax year, if any, and the paper that states it."""

    year: int | None = None
    reference: str = ""


@dataclass(frozen=True)
class LimitFacts:
    """A buyer's part in the programme: amounts in pesos, shares and members whole.

    executive: holds a "cargo de nivel directivo". no_statutory_limit: declared, with the norm,
    that the law sets the organisation no limit. sources: where each figure comes from.
    """

    kind: BuyerKind
    buyer_class: BuyerClass | None = None
    files_tax_return: bool | None = None
    executive: bool = False
    gross_equity: Decimal | None = None
    net_equity: Decimal | None = None
    annual_income: Decimal | None = None
    annual_remuneration: Decimal | None = None
    statutory_limit: Decimal | None = None
    no_statutory_limit: bool = False
    held_through_others: int = 0
    members: int | None = None
    sources: Mapping[Base, FigureSource] = field(default_factory=dict)


@dataclass(frozen=True)
class PurchaseLimit:
    """shares: how many the buyer may buy in the stage; None = the article sets no limit.

    binding: the limb that binds, with its cite; None where there is no limit.
    """

    shares: int | None
    binding: Base | None = None
    cite: str = ""


@dataclass(frozen=True)
class _Bound:
    """A limb worked out: the exact quotient before whole shares, the shares, its steps."""

    limb: Limb
    exact: Fraction
    shares: int
    steps: tuple[Step, ...]


def purchase_limit(facts: LimitFacts, terms: Terms) -> Ruling[PurchaseLimit]:
    """The smallest of the limits that the article sets for this buyer, in whole shares.

    "Ninguna persona natural obligada a presentar declaración de renta, podrá adquirir acciones
    por un monto superior a tres veces el valor del patrimonio bruto que acredite según la
    declaración de renta" (Decreto 1118 de 1995, art. 6-1; the others alike).

    Money limits become shares once, by flooring the smallest ÷ price. Of two equal limits the
    first in the article's order binds. Raises NotCovered where our text has no rule for this
    buyer or the price is unknown; FactError where a figure that a limit needs is missing.
    """
    _check_covered(facts, terms)
    limbs = [limb for limb in terms.limits.limbs if _applies(limb, facts, terms)]
    readings = _readings(facts, terms, len(limbs))
    if not limbs:
        return Ruling(PurchaseLimit(None), (_unlimited_step(facts, terms),), readings)
    price = _price(terms) if any(limb.shares is None for limb in limbs) else None
    bounds = [_bound(limb, facts, price) for limb in limbs]
    binding = _smallest(bounds)
    steps = (*_steps_of_others(bounds, binding), *binding.steps)
    value = PurchaseLimit(binding.shares, binding.limb.base, binding.limb.cite)
    return Ruling(value, steps, readings)


def _check_covered(facts: LimitFacts, terms: Terms) -> None:
    if _scope_cite(facts, terms):
        return
    raise NotCovered(
        rule="purchase_limit",
        programme=terms.slug,
        missing=("organisation_limit",),
        message=(
            f"Límite de compra de {terms.name.value}: el texto del decreto que tenemos no lo "
            "dice para este comprador. El Fondo debe ingresar el límite de las organizaciones, "
            "con su fuente, en el reglamento del Fondo."
        ),
    )


def _scope_cite(facts: LimitFacts, terms: Terms) -> str:
    for scope in terms.limits.scopes:
        if scope.covers(facts.kind, facts.buyer_class):
            return scope.cite
    return ""


def _applies(limb: Limb, facts: LimitFacts, terms: Terms) -> bool:
    if limb.kind != facts.kind:
        return False
    if limb.classes and facts.buyer_class not in limb.classes:
        return False
    if limb.files_tax_return is not None and limb.files_tax_return != _files(facts):
        return False
    if limb.executive is not None and limb.executive != facts.executive:
        return False
    if _replaced(limb, facts, terms) or _set_aside(limb, facts):
        return False
    return limb.members_below is None or _members(facts) < limb.members_below


def _replaced(limb: Limb, facts: LimitFacts, terms: Terms) -> bool:
    """The reading in which an executive's remuneration stands instead of its income."""
    reading = terms.limits.executive_limit
    if reading is None or reading.value != INSTEAD_OF_INCOME:
        return False
    return facts.executive and limb.base == Base.ANNUAL_INCOME


def _set_aside(limb: Limb, facts: LimitFacts) -> bool:
    """An organisation that declared, with the norm, that the law sets it no limit."""
    return limb.base == Base.STATUTORY_LIMIT and facts.no_statutory_limit


def _files(facts: LimitFacts) -> bool:
    if facts.files_tax_return is None:
        raise FactError("files_tax_return", "Diga si la persona está obligada a declarar renta.")
    return facts.files_tax_return


def _members(facts: LimitFacts) -> int:
    if facts.members is None:
        raise FactError("members", "Falta el número de afiliados de la entidad.")
    return facts.members


def _price(terms: Terms) -> Cited[Decimal]:
    if terms.price is None:
        raise NotCovered(
            rule="purchase_limit",
            programme=terms.slug,
            missing=("price",),
            message=(
                f"Límite de compra de {terms.name.value}: el texto que tenemos no dice el precio "
                "por acción. El Fondo debe ingresarlo con su fuente."
            ),
        )
    if terms.price.value <= 0:
        raise FactError("price", "El precio por acción debe ser mayor que cero.")
    return terms.price


def _bound(limb: Limb, facts: LimitFacts, price: Cited[Decimal] | None) -> _Bound:
    if limb.shares is not None or price is None:
        return _cap_bound(limb)
    base = _figure(limb.base, facts)
    multiple = limb.multiple if limb.multiple is not None else Decimal(1)
    money = Fraction(base) * Fraction(multiple)
    quotient = money / Fraction(price.value)
    steps = (
        *_money_steps(limb, facts, base, multiple, money),
        Step(
            "Entre el precio",
            f"${write_number(money)} ÷ ${write_number(price.value)} ({price.cite})",
            quotient,
            SHARES,
            price.cite,
        ),
        Step("Acciones enteras", "se baja una sola vez", quotient.__floor__(), SHARES),
    )
    return _less_held(limb, facts, quotient, steps)


def _cap_bound(limb: Limb) -> _Bound:
    shares = limb.shares or 0
    step = Step(limb.label, limb.cite, shares, SHARES, limb.cite)
    return _Bound(limb, Fraction(shares), shares, (step,))


def _money_steps(
    limb: Limb, facts: LimitFacts, base: Decimal, multiple: Decimal, money: Fraction
) -> tuple[Step, ...]:
    source = facts.sources.get(limb.base, FigureSource())
    label = BASE_LABELS[limb.base]
    year = f", {source.year}" if source.year else ""
    first = Step(f"{label}{year}", source.reference, base, PESOS, limb.cite)
    if multiple == 1:
        return (first,)
    detail = f"{write_number(multiple)} × ${write_number(base)} ({limb.cite})"
    return (first, Step(limb.label, detail, _exact_money(money), PESOS, limb.cite))


def _exact_money(money: Fraction) -> Fraction | int:
    return money.numerator if money.denominator == 1 else money


def _figure(base: Base, facts: LimitFacts) -> Decimal:
    value: Decimal | None = getattr(facts, base.value)
    label = BASE_LABELS[base]
    if value is None:
        raise FactError(base.value, f"Falta una cifra: {label.lower()}.")
    if value < 0:
        raise FactError(base.value, f"{label}: la cifra no puede ser negativa.")
    return value


def _less_held(
    limb: Limb, facts: LimitFacts, quotient: Fraction, steps: tuple[Step, ...]
) -> _Bound:
    """Take off what it holds through others: "o ser beneficiarios reales" (FES, numeral 1)."""
    held = facts.held_through_others
    if not limb.less_held_through_others or held <= 0:
        return _Bound(limb, quotient, quotient.__floor__(), steps)
    left = max(quotient - held, Fraction(0))
    shares = left.__floor__()
    taken = Step(
        "Acciones que tiene por medio de otros",
        "cuentan como suyas",
        held,
        SHARES,
        limb.cite,
    )
    rest = Step(
        "Le quedan",
        f"{write_quantity(quotient.__floor__())} − {write_quantity(held)}",
        shares,
        SHARES,
        limb.cite,
    )
    return _Bound(limb, left, shares, (*steps, taken, rest))


def _smallest(bounds: list[_Bound]) -> _Bound:
    """Money limits compare exactly, before the one flooring; caps against whole shares."""
    money = [bound for bound in bounds if bound.limb.shares is None]
    caps = [bound for bound in bounds if bound.limb.shares is not None]
    least_money = min(money, key=lambda bound: bound.exact, default=None)
    kept = [bound for bound in bounds if bound is least_money or bound in caps]
    return min(kept, key=lambda bound: bound.shares)


def _steps_of_others(bounds: list[_Bound], binding: _Bound) -> tuple[Step, ...]:
    """One line for each limit that does not bind, so that staff see that it was looked at."""
    return tuple(
        Step(
            f"No es el menor: {bound.limb.label.lower()}",
            f"alcanzaría para {write_quantity(bound.shares)} acciones ({bound.limb.cite})",
            bound.shares,
            SHARES,
            bound.limb.cite,
        )
        for bound in bounds
        if bound is not binding
    )


def _unlimited_step(facts: LimitFacts, terms: Terms) -> Step:
    cite = _scope_cite(facts, terms)
    detail = f"el artículo no fija límite para este comprador ({cite})"
    return Step("Sin límite", detail, None, "", cite)


def _readings(facts: LimitFacts, terms: Terms, limbs: int) -> tuple[str, ...]:
    used = [SMALLEST_BINDS] if limbs >= 2 else []
    reading = terms.limits.executive_limit
    if reading is not None and facts.executive:
        used.append(EXECUTIVE_READINGS[reading.value])
    return tuple(used)


EXECUTIVE_READINGS = {
    "added": "El límite por remuneración de los directivos se suma a los demás.",
    INSTEAD_OF_INCOME: "El límite por remuneración de los directivos reemplaza al de ingresos.",
}
