"""Pages of releases cost the same for few pledges as for many."""

import pytest
from django.db import transaction
from django.urls import reverse

from pledges.certificates import release_certificates_issue
from pledges.services.release_batches import release_carry_out
from tests.pledges.release_rows import FREE_DAY, decide, prepare_term, release_at_term
from tests.pledges.rows import make_pledges
from tests.test_queries import queries

FEW, MANY = 2, 12


def of_release(user, reviewer, count, client, *, certified):
    """The queries of a release of so many pledges, and of the list; undone afterwards."""
    pledges = make_pledges(user, reviewer, (10,) * count)
    programme = pledges[0].award.adjudication.stage.programme
    if certified:
        release = release_at_term(programme, user, reviewer)
        release_certificates_issue(programme_id=programme.pk, user=user, legal_date=FREE_DAY)
    else:
        release = prepare_term(programme, user)
    addresses = [
        reverse("release", args=[release.pk]),
        reverse("release_export", args=[release.pk, "csv"]),
        reverse("releases"),
        reverse("releases_export", args=["csv"]),
        reverse("pledge", args=[pledges[0].pk]),
        reverse("home"),
    ]
    return [len(queries(client, address)) for address in addresses]


@pytest.mark.parametrize("certified", [False, True])
def test_pages_take_as_many_queries_for_12_pledges_as_for_2(client, irene, ana, certified):
    client.force_login(ana)
    found = []
    for count in (FEW, MANY):
        with transaction.atomic():
            found.append(of_release(irene, ana, count, client, certified=certified))
            transaction.set_rollback(True)
    assert found[0] == found[1]


def test_carrying_out_takes_a_number_of_queries_that_grows_with_its_pieces_alone(
    irene, ana, django_assert_max_num_queries
):
    pledges = make_pledges(irene, ana, (10,) * MANY)
    programme = pledges[0].award.adjudication.stage.programme
    release = decide(prepare_term(programme, irene), ana)
    with django_assert_max_num_queries(30):
        release_carry_out(release_id=release.pk)
