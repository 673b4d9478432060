"""The 1995 programme's first stage, open or closed.

A test sets what is offered with @pytest.mark.parametrize("supply", [10]).
"""

import pytest

from tests.offerings.rows import make_stage


@pytest.fixture
def supply():
    return 500


@pytest.fixture
def open_stage(db, irene, ana, supply):
    return make_stage(irene, ana, supply=supply)


@pytest.fixture
def closed_stage(db, irene, ana, supply):
    return make_stage(irene, ana, supply=supply, closed=True)
