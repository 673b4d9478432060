"""How large a trade must be for its price to count, and which trades are."""

from collections.abc import Callable, Iterable
from fractions import Fraction

from offerings.rules.penalties.facts import ReleaseFacts, Trade
from offerings.rules.penalties.readings import Readings
from offerings.rules.penalty_terms import PenaltyRegime, TradeTerms
from offerings.rules.ruling import PESOS, SHARES, NotCovered, Ruling, Step
from offerings.rules.terms import Cited, Terms
from offerings.rules.wording import (
    TEN_THOUSANDTHS,
    write_cut,
    write_date,
    write_exactly,
    write_list,
    write_pesos_exactly,
    write_price,
    write_quantity,
)

BASES = {
    "outstanding": ("Acciones en circulación", "en circulación"),
    "offered": ("Acciones ofrecidas", "ofrecidas"),
}
FIELDS = {"outstanding": "outstanding", "offered": "shares"}


def threshold_shares(terms: Terms) -> Ruling[int]:
    """The least number of shares that one trade needs, with its working.

    "el precio por acción más alto al cual se negocie, en una sola operación, por lo menos el
    0,3% de las acciones" (Decreto 1118 de 1995, art. 6-4). Raises NotCovered where the penalty
    goes by no trade, or the shares that it is a part of are not known.
    """
    readings = Readings(terms)
    trade = trade_terms(terms)
    base, whole = _base(terms, readings)
    least = -(-(Fraction(trade.percent) * whole.value) // 100)
    label, _ = BASES[base]
    percent = f"{write_exactly(trade.percent)} %"
    detail = f"{percent} de {write_quantity(whole.value)}, hacia arriba"
    steps = (
        Step(label, "", whole.value, SHARES, whole.cite),
        Step("De una sola operación", "", trade.percent, "", trade.cite, written=percent),
        Step("Mínimo de acciones", detail, least, SHARES, trade.cite),
    )
    conclusion = f"Cuenta la operación de {write_quantity(least)} acciones o más."
    return Ruling(least, steps, readings.sentences, conclusion)


def qualifying_trades(facts: ReleaseFacts, terms: Terms) -> tuple[Trade, ...]:
    """The trades whose price counts for this request, by date; see `counts_from`."""
    readings = Readings(terms)
    least = threshold_shares(terms).value
    counts = counts_from(facts, terms, readings)
    large = [trade for trade in facts.trades if trade.shares >= least and counts(trade)]
    return tuple(sorted(large, key=by_date))


def counts_from(facts: ReleaseFacts, terms: Terms, readings: Readings) -> Callable[[Trade], bool]:
    """Whether a trade's date and place let it count.

    "bien sea que la negociación del 0,3% o más se efectúe en el Martillo […] o en una operación
    posterior al Martillo y anterior a la fecha de la solicitud de despignoración" (Decreto 1118
    de 1995, art. 6-4); in 1994 only what was awarded in the auction.
    """
    penalty = terms.penalty
    if penalty is not None and penalty.regime == PenaltyRegime.AUCTION_DIFFERENCE:
        return lambda trade: trade.in_auction
    auction = facts.auction_on
    if readings.choose("trades_before_auction") == "yes":
        return lambda trade: trade.traded_on < facts.asked
    return lambda trade: auction is not None and auction <= trade.traded_on < facts.asked


def trade_terms(terms: Terms) -> TradeTerms:
    """How large a trade must be; raises NotCovered where the penalty goes by none."""
    if terms.penalty is None or terms.penalty.trade is None:
        raise NotCovered(
            rule="threshold_shares",
            programme=terms.slug,
            message=f"{terms.name.value}: su sanción no mira operaciones de referencia.",
        )
    return terms.penalty.trade


def trade_step(best: Trade | None, count: int, facts: ReleaseFacts, terms: Terms) -> Step:
    """The reference trade with its size, or that there is none; `count` of them qualify."""
    rule = trade_terms(terms)
    base, whole = _base(terms, Readings(terms))
    _, words = BASES[base]
    least = write_quantity(threshold_shares(terms).value)
    percent = write_exactly(rule.percent)
    if best is None:
        detail = (
            f"ninguna de {least} acciones o más ({percent} % de {write_quantity(whole.value)} "
            f"{words}){_when(facts, terms)}"
        )
        return Step("Operación de referencia", detail, None, "", rule.cite, written="ninguna")
    part = write_cut(Fraction(best.shares * 100, whole.value), TEN_THOUSANDTHS)
    detail = (
        f"{write_date(best.traded_on)}{_place_words(best)}: {write_quantity(best.shares)} "
        f"acciones, {part} % de {write_quantity(whole.value)} {words} (mínimo {percent} %: "
        f"{least}){_among(count)}"
    )
    return Step("Operación de referencia", detail, best.price, PESOS, rule.cite, note="por acción")


def difference_steps(
    difference: Fraction, high: Fraction, facts: ReleaseFacts, cite: str
) -> tuple[Step, ...]:
    """The difference of one share, and where there is one that of all."""
    bought = write_date(facts.purchased)
    one = Step(
        "Diferencia por acción",
        f"{write_price(high)} − {write_price(facts.price)}, precio de compra del {bought}",
        difference,
        PESOS,
        cite,
        written=write_pesos_exactly(difference),
    )
    return (one, *positive_steps(difference, facts))


def positive_steps(one: Fraction, facts: ReleaseFacts) -> tuple[Step, ...]:
    """What one share gives, times the shares of the request; nothing where it gives nothing."""
    if one <= 0:
        return ()
    shares = write_quantity(facts.shares)
    noun = "acción" if facts.shares == 1 else "acciones"
    total = one * facts.shares
    working = f"{shares} × {write_price(one)}"
    return (
        Step(f"Por {shares} {noun}", working, total, PESOS, written=write_pesos_exactly(total)),
    )


def highest(trades: Iterable[Trade]) -> Trade | None:
    """The dearest; of those with one price the first, so that their order does not matter."""
    return max(sorted(trades, key=by_date), key=lambda trade: trade.price, default=None)


def by_date(trade: Trade) -> tuple[object, ...]:
    """By date, then by what tells two trades of one day apart."""
    return (trade.traded_on, trade.reference, trade.shares, trade.price)


def _base(terms: Terms, readings: Readings) -> tuple[str, Cited[int]]:
    """Of which shares the percentage is taken, and how many they are."""
    base = readings.choose("trade_threshold_of")
    field = FIELDS[base]
    whole: Cited[int] | None = getattr(terms, field)
    if whole is None:
        label, _ = BASES[base]
        raise NotCovered(
            rule="threshold_shares",
            programme=terms.slug,
            message=f"{terms.name.value}: no consta cuántas son las {label.lower()}. Las ingresa "
            "el Fondo.",
            missing=(field,),
        )
    return base, whole


def _when(facts: ReleaseFacts, terms: Terms) -> str:
    """In what time a trade would have counted."""
    penalty = terms.penalty
    if penalty is not None and penalty.regime == PenaltyRegime.AUCTION_DIFFERENCE:
        return ", adjudicada en el martillo"
    asked = write_date(facts.asked)
    if Readings(terms).choose("trades_before_auction") == "yes":
        return f" antes del {asked}"
    if facts.auction_on is None:
        return ": no ha habido martillo"
    held = write_date(facts.auction_on)
    if facts.auction_on >= facts.asked:
        return f": se pidió el {asked}, y el martillo es del {held}"
    return f" desde el martillo ({held}) y antes del {asked}"


def _place_words(trade: Trade) -> str:
    words = ("en el martillo" if trade.in_auction else "", trade.reference)
    told = write_list(tuple(word for word in words if word)).replace(" y ", ", ")
    return f", {told}" if told else ""


def _among(count: int) -> str:
    return f"; la de mayor precio entre {count}" if count > 1 else ""
