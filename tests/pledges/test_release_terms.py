"""The last day of a term, the same on screen, in the export, on paper and for the daily task."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from offerings.decrees.reader import terms_from_data
from offerings.rules.months import LockUpFacts, lock_up_end
from office.certificates import certificate_draw
from office.dates import bogota_day
from office.files import file_read
from office.refusals import Refused
from pledges.certificates import release_certificate_issue
from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.services.maturing import pledges_mature
from tests.offerings.paid import make_awards
from tests.offerings.rows import make_acceptances, make_stage
from tests.pdfs import text_of
from tests.pledges.release_rows import prepare_term, release_at_term

# 10/03/2005 at 20:30 in Bogotá: in UTC it is the 11th already.
SESSION_AT = datetime(2005, 3, 11, 1, 30, tzinfo=UTC)
LAST, NEXT = date(2007, 3, 10), date(2007, 3, 11)


@pytest.fixture
def pledge(irene, ana):
    """Of shares adjudicated in that session, paid on the spot."""
    stage = make_stage(irene, ana, supply=10, closed=True)
    award = make_awards(make_acceptances(stage, [10]), irene, ana)[0]
    bought = bogota_day(SESSION_AT)
    terms = terms_from_data(award.adjudication.terms)
    return Pledge.objects.create(
        award=award,
        holder=award.acceptance.participation.buyer,
        shares=10,
        price=stage.price,
        purchased_on=bought,
        opened_on=bought,
        last_day=lock_up_end(LockUpFacts(purchased=bought), terms).value,
        rank="first",
        opened_by=irene,
    )


def test_its_last_day_is_counted_from_the_day_in_bogota(pledge):
    assert (pledge.purchased_on, pledge.last_day) == (date(2005, 3, 10), LAST)


def test_that_day_it_is_early_and_the_next_it_is_free(pledge, irene):
    programme = pledge.award.adjudication.stage.programme
    with pytest.raises(Refused, match="desde el día siguiente a su último día"):
        prepare_term(programme, irene, LAST)
    assert pledges_mature(day=LAST).count == 0
    assert pledges_mature(day=NEXT).count == 1
    assert prepare_term(programme, irene, NEXT).lines_planned == 1


def test_it_is_the_same_on_screen_in_the_export_and_on_paper(pledge, client, irene, ana):
    release = release_at_term(pledge.award.adjudication.stage.programme, irene, ana, NEXT)
    client.force_login(ana)
    screen = client.get(reverse("release", args=[release.pk])).content.decode()
    export = client.get(reverse("release_export", args=[release.pk, "csv"]))
    rows = b"".join(export.streaming_content).decode("utf-8-sig")
    issued = release_certificate_issue(line_id=release.lines.get().pk, user=irene, legal_date=NEXT)
    paper = text_of(file_read(certificate_draw(issued.pk).file))

    assert "10/03/2007" in screen
    assert "10/03/2007" in rows
    assert "la medianoche del 10 de marzo de 2007" in paper
    assert "11/03/2005" not in screen + rows
    assert Pledge.objects.get(pk=pledge.pk).state == PledgeState.RELEASED
