"""Who acts for a buyer and for whom it acts; each that is a buyer too is another record."""

from typing import Any

from django.db.models import Q, QuerySet

from buyers.models import Buyer
from buyers.selectors import buyers_shown
from office.models import User

ACTS_FOR_AT_MOST = 20


def acting_for(buyer: Buyer, user: User) -> list[dict[str, Any]]:
    """Representative and attorney of one of `buyers_shown`, each with its own record where it
    is a buyer that `user` may see; nothing where that is not for `user`."""
    if not buyer.shows_acting:
        return []
    people = (
        ("La representa", buyer.representative_name, "representative"),
        ("Apoderado", buyer.attorney_name, "attorney"),
    )
    return [
        {
            "label": label,
            "name": name,
            "identity": getattr(buyer, f"{who}_identity"),
            "buyer": buyer_identified(
                getattr(buyer, f"{who}_identity_type"),
                getattr(buyer, f"{who}_identity_number"),
                user,
            ),
        }
        for label, name, who in people
        if name
    ]


def acts_for(buyer: Buyer, user: User) -> QuerySet[Buyer]:
    """The buyers that `user` may see for whom this one acts, as far as `user` may know it."""
    identity = (buyer.identity_type, buyer.identity_number)
    as_representative = Q(
        representative_identity_type=identity[0], representative_identity_number=identity[1]
    )
    as_attorney = Q(attorney_identity_type=identity[0], attorney_identity_number=identity[1])
    shown = buyers_shown(user).filter(merged_into=None, shows_acting=True)
    return shown.filter(as_representative | as_attorney)[:ACTS_FOR_AT_MOST]


def buyer_identified(identity_type: str, number: str, user: User) -> Buyer | None:
    """The buyer under that identity, or the one that it was merged into, if `user` may see it."""
    if not number:
        return None
    visible = Buyer.objects.visible_to(user).select_related("merged_into")
    found = visible.filter(identity_type=identity_type, identity_number=number).first()
    return found and found.kept
