"""What the Fund's values cannot be, beside the decree, one another and today's date."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from offerings.decrees.fund_values import FundValue as Given
from offerings.models import FundValue
from offerings.selectors.fund_rules import fund_values_given, shown_value
from offerings.services.fund_rules import fund_rules_save, fund_rules_start, fund_rules_submit
from offerings.services.programmes import programme_open
from office.dates import bogota_day, write_date
from office.refusals import Refused
from tests.offerings.programme_1995 import (
    ACT,
    OLD_SLUG,
    OUTSTANDING,
    SLUG,
    draft_of,
    given_1994,
    given_1995,
)


@pytest.fixture
def draft_rules(irene):
    return draft_of(programme_open(slug=SLUG, user=irene), irene)


@pytest.fixture
def fund_values():
    return given_1995()


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("payment_term_days", 31, r"no permite más de 30 días \(art. 13\)"),
        ("outstanding", 5_234_634_741, r"menos que las ofrecidas, 5.234.634.742 \(art. 1\)"),
        ("published", date(1994, 12, 31), "Decreto 1118 de 1995 no pudo publicarse"),
        ("published", date(1995, 12, 30), r"no va más allá del 29/12/1995"),
        ("published", date(9000, 1, 1), "no va más allá"),
        ("extra_documents", ("W" * 201,), "a lo sumo 200"),
        ("extra_documents", ("Paz y salvo", "Paz y salvo"), "repetido"),
    ],
)
def test_a_value_that_cannot_be_beside_the_decree_is_refused_at_its_field(
    draft_rules, irene, fund_values, key, value, says
):
    fund_values[key] = Given(value, ACT)
    with pytest.raises(Refused, match=says) as refusal:
        fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    assert refusal.value.field == key


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("outstanding", 999_999, "outstanding"),
        ("shares", OUTSTANDING + 1, "outstanding"),
        ("authorisation_percent", Decimal("0.00000001"), "authorisation_percent"),
    ],
)
def test_the_values_that_a_fragment_lacks_must_fit_one_another(irene, key, value, field):
    values = given_1994() | {key: Given(value, ACT)}
    rules = fund_rules_start(programme=programme_open(slug=OLD_SLUG, user=irene), user=irene)
    with pytest.raises(Refused) as refusal:
        fund_rules_save(rules=rules, user=irene, values=values)
    assert refusal.value.field == field


def test_as_many_shares_outstanding_as_are_offered_are_possible(draft_rules, irene, fund_values):
    fund_values["outstanding"] = Given(5_234_634_742, ACT)
    fund_rules_save(rules=draft_rules, user=irene, values=fund_values)
    assert fund_values_given(draft_rules)["outstanding"].value == 5_234_634_742


def test_a_decree_of_tomorrow_is_refused_and_one_of_today_is_not(irene):
    rules = fund_rules_start(programme=programme_open(slug=OLD_SLUG, user=irene), user=irene)
    today = bogota_day(timezone.now())
    tomorrow = today + timedelta(days=1)
    with pytest.raises(Refused, match=f"^{write_date(tomorrow)} está en el futuro") as refusal:
        fund_rules_save(rules=rules, user=irene, values={"published": Given(tomorrow, ACT)})
    assert refusal.value.field == "published"
    fund_rules_save(rules=rules, user=irene, values={"published": Given(today, ACT)})


def test_what_was_kept_before_and_cannot_be_is_not_sent_either(draft_rules, irene):
    FundValue.objects.filter(rules=draft_rules, key="outstanding").update(value=1)
    with pytest.raises(Refused, match="menos que las ofrecidas"):
        fund_rules_submit(rules=draft_rules, user=irene)


def test_a_reading_may_be_kept_before_the_rule_that_it_reads(irene):
    rules = fund_rules_start(programme=programme_open(slug=OLD_SLUG, user=irene), user=irene)
    fund_rules_save(rules=rules, user=irene, values={"readmit_left_out": Given("no", ACT)})
    assert list(fund_values_given(rules)) == ["readmit_left_out"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("outstanding", 1, "1 acción"),
        ("outstanding", 2, "2 acciones"),
        ("stage_months", 1, "1 mes"),
        ("payment_term_days", 1, "1 día"),
        ("payment_term_days", 30, "30 días"),
    ],
)
def test_a_value_agrees_with_its_unit(key, value, words):
    assert shown_value(key, value) == words
