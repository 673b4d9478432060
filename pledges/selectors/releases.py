"""Releases, and the pledges whose term is over: what can be released of them and what cannot."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery, Sum

from offerings.models import Programme
from office.models import User
from office.review import ReviewState, TwoPersonAct
from office.roles import Capability
from pledges.enums import Ground, LineState
from pledges.models import Pledge, Release, ReleaseAnnulment, ReleaseLine, ReleaseRequest
from pledges.models.requests import ON_FOOT
from pledges.selectors.pledges import pledges_answering

OF_PROGRAMME = "award__adjudication__stage__programme"
PLEDGED = F("shares") - F("released") - F("passed_on")
FREE = PLEDGED - F("in_process") - F("attached")
ANNULMENT_WAITING = Subquery(
    ReleaseAnnulment.objects.filter(line=OuterRef("pk"), review_state=ReviewState.PENDING).values(
        "pk"
    )[:1]
)


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


def releases_listed() -> QuerySet[Release]:
    """All releases, the newest first, with what a list shows of them."""
    return Release.objects.select_related(
        "programme", "request", "prepared_by", "reviewed_by", "job"
    ).order_by("-pk")


@dataclass(frozen=True)
class Planned:
    """What a release at term would free: pledges, shares, the oldest last day."""

    count: int
    shares: int
    first: date


def planned_totals(programme: Programme, day: date) -> Planned:
    """Counted by the database; there is something to release."""
    found = pledges_to_release(programme, day).aggregate(
        count=Count("pk"), total=Sum("free_shares", default=0), first=Min("last_day")
    )
    return Planned(found["count"], int(found["total"]), found["first"])


def lines_with_annulments(release: Release) -> QuerySet[ReleaseLine]:
    """The lines of a release whose annulment was asked for."""
    asked = ReleaseAnnulment.objects.filter(line=OuterRef("pk"))
    return release.lines.filter(Exists(asked)).order_by("pk")


@dataclass(frozen=True)
class ReleaseCounts:
    """What came of a release's lines: how many, and with how many shares, are free or could not
    be freed; how many were annulled, and how many of the free ones are certified."""

    done: int
    done_shares: int
    skipped: int
    skipped_shares: int
    annulled: int
    certified: int

    @property
    def uncertified(self) -> int:
        return self.done - self.certified


def release_counts(release: Release) -> ReleaseCounts:
    """Counted by the database; a line that was annulled is free no more."""
    of = {state: Q(state=state) for state in LineState}
    done = of[LineState.DONE]
    found = release.lines.aggregate(
        done=Count("pk", filter=done),
        done_shares=Sum("shares", filter=done, default=0),
        skipped=Count("pk", filter=of[LineState.SKIPPED]),
        skipped_shares=Sum("shares", filter=of[LineState.SKIPPED], default=0),
        annulled=Count("pk", filter=of[LineState.ANNULLED]),
        certified=Count("certificate", filter=done),
    )
    return ReleaseCounts(**{name: int(value) for name, value in found.items()})


def release_lines(release: Release) -> QuerySet[ReleaseLine]:
    """Its lines with whose they are, in the order of their pledges; `annulment_waiting` is the id
    of the annulment of each that waits for its review."""
    lines = release.lines.select_related("pledge__holder", "certificate__series")
    return lines.annotate(annulment_waiting=ANNULMENT_WAITING).order_by("pledge_id")


def lines_answering(lines: QuerySet[ReleaseLine], text: str) -> QuerySet[ReleaseLine]:
    """Those of `lines` whose pledge or holder answers to `text`."""
    found = pledges_answering(Pledge.objects.all(), text).order_by()
    return lines.filter(pledge__in=found.values("pk"))


def lines_of_pledge(pledge: Pledge, user: User) -> list[ReleaseLine]:
    """What was released, or is about to be, of a pledge; a broker sees what was done of its own
    alone."""
    lines = pledge.release_lines.select_related("release__request", "certificate__series")
    if not user.may(Capability.READ):
        lines = lines.filter(state__in=(LineState.DONE, LineState.ANNULLED))
    return list(lines.annotate(annulment_waiting=ANNULMENT_WAITING).order_by("pk"))


def annulment_waiting(line: ReleaseLine) -> ReleaseAnnulment | None:
    """The annulment of a line that waits for its review."""
    return line.annulments.filter(review_state=ReviewState.PENDING).first()


def annulments_waiting(release: Release) -> list[ReleaseAnnulment]:
    """Those of a release's lines that wait for their review, oldest first."""
    waiting = ReleaseAnnulment.objects.filter(
        line__release=release, review_state=ReviewState.PENDING
    )
    return list(waiting.select_related("line__pledge").order_by("pk"))


@dataclass(frozen=True)
class Due:
    """What of a programme can be released at term: so many pledges and shares, the first since
    its last day; and how many more have shares that a measure holds."""

    programme: Programme
    count: int
    shares: int
    first: date | None
    attached: int
    first_attached: date | None


def programmes_due(day: date) -> list[Due]:
    """Each programme with pledges whose term was over before `day`, counted by the database."""
    over = Pledge.objects.standing().filter(last_day__lt=day)
    free = Q(free_shares__gt=0)
    rows = (
        over.annotate(free_shares=FREE)
        .order_by()
        .values(OF_PROGRAMME)
        .annotate(
            count=Count("pk", filter=free),
            total=Sum("free_shares", filter=free, default=0),
            first=Min("last_day", filter=free),
            held=Count("pk", filter=Q(attached__gt=0)),
            first_held=Min("last_day", filter=Q(attached__gt=0)),
        )
    )
    programmes = Programme.objects.in_bulk([row[OF_PROGRAMME] for row in rows])
    found = [
        Due(
            programme=programmes[row[OF_PROGRAMME]],
            count=row["count"],
            shares=int(row["total"]),
            first=row["first"],
            attached=row["held"],
            first_attached=row["first_held"],
        )
        for row in rows
        if row["count"] or row["held"]
    ]
    return sorted(found, key=lambda due: due.programme.pk)


def release_acts(states: Sequence[ReviewState]) -> list[TwoPersonAct]:
    """Releases and their annulments in those states, but for what came back and was prepared
    again since."""
    again = Release.objects.filter(
        Q(request=OuterRef("request")) | Q(request=None, ground=Ground.TERM),
        programme=OuterRef("programme"),
        ground=OuterRef("ground"),
        pk__gt=OuterRef("pk"),
    )
    asked_again = ReleaseAnnulment.objects.filter(line=OuterRef("line"), pk__gt=OuterRef("pk"))
    pending = Q(review_state=ReviewState.PENDING)
    releases = Release.objects.filter(pending | ~Exists(again), review_state__in=states)
    annulments = ReleaseAnnulment.objects.filter(
        ~Exists(asked_again), review_state__in=states, line__state=LineState.DONE
    )
    return [
        *releases.select_related("programme", "request", "prepared_by", "reviewed_by"),
        *annulments.select_related(
            "line__release__programme", "line__pledge", "prepared_by", "reviewed_by"
        ),
    ]
