"""The facts of an early exit, what the rule answers, and the month in which it is asked."""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from offerings.rules.cpi import Cpi, Month
from offerings.rules.months import last_day, running_month
from offerings.rules.ruling import FactError, NotCovered, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import write_date


class Basis(StrEnum):
    """What an amount rests on; a semester is "semester N", see `semester_basis`."""

    DIFFERENCE = "difference"
    MONTHLY = "monthly"
    NONE = "none"
    MATURED = "matured"
    DECISION = "decision"


def semester_basis(number: int) -> str:
    """The basis of a semester: "semester 2"."""
    return f"semester {number}"


@dataclass(frozen=True)
class Trade:
    """One trade of the issuer's shares, or, in the auction, what one purchase was awarded.

    reference: how it is told apart and cited (its number in the Fund's table).
    """

    traded_on: date
    price: Decimal
    shares: int
    in_auction: bool = False
    reference: str = ""

    def as_data(self) -> dict[str, Any]:
        """The trade as JSON can hold it."""
        return {
            "traded_on": self.traded_on.isoformat(),
            "price": str(self.price),
            "shares": self.shares,
            "in_auction": self.in_auction,
            "reference": self.reference,
        }


@dataclass(frozen=True)
class ReleaseFacts:
    """Who leaves with how many shares, when, and what was traded meanwhile.

    shares: those of this request. price: paid for each. asked: the day of the request; of a
    breach that is assessed without one, the day of the transfer. auction_on: the day of the
    auction, None while none was held. sale_price, sold_on: of the early sale, where proved.
    """

    shares: int
    price: Decimal
    purchased: date
    asked: date
    auction_on: date | None = None
    trades: tuple[Trade, ...] = ()
    cpi: Cpi = field(default_factory=dict)
    sale_price: Decimal | None = None
    sold_on: date | None = None

    def as_data(self) -> dict[str, Any]:
        """The facts as JSON can hold them, to be frozen with what came of them."""
        return {
            "shares": self.shares,
            "price": str(self.price),
            "purchased": self.purchased.isoformat(),
            "asked": self.asked.isoformat(),
            "auction_on": _day(self.auction_on),
            "trades": [trade.as_data() for trade in self.trades],
            "cpi": {str(month): str(index) for month, index in sorted(self.cpi.items())},
            "sale_price": _text(self.sale_price),
            "sold_on": _day(self.sold_on),
        }


@dataclass(frozen=True)
class ReleasePenalty:
    """What is owed, and what a certificate states of it.

    amount: pesos, two decimals. basis: of Basis, or "semester N". month: running when asked.
    last_day: of the term. cpi: the months used with their indices. paid_percent: what is left
    after the reduction. remaining: months that remain, exact, where they are what is paid for.
    """

    amount: Decimal
    basis: str
    month: int
    last_day: date
    reference: Trade | None = None
    threshold: int | None = None
    cpi: tuple[tuple[Month, Decimal], ...] = ()
    factor: Fraction | None = None
    difference: Fraction | None = None
    reduction_percent: Decimal | None = None
    paid_percent: Decimal | None = None
    remaining: Fraction | None = None
    semester: int | None = None

    def as_data(self) -> dict[str, Any]:
        """The answer as JSON can hold it, exact: fractions as "a/b", dates as ISO."""
        return {
            "amount": str(self.amount),
            "basis": str(self.basis),
            "month": self.month,
            "last_day": self.last_day.isoformat(),
            "reference": self.reference.as_data() if self.reference else None,
            "threshold": self.threshold,
            "cpi": [{"month": str(month), "index": str(index)} for month, index in self.cpi],
            "factor": _text(self.factor),
            "difference": _text(self.difference),
            "reduction_percent": _text(self.reduction_percent),
            "paid_percent": _text(self.paid_percent),
            "remaining": _text(self.remaining),
            "semester": self.semester,
        }


class DecisionNeeded(NotCovered):
    """No rule answers: the Fund decides, with its reason and a second person's approval.

    month and last_day are those of the request; the basis of what it decides is `decision`.
    """

    basis = Basis.DECISION

    def __init__(self, *, programme: str, message: str, month: int, last_day: date) -> None:
        """Keep what is known of the request beside the message."""
        super().__init__(rule="release_penalty", programme=programme, message=message)
        self.month = month
        self.last_day = last_day


@dataclass(frozen=True)
class Timing:
    """When the request falls: its month, the last day of the term, whether that is over, and the
    step that shows the month.
    """

    month: int
    last_day: date
    over: bool
    step: Step


