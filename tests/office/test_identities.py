"""Identities: one person however it is written, two when the type differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.identities import (
    Identity,
    IdentityError,
    check_digit,
    identity_from_cell,
    read_identity,
    read_identity_shown,
    read_type,
    write_identity,
    write_identity_long,
    write_number,
)


@pytest.mark.parametrize("text", ["1.020.304.050", " 1020304050 ", "1 020 304 050", "1020304050"])
def test_identity_is_one_when_only_dots_and_blanks_differ(text):
    assert read_identity("CC", text) == Identity("CC", "1020304050")


def test_identities_are_two_when_the_type_differs():
    assert read_identity("CC", "123456") != read_identity("CE", "123456")


@pytest.mark.parametrize(
    "text", ["860530751-7", "860.007.738-9", "800197268 - 4", "899999068-1", "890903938-8"]
)
def test_nit_is_read_when_its_check_digit_is_right(text):
    identity = read_identity("NIT", text)
    assert f"{identity.number}-{identity.check_digit}" == text.replace(".", "").replace(" ", "")


@pytest.mark.parametrize(("text", "digit"), [("860530751-1", "7"), ("800.123.789-5", "2")])
def test_nit_is_refused_with_the_right_digit_when_its_own_is_wrong(text, digit):
    with pytest.raises(IdentityError, match=f"debe ser {digit}"):
        read_identity("NIT", text)


@pytest.mark.parametrize("text", ["860530751", "860.530.751", "8605307517"])
def test_nit_is_refused_when_it_has_no_check_digit(text):
    with pytest.raises(IdentityError, match="Falta el dígito de verificación"):
        read_identity("NIT", text)


def test_leading_zeros_go_from_a_cedula_and_stay_where_the_type_has_them():
    assert read_identity("CC", "007123456").number == "7123456"
    assert read_identity("CE", "007123456").number == "007123456"
    assert read_identity("PA", "007123456").number == "007123456"


@pytest.mark.parametrize(
    ("identity_type", "text"),
    [
        ("CC", ""),
        ("CC", "12"),
        ("CC", "000"),
        ("CC", "12345678901"),
        ("CC", "51000123A"),
        ("CC", "51000123.0"),
        ("CC", "51000123-4"),
        ("CC", "-51000123"),
        ("CC", "1e9"),
        ("CC", "１０２０３０４"),
        ("CC", "٥١٠٠٠١٢٣"),
        ("CC", "5100\x000123"),
        ("CC", "\u202e51000123"),
        ("CE", "12"),
        ("CE", "AB1234"),
        ("PA", "AB-12345"),
        ("PA", "ABC"),
        ("PA", "ßß12345"),
        ("PA", "A" * 16),
        ("NIT", "860530751-"),
        ("NIT", "860530751-77"),
        ("NIT", "-7"),
        ("NIT", "ABC-1"),
        ("TI", "51000123"),
    ],
)
def test_identity_is_refused_when_its_type_does_not_have_such_a_number(identity_type, text):
    with pytest.raises(IdentityError):
        read_identity(identity_type, text)


@pytest.mark.parametrize(
    ("text", "code"),
    [("C.C.", "CC"), ("cc", "CC"), ("C. E.", "CE"), ("nit", "NIT"), ("Pasaporte", "PA")],
)
def test_type_is_read_as_people_write_it(text, code):
    assert read_type(text) == code


def test_type_is_refused_with_those_accepted_when_unknown():
    with pytest.raises(IdentityError, match=r"Use C\.C\., C\.E\., Pasaporte o NIT"):
        read_type("T.I.")


@pytest.mark.parametrize(
    "value",
    ["1.02030405E+9", "1,02030405E+09", "1020304050.0", "1020304050,00", 1020304050.0, 1020304050],
)
def test_cell_gives_the_exact_number_when_a_spreadsheet_mangled_it(value):
    assert identity_from_cell("CC", value) == Identity("CC", "1020304050")


@pytest.mark.parametrize(
    "value", ["1.02E+09", "1E+9", "1.0203040505E+9", 1e17, 1.5, -5.0, float("nan"), True, None]
)
def test_cell_is_refused_when_digits_were_lost(value):
    with pytest.raises(IdentityError):
        identity_from_cell("CC", value)


def test_cell_is_grouped_text_when_three_zeros_follow_the_dot():
    assert identity_from_cell("CC", "100.000").number == "100000"


def test_identity_is_shown_with_its_type_and_grouping():
    assert write_identity("CC", "51000123") == "C.C. 51.000.123"
    assert write_identity("CE", "0123456") == "C.E. 0123456"
    assert write_identity("NIT", "860530751") == "NIT 860.530.751-7"
    assert write_identity("PA", "AB123456") == "Pasaporte AB123456"
    assert write_identity_long("CC", "51000123") == "cédula de ciudadanía 51.000.123"
    assert str(Identity("NIT", "800123789", "2")) == "NIT 800.123.789-2"


@given(st.sampled_from(["CC", "CE", "NIT", "PA"]), st.integers(100_000, 9_999_999_999).map(str))
def test_identity_reads_back_the_same_when_its_type_stands_before(kind, number):
    shown = write_identity(kind, number)
    alone = write_number(kind, number)
    for text in (shown, f" {shown.lower()} ", f"{kind} {alone}", alone):
        assert read_identity_shown(kind, text) == read_identity(kind, alone)


def test_identity_is_refused_when_another_type_stands_before():
    with pytest.raises(IdentityError):
        read_identity_shown("CC", "C.E. 510.001")


BADLY_PARTED = [
    ("CC", "1.02.0304"),
    ("CC", "1..234567"),
    ("CC", ".1234567"),
    ("CC", "1234567."),
    ("CC", "1 0 2 0 3 0 4"),
    ("CC", "1.020 304"),
    ("CC", "1.020.304.05"),
    ("CC", "1020.304"),
    ("CE", "12.34.567"),
    ("NIT", "86.0530.751-7"),
    ("NIT", "860.530 751-7"),
    ("NIT", "860530751.-7"),
]


@pytest.mark.parametrize(("identity_type", "text"), BADLY_PARTED)
def test_identity_is_refused_with_how_to_write_it_when_badly_parted(identity_type, text):
    with pytest.raises(IdentityError, match=r"de tres en tres cifras.*por ejemplo"):
        read_identity(identity_type, text)
    with pytest.raises(IdentityError):
        identity_from_cell(identity_type, text)


@pytest.mark.parametrize("text", [".AB123456", "AB123456.", "AB..123456", "AB 123.456"])
def test_passport_is_refused_when_badly_parted(text):
    with pytest.raises(IdentityError):
        read_identity("PA", text)


def test_passport_is_read_when_a_blank_parts_its_letters():
    assert read_identity("PA", "ab 123456").number == "AB123456"


NUMBERS = st.integers(min_value=100_000, max_value=9_999_999_999).map(str)
KINDS = st.sampled_from(["CC", "CE", "NIT"])
PARTS = st.sampled_from([".", " ", "\u00a0"])


@given(KINDS, NUMBERS, PARTS, st.sampled_from(["", " ", "\u00a0 "]))
def test_identity_reads_back_the_same_when_grouped_by_threes(kind, number, part, around):
    written = write_number(kind, number).replace(".", part)
    identity = read_identity(kind, f"{around}{written}{around}")
    assert (identity.type, identity.number) == (kind, number)
    assert read_identity(kind, written) == identity


@given(KINDS, NUMBERS, st.data())
def test_identity_is_refused_when_a_mark_stands_anywhere_but_between_threes(kind, number, data):
    place = data.draw(st.integers(0, len(number)))
    mark = data.draw(st.sampled_from([".", "..", ". "]))
    written = f"{number[:place]}{mark}{number[place:]}"
    if mark == "." and place == len(number) - 3 and place <= 3:
        return
    end = f"-{check_digit(number)}" if kind == "NIT" else ""
    with pytest.raises(IdentityError, match="fuera de lugar"):
        read_identity(kind, f"{written}{end}")


@given(st.integers(min_value=100, max_value=9_999_999_999))
def test_cedula_reads_back_the_same_when_written(number):
    identity = Identity("CC", str(number))
    assert read_identity("CC", write_number("CC", identity.number)) == identity
    assert identity_from_cell("CC", float(number)) == identity


@given(st.integers(min_value=100_000, max_value=9_999_999_999), st.integers(0, 9))
def test_nit_has_one_check_digit_only(number, digit):
    right = check_digit(str(number))
    assert read_identity("NIT", write_number("NIT", str(number))).check_digit == right
    if str(digit) != right:
        with pytest.raises(IdentityError):
            read_identity("NIT", f"{number}-{digit}")
