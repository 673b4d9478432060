"""What the lists of awards and certificates share."""

import pytest
from django.db.models import Q

from offerings.models import Acceptance
from offerings.views.lists import listed
from tests.offerings.rows import make_many_acceptances, make_stage

pytestmark = pytest.mark.django_db


def test_tabs_count_as_colombia_writes_and_the_one_asked_for_is_current(irene, ana, rf):
    stage = make_stage(irene, ana)
    make_many_acceptances(stage, 1_908, 10)
    early = {"primeras": Q(serial__lte=1_200)}
    shown = listed(
        rf.get("/", {"vista": "primeras", "page": "3", "q": "x"}),
        Acceptance.objects.order_by("serial"),
        early,
        {"primeras": "Primeras"},
    )
    assert [tab["count"] for tab in shown["tabs"]] == ["1.908", "1.200"]
    assert [tab["current"] for tab in shown["tabs"]] == [False, True]
    assert [tab["url"] for tab in shown["tabs"]] == ["/?q=x", "/?vista=primeras&q=x"]
    assert next(row.serial for row in shown["page"]) == 101
