"""What a decree says, as the rules read it: frozen, exact, every value with its clause.

The TOML files of offerings/decrees have this very shape; `offerings.decrees.reader.terms_of`
gives the terms of a programme. An absent value (None) is a gap: the rule that needs it raises
NotCovered; it is never zero and never "no limit".
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from offerings.rules.cited import Cited as Cited
from offerings.rules.cited import Reading as Reading
from offerings.rules.penalty_terms import BasePriceTerms, PenaltyTerms, PledgeTerms


class Base(StrEnum):
    """The figure that a limit multiplies, or the cap in shares."""

    GROSS_EQUITY = "gross_equity"
    NET_EQUITY = "net_equity"
    ANNUAL_INCOME = "annual_income"
    ANNUAL_REMUNERATION = "annual_remuneration"
    STATUTORY_LIMIT = "statutory_limit"
    SHARE_CAP = "share_cap"


class Withdrawal(StrEnum):
    """When an acceptance can be withdrawn."""

    NEVER = "never"
    FUND_RULES = "fund_rules"
    AFTER_VALIDITY = "after_validity"


class PledgeRank(StrEnum):
    """The rank of the Fund's pledge."""

    FIRST = "first"
    SECOND = "second"
    FIRST_OR_SECOND = "first_or_second"
    NONE = "none"


class NoticeCode(StrEnum):
    """A sentence that screens and certificates must show."""

    ACCEPTANCE_BINDS = "acceptance_binds"
    FALSE_CLASS = "false_class"
    NOT_SOLD = "not_sold"
    NO_PREEMPTION = "no_preemption"


@dataclass(frozen=True)
class ClassGroup:
    """Classes that one clause names."""

    codes: tuple[BuyerClass, ...]
    cite: str
    note: str = ""


@dataclass(frozen=True)
class ClassTerms:
    """Who may buy in stage 1. complete: the list is the whole one, not a fragment's."""

    complete: bool
    groups: tuple[ClassGroup, ...]
    cite: str


@dataclass(frozen=True)
class StageTerms:
    """Stage 1: its length in months, its latest day, and what must stand before it opens."""

    months: Cited[int] | None = None
    latest_day: Cited[date] | None = None
    credit_line: Cited[bool] | None = None
    public_notice: Cited[bool] | None = None

    @property
    def needs_credit_line(self) -> bool:
        """Whether the decree, or the Fund, asks for a line of credit before the stage opens."""
        return self.credit_line is not None and self.credit_line.value


@dataclass(frozen=True)
class Scope:
    """Buyers whom an article covers: of this kind and, if listed, of these classes."""

    kind: BuyerKind
    cite: str
    classes: tuple[BuyerClass, ...] = ()
    note: str = ""

    def covers(self, kind: BuyerKind, buyer_class: BuyerClass | None) -> bool:
        """Whether a buyer falls under it."""
        return kind == self.kind and (not self.classes or buyer_class in self.classes)


@dataclass(frozen=True)
class Limb:
    """One limit: `multiple` times a base in pesos, or a cap in `shares`, and for whom.

    A condition that is absent does not narrow it. label: how the product reads in Spanish.
    members_below: only for organisations with fewer members. less_held_through_others: shares
    held through others come off.
    """

    base: Base
    label: str
    cite: str
    kind: BuyerKind
    multiple: Decimal | None = None
    shares: int | None = None
    files_tax_return: bool | None = None
    executive: bool | None = None
    classes: tuple[BuyerClass, ...] = ()
    members_below: int | None = None
    less_held_through_others: bool = False
    note: str = ""


@dataclass(frozen=True)
class LimitTerms:
    """The article on limits: whom it covers, its limbs in the article's order, its readings.

    over_limit: cut | reject. executive_limit: added | instead_of_income.
    """

    scopes: tuple[Scope, ...]
    limbs: tuple[Limb, ...]
    over_limit: Reading
    executive_limit: Reading | None = None


