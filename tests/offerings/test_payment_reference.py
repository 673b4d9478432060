"""The reference of a payment: digits with a check digit, read back to its award."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offerings.rules.payment_reference import payment_reference, payment_reference_award

AWARDS = st.integers(min_value=1, max_value=2**63 - 1)


def test_the_reference_is_ten_digits_and_the_last_one_checks_the_rest():
    assert payment_reference(7992739871) == "79927398713"
    assert payment_reference(1) == "0000000018"


@given(AWARDS)
def test_a_reference_is_read_back_to_its_award(award):
    assert payment_reference_award(payment_reference(award)) == award


@given(AWARDS, st.data())
def test_no_award_is_found_when_one_digit_is_mistaken(award, data):
    reference = payment_reference(award)
    place = data.draw(st.integers(min_value=0, max_value=len(reference) - 1))
    wrong = data.draw(st.sampled_from(sorted(set("0123456789") - {reference[place]})))
    assert payment_reference_award(reference[:place] + wrong + reference[place + 1 :]) is None


@pytest.mark.parametrize("typed", ["18", "000-000-001 8", " 0000000018 ", "0.000.000.018"])
def test_the_award_is_found_when_zeros_fall_off_or_signs_stand_between(typed):
    assert payment_reference_award(typed) == 1


@pytest.mark.parametrize(
    "typed", ["", "0", "00", "8", "A-000018", "１８", "-", "1e8", "18\x00", "19", "0" * 5000]
)
def test_no_award_is_found_when_it_is_no_reference(typed):
    assert payment_reference_award(typed) is None


@pytest.mark.parametrize("award", [0, -1])
def test_there_is_no_reference_when_there_is_no_award(award):
    with pytest.raises(ValueError, match="no award"):
        payment_reference(award)
