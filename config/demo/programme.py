"""From the decree to the open stage: what the Fund adds is made up, and says so."""

from datetime import date, datetime

from config.demo import SLUG, SOURCE
from config.demo.people import acting
from offerings.decrees.fund_values import FundRaw, FundValue
from offerings.enums import StageState
from offerings.models import FundRules, Programme, Stage
from offerings.selectors.programmes import fund_rules_in_force, fund_rules_under_way
from offerings.services.fund_rules import (
    fund_rules_review,
    fund_rules_save,
    fund_rules_start,
    fund_rules_submit,
)
from offerings.services.programmes import credit_line_record, notice_record, programme_open
from offerings.services.stages import stage_open
from office.dates import BOGOTA
from office.review import ReviewState

OPENED_AT = datetime(1995, 7, 14, 9, 0, tzinfo=BOGOTA)
# What the decree leaves to the Fund, and the reading that it must confirm.
VALUES: dict[str, FundRaw] = {
    "published": date(1995, 6, 30),
    "outstanding": 5_609_906_000,
    "pledge_rank": "first",
    "withdrawal_allowed": False,
    "signatory_name": "Clara Supuesta Muestra",
    "signatory_title": "Directora (E)",
    "readmit_left_out": "no",
}


def stage_ready() -> Stage:
    """Stage 1, opened on 14/07/1995 under figures that irene entered and ana approved."""
    with acting("irene") as irene:
        programme = programme_open(slug=SLUG, user=irene)
    stage = programme.stages.get(number=1)
    if stage.state != StageState.PLANNED:
        return stage
    _rules_confirm(programme)
    _references_record(programme)
    with acting("ana") as ana:
        return stage_open(stage=stage, user=ana, opened_at=OPENED_AT)


def _rules_confirm(programme: Programme) -> None:
    if fund_rules_in_force(programme):
        return
    rules = fund_rules_under_way(programme)
    if rules is None or rules.review_state == ReviewState.DRAFT:
        rules = _rules_submitted(programme)
    with acting("ana") as ana:
        fund_rules_review(rules=rules, user=ana, outcome=ReviewState.APPROVED)


def _rules_submitted(programme: Programme) -> FundRules:
    values = {key: FundValue(value, SOURCE) for key, value in VALUES.items()}
    with acting("irene") as irene:
        rules = fund_rules_start(programme=programme, user=irene)
        fund_rules_save(rules=rules, user=irene, values=values)
        return fund_rules_submit(rules=rules, user=irene)


def _references_record(programme: Programme) -> None:
    with acting("irene") as irene:
        notice_record(
            programme=programme,
            user=irene,
            published_on=date(1995, 7, 12),
            medium="El Diario Ficticio, Bogotá",
            reference=f"Página 4B. {SOURCE}",
        )
        credit_line_record(
            programme=programme,
            user=irene,
            lender="Banco Inventado de Crédito",
            opened_on=date(1995, 7, 10),
            reference=f"Convenio 18. {SOURCE}",
        )
