"""What the daily task does: it looks, for a day, at whose term is over."""

from dataclasses import dataclass
from datetime import date

import pghistory
from django.db import transaction
from django.db.models import F, Sum

from office.refusals import check_day_not_future
from pledges.enums import PledgeState
from pledges.models import DailyRun, Pledge

CHUNK = 5_000


@dataclass(frozen=True)
class Matured:
    """For the day: how many pledges came to their end just now; of all whose term is over and
    that still hold shares, how many are under a measure, and with how many shares."""

    day: date
    count: int
    attached: int
    attached_shares: int


def pledges_mature(*, day: date) -> Matured:
    """Mark as matured each pledge in force whose last day came before `day`.

    A pledge stands to the end of its last day. Done again it finds nothing more, and a day on
    which it did not run is made up for on the next. Nothing is released, and attached shares are
    left as they are. Raises Refused for a day that has not come.
    """
    check_day_not_future(day)
    count = 0
    with pghistory.context(task="pledges_mature", day=day.isoformat()):
        while some := _some_mature(day):
            count += some
    over = Pledge.objects.standing().filter(last_day__lt=day, attached__gt=0)
    return Matured(
        day=day,
        count=count,
        attached=over.count(),
        attached_shares=int(over.aggregate(total=Sum("attached", default=0))["total"]),
    )


@transaction.atomic
def _some_mature(day: date) -> int:
    """Mark the next few thousand, and count them in the day's record, which is held first: two
    runs at once take turns."""
    DailyRun.objects.get_or_create(day=day)
    run = DailyRun.objects.select_for_update().get(day=day)
    over = Pledge.objects.filter(state=PledgeState.IN_FORCE, last_day__lt=day).order_by("pk")
    some = list(over.select_for_update(of=["self"]).values_list("pk", flat=True)[:CHUNK])
    if not some:
        return 0
    Pledge.objects.filter(pk__in=some).update(state=PledgeState.MATURED)
    run.matured = F("matured") + len(some)
    run.save(update_fields=["matured"])
    return len(some)


def was_looked_at(last_day: date) -> bool:
    """Whether the daily task has looked at what ended on `last_day`."""
    return DailyRun.objects.filter(day__gt=last_day).exists()
