"""A decree's pledge, penalty and base price in rows, as its page shows them."""

from collections.abc import Iterator

from offerings.rules.penalty_terms import PenaltyRegime, PenaltyTerms, ReductionTerm
from offerings.rules.terms import Cited, Terms
from office.numbers import write_percent

Row = dict[str, str]

REGIMES = {
    PenaltyRegime.AUCTION_DIFFERENCE: "La diferencia entre el precio del martillo y el de compra",
    PenaltyRegime.INDEXED_DIFFERENCE: "La diferencia entre el precio de la operación de "
    "referencia y el de compra, ajustada por el IPC; sin diferencia, un porcentaje por cada mes "
    "que falta",
    PenaltyRegime.SEMESTERS: "Un porcentaje del mayor valor entre el de compra y el de venta, "
    "según el semestre",
}


def pledge_rows(terms: Terms) -> Iterator[Row]:
    """What the decree says of the pledge beside its rank."""
    pledge = terms.pledge
    if pledge is None:
        return
    if pledge.note:
        yield _row("Prenda a favor del Fondo", pledge.note, pledge.cite)
    yield from _cited("Salida anticipada", pledge.early_exit)
    yield from _cited("Sucesión", pledge.inheritance)
    yield from _cited("Derechos de accionista", pledge.shareholder_rights)
    yield from _cited("Crédito de compra", pledge.lender_may_call)


def penalty_rows(terms: Terms) -> Iterator[Row]:
    """What leaving early costs; that the text says nothing of it, where it does not."""
    penalty = terms.penalty
    if penalty is None:
        if terms.pledge is not None:
            yield _row("Sanción", "El texto no la trae: la decide el Fondo", terms.pledge.cite)
        return
    yield _row("Sanción", REGIMES[penalty.regime], penalty.cite, penalty.note)
    yield from _difference(penalty)
    yield from _monthly(penalty)
    yield from _semesters(penalty)


def base_price_rows(terms: Terms) -> Iterator[Row]:
    """How the auction's base price comes from the fixed price."""
    if terms.base_price is not None:
        value = "El precio fijo, ajustado por el IPC"
        yield _row("Precio base", value, terms.base_price.cite, terms.base_price.note)


def _difference(penalty: PenaltyTerms) -> Iterator[Row]:
    if penalty.trade is not None:
        value = f"De {write_percent(penalty.trade.percent)} de las acciones o más"
        yield _row("Operación de referencia", value, penalty.trade.cite, penalty.trade.note)
    yield from _cited("Ajuste", penalty.index)
    for part in penalty.reduction:
        value = f"{write_percent(part.percent)} menos cada mes"
        yield _row(f"Reducción, {_months(part)}", value, part.cite, part.note)


def _monthly(penalty: PenaltyTerms) -> Iterator[Row]:
    rule = penalty.monthly
    if rule is not None:
        value = f"{write_percent(rule.percent)} del precio de compra por cada mes que falta"
        yield _row("Sin diferencia", value, rule.cite, rule.note)


def _semesters(penalty: PenaltyTerms) -> Iterator[Row]:
    semesters = penalty.semesters
    if semesters is None:
        return
    yield _row("Semestre", f"{semesters.months} meses", semesters.cite, semesters.note)
    for number, rate in enumerate(semesters.rates, start=1):
        yield _row(f"Multa del semestre {number}", write_percent(rate.percent), rate.cite)


def _months(part: ReductionTerm) -> str:
    if part.first_month == part.last_month:
        return f"mes {part.first_month}"
    return f"meses {part.first_month} a {part.last_month}"


def _cited(label: str, cited: Cited[str] | None) -> Iterator[Row]:
    if cited is not None:
        yield _row(label, cited.value, cited.cite, cited.note)


def _row(label: str, value: str, cite: str, note: str = "") -> Row:
    return {"label": label, "value": value, "cite": cite, "note": note}
