"""What the pledges have to warn of on a holder's page."""

from collections.abc import Iterator

from django.db.models import Sum
from django.urls import reverse

from buyers.models import Buyer
from buyers.selectors.notices import Notice
from office.models import User
from office.numbers import write_shares
from pledges.models import Pledge


def attached_notices(buyer: Buyer, user: User) -> Iterator[Notice]:
    """That shares of its pledges are under an authority's measure, and are not released."""
    held = Pledge.objects.visible_to(user).filter(holder=buyer, attached__gt=0).order_by("pk")
    shares = held.order_by().aggregate(total=Sum("attached"))["total"]
    if not shares:
        return
    codes = ", ".join(pledge.code for pledge in held)
    yield Notice(
        title="Tiene acciones embargadas.",
        text=f"{write_shares(int(shares))}, de {codes}: no se levantan ni se transmiten mientras "
        "la medida esté en pie.",
        url=reverse("holder_position", args=[buyer.pk]),
        link="Ver sus prendas",
    )
