"""The reglamento once the stage has opened: who signs for the Fund may change, nothing else."""

from datetime import date

import pytest

from offerings.certificates import notice_facts
from offerings.decrees.fund_values import FundValue as Given
from offerings.selectors.programmes import programme_terms, stage_terms
from offerings.services.fund_rules import fund_rules_submit
from office.refusals import Refused
from tests.offerings.paid import make_awards
from tests.offerings.programme_1995 import (
    ACT,
    closed_stage_of,
    confirmed_of,
    draft_of,
    given_1995,
    open_stage_of,
)
from tests.offerings.rows import make_acceptance


@pytest.fixture
def fund_values():
    return given_1995()


def test_once_the_stage_was_opened_no_condition_changes(irene, ana, fund_values):
    programme = open_stage_of(irene, ana).programme
    for key, given in (
        ("outstanding", Given(5_609_906_001, ACT)),
        ("pledge_rank", Given("first", "Otro acto ficticio")),
        ("payment_term_days", Given(20, ACT)),
        ("readmit_left_out", Given("yes", ACT)),
    ):
        rules = draft_of(programme, irene, fund_values | {key: given})
        with pytest.raises(Refused, match="la etapa ya se abrió") as refusal:
            fund_rules_submit(rules=rules, user=irene)
        assert refusal.value.field == key


def test_who_signs_for_the_fund_changes_also_after_the_opening(irene, ana, fund_values):
    stage = open_stage_of(irene, ana)
    fund_values["signatory_name"] = Given("Tulio Imaginario Paz", "Acta ficticia 9")
    rules = confirmed_of(stage.programme, irene, ana, fund_values)
    stage.refresh_from_db()
    assert (rules.version, stage.rules.version) == (2, 1)
    assert programme_terms(stage.programme).signatory_name.value == "Tulio Imaginario Paz"
    assert stage_terms(stage).signatory_name.value == "Clara Supuesta Muestra"


@pytest.fixture
def award(irene, ana):
    stage = closed_stage_of(irene, ana)
    return make_awards([make_acceptance(stage, 1, 10)], irene, ana)[0]


def signs(award):
    return notice_facts(award, date(1995, 9, 18))["signatories"][0]


def test_a_paper_bears_who_signs_by_the_rules_in_force(award, irene, ana):
    assert signs(award) == {"name": "Clara Supuesta Muestra", "post": "Directora (E)"}
    now = given_1995() | {"signatory_name": Given("Tulio Imaginario Paz", ACT)}
    confirmed_of(award.acceptance.stage.programme, irene, ana, now)
    assert signs(award) == {"name": "Tulio Imaginario Paz", "post": "Directora (E)"}
