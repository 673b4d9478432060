"""The page of a pledge, to which each subject adds its own part."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from offerings.decrees.reader import terms_from_data
from offerings.rules.months import LockUpFacts, lock_up_end
from office.access import may
from office.decisions import timeline
from office.models import User
from office.roles import Capability
from pledges.models import Pledge
from pledges.selectors.pledges import acts_subjects, pledges_shown
from pledges.services.pledges import pledge_article
from pledges.views.measures import measures_on_pledge
from pledges.views.releases import releases_on_pledge
from pledges.views.requests import requests_on_pledge
from pledges.views.transfers import transfers_on_pledge

# What each subject shows on the page of a pledge, in this order: what the page needs, by name,
# out of the pledge and of who looks; and the template that shows it.
OnPledge = Callable[[Pledge, User], dict[str, Any]]
PARTS: tuple[tuple[OnPledge, str], ...] = (
    (requests_on_pledge, "pledges/requests/_on_pledge.html"),
    (releases_on_pledge, "pledges/releases/_on_pledge.html"),
    (measures_on_pledge, "pledges/measures/_on_pledge.html"),
    (transfers_on_pledge, "pledges/transfers/_on_pledge.html"),
)


@require_GET
@may(Capability.OWN)
def pledge_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One pledge: its shares and where they are, its term, and what befell it."""
    pledge = get_object_or_404(pledges_shown(request.user), pk=pk)
    return render(request, "pledges/pledges/detail.html", pledge_context(pledge, request.user))


def pledge_context(pledge: Pledge, user: User) -> dict[str, Any]:
    """All that the page of a pledge shows to `user`."""
    terms = terms_from_data(pledge.award.adjudication.terms)
    context: dict[str, Any] = {
        "pledge": pledge,
        "term": lock_up_end(LockUpFacts(purchased=pledge.purchased_on), terms),
        "article": pledge_article(terms),
        "free_from": pledge.last_day + timedelta(days=1),
        "parts": [template for _, template in PARTS],
        "events": timeline(acts_subjects(pledge)),
    }
    for part, _ in PARTS:
        context |= part(pledge, user)
    return context
