"""The 1995 programme's first stage, open or closed.

A test sets what is offered with @pytest.mark.parametrize("supply", [10]).
"""

from datetime import date

import pytest

from offerings.certificates import record_issue
from offerings.models import Adjudication, AdjudicationRecord
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.review import ReviewState
from tests.offerings.paid import SESSION
from tests.offerings.rows import make_stage

ISSUED_ON = date(1995, 9, 18)


@pytest.fixture
def supply():
    return 500


@pytest.fixture
def open_stage(db, irene, ana, supply):
    return make_stage(irene, ana, supply=supply)


@pytest.fixture
def closed_stage(db, irene, ana, supply):
    return make_stage(irene, ana, supply=supply, closed=True)


@pytest.fixture
def pending(closed_stage, exchange, mateo):
    """Gives the run of what the stage holds when called, waiting for its review."""

    def made() -> Adjudication:
        opened = adjudication_open(
            stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
        )
        adjudication_run(adjudication_id=opened.pk, report=lambda *told: None)
        return Adjudication.objects.get(pk=opened.pk)

    return made


@pytest.fixture
def approved(pending, ana):
    def made() -> Adjudication:
        return adjudication_decide(
            adjudication_id=pending().pk, user=ana, outcome=ReviewState.APPROVED
        )

    return made


@pytest.fixture
def record(approved, mateo):
    """Gives the act of an approved run, numbered and not drawn."""

    def made() -> AdjudicationRecord:
        return record_issue(adjudication_id=approved().pk, user=mateo, legal_date=ISSUED_ON)

    return made
