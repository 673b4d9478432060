"""What a decree says of the pledge, of who leaves early and of the auction's base price.

Part of the terms (offerings.rules.terms); the TOML sections [pledge], [penalty] and [base_price]
have this shape.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from offerings.rules.cited import Cited, Reading


class PenaltyRegime(StrEnum):
    """How leaving early is paid for.

    AUCTION_DIFFERENCE: what a large award of the auction cost over the purchase price.
    INDEXED_DIFFERENCE: what a large trade cost over it, with the CPI, cut month by month; or a
    percentage for each month that remains. SEMESTERS: a percentage of the greater of two values.
    """

    AUCTION_DIFFERENCE = "auction_difference"
    INDEXED_DIFFERENCE = "indexed_difference"
    SEMESTERS = "semesters"


@dataclass(frozen=True)
class PledgeTerms:
    """What the decree says of the pledge beside its rank, each in a sentence with its clause.

    cite: the clause that orders the pledge, or the commitments that it would secure.
    early_exit: what counts as leaving early; inheritance: why it does not. shareholder_rights:
    when the Fund exercises them; lender_may_call: that an early sale lets the lender call the
    loan; None = the text says nothing of it.
    """

    early_exit: Cited[str]
    inheritance: Cited[str]
    cite: str
    note: str = ""
    shareholder_rights: Cited[str] | None = None
    lender_may_call: Cited[str] | None = None


@dataclass(frozen=True)
class TradeTerms:
    """How large one trade must be, in per cent of the shares, for its price to count."""

    percent: Decimal
    cite: str
    note: str = ""


@dataclass(frozen=True)
class ReductionTerm:
    """What comes off for each month from `first_month` to `last_month`, in per cent."""

    first_month: int
    last_month: int
    percent: Decimal
    cite: str
    note: str = ""


@dataclass(frozen=True)
class MonthlyTerms:
    """The percentage of the purchase price for each month that remains.

    days: those of a month, for a part of one, where the reading is `thirty`.
    """

    percent: Decimal
    days: int
    cite: str
    note: str = ""


@dataclass(frozen=True)
class SemesterRate:
    """The percentage of one semester."""

    percent: Decimal
    cite: str


@dataclass(frozen=True)
class SemesterTerms:
    """Semesters of `months` counted from the purchase, and the rate of each, in their order."""

    months: int
    rates: tuple[SemesterRate, ...]
    cite: str
    note: str = ""


@dataclass(frozen=True)
class PenaltyReadings:
    """The readings of the penalty, by name; None = the regime does not need it.

    cpi_factor: decree_window | lagged. trade_index_from: purchase | trade. reduction_month:
    running | completed. month_fraction: thirty | actual. reduction_on_monthly: no | yes.
    on_negative: none | monthly. trade_threshold_of: outstanding | offered.
    trades_before_auction: no | yes.
    """

    cpi_factor: Reading | None = None
    trade_index_from: Reading | None = None
    reduction_month: Reading | None = None
    month_fraction: Reading | None = None
    reduction_on_monthly: Reading | None = None
    on_negative: Reading | None = None
    trade_threshold_of: Reading | None = None
    trades_before_auction: Reading | None = None


@dataclass(frozen=True)
class PenaltyTerms:
    """The penalty of whoever leaves before the term: its regime and what that regime needs."""

    regime: PenaltyRegime
    cite: str
    note: str = ""
    trade: TradeTerms | None = None
    index: Cited[str] | None = None
    reduction: tuple[ReductionTerm, ...] = ()
    monthly: MonthlyTerms | None = None
    semesters: SemesterTerms | None = None
    readings: PenaltyReadings = PenaltyReadings()


@dataclass(frozen=True)
class BasePriceTerms:
    """That the auction's base price is the fixed price moved by the CPI."""

    cite: str
    note: str = ""
