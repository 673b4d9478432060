"""The 1995 programme at each step of its way, by the services that the screens call. The figures
that the decree lacks are made up."""

from datetime import date
from decimal import Decimal

from offerings.decrees.fund_values import FundValue as Given
from offerings.models import FundRules, Programme, Stage
from offerings.services.fund_rules import (
    fund_rules_review,
    fund_rules_save,
    fund_rules_start,
    fund_rules_submit,
)
from offerings.services.programmes import credit_line_record, notice_record, programme_open
from offerings.services.stages import stage_close, stage_open
from office.review import ReviewState
from tests.conftest import CLOSED, OPENED

SLUG = "banco-popular-1995"
OLD_SLUG = "banco-popular-1994"
ACT = "Resolución ficticia 12 de 1995 del Fondo"
PUBLISHED = date(1995, 6, 30)
OUTSTANDING = 5_609_906_000


def given_1995() -> dict[str, Given]:
    """What the 1995 decree leaves to the Fund, all of it that must be known."""
    return {
        "published": Given(PUBLISHED, "Diario Oficial de muestra 41.910"),
        "outstanding": Given(OUTSTANDING, "Certificado ficticio del revisor fiscal"),
        "pledge_rank": Given("first", ACT),
        "withdrawal_allowed": Given(False, ACT),
        "signatory_name": Given("Clara Supuesta Muestra", ACT),
        "signatory_title": Given("Directora (E)", ACT),
        "readmit_left_out": Given("no", ACT),
    }


def given_1994() -> dict[str, Given]:
    """All that the fragment of 1994 lacks."""
    figures = {
        "shares": 1_000_000,
        "price": Decimal("55.00"),
        "published": date(1994, 4, 22),
        "outstanding": OUTSTANDING,
        "stage_months": 2,
        "adjudication_rule": "pro_rata",
        "authorisation_percent": Decimal(5),
        "credit_line": False,
        "payment_term_days": 30,
        "payment_guarantee": False,
        "minimum_validity_days": 60,
        "withdrawal_allowed": False,
        "signatory_name": "Clara Supuesta Muestra",
        "signatory_title": "Directora (E)",
        "over_limit": "reject",
        "readmit_left_out": "no",
    }
    return {key: Given(value, ACT) for key, value in figures.items()}


def draft_of(programme: Programme, preparer, given=None) -> FundRules:
    rules = fund_rules_start(programme=programme, user=preparer)
    return fund_rules_save(rules=rules, user=preparer, values=given or given_1995())


def pending_of(programme: Programme, preparer, given=None) -> FundRules:
    return fund_rules_submit(rules=draft_of(programme, preparer, given), user=preparer)


def confirmed_of(programme: Programme, preparer, reviewer, given=None) -> FundRules:
    rules = pending_of(programme, preparer, given)
    return fund_rules_review(rules=rules, user=reviewer, outcome=ReviewState.APPROVED)


def notice_of(programme: Programme, preparer, day=date(1995, 7, 12)):
    return notice_record(
        programme=programme,
        user=preparer,
        published_on=day,
        medium="El Diario Ficticio",
        reference="página 4B",
    )


def credit_line_of(programme: Programme, preparer, day=date(1995, 7, 3)):
    return credit_line_record(
        programme=programme,
        user=preparer,
        lender="Banco Inventado",
        opened_on=day,
        reference="carta 18",
    )


def ready_stage_of(preparer, reviewer, slug=SLUG, given=None) -> Stage:
    """Stage 1 with all that it needs to be opened."""
    programme = programme_open(slug=slug, user=preparer)
    confirmed_of(programme, preparer, reviewer, given)
    notice_of(programme, preparer)
    credit_line_of(programme, preparer)
    return programme.stages.get(number=1)


def open_stage_of(preparer, reviewer) -> Stage:
    """Stage 1, open from 14/07/1995, 9:00 a. m., to the end of 14/09/1995."""
    stage = ready_stage_of(preparer, reviewer)
    return stage_open(stage=stage, user=reviewer, opened_at=OPENED)


def closed_stage_of(preparer, reviewer) -> Stage:
    stage = open_stage_of(preparer, reviewer)
    return stage_close(stage=stage, user=reviewer, closed_at=CLOSED)
