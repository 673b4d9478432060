"""The statement of a buyer: what was awarded to it, what it owes, paid and got back, on a day."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models import QuerySet

from buyers.models import Buyer, brokers_of
from offerings.enums import DefaultMeasure
from offerings.models import AdjudicationAnnulment, Award, AwardDefault, Payment, Refund
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.payment_terms import last_days
from offerings.selectors.payments import NOTHING_PAID
from offerings.selectors.payments import SHOWN as AWARD_SHOWN
from offerings.selectors.returns import annulment_words, undone_words
from office.models import User
from office.review import ReviewState
from office.roles import Capability


@dataclass
class StatementLine:
    """One award on the statement, with its payments and refunds up to the day.

    `nothing_due`: the act by which nothing is due any more, in words. Money in pesos.
    """

    award: Award
    as_of: date
    last_day: date | None
    reference: str
    nothing_due: str = ""
    claimed_on: date | None = None
    payments: list[Payment] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)

    @property
    def due(self) -> Decimal:
        return NOTHING_PAID if self.nothing_due else self.award.total

    @property
    def received(self) -> Decimal:
        return sum((one.amount for one in self.payments), NOTHING_PAID)

    @property
    def applied(self) -> Decimal:
        """What of the payments counts for what is due."""
        if self.nothing_due:
            return NOTHING_PAID
        return sum((one.amount - one.excess for one in self.payments), NOTHING_PAID)

    @property
    def returned(self) -> Decimal:
        return sum((one.amount for one in self.refunds), NOTHING_PAID)

    @property
    def balance(self) -> Decimal:
        return self.due - self.applied

    @property
    def to_return(self) -> Decimal:
        return self.received - self.applied - self.returned

    @property
    def is_overdue(self) -> bool:
        return bool(self.last_day and self.last_day < self.as_of and self.balance)

    def is_late(self, payment: Payment) -> bool:
        return bool(self.last_day and payment.paid_on > self.last_day)

    @property
    def tags(self) -> list[str]:
        """How it stands, in the words of the tags."""
        if self.nothing_due:
            found = ["Anulada" if self.award.adjudication.annulled_at else "Sin efecto"]
        elif not self.balance:
            found = ["Pagada"]
        else:
            found = ["Pago parcial" if self.applied else "Sin pago"]
        if self.is_overdue:
            found.append("Vencida")
        if self.claimed_on and self.balance:
            found.append("Reclamada")
        return [*found, "Por devolver"] if self.to_return else found


@dataclass(frozen=True)
class Statement:
    """All the lines of a buyer that somebody may see, and their sums."""

    buyer: Buyer
    as_of: date
    lines: list[StatementLine]

    def total(self, name: str) -> Decimal:
        return sum((getattr(line, name) for line in self.lines), NOTHING_PAID)

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
    _add_acts(lines, as_of)
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


def _add_acts(lines: dict[int, StatementLine], as_of: date) -> None:
    """What was decided about the awards by the day: claims, those undone, those annulled."""
    decided = AwardDefault.objects.filter(
        award__in=lines, review_state=ReviewState.APPROVED, decided_on__lte=as_of
    )
    for act in decided:
        if act.measure == DefaultMeasure.UNDO:
            lines[act.award_id].nothing_due = undone_words(act)
        else:
            lines[act.award_id].claimed_on = act.decided_on
    annulled = AdjudicationAnnulment.objects.filter(
        adjudication__in={line.award.adjudication_id for line in lines.values()},
        review_state=ReviewState.APPROVED,
        act_on__lte=as_of,
    )
    by_run = defaultdict(list)
    for line in lines.values():
        by_run[line.award.adjudication_id].append(line)
    for act in annulled:
        for line in by_run[act.adjudication_id]:
            line.nothing_due = annulment_words(act, line.award.adjudication.code)
