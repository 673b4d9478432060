"""What befalls a pledge, for tests, made straight in the tables with the sums that they keep."""

from datetime import date, datetime, time

from django.db import transaction
from django.utils import timezone

from pledges.enums import Ground, LineState, Measure, PledgeState
from pledges.models import Attachment, Pledge, Release, ReleaseAnnulment, ReleaseLine
from tests.conftest import BOGOTA


@transaction.atomic
def attach(pledge, user, shares, *, ordered_on=date(1996, 3, 1), number="1", **lifted):
    """An embargo, lifted again where `lifted_on` says so."""
    if lifted:
        lifted |= {"lifted_act": "Oficio 99", "lifted_by": user}
    else:
        _add(pledge, attached=shares)
    return Attachment.objects.create(
        pledge=pledge,
        measure=Measure.EMBARGO,
        authority="Juzgado de Prueba",
        number=number,
        ordered_on=ordered_on,
        received_at=datetime.combine(ordered_on, time(9), BOGOTA),
        shares=shares,
        recorded_by=user,
        **lifted,
    )


@transaction.atomic
def release(pledge, preparer, reviewer, shares, *, released_on=date(1997, 9, 16)):
    """A release at term that was approved and carried out."""
    act = Release.objects.create(
        programme=pledge.award.acceptance.stage.programme,
        ground=Ground.TERM,
        released_on=released_on,
        lines_planned=1,
        shares_planned=shares,
        prepared_by=preparer,
        review_state="pending",
    )
    _approve(act, reviewer)
    _add(pledge, released=shares)
    return ReleaseLine.objects.create(
        release=act,
        pledge=pledge,
        shares=shares,
        state=LineState.DONE,
        still_pledged=Pledge.objects.get(pk=pledge.pk).pledged,
        done_at=timezone.now(),
    )


@transaction.atomic
def annul_release(line, preparer, reviewer, *, annulled_on=date(1997, 10, 1)):
    """The annulment of a release, approved."""
    act = ReleaseAnnulment.objects.create(
        line=line,
        annulled_on=annulled_on,
        cause="Se levantó por error.",
        prepared_by=preparer,
        review_state="pending",
    )
    _approve(act, reviewer)
    line.state = LineState.ANNULLED
    line.save(update_fields=["state"])
    _add(line.pledge, released=-line.shares)
    return act


def _approve(act, reviewer):
    type(act).objects.filter(pk=act.pk).update(
        review_state="approved", reviewed_by=reviewer, reviewed_at=timezone.now()
    )


def _add(pledge, **counts):
    """Change the pledge's sums, and its state where nothing of it is left, or is again."""
    held = Pledge.objects.select_for_update(of=["self"]).get(pk=pledge.pk)
    for name, shares in counts.items():
        setattr(held, name, getattr(held, name) + shares)
    left = held.shares - held.released - held.passed_on
    if held.state in (PledgeState.IN_FORCE, PledgeState.MATURED, PledgeState.RELEASED):
        held.state = PledgeState.IN_FORCE if left else PledgeState.RELEASED
    held.save(update_fields=[*counts, "state"])
