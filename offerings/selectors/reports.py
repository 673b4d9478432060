"""What the reports on a stage hold: results, and the list for the share register.

Each starts from one stage, so that a report on one programme shows that programme alone.
"""

from django.db.models import Max, QuerySet

from buyers.models import Broker, Exchange, brokers_of
from offerings.models import Adjudication, Award, Stage
from offerings.selectors.payments import PAID, VIEWS, awards_due
from office.models import User
from office.roles import Capability


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
