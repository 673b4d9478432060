"""What papers say is still pledged is what was pledged on their day: movements are recorded in the
order of their legal days."""

from datetime import date

import pytest

from buyers.enums import BuyerKind, IdentityType
from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import LineState
from pledges.models import Pledge
from pledges.services.release_annulments import release_annulment_prepare
from pledges.services.release_batches import release_carry_out, releases_matured_prepare
from pledges.services.releases import release_decide, release_prepare
from tests.pledges.release_rows import FREE_DAY, RELEASED_ON, make_paid_request
from tests.pledges.rows import make_pledge
from tests.pledges.test_transfers import inherit

LATER = date(1997, 2, 20)


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


def prepared(pledge, user, released_on=RELEASED_ON):
    request = make_paid_request(pledge, user, 4)
    return release_prepare(request_id=request.pk, released_on=released_on, user=user)


def approve(release, user):
    return release_decide(release_id=release.pk, user=user, outcome=ReviewState.APPROVED)


def test_a_release_is_not_of_a_day_before_an_inheritance_on_record(pledge, irene, ana, heir):
    release = prepared(pledge, irene)
    inherit(pledge, irene, heir, 3, transferred_on=LATER)

    with pytest.raises(Refused, match="consta una sucesión del 20/02/1997"):
        approve(release, ana)

    release_decide(
        release_id=release.pk, user=ana, outcome=ReviewState.RETURNED, reason="Otra fecha"
    )
    again = release_prepare(request_id=release.request_id, released_on=LATER, user=irene)
    [line] = approve(again, ana).lines.all()
    assert line.still_pledged == 3


def test_an_inheritance_is_not_of_a_day_before_a_release_on_record(pledge, irene, ana, heir):
    approve(prepared(pledge, irene), ana)
    pledge.refresh_from_db()

    with pytest.raises(Refused, match="consta un levantamiento del 24/01/1997"):
        inherit(pledge, irene, heir, 3, transferred_on=date(1997, 1, 23))
    inherit(pledge, irene, heir, 3, transferred_on=RELEASED_ON)


def test_nothing_of_an_heirs_pledge_is_of_a_day_before_it_came(pledge, irene, ana, heir):
    theirs = inherit(pledge, irene, heir, 4, transferred_on=LATER).heir_pledge
    request = make_paid_request(theirs, irene, 4)

    with pytest.raises(Refused, match="la sucesión de la que viene"):
        release_prepare(request_id=request.pk, released_on=RELEASED_ON, user=irene)


def test_a_release_is_not_annulled_with_a_day_before_what_came_after_it(pledge, irene, ana, heir):
    [line] = approve(prepared(pledge, irene), ana).lines.all()
    pledge.refresh_from_db()
    inherit(pledge, irene, heir, 3, transferred_on=LATER)
    asked = {"line_id": line.pk, "cause": "Error", "user": irene}

    with pytest.raises(Refused, match="en el orden de sus fechas"):
        release_annulment_prepare(annulled_on=date(1997, 2, 19), **asked)
    release_annulment_prepare(annulled_on=LATER, **asked)


def test_a_batch_leaves_out_a_pledge_of_which_something_moved_later(pledge, irene, ana, heir):
    inherit(pledge, irene, heir, 3, transferred_on=date(1998, 1, 10))
    batch = releases_matured_prepare(
        programme_id=pledge.award.adjudication.stage.programme_id,
        released_on=FREE_DAY,
        user=irene,
    )
    approve(batch, ana)
    release_carry_out(release_id=batch.pk)

    lines = batch.lines.order_by("pledge")
    assert [line.state for line in lines] == [LineState.SKIPPED, LineState.SKIPPED]
    assert all("10/01/1998" in line.skipped_why for line in lines)
    assert Pledge.objects.get(pk=pledge.pk).in_process == 0


def test_an_organisation_leaves_no_inheritance(pledge, irene, heir):
    holder = pledge.holder
    holder.kind, holder.identity_type = BuyerKind.ORGANISATION, IdentityType.NIT
    holder.identity_number, holder.check_digit = "860007738", "9"
    holder.save()

    with pytest.raises(Refused, match="esta prenda es de una organización"):
        inherit(pledge, irene, heir)
