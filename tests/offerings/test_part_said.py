"""What a later acceptance says of its buyer's part: more, nothing, or another thing."""

import uuid
from dataclasses import replace

import pytest

from buyers.enums import BuyerClass
from offerings.services.acceptances import acceptance_register
from offerings.services.participations import PartGiven
from office.decisions import decisions_on
from office.refusals import Refused
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptances import WORKER, class_proof, given, tax_return


@pytest.fixture
def register(ana, irene, broker, exchange):
    """Register an acceptance of one buyer, with its papers unless others are given."""
    stage, buyer = open_stage_of(irene, ana), make_buyer(irene, 1)

    def run(requested, *, part=WORKER, papers=None):
        papers = [class_proof(exchange), tax_return(exchange)] if papers is None else papers
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=part,
            papers=papers,
            given=given(broker, exchange, requested),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return run


def test_what_nobody_had_said_completes_the_part_and_works_the_others_out_again(
    register, exchange
):
    first = register(
        1_000, papers=[class_proof(exchange), tax_return(exchange, year=1993, reference="DR-0")]
    )
    assert first.standing == "complete"

    register(1_000, part=replace(WORKER, last_year_filed=1994), papers=[])

    first.refresh_from_db()
    assert first.participation.last_year_filed == 1994
    assert first.standing == "incomplete"
    told = decisions_on([first.participation]).get()
    assert "el último año gravable declarado, «1994»" in told.sentence


def test_an_acceptance_that_says_nothing_does_not_contradict_what_is_known(register):
    register(1_000, part=replace(WORKER, last_year_filed=1994))

    second = register(1_000, part=PartGiven(buyer_class=BuyerClass.WORKER))

    assert second.participation.last_year_filed == 1994
    assert second.participation.files_tax_return is True
    assert not decisions_on([second.participation]).exists()


def test_another_last_year_filed_is_a_contradiction(register):
    register(1_000, part=replace(WORKER, last_year_filed=1994))

    with pytest.raises(Refused, match="ya consta el último año gravable") as refusal:
        register(1_000, part=replace(WORKER, last_year_filed=1993))
    assert refusal.value.field == "last_year_filed"