def timing(facts: ReleaseFacts, terms: Terms) -> Timing:
    """The running month of the request; whether the term is over goes by `exit_day`.

    "dentro de los dos (2) años inmediatamente siguientes a la fecha de compra": a request on
    the last day is still early, the next day is free.
    """
    months = terms.lock_up.months
    end = last_day(facts.purchased, months)
    month = running_month(facts.purchased, facts.asked)
    opens = month_start(facts.purchased, month)
    closes = last_day(facts.purchased, month)
    over = exit_day(facts, terms) > end
    detail = (
        f"el {write_date(facts.asked)} cae entre el {write_date(opens)} y el "
        f"{write_date(closes)}; cada aniversario cierra su mes"
    )
    step = Step(
        "Mes en que se pide",
        detail,
        month,
        "mes",
        terms.lock_up.cite,
        written=f"mes {month}",
        note=f"de {months}" if month <= months else "",
    )
    return Timing(month, end, over, step)


def month_start(purchased: date, month: int) -> date:
    """The first day of a month of the term: the day after the anniversary that closed the last."""
    if month == 1:
        return purchased
    return last_day(purchased, month - 1) + timedelta(days=1)


def exit_day(facts: ReleaseFacts, terms: Terms) -> date:
    """The day that counts: of the sale, where the penalty goes by it and it is proved."""
    if by_sale(terms) and facts.sold_on is not None:
        return facts.sold_on
    return facts.asked


def by_sale(terms: Terms) -> bool:
    """Whether the penalty goes by the day and the price of the sale."""
    return terms.penalty is not None and terms.penalty.semesters is not None


KNOWN_LATE = (
    "La enajenación fue dentro del plazo y se supo después de él: se liquida como si se hubiera "
    "pedido el día en que se hizo."
)


def known_late(facts: ReleaseFacts, terms: Terms) -> ReleaseFacts | None:
    """The facts as of the day of a sale inside the term that came out after it; else None.

    "si decide enajenarlas a cualquier título antes de ese plazo, pagará" (Decreto 1118 de 1995,
    art. 6-4): that nobody asked in time does not make it free. Where the penalty goes by the sale
    itself nothing needs to be moved.
    """
    end = last_day(facts.purchased, terms.lock_up.months)
    if facts.sold_on is None or by_sale(terms) or not facts.sold_on <= end < facts.asked:
        return None
    return replace(facts, asked=facts.sold_on)


def matured(facts: ReleaseFacts, when: Timing, terms: Terms) -> Ruling[ReleasePenalty]:
    """Nothing is owed once the term is over."""
    value = ReleasePenalty(Decimal("0.00"), Basis.MATURED, when.month, when.last_day)
    end = Step(
        "Fin del plazo",
        f"{terms.lock_up.months} meses desde la compra del {write_date(facts.purchased)}",
        when.last_day,
        "",
        terms.lock_up.cite,
    )
    total = Step("Total por pagar", "el plazo ya terminó", value.amount, "pesos")
    conclusion = f"El plazo terminó el {write_date(when.last_day)}: no se causa sanción."
    return Ruling(value, (when.step, end, total), (), conclusion)


def check_facts(facts: ReleaseFacts) -> None:
    """Refuse facts that cannot be, each at its name."""
    if facts.shares < 1:
        raise FactError("shares", "Escriba cuántas acciones se piden: una o más.")
    if facts.price <= 0:
        raise FactError("price", "El precio de compra debe ser mayor que cero.")
    if facts.asked < facts.purchased:
        raise FactError(
            "asked",
            f"La solicitud ({write_date(facts.asked)}) es anterior a la compra "
            f"({write_date(facts.purchased)}): revise su fecha.",
        )
    _check_sale(facts)


def _check_sale(facts: ReleaseFacts) -> None:
    if facts.sale_price is not None and facts.sale_price <= 0:
        raise FactError("sale_price", "El precio de venta debe ser mayor que cero.")
    if facts.sold_on is None:
        return
    sold = write_date(facts.sold_on)
    if facts.sold_on < facts.purchased:
        raise FactError(
            "sold_on",
            f"La venta ({sold}) es anterior a la compra ({write_date(facts.purchased)}): revise "
            "su fecha.",
        )
    if facts.sold_on > facts.asked:
        raise FactError(
            "sold_on",
            f"La venta ({sold}) es posterior a la solicitud ({write_date(facts.asked)}): una "
            "venta que no se ha hecho no se prueba todavía.",
        )


def _day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()


def _text(value: Decimal | Fraction | None) -> str | None:
    return None if value is None else str(value)
