"""A withdrawal works its buyer's other acceptances out again, and tells which before that."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from offerings.decrees.fund_values import FundValue
from offerings.services.acceptances import acceptance_register
from offerings.services.stages import stage_open
from office.decisions import decisions_on
from tests.conftest import OPENED
from tests.offerings.programme_1995 import given_1995, ready_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptances import (
    RECEIVED,
    WORKER,
    class_proof,
    given,
    tax_return,
    withdraw,
)


@pytest.fixture
def withdrawable(irene, ana):
    """A stage whose reglamento lets acceptances be withdrawn."""
    allowed = {"withdrawal_allowed": FundValue(True, "Resolución ficticia 12 de 1995")}
    stage = ready_stage_of(irene, ana, given=given_1995() | allowed)
    return stage_open(stage=stage, user=ana, opened_at=OPENED)


@pytest.fixture
def two(withdrawable, broker, exchange, irene):
    """Two acceptances of one buyer under one limit: 95,049 shares are left for the second."""

    buyer = make_buyer(irene, 1)

    def register_one(minutes):
        return acceptance_register(
            stage=withdrawable,
            buyer=buyer,
            part=WORKER,
            papers=[class_proof(exchange), tax_return(exchange)],
            given=given(
                broker, exchange, 400_000, received_at=RECEIVED + timedelta(minutes=minutes)
            ),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return register_one(0), register_one(1)


def test_a_withdrawal_works_the_others_out_again(two, irene):
    first, second = two
    assert second.admitted == 95_049

    withdrawn = withdraw(first, irene)

    second.refresh_from_db()
    assert (withdrawn.state, withdrawn.standing) == ("withdrawn", "not_counted")
    assert second.admitted == 400_000
    assert second.code in decisions_on([first]).last().sentence
    assert decisions_on([second]).last().sentence == (
        f"Hizo cambiar {second.code} al registrar el retiro de {first.code}: tenía 95.049 "
        "acciones (recortada al límite); tiene 400.000 acciones (completa)."
    )


def test_the_review_of_a_withdrawal_lists_the_others_that_change(two, irene, client):
    first, second = two
    client.force_login(irene)
    asked = {"asked_on": "14/09/1995", "asked_time": "16:00", "reason": "Carta de prueba"}

    review = client.post(reverse("acceptance_withdraw", args=[first.pk]), asked)

    line = next(one for one in review.context["answers"] if second.code in one["label"])
    assert line["value"].replace("\u00a0", " ") == "400.000 acciones"
    assert line["detail"] == "Completa; tenía 95.049 (recortada al límite)"
    second.refresh_from_db()
    assert second.admitted == 95_049
