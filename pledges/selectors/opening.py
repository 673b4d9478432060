"""Awards that are wholly paid and have no pledge yet, where their programme has one."""

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse

from offerings.decrees.reader import terms_from_data
from offerings.models import Adjudication, Award, Payment, Programme
from offerings.rules.terms import PledgeRank, Terms
from offerings.selectors.award_links import AwardLink
from offerings.selectors.payments import awards_due
from office.models import User
from office.roles import Capability
from pledges.enums import Rank
from pledges.models import Pledge

FIRST_STAGE = 1
# The ranks in which the Fund's pledge may stand, by what its programme admits.
ADMITTED = {
    PledgeRank.FIRST: (Rank.FIRST,),
    PledgeRank.SECOND: (Rank.SECOND,),
    PledgeRank.FIRST_OR_SECOND: (Rank.FIRST, Rank.SECOND),
}


def ranks_admitted(terms: Terms) -> tuple[Rank, ...]:
    """The ranks in which a programme admits the pledge; none where it has none, or where the
    Fund has not said so yet."""
    return ADMITTED.get(terms.pledge_rank.value, ()) if terms.pledge_rank else ()


def runs_with_pledge(programme: Programme | None = None) -> list[Adjudication]:
    """The adjudications in force whose shares are pledged once they are paid."""
    runs = Adjudication.objects.in_force().filter(stage__number=FIRST_STAGE)
    if programme:
        runs = runs.filter(stage__programme=programme)
    found = runs.select_related("stage__programme").order_by("pk")
    return [run for run in found if ranks_admitted(terms_from_data(run.terms))]


def run_to_pledge(programme: Programme) -> Adjudication | None:
    """The adjudication of a programme whose shares are pledged."""
    return next(iter(runs_with_pledge(programme)), None)


def awards_to_pledge(programme: Programme | None = None) -> QuerySet[Award]:
    """Wholly paid awards without a pledge, where their programme has one."""
    pledged = Pledge.objects.filter(award=OuterRef("pk"))
    return awards_due().filter(
        ~Exists(pledged), paid=F("due"), adjudication__in=runs_with_pledge(programme)
    )


def paid_since() -> Subquery:
    """The day from which an award is wholly paid: that of its last payment that counts for it,
    for money over what was due goes back."""
    counting = Payment.objects.filter(award=OuterRef("pk"), amount__gt=F("excess"))
    last = counting.order_by().values("award").annotate(last=Max("paid_on"))
    return Subquery(last.values("last"))


def programmes_to_pledge() -> list[tuple[Programme, int]]:
    """The programmes with paid awards without a pledge, each with how many."""
    counted = (
        awards_to_pledge()
        .order_by()
        .values_list("acceptance__stage__programme")
        .annotate(count=Count("pk"))
    )
    counts = dict(counted)
    return [(one, counts[one.pk]) for one in Programme.objects.filter(pk__in=counts)]


def award_pledge_links(award: Award, user: User) -> Iterator[AwardLink]:
    """To the pledge of an award, or to where it is opened once the award is paid."""
    pledge = Pledge.objects.visible_to(user).filter(award=award, inherited_from=None).first()
    if pledge:
        yield AwardLink(f"Prenda {pledge.code}", reverse("pledge", args=[pledge.pk]))
    elif user.may(Capability.PREPARE) and awards_to_pledge().filter(pk=award.pk).exists():
        yield AwardLink("Constituir la prenda", reverse("pledge_new", args=[award.pk]))
