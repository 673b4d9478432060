"""Every column of shares holds all the shares of the programme, every amount what they cost."""

from datetime import date
from decimal import Decimal

import pytest
from django.apps import apps
from django.db import models

from buyers.models import Document
from offerings.models import (
    Acceptance,
    Adjudication,
    Award,
    BankFileRow,
    Participation,
    Payment,
    ReferenceTrade,
    Refund,
    Stage,
)
from pledges.models import (
    Attachment,
    FundDecision,
    PenaltyPayment,
    PenaltyRefund,
    Pledge,
    Quote,
    Release,
    ReleaseLine,
    ReleaseRequest,
    Transfer,
)
from tests.offerings.paid import make_awards, pay
from tests.offerings.rows import make_acceptance, make_stage, places

SHARES = 5_234_634_742
PRICE = Decimal("60.60")
WORTH = Decimal("317218865365.20")
# Whole numbers that count no shares: years, versions, rows, bytes …
QUANTITIES = {
    Acceptance: {"requested", "minimum", "admitted", "limit_shares"},
    Adjudication: {
        "supply", "demand", "demand_kept", "awarded", "unsold", "left_over_shares",
    },
    Award: {"requested", "admitted", "least", "quotient", "remainder", "awarded"},
    Participation: {"present_holding", "held_through_others"},
    Stage: {"supply"},
}  # fmt: skip
AMOUNTS = {
    Document: {
        "gross_equity", "net_equity", "annual_income", "annual_remuneration", "statutory_limit",
    },
    Payment: {"amount", "excess"},
    Refund: {"amount"},
    BankFileRow: {"amount", "excess"},
    Stage: {"price"},
}  # fmt: skip


# Those of prices and of what is pledged, tried in tests/pledges/test_largest_pledges.py.
PLEDGED_QUANTITIES = {
    Attachment: {"shares"},
    Pledge: {"shares", "released", "in_process", "attached", "passed_on"},
    Release: {"shares_planned"},
    ReleaseLine: {"shares", "still_pledged"},
    ReleaseRequest: {"shares"},
    Transfer: {"shares"},
}
PLEDGED_AMOUNTS = {
    FundDecision: {"amount"},
    PenaltyPayment: {"amount"},
    PenaltyRefund: {"amount"},
    Pledge: {"price"},
    Quote: {"amount"},
    ReferenceTrade: {"price"},
    ReleaseRequest: {"sale_price"},
    Transfer: {"price"},
}


def fields_of(kind, **wanted):
    """The columns of a kind in our apps, by model."""
    found = {}
    for app in ("office", "buyers", "offerings", "pledges"):
        for model in apps.get_app_config(app).get_models():
            if not hasattr(model, "pgh_tracked_model"):
                names = {
                    field.name for field in model._meta.fields if is_kind(field, kind, wanted)
                }
                found |= {model: names} if names else {}
    return found


def is_kind(field, kind, wanted):
    return type(field) is kind and all(
        getattr(field, name) == value for name, value in wanted.items()
    )


def test_the_lists_name_every_column_of_shares_and_of_pesos():
    amounts = fields_of(models.DecimalField, max_digits=24, decimal_places=2)
    assert amounts == AMOUNTS | PLEDGED_AMOUNTS
    totals = fields_of(models.DecimalField, decimal_places=0)
    shares = fields_of(models.BigIntegerField)
    shares.pop(apps.get_model("office.Decision"))  # the id of what it is about
    assert {
        model: shares.get(model, set()) | totals.get(model, set()) for model in {*shares, *totals}
    } == QUANTITIES | PLEDGED_QUANTITIES


@pytest.fixture
def stage(irene, ana):
    return make_stage(irene, ana, supply=SHARES, price=WORTH)


def test_all_the_shares_of_the_programme_are_kept_in_every_quantity(stage, irene, ana):
    fields = {"minimum": SHARES, "admitted": SHARES, "limit_shares": SHARES}
    acceptance = make_acceptance(stage, 1, SHARES, **fields)
    Participation.objects.update(present_holding=SHARES, held_through_others=SHARES)
    Adjudication.objects.create(
        stage=stage,
        version=1,
        exchange=places()["exchange"],
        session_on=date(1995, 9, 15),
        prepared_by=irene,
        supply=SHARES,
        demand=SHARES,
        demand_kept=SHARES,
        awarded=SHARES,
        unsold=0,
        left_over_shares=SHARES,
    )
    Award.objects.create(
        adjudication=Adjudication.objects.get(),
        acceptance=acceptance,
        requested=SHARES,
        admitted=SHARES,
        least=SHARES,
        quotient=SHARES,
        remainder=SHARES,
        awarded=SHARES,
        reason="in_full",
    )
    kept = {
        model: {name for name in names if SHARES in model.objects.values_list(name, flat=True)}
        for model, names in QUANTITIES.items()
    }
    assert kept == {**QUANTITIES, Adjudication: QUANTITIES[Adjudication] - {"unsold"}}


def test_what_all_the_shares_cost_is_kept_in_every_amount(irene, ana):
    stage = make_stage(irene, ana, supply=SHARES, price=PRICE)
    acceptance = make_acceptance(stage, 1, SHARES)
    [award] = make_awards([acceptance], irene, ana)
    assert award.total == WORTH
    payment = pay(award, irene, WORTH)
    Document.objects.create(
        buyer=acceptance.participation.buyer,
        kind="tax_return",
        year=1994,
        exchange=places()["exchange"],
        exchange_reference="B-1",
        seen_by=irene,
        **dict.fromkeys(AMOUNTS[Document], WORTH),
    )
    document = Document.objects.get()
    payment.refresh_from_db()
    assert payment.amount == WORTH
    assert {getattr(document, name) for name in AMOUNTS[Document]} == {WORTH}


def test_a_price_of_that_size_is_kept(stage):
    stage.refresh_from_db()
    assert stage.price == WORTH
