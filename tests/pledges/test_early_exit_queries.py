"""The list of requests, its file and home cost the same for 5 requests as for 50."""

import pytest
from django.urls import reverse

from tests.pledges.early import ask
from tests.pledges.rows import make_pledge
from tests.test_queries import assert_constant


@pytest.mark.parametrize("name", ["release_requests", "release_requests_export", "home"])
def test_requests_take_as_many_queries_for_50_as_for_5(client, irene, ana, name):
    pledge = make_pledge(irene, ana)
    client.force_login(irene)

    def grow(start, end):
        for number in range(start, end):
            ask(pledge, irene, 1, f"R-{number}")

    kind = {"kind": "csv"} if name.endswith("_export") else {}
    assert_constant(client, reverse(name, kwargs=kind), grow)
