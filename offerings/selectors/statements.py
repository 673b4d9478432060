"""The statement of a buyer: what was awarded to it, what it owes, paid and got back, on a day."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models import QuerySet

from buyers.models import Buyer, brokers_of
from offerings.enums import DefaultMeasure
from offerings.models import Award, AwardDefault, Payment, Refund
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.payment_terms import last_days
from offerings.selectors.payments import NOTHING_PAID
from offerings.selectors.payments import SHOWN as AWARD_SHOWN
from offerings.selectors.returns import annulment_words, undone_words
from offerings.selectors.standing import runs_ended
from office.lists import inside
from office.models import User
from office.review import ReviewState
from office.roles import Capability

AWARDED, PAID, GIVEN_BACK = "Adjudicación", "Pago", "Devolución"
ANNULLED, UNDONE = "Anulación", "Queda sin efecto"


@dataclass(frozen=True)
class Movement:
    """One row of an award's account: what it adds to what is owed (paid: what it takes off), in
    pesos. `payment`: the one that it is, with its receipt's page."""

    kind: str
    on: date
    amount: Decimal
    means: str = ""
    reference: str = ""
    is_late: bool = False
    excess: Decimal = NOTHING_PAID
    payment: Payment | None = None


@dataclass
class StatementLine:
    """One award on the statement, with its payments and refunds up to the day.

    `nothing_due`: the act by which nothing is due any more, in words; `ended`: its movement,
    which takes off what was awarded. Money in pesos; the movements add up to `net`.
    """

    award: Award
    as_of: date
    last_day: date | None
    reference: str
    nothing_due: str = ""
    ended: Movement | None = None
    claimed_on: date | None = None
    payments: list[Payment] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)

    def end(self, kind: str, on: date, words: str) -> None:
        """Say that an act left nothing due; the first one counts."""
        if self.ended is None or on < self.ended.on:
            self.ended = Movement(kind, on, -self.awarded)
            self.nothing_due = words

    @property
    def awarded(self) -> Decimal:
        """The price of what was awarded, also where nothing of it is due any more."""
        return self.award.total

    @property
    def cancelled(self) -> Decimal:
        """What of it an act took off again."""
        return self.awarded if self.ended else NOTHING_PAID

    @property
    def due(self) -> Decimal:
        return self.awarded - self.cancelled

    @property
    def received(self) -> Decimal:
        return sum((one.amount for one in self.payments), NOTHING_PAID)

    @property
    def returned(self) -> Decimal:
        return sum((one.amount for one in self.refunds), NOTHING_PAID)

    @property
    def net(self) -> Decimal:
        """What all movements add up to: what is owed or, below zero, to be given back."""
        return self.due - self.received + self.returned

    @property
    def balance(self) -> Decimal:
        return max(self.net, NOTHING_PAID)

    @property
    def to_return(self) -> Decimal:
        return max(-self.net, NOTHING_PAID)

    @property
    def movements(self) -> list[Movement]:
        """The account in the order of its days."""
        rows = [
            Movement(AWARDED, self.award.adjudication.session_on, self.awarded),
            *map(self._paid, self.payments),
            *([self.ended] if self.ended else []),
            *map(_given_back, self.refunds),
        ]
        return sorted(rows, key=lambda row: row.on)

    def _paid(self, payment: Payment) -> Movement:
        return Movement(
            PAID,
            payment.paid_on,
            -payment.amount,
            payment.get_means_display(),
            payment.reference,
            is_late=bool(self.last_day and payment.paid_on > self.last_day),
            excess=payment.excess,
            payment=payment,
        )

    @property
    def is_overdue(self) -> bool:
        return bool(self.last_day and self.last_day < self.as_of and self.balance)

    @property
    def tags(self) -> list[str]:
        """How it stands, in the words of the tags."""
        if self.ended:
            found = ["Anulada" if self.ended.kind == ANNULLED else "Sin efecto"]
        elif not self.balance:
            found = ["Pagada"]
        else:
            found = ["Pago parcial" if self.received else "Sin pago"]
        if self.is_overdue:
            found.append("Vencida")
        if self.claimed_on and self.balance:
            found.append("Reclamada")
        return [*found, "Por devolver"] if self.to_return else found

    @property
    def standing(self) -> str:
        """The same as one phrase: "Pagada, por devolver"."""
        first, *others = self.tags
        return ", ".join([first, *map(inside, others)])


