"""Releases, and the pledges whose term is over: what can be released of them and what cannot."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, F, QuerySet, Sum

from offerings.models import Programme
from pledges.models import Pledge, ReleaseRequest
from pledges.models.requests import ON_FOOT

OF_PROGRAMME = "award__adjudication__stage__programme"
PLEDGED = F("shares") - F("released") - F("passed_on")
FREE = PLEDGED - F("in_process") - F("attached")


@dataclass(frozen=True)
class HeldBack:
    """Of the pledges whose term is over: how many, and with how many shares, stay out of a
    release: under an authority's measure, or asked for in requests."""

    attached: int
    attached_shares: int
    asked: int
    asked_shares: int


def pledges_over(programme: Programme, day: date) -> QuerySet[Pledge]:
    """A programme's pledges whose term was over before `day` and that still hold shares."""
    return Pledge.objects.standing().filter(**{OF_PROGRAMME: programme}, last_day__lt=day)


def pledges_to_release(programme: Programme, day: date) -> QuerySet[Pledge]:
    """Of those, what has shares that can be released; `free` says how many."""
    return pledges_over(programme, day).annotate(free_shares=FREE).filter(free_shares__gt=0)


def pledges_held_back(programme: Programme, day: date) -> HeldBack:
    """What a release of that day leaves out. Of what is in process, the shares that another
    release plans already are not told: they are on their way."""
    over = pledges_over(programme, day)
    attached = over.filter(attached__gt=0).aggregate(
        count=Count("pk"), shares=Sum("attached", default=0)
    )
    asked = ReleaseRequest.objects.filter(pledge__in=over, state__in=ON_FOOT).aggregate(
        count=Count("pledge", distinct=True), total=Sum("shares", default=0)
    )
    return HeldBack(
        attached=attached["count"],
        attached_shares=int(attached["shares"]),
        asked=asked["count"],
        asked_shares=int(asked["total"]),
    )
