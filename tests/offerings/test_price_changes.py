"""A price corrected while the stage is open: two people, every acceptance worked out anew."""

from decimal import Decimal

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass
from offerings.decrees.fund_values import FundValue as Given
from offerings.models import Acceptance
from offerings.selectors.changes import CHANGE_ACT
from offerings.services.fund_rules import fund_rules_review, fund_rules_submit, price_changes_of
from offerings.services.stages import stage_close
from office.models import Decision
from office.refusals import Refused
from office.review import ReviewState
from tests.guards import change, refused_by
from tests.offerings.programme_1995 import confirmed_of, draft_of
from tests.offerings.programme_fes import (
    ACT,
    FES_CLOSED,
    FES_RECEIVED,
    fes_stage_of,
    given_fes,
)
from tests.offerings.rows import make_acceptance

TWICE = Given(Decimal("2000.00"), "Acta ficticia 12")


@pytest.fixture
def stage(irene, ana):
    return fes_stage_of(irene, ana)


@pytest.fixture
def acceptance(stage, irene):
    """Of a worker whom the article sets no limit, but in money: 100 shares."""
    return make_acceptance(
        stage, 1, 100, buyer_class=BuyerClass.WORKER, received_at=FES_RECEIVED, admitted=0
    )


def submitted(stage, user, **values):
    rules = draft_of(stage.programme, user, given_fes() | values)
    return fund_rules_submit(rules=rules, user=user)


def approve(rules, user):
    return fund_rules_review(rules=rules, user=user, outcome=ReviewState.APPROVED)


def test_approved_price_is_the_stage_s_from_then_on(stage, irene, ana):
    rules = approve(submitted(stage, irene, price=TWICE), ana)
    stage.refresh_from_db()
    assert (stage.price, stage.rules) == (Decimal("2000.00"), rules)
    assert Decision.objects.filter(act="price_change", subject_id=stage.pk).exists()


def test_every_acceptance_is_worked_out_under_the_new_terms(stage, acceptance, irene, ana):
    rules = approve(submitted(stage, irene, price=TWICE), ana)
    acceptance.refresh_from_db()
    assert acceptance.terms_sha256 == rules.terms_sha256


def test_who_changes_is_told_before_and_nothing_is_saved(stage, acceptance, irene, ana, client):
    change(acceptance, admitted=50)
    rules = submitted(stage, irene, price=TWICE)
    told = [one.acceptance.code for one in price_changes_of(rules)]
    assert told == [acceptance.code]
    client.force_login(ana)
    page = client.get(
        reverse("fund_rules_review", args=[stage.programme.slug, rules.version])
    ).content.decode()
    assert "Cambian con el nuevo precio" in page
    assert acceptance.code in page
    acceptance.refresh_from_db()
    assert acceptance.admitted == 50
    approve(rules, ana)
    event = Decision.objects.get(
        act=CHANGE_ACT, subject_kind="offerings.acceptance", subject_id=acceptance.pk
    )
    assert "tenía 50 acciones" in event.sentence


def test_same_price_changes_nothing(stage, acceptance, irene, ana):
    signs = Given("Tulio Imaginario Paz", ACT)
    rules = submitted(stage, irene, signatory_name=signs)
    assert price_changes_of(rules) == []
    approve(rules, ana)
    stage.refresh_from_db()
    assert stage.rules.version == 1


def test_nothing_but_the_price_changes_with_it(stage, irene):
    rules = draft_of(
        stage.programme,
        irene,
        given_fes() | {"price": TWICE, "outstanding": Given(2_933_655, ACT)},
    )
    with pytest.raises(Refused, match="la etapa ya se abrió"):
        fund_rules_submit(rules=rules, user=irene)


def test_after_the_close_the_price_stays(stage, irene, ana):
    waiting = submitted(stage, irene, price=TWICE)
    stage_close(stage=stage, user=ana, closed_at=FES_CLOSED)
    with pytest.raises(Refused, match="la etapa ya se abrió"):
        approve(waiting, ana)
    stage.refresh_from_db()
    assert stage.price == Decimal("1000.00")


def test_queries_do_not_grow_with_the_acceptances(
    stage, irene, ana, django_assert_max_num_queries
):
    for serial in range(1, 21):
        make_acceptance(stage, serial, 10, received_at=FES_RECEIVED)
    rules = submitted(stage, irene, price=TWICE)
    with django_assert_max_num_queries(20):
        price_changes_of(rules)
    assert Acceptance.objects.count() == 20


def test_database_takes_a_price_from_approved_rules_alone(stage, irene, ana):
    with refused_by("stage_price_by_rules"):
        change(stage, price=Decimal("2000.00"))
    draft = submitted(stage, irene, price=TWICE)
    with refused_by("stage_price_by_rules"):
        change(stage, price=Decimal("2000.00"), rules_id=draft.pk)


def test_a_second_correction_follows_the_first(stage, irene, ana):
    approve(submitted(stage, irene, price=TWICE), ana)
    again = confirmed_of(
        stage.programme, irene, ana, given_fes() | {"price": Given(Decimal("1500.00"), ACT)}
    )
    stage.refresh_from_db()
    assert (stage.price, stage.rules) == (Decimal("1500.00"), again)