@dataclass(frozen=True)
class DocumentTerm:
    """A document that the decree asks for: one of `kinds`, for whom, of which tax years.

    years: in order; the last one that the buyer has filed counts. None listed = any year.
    year_before_stage: of the calendar year before the stage opened. figures: what it must state.
    """

    kinds: tuple[DocumentKind, ...]
    label: str
    cite: str
    kind: BuyerKind | None = None
    files_tax_return: bool | None = None
    executive: bool | None = None
    years: tuple[int, ...] = ()
    year_before_stage: bool = False
    figures: tuple[Base, ...] = ()
    members: bool = False
    note: str = ""


@dataclass(frozen=True)
class DeclarationTerm:
    """A commitment of the buyer: express (in writing), or inferred from presenting."""

    kind: DeclarationKind
    express: bool
    cite: str
    note: str = ""


@dataclass(frozen=True)
class DocumentTerms:
    """Documents and declarations, and the buyers for whom the text that we hold lists them."""

    scopes: tuple[Scope, ...]
    required: tuple[DocumentTerm, ...]
    declarations: tuple[DeclarationTerm, ...]


@dataclass(frozen=True)
class AuthorisationTerms:
    """The share of the issuer, in per cent, from which prior authorisation is needed."""

    percent: Decimal
    cite: str
    note: str = ""


@dataclass(frozen=True)
class AdjudicationTerms:
    """How stage 1 is adjudicated, clause by clause.

    readmit_left_out: no | yes (what stays unsold goes whole, in order of receipt, to those left
    out for refusing a reduction whom it meets in full). completes_contract: the sale is made with
    the adjudication, so that its day is that of the purchase.
    """

    valid_cite: str
    in_full_cite: str
    consent_cite: str
    pro_rata_cite: str
    readmit_left_out: Reading
    note: str = ""
    completes_contract: Cited[bool] | None = None


@dataclass(frozen=True)
class PaymentTerms:
    """Days after the adjudication within which the price is paid, against a guarantee or not."""

    days: int
    guarantee: bool
    cite: str
    note: str = ""


@dataclass(frozen=True)
class LockUpTerms:
    """Months, from the purchase, in which the shares may not be transferred."""

    months: int
    cite: str
    note: str = ""


@dataclass(frozen=True)
class Repeal:
    """A decree that this one repeals; `programme` is its slug where we hold it, else ""."""

    decree: str
    cite: str
    programme: str = ""


@dataclass(frozen=True)
class Notice:
    """A sentence to show, with its clause."""

    code: NoticeCode
    text: str
    cite: str


@dataclass(frozen=True)
class TextNote:
    """A slip in the decree's text and how it is read; staff see it."""

    text: str
    cite: str


@dataclass(frozen=True)
class Ask:
    """What the decree leaves to the Fund: a key of offerings.decrees.fund_values.FUND_KEYS.

    why: Spanish, what it is needed for; required: the stage cannot open without it. choices:
    of the key's choices, those that the decree admits; none listed = all.
    """

    key: str
    cite: str
    why: str
    required: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Terms:
    """All that is in force for a programme: its decree and the Fund's values on top."""

    slug: str
    name: Cited[str]
    title: Cited[str]
    decree: Cited[str]
    issuer: Cited[str]
    classes: ClassTerms
    limits: LimitTerms
    documents: DocumentTerms
    lock_up: LockUpTerms
    stage: StageTerms = StageTerms()
    executives: Cited[str] | None = None
    seller: Cited[str] | None = None
    published: Cited[date] | None = None
    shares: Cited[int] | None = None
    outstanding: Cited[int] | None = None
    price: Cited[Decimal] | None = None
    through_broker: Cited[bool] | None = None
    authorisation: AuthorisationTerms | None = None
    adjudication: AdjudicationTerms | None = None
    payment: PaymentTerms | None = None
    pledge_rank: Cited[PledgeRank] | None = None
    pledge_terms: Cited[str] | None = None
    pledge: PledgeTerms | None = None
    penalty: PenaltyTerms | None = None
    base_price: BasePriceTerms | None = None
    withdrawal: Cited[Withdrawal] | None = None
    withdrawal_allowed: Cited[bool] | None = None
    minimum_validity_days: Cited[int] | None = None
    signatory_name: Cited[str] | None = None
    signatory_title: Cited[str] | None = None
    repeals: tuple[Repeal, ...] = ()
    notices: tuple[Notice, ...] = ()
    notes: tuple[TextNote, ...] = ()
    asks: tuple[Ask, ...] = ()
