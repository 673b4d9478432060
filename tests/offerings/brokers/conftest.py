"""María, whom two brokers brought, and what each presented of her."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from buyers.services import buyer_register
from offerings.services.acceptances import acceptance_register
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.test_acceptances import (
    RECEIVED,
    WORKER,
    class_proof,
    given,
    tax_return,
)

NEW = reverse("acceptance_new", args=[SLUG, 1])
LIMIT = reverse("acceptance_limit", args=[SLUG, 1])
NEUTRAL = "Los datos no coinciden con el registro"
MARIA = {
    "kind": "natural",
    "identity_type": "CC",
    "identity_number": "51.000.123",
    "name": "María Fernanda Ejemplo Ñáñez",
}


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def maria(bruno, olga):
    """Brought by both."""
    buyer = buyer_register(user=bruno, **MARIA)
    assert buyer_register(user=olga, **MARIA) == buyer
    return buyer


@pytest.fixture
def present(stage, maria, exchange):
    """A broker's person presents an acceptance of María with papers of its own."""

    def run(user, requested, *, broker=None, part=WORKER, papers=None, late=0, buyer=maria):
        mark = user.username[:2].upper()
        papers = (
            [class_proof(exchange, f"CL-{mark}"), tax_return(exchange, reference=f"DR-{mark}")]
            if papers is None
            else papers
        )
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=part,
            papers=papers,
            given=given(
                broker or user.broker_user.broker,
                exchange,
                requested,
                received_at=RECEIVED + timedelta(minutes=late),
            ),
            submission_key=uuid.uuid4(),
            user=user,
        )

    return run


@pytest.fixture
def both(present, bruno, olga):
    """Bruno's acceptance of 400,000, and then Olga's of as many: 95,049 are left for it."""
    first = present(bruno, 400_000)
    second = present(olga, 400_000, late=1)
    first.refresh_from_db()
    return first, second


@pytest.fixture
def typed(stage, maria, other_broker, exchange):
    """What Olga types for María."""
    return {
        "buyer": "María Fernanda Ejemplo Ñáñez · C.C. 51.000.123",
        "buyer_class": "worker",
        "files_tax_return": "si",
        "paper0_reference": "CL-OL",
        "paper1_gross_equity": "10.000.000",
        "paper1_year": "1994",
        "paper1_reference": "DR-OL",
        "requested": "400.000",
        "received_on": "14/09/1995",
        "received_time": "11:00",
        "broker": str(other_broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "14/09/1995",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid.uuid4()),
    }


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client


def hides(page, *more):
    """Nothing of Bruno's acceptance in the page: number, quantities, papers, broker, person."""
    for word in ("A-000001", "CL-BR", "DR-BR", "Valores Ficticios", "Bruno", *more):
        assert word not in page, word
