"""What the reports on a stage hold: results, the list for the share register, the board's view.

Each starts from one stage, so that a report on one programme shows that programme alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from buyers.enums import BuyerClass
from buyers.models import Broker, Exchange, brokers_of
from offerings.models import Adjudication, Award, Payment, Stage
from offerings.selectors.certificates import ALLOTMENT, NOTICE
from offerings.selectors.payments import APPLIED, PAID, VIEWS, awards_due
from office.dates import end_of_day
from office.models import Certificate, User
from office.roles import Capability

NOTHING = Decimal("0.00")
CLASS = "acceptance__participation__buyer_class"


def run_in_force(stage: Stage) -> Adjudication | None:
    """The result that the reports tell: approved and not annulled."""
    runs = stage.adjudications.in_force().select_related("stage__programme", "exchange")
    return runs.first()


def results_listed(run: Adjudication) -> QuerySet[Award]:
    """Every line of a result in order of receipt, with what a report shows of it."""
    return run.awards.select_related(
        "acceptance__stage",
        "acceptance__participation__buyer",
        "acceptance__broker",
        "acceptance__exchange",
    ).order_by("acceptance__received_at", "acceptance__serial")


def stage_exchanges(stage: Stage) -> QuerySet[Exchange]:
    """The exchanges through which acceptances of the stage came."""
    return Exchange.objects.filter(pk__in=stage.acceptances.values("exchange")).order_by("name")


def stage_brokers(stage: Stage, user: User) -> QuerySet[Broker]:
    """The brokers that presented in the stage: all of them for staff, for a broker its own."""
    brokers = Broker.objects.filter(pk__in=stage.acceptances.values("broker")).order_by("name")
    if user.may(Capability.READ):
        return brokers
    return brokers.filter(pk__in=brokers_of(user))


def register_listed(stage: Stage) -> QuerySet[Award]:
    """What the share register writes down: the stage's awards in force that are wholly paid."""
    return (
        awards_due()
        .filter(VIEWS[PAID], acceptance__stage=stage)
        .select_related("acceptance__stage", "acceptance__participation__buyer")
        .annotate(paid_on=Max("payments__paid_on"))
        .order_by("acceptance__serial")
    )


# The board's view of a stage at the end of a day


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


def money_by_class(run: Adjudication, day: date) -> list[ClassMoney]:
    """What is due for a result, class by class, and what was paid until the end of `day`."""
    due = awards_due().filter(adjudication=run)
    owed = due.order_by().values(CLASS).annotate(count=Count("pk"), total=Sum("due"))
    payments = Payment.objects.filter(award__in=due.values("pk"), paid_on__lte=day)
    paid = dict(payments.order_by().values_list(f"award__{CLASS}").annotate(total=Sum(APPLIED)))
    found = [
        ClassMoney(
            label=BuyerClass(row[CLASS]).plural,
            awards=row["count"],
            due=row["total"],
            paid=paid.get(row[CLASS], NOTHING),
        )
        for row in owed
    ]
    return sorted(found, key=lambda row: (-row.due, row.label))


def money_total(rows: Sequence[ClassMoney]) -> ClassMoney:
    """The last row of the table of money."""
    return ClassMoney(
        label="Total",
        awards=sum(row.awards for row in rows),
        due=sum((row.due for row in rows), NOTHING),
        paid=sum((row.paid for row in rows), NOTHING),
    )


def paid_in_full(run: Adjudication, day: date) -> int:
    """How many awards were wholly paid by the end of `day`."""
    counted = Sum(
        F("payments__amount") - F("payments__excess"), filter=Q(payments__paid_on__lte=day)
    )
    awards = awards_due().filter(adjudication=run).annotate(by_then=counted)
    return awards.filter(by_then=F("due")).count()


def papers_issued(run: Adjudication, day: date, *, paid: int) -> list[Papers]:
    """Notices and certificates that stood issued at the end of `day`."""
    due = awards_due().filter(adjudication=run)
    return [
        Papers("Constancias de adjudicación", due.count(), _standing(due, NOTICE, day)),
        Papers("Certificados de adjudicación", paid, _standing(due, ALLOTMENT, day)),
    ]


def _standing(awards: QuerySet[Award], kind: str, day: date) -> int:
    later = Q(annulled_at=None) | Q(annulled_at__gt=end_of_day(day))
    certificates = Certificate.objects.filter(
        later,
        series__kind=kind,
        legal_date__lte=day,
        issued_for__award__in=awards.order_by().values("pk"),
    )
    return certificates.count()
