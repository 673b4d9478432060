"""Two people at the same instant, in real transactions: shares are asked for once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from pledges.models import Pledge, ReleaseRequest
from pledges.services.holding import SharesHeld
from tests.pledges.early import ask
from tests.pledges.rows import make_pledge

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_requests_at_once_for_the_same_shares_one_wins_and_the_other_is_told(
    irene, mateo, ana
):
    pledge = make_pledge(irene, ana)
    barrier = Barrier(2)

    def file(user, number):
        barrier.wait(20)
        try:
            return ask(pledge, user, 6_000, number)
        except SharesHeld as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(file, irene, "A"), pool.submit(file, mateo, "B")]
        answers = [one.result() for one in asked]
    (first,) = [one for one in answers if isinstance(one, ReleaseRequest)]
    (told,) = [one for one in answers if isinstance(one, SharesHeld)]
    assert told.requests == (first,)
    assert f"{first.code} ya pide 6.000 acciones" in told.message
    assert Pledge.objects.get().in_process == 6_000
