"""Whether an acceptance can be withdrawn."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from offerings.rules.ruling import NotCovered, Ruling, Step
from offerings.rules.terms import Cited, Terms, Withdrawal
from offerings.rules.wording import write_date

V = TypeVar("V")


@dataclass(frozen=True)
class WithdrawalFacts:
    """received: legal day of the acceptance; asked: legal day of the withdrawal."""

    received: date
    asked: date


def withdrawal(facts: WithdrawalFacts, terms: Terms) -> Ruling[bool]:
    """Whether the buyer may withdraw: only if the Fund's rules allow it.

    Never where its will is irrevocable ("manifieste por escrito su voluntad irrevocable",
    Financiera América, numeral 4), nor within the minimum validity ("El Fondo señalará el plazo
    de vigencia mínima que han de tener las ofertas de compra", Decreto 814 de 1994, numeral 3).
    Raises NotCovered where the Fund has not said.
    """
    rule = terms.withdrawal
    if rule is not None and rule.value == Withdrawal.NEVER:
        return _answer(False, "La voluntad de comprar es irrevocable: no se retira.", rule.cite)
    allowed = _needed(terms.withdrawal_allowed, "withdrawal_allowed", terms)
    if not allowed.value:
        return _answer(False, "El reglamento del Fondo no permite retirarla.", allowed.cite)
    if rule is not None and rule.value == Withdrawal.AFTER_VALIDITY:
        minimum = _needed(terms.minimum_validity_days, "minimum_validity_days", terms)
        until = facts.received + timedelta(days=minimum.value)
        if facts.asked <= until:
            detail = f"Está en su vigencia mínima, hasta el {write_date(until)}: no se retira."
            return _answer(False, detail, minimum.cite)
    return _answer(True, "El reglamento del Fondo permite retirarla.", allowed.cite)


def withdrawal_conceivable(terms: Terms) -> bool:
    """Whether any act of the Fund could let an acceptance be withdrawn: not where the decree calls
    the buyer's will irrevocable ("manifieste por escrito su voluntad irrevocable", Financiera
    América, numeral 4).
    """
    return terms.withdrawal is None or terms.withdrawal.value != Withdrawal.NEVER


def _answer(value: bool, detail: str, cite: str) -> Ruling[bool]:
    return Ruling(value, (Step("Retiro", detail, None, "", cite),), conclusion=detail)


def _needed(value: Cited[V] | None, key: str, terms: Terms) -> Cited[V]:
    if value is None:
        raise NotCovered(
            rule="withdrawal",
            programme=terms.slug,
            missing=(key,),
            message=(
                f"Retiro de aceptaciones de {terms.name.value}: el decreto lo deja al Fondo, que "
                "debe ingresar su regla con la fuente."
            ),
        )
    return value
