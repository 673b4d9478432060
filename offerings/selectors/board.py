"""The board's view of a stage at the end of a day: what is due, paid, to be given back, issued.

All of it as it stood on that day: what an act of a later day annulled or left without effect was
still due, and what was paid later was not paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Case, Count, Exists, F, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Greatest, Least

from buyers.enums import BuyerClass
from offerings.models import Adjudication, Award, Payment, Refund, Stage
from offerings.selectors.certificates import ALLOTMENT, NOTICE
from offerings.selectors.payments import MONEY, NOTHING_PAID, PRICE, sum_of
from offerings.selectors.standing import awards_standing, runs_standing, undone_until
from office.models import Certificate
from office.review import ReviewState

CLASS = "acceptance__participation__buyer_class"


@dataclass(frozen=True)
class ClassMoney:
    """What a class owes and what of it was paid, in pesos."""

    label: str
    awards: int
    due: Decimal
    paid: Decimal

    @property
    def balance(self) -> Decimal:
        """What is left to pay."""
        return self.due - self.paid


@dataclass(frozen=True)
class Papers:
    """Notices or certificates: how many were due, how many stood issued."""

    label: str
    wanted: int
    issued: int

    @property
    def missing(self) -> int:
        """How many were still to be issued."""
        return self.wanted - self.issued


@dataclass(frozen=True)
class Amount:
    """So many awards, and pesos."""

    awards: int
    amount: Decimal


def money_by_class(run: Adjudication, day: date) -> list[ClassMoney]:
    """What is due for a result, class by class, and what was paid until the end of `day`."""
    owed = (
        _owing(run, day)
        .order_by()
        .values(CLASS)
        .annotate(count=Count("pk"), total=Sum("due"), settled=Sum("paid"))
    )
    found = [
        ClassMoney(BuyerClass(row[CLASS]).plural, row["count"], row["total"], row["settled"])
        for row in owed
    ]
    return sorted(found, key=lambda row: (-row.due, row.label))


def _owing(run: Adjudication, day: date) -> QuerySet[Award]:
    """What stood of a result, with `due` and `paid` by the end of `day`, in pesos."""
    received = sum_of(Payment, F("amount"), until=day)
    return awards_standing(run, day).annotate(due=PRICE, paid=Least(received, PRICE))


def money_total(rows: Sequence[ClassMoney]) -> ClassMoney:
    """The last row of the table of money."""
    return ClassMoney(
        label="Total",
        awards=sum(row.awards for row in rows),
        due=sum((row.due for row in rows), NOTHING_PAID),
        paid=sum((row.paid for row in rows), NOTHING_PAID),
    )


def paid_in_full(run: Adjudication, day: date) -> int:
    """How many awards were wholly paid by the end of `day`."""
    return _owing(run, day).filter(paid=F("due")).count()


def left_without_effect(run: Adjudication, day: date) -> Amount:
    """What of a result an act had left without effect by the end of `day`."""
    undone = run.awards.filter(awarded__gt=0).exclude(pk__in=awards_standing(run, day))
    return _amount(undone.annotate(total=PRICE))


def money_to_return(stage: Stage, day: date) -> Amount:
    """What was to be given back by the end of `day`: paid over, or for what no longer stood, also
    in the versions before."""
    awards = Award.objects.filter(
        adjudication__stage=stage, adjudication__review_state=ReviewState.APPROVED, awarded__gt=0
    )
    holds = Q(adjudication__in=runs_standing(day)) & ~Exists(undone_until(day))
    due = Case(
        When(holds, then=PRICE),
        default=Value(NOTHING_PAID),
        output_field=MONEY,
    )
    held = sum_of(Payment, F("amount"), until=day) - sum_of(Refund, F("amount"), until=day)
    owed = awards.annotate(total=Greatest(held - due, Value(NOTHING_PAID), output_field=MONEY))
    return _amount(owed.filter(total__gt=0))


def _amount(awards: QuerySet[Award]) -> Amount:
    found = awards.order_by().aggregate(count=Count("pk"), amount=Sum("total"))
    return Amount(found["count"], found["amount"] or NOTHING_PAID)


def papers_issued(run: Adjudication, day: date, *, paid: int) -> list[Papers]:
    """Notices and certificates that stood issued at the end of `day`."""
    due = awards_standing(run, day)
    return [
        Papers("Constancias de adjudicación", due.count(), _issued(due, NOTICE, day)),
        Papers("Certificados de adjudicación", paid, _issued(due, ALLOTMENT, day)),
    ]


def _issued(awards: QuerySet[Award], kind: str, day: date) -> int:
    later = Q(annulled_on=None) | Q(annulled_on__gt=day)
    certificates = Certificate.objects.filter(
        later,
        series__kind=kind,
        legal_date__lte=day,
        issued_for__award__in=awards.order_by().values("pk"),
    )
    return certificates.count()