def _given_back(refund: Refund) -> Movement:
    means = refund.get_means_display()
    return Movement(GIVEN_BACK, refund.paid_on, refund.amount, means, refund.reference)


@dataclass(frozen=True)
class Statement:
    """All the lines of a buyer that somebody may see, and their sums."""

    buyer: Buyer
    as_of: date
    lines: list[StatementLine]

    def total(self, name: str) -> Decimal:
        return sum((getattr(line, name) for line in self.lines), NOTHING_PAID)

    @property
    def awarded(self) -> Decimal:
        return self.total("awarded")

    @property
    def cancelled(self) -> Decimal:
        return self.total("cancelled")

    @property
    def due(self) -> Decimal:
        return self.total("due")

    @property
    def received(self) -> Decimal:
        return self.total("received")

    @property
    def returned(self) -> Decimal:
        return self.total("returned")

    @property
    def balance(self) -> Decimal:
        return self.total("balance")

    @property
    def to_return(self) -> Decimal:
        return self.total("to_return")


def statement_of(buyer: Buyer, user: User, as_of: date) -> Statement:
    """The buyer's statement on a day, whole for staff; for a broker, of what it presented.

    An act counts from its own legal day; as many queries for ten awards as for one.
    """
    awards = list(_awards(buyer, user).filter(adjudication__session_on__lte=as_of))
    days = last_days(award.adjudication for award in awards)
    lines = {
        award.pk: StatementLine(
            award, as_of, days[award.adjudication_id], payment_reference(award.pk)
        )
        for award in awards
    }
    for payment in _until(Payment, lines, as_of).order_by("paid_on", "pk"):
        lines[payment.award_id].payments.append(payment)
    for refund in _until(Refund, lines, as_of).order_by("paid_on", "pk"):
        lines[refund.award_id].refunds.append(refund)
    _add_defaults(lines, as_of)
    _add_annulments(lines.values(), as_of)
    return Statement(buyer, as_of, list(lines.values()))


def _awards(buyer: Buyer, user: User) -> QuerySet[Award]:
    awards = (
        Award.objects.filter(
            acceptance__participation__buyer=buyer,
            adjudication__review_state=ReviewState.APPROVED,
            awarded__gt=0,
        )
        .select_related(*AWARD_SHOWN)
        .order_by("adjudication__session_on", "pk")
    )
    if user.may(Capability.READ):
        return awards
    return awards.filter(acceptance__broker__in=brokers_of(user))


def _until(model: type, lines: dict[int, StatementLine], as_of: date) -> QuerySet:
    return model.objects.filter(award__in=lines, paid_on__lte=as_of)


def _add_defaults(lines: dict[int, StatementLine], as_of: date) -> None:
    """What was decided about the awards by the day: claims, and those left without effect."""
    decided = AwardDefault.objects.filter(
        award__in=lines, review_state=ReviewState.APPROVED, decided_on__lte=as_of
    )
    for act in decided:
        if act.measure == DefaultMeasure.UNDO:
            lines[act.award_id].end(UNDONE, act.decided_on, undone_words(act))
        else:
            lines[act.award_id].claimed_on = act.decided_on


def _add_annulments(lines: Iterable[StatementLine], as_of: date) -> None:
    """The acts that had annulled their adjudications by the day."""
    ended = runs_ended({line.award.adjudication_id for line in lines})
    for line in lines:
        end = ended.get(line.award.adjudication_id)
        if end is not None and end.on <= as_of:
            line.end(ANNULLED, end.on, annulment_words(end.act, line.award.adjudication.code))
