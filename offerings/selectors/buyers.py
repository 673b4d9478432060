"""What one buyer has in the programmes, as far as a person may see it."""

from django.db.models import Prefetch, QuerySet

from buyers.models import Buyer
from offerings.models import Acceptance, Adjudication, Award, Participation
from offerings.selectors.certificates import certificates_visible
from offerings.selectors.payments import awards_due
from office.models import Certificate, User


def buyer_parts(buyer: Buyer, user: User) -> QuerySet[Participation]:
    """Its parts, the newest programme first, each with its acceptances in order of receipt as
    `presented`."""
    presented = (
        Acceptance.objects.visible_to(user)
        .select_related("stage__programme", "broker")
        .in_order_of_receipt()
    )
    return (
        Participation.objects.visible_to(user)
        .filter(buyer=buyer)
        .select_related("programme")
        .prefetch_related(Prefetch("acceptances", presented, to_attr="presented"))
        .order_by("-programme__pk")
    )


def buyer_awards(buyer: Buyer, user: User) -> QuerySet[Award]:
    """What it was awarded and still stands, with `due`, `paid` and `balance` in pesos."""
    visible = Award.objects.visible_to(user).filter(
        acceptance__participation__buyer=buyer, adjudication__in=Adjudication.objects.in_force()
    )
    return awards_due().filter(pk__in=visible.values("pk"))


def buyer_certificates(buyer: Buyer, user: User) -> QuerySet[Certificate]:
    """Its notices and certificates, annulled ones too, newest first."""
    return certificates_visible(user).filter(
        issued_for__award__acceptance__participation__buyer=buyer
    )
