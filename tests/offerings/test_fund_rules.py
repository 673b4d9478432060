"""The reglamento del Fondo: its values and readings, and the second person who confirms them."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, IntegrityError, connection, transaction

from buyers.enums import BuyerClass, BuyerKind
from offerings.decrees import reader
from offerings.decrees.fund_values import FundValue as Given
from offerings.decrees.reader import decree_slugs, terms_of, terms_sha256
from offerings.models import FundRules, FundValue
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.classes import class_admitted
from offerings.rules.limits import LimitFacts, purchase_limit
from offerings.rules.payments import payment_last_day
from offerings.rules.ruling import NotCovered
from offerings.rules.window import WindowFacts, offer_window
from offerings.selectors.fund_rules import fund_values_given, missing_keys, open_readings
from offerings.selectors.programmes import programme_terms, stage_terms
from offerings.services.fund_rules import (
    fund_rules_review,
    fund_rules_save,
    fund_rules_start,
    fund_rules_submit,
)
from offerings.services.programmes import programme_open
from office.decisions import decisions_on
from office.refusals import Refused
from office.review import ReviewState
from tests.offerings.programme_1995 import (
    ACT,
    OLD_SLUG,
    SLUG,
    confirmed_of,
    draft_of,
    given_1994,
    given_1995,
    open_stage_of,
    pending_of,
)


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


@pytest.fixture
def draft_rules(programme, irene):
    return draft_of(programme, irene)


@pytest.fixture
def pending_rules(programme, irene):
    return pending_of(programme, irene)


@pytest.fixture
def confirmed_rules(programme, irene, ana):
    return confirmed_of(programme, irene, ana)


@pytest.fixture
def fund_values():
    return given_1995()


# The ordinary way


def test_rules_confirmed_by_a_second_person_become_the_terms(confirmed_rules, programme, ana):
    terms = programme_terms(programme)
    assert confirmed_rules.reviewed_by == ana
    assert terms.shares.value == 5_234_634_742
    assert terms.price.value == Decimal("60.60")
    assert terms.outstanding.value == 5_609_906_000
    assert terms.outstanding.cite == "Certificado ficticio del revisor fiscal"
    assert terms.adjudication.readmit_left_out.value == "no"
    assert confirmed_rules.terms_sha256 == terms_sha256(terms)


def test_values_come_back_as_they_were_typed(draft_rules, fund_values):
    assert fund_values_given(draft_rules) == fund_values


def test_a_value_taken_out_of_the_form_leaves_the_draft(draft_rules, irene, fund_values):
    fund_values.pop("signatory_title")
    fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    assert missing_keys("banco-popular-1995", fund_values_given(draft_rules)) == [
        "signatory_title"
    ]


def test_the_act_is_in_the_log_with_the_decree_and_the_sha256(confirmed_rules, ana):
    sent, approved = decisions_on([confirmed_rules])
    assert sent.act == "fund_rules_submit"
    assert approved.actor == ana
    assert approved.article == "Decreto 1118 de 1995"
    assert approved.data["terms_sha256"] == confirmed_rules.terms_sha256


def test_a_returned_version_gives_a_new_draft_with_its_values(pending_rules, ana, irene):
    fund_rules_review(
        rules=pending_rules, user=ana, outcome=ReviewState.RETURNED, reason="Falta el folio."
    )
    again = fund_rules_start(programme=pending_rules.programme, user=irene)
    assert again.version == 2
    assert fund_values_given(again) == fund_values_given(pending_rules)
    assert programme_terms(again.programme).outstanding is None


def test_starting_twice_gives_the_draft_under_way(draft_rules, mateo):
    assert fund_rules_start(programme=draft_rules.programme, user=mateo) == draft_rules


def test_sending_twice_sends_once(pending_rules, irene):
    assert fund_rules_submit(rules=pending_rules, user=irene) == pending_rules
    assert decisions_on([pending_rules]).count() == 1


def test_a_fragment_asks_the_reading_of_the_rule_that_the_fund_enters(db):
    assert list(open_readings("banco-popular-1994")) == ["over_limit", "readmit_left_out"]
    assert list(open_readings("banco-popular-1995")) == ["readmit_left_out"]


def test_a_fragment_filled_in_by_the_fund_has_all_its_figures(irene, ana):
    programme = programme_open(slug=OLD_SLUG, user=irene)
    confirmed_of(programme, irene, ana, given_1994())
    terms = programme_terms(programme)
    assert terms.price.value == Decimal("55.00")
    assert terms.limits.over_limit.value == "reject"
    assert terms.stage.months.value == 2


# What a fragment lacks is not covered: neither zero nor "no limit"


@pytest.mark.parametrize("slug", decree_slugs())
def test_each_decree_loads_with_its_clauses(slug):
    terms = terms_of(slug)
    assert terms.decree.cite
    assert all(ask.cite and ask.why for ask in terms.asks)


FRAGMENTS = [slug for slug in decree_slugs() if slug != "banco-popular-1995"]


@pytest.mark.parametrize("slug", FRAGMENTS)
def test_a_fragment_stops_where_it_says_nothing(slug):
    terms = terms_of(slug)
    day = date(2004, 12, 1)
    for ask in (
        lambda: adjudication_terms(terms),
        lambda: offer_window(WindowFacts(day, lambda day: True), terms),
        lambda: payment_last_day(day, terms),
        lambda: class_admitted(BuyerClass.SOLIDARITY_ORGANISATION, terms),
    ):
        with pytest.raises(NotCovered) as gap:
            ask()
        assert gap.value.programme == slug
        assert gap.value.missing


@pytest.mark.parametrize("slug", ["banco-popular-1996", "financiera-america-2004"])
def test_a_fragment_without_organisations_has_no_limit_for_them(slug):
    facts = LimitFacts(kind=BuyerKind.ORGANISATION, buyer_class=BuyerClass.COOPERATIVE)
    with pytest.raises(NotCovered, match="límite de las organizaciones"):
        purchase_limit(facts, terms_of(slug))


def test_the_whole_decree_of_1995_covers_all_of_it():
    terms = terms_of("banco-popular-1995")
    assert adjudication_terms(terms).pro_rata_cite == "art. 9-3"
    assert payment_last_day(date(1995, 9, 15), terms).value == date(1995, 10, 15)


# What is refused


def test_a_value_without_its_source_is_refused_at_its_field(draft_rules, irene, fund_values):
    fund_values["outstanding"] = Given(5_609_906_000, "  ")
    with pytest.raises(Refused, match="escriba la fuente") as refusal:
        fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    assert refusal.value.field == "outstanding"


def test_a_value_that_the_decree_does_not_leave_to_the_fund_is_refused(draft_rules, irene):
    with pytest.raises(Refused, match="no lo deja al Fondo"):
        fund_rules_save(
            rules=draft_rules, user=irene, values={"price": Given(Decimal("1.00"), ACT)}
        )


def test_a_reading_that_the_text_does_not_admit_is_refused(draft_rules, irene):
    for key, value in (("readmit_left_out", "perhaps"), ("over_limit", "reject")):
        with pytest.raises(Refused, match="no admite esa lectura"):
            fund_rules_save(rules=draft_rules, user=irene, values={key: Given(value, ACT)})


def test_an_impossible_value_is_refused(draft_rules, irene):
    with pytest.raises(Refused, match="no es un valor posible"):
        fund_rules_save(rules=draft_rules, user=irene, values={"outstanding": Given(0, ACT)})


def test_a_draft_that_lacks_a_value_is_not_sent(draft_rules, irene, fund_values):
    del fund_values["outstanding"]
    fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    with pytest.raises(Refused, match="Acciones en circulación") as refusal:
        fund_rules_submit(rules=draft_rules, user=irene)
    assert refusal.value.field == "outstanding"


def test_a_draft_with_an_unconfirmed_reading_is_not_sent(draft_rules, irene, fund_values):
    del fund_values["readmit_left_out"]
    fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    with pytest.raises(Refused, match="no admite reducción"):
        fund_rules_submit(rules=draft_rules, user=irene)


def test_rules_that_wait_for_review_are_not_edited(pending_rules, irene, fund_values):
    with pytest.raises(Refused, match="ya no se edita"):
        fund_rules_save(rules=pending_rules, user=irene, values=fund_values)


def test_approved_rules_are_not_sent_again(confirmed_rules, irene):
    with pytest.raises(Refused, match="Aprobada"):
        fund_rules_submit(rules=confirmed_rules, user=irene)


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_sending_back_or_rejecting_needs_its_reason(pending_rules, ana, outcome):
    with pytest.raises(Refused, match="motivo"):
        fund_rules_review(rules=pending_rules, user=ana, outcome=outcome, reason=" ")


# Two people


def test_who_prepared_it_cannot_approve_it(programme, ana, fund_values):
    rules = fund_rules_start(programme=programme, user=ana)
    fund_rules_save(rules=rules, user=ana, values=fund_values)
    rules = fund_rules_submit(rules=rules, user=ana)
    with pytest.raises(Refused, match="otro supervisor"):
        fund_rules_review(rules=rules, user=ana, outcome=ReviewState.APPROVED)


def test_who_typed_one_value_cannot_approve_what_another_sent(
    draft_rules, ana, irene, fund_values
):
    fund_values["outstanding"] = Given(5_609_906_001, "otro certificado ficticio")
    fund_rules_save(rules=draft_rules, user=ana, values=fund_values)
    rules = fund_rules_submit(rules=draft_rules, user=irene)
    with pytest.raises(Refused, match="Usted ingresó datos"):
        fund_rules_review(rules=rules, user=ana, outcome=ReviewState.APPROVED)


@pytest.mark.parametrize("person", ["mateo", "aura", "adela", "root", "bruno"])
def test_nobody_but_a_supervisor_approves(pending_rules, person, request):
    with pytest.raises(Refused, match="Solo un supervisor"):
        fund_rules_review(
            rules=pending_rules,
            user=request.getfixturevalue(person),
            outcome=ReviewState.APPROVED,
        )
    pending_rules.refresh_from_db()
    assert pending_rules.review_state == ReviewState.PENDING


@pytest.mark.parametrize("person", ["aura", "adela", "root", "bruno"])
def test_nobody_but_staff_prepares(programme, person, request):
    with pytest.raises(Refused, match="analista o un supervisor"):
        fund_rules_start(programme=programme, user=request.getfixturevalue(person))


APPROVE = """
    UPDATE offerings_fundrules
    SET review_state = 'approved', reviewed_by_id = %s, reviewed_at = now(),
        terms = '{}', terms_sha256 = 'x'
    WHERE id = %s
"""


def run_sql(sql, *values):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_the_database_refuses_the_preparer_as_reviewer(pending_rules, irene):
    irene.groups.add(Group.objects.get(name="supervisor"))
    with pytest.raises(IntegrityError, match="fundrules_review"):
        run_sql(APPROVE, irene.pk, pending_rules.pk)


def test_the_database_refuses_the_preparer_who_typed_nothing(draft_rules, tomas):
    # The values were typed by another, so that the check constraint alone stands in the way.
    rules = fund_rules_submit(rules=draft_rules, user=tomas)
    with pytest.raises(IntegrityError, match="fundrules_reviewed_by_another"):
        run_sql(APPROVE, tomas.pk, rules.pk)


@pytest.mark.parametrize("person", ["mateo", "root"])
def test_the_database_refuses_a_reviewer_who_is_no_supervisor(pending_rules, person, request):
    with pytest.raises(IntegrityError, match="reviewer_is_supervisor"):
        run_sql(APPROVE, request.getfixturevalue(person).pk, pending_rules.pk)


def test_the_database_refuses_a_reviewer_who_typed_a_value(draft_rules, irene, ana, fund_values):
    fund_values["outstanding"] = replace(fund_values["outstanding"], source="otro certificado")
    fund_rules_save(rules=draft_rules, user=ana, values=fund_values)
    fund_rules_submit(rules=draft_rules, user=irene)
    with pytest.raises(IntegrityError, match="fundrules_reviewer_typed_none"):
        run_sql(APPROVE, ana.pk, draft_rules.pk)


def test_the_database_refuses_approval_without_terms(pending_rules, ana):
    with pytest.raises(IntegrityError, match="fundrules_approved_has_terms"):
        run_sql(
            "UPDATE offerings_fundrules SET review_state = 'approved', reviewed_by_id = %s, "
            "reviewed_at = now() WHERE id = %s",
            ana.pk,
            pending_rules.pk,
        )


def test_the_database_refuses_a_second_version_under_way(draft_rules, irene):
    with pytest.raises(IntegrityError, match="fundrules_one_under_way"), transaction.atomic():
        FundRules.objects.create(programme=draft_rules.programme, version=2, prepared_by=irene)


def test_the_database_refuses_to_change_approved_rules(confirmed_rules):
    with pytest.raises(DatabaseError, match="Cannot update"):
        run_sql(
            "UPDATE offerings_fundrules SET terms_sha256 = 'y' WHERE id = %s", confirmed_rules.pk
        )
    with pytest.raises(DatabaseError, match="Cannot delete"):
        run_sql("DELETE FROM offerings_fundrules WHERE id = %s", confirmed_rules.pk)


def test_the_database_refuses_a_value_after_the_rules_were_sent(pending_rules, irene):
    with pytest.raises(IntegrityError, match="fundvalue_only_in_draft"), transaction.atomic():
        FundValue.objects.create(
            rules=pending_rules,
            key="payment_term_days",
            value=20,
            source=ACT,
            entered_by=irene,
        )
    with pytest.raises(IntegrityError, match="fundvalue_only_in_draft"):
        run_sql("UPDATE offerings_fundvalue SET value = '1' WHERE rules_id = %s", pending_rules.pk)
    with pytest.raises(IntegrityError, match="fundvalue_only_in_draft"):
        run_sql("DELETE FROM offerings_fundvalue WHERE rules_id = %s", pending_rules.pk)


def test_the_database_refuses_a_value_without_source_or_twice(draft_rules, irene):
    with pytest.raises(IntegrityError, match="fundvalue_has_source"), transaction.atomic():
        FundValue.objects.create(rules=draft_rules, key="x", value=1, source="", entered_by=irene)
    with pytest.raises(IntegrityError, match="fundvalue_once_per_key"), transaction.atomic():
        FundValue.objects.create(
            rules=draft_rules, key="outstanding", value=1, source="a", entered_by=irene
        )


# What was confirmed stays


def test_a_decree_corrected_later_does_not_move_the_confirmed_terms(irene, ana, monkeypatch):
    open_stage = open_stage_of(irene, ana)
    before = programme_terms(open_stage.programme)
    corrected = replace(before, price=replace(before.price, value=Decimal("60.00")))
    monkeypatch.setattr(reader, "_bundled", lambda slug: corrected)
    assert terms_of("banco-popular-1995").price.value == Decimal("60.00")
    assert programme_terms(open_stage.programme) == before
    assert stage_terms(open_stage) == before
    assert terms_sha256(stage_terms(open_stage)) == open_stage.rules.terms_sha256
