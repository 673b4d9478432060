"""One reading of es-CO numbers: what is written is read back, what is ambiguous is refused."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.numbers import (
    MAX_QUANTITY,
    NumberError,
    read_amount,
    read_quantity,
    write_amount,
    write_count,
    write_decimal,
    write_index,
    write_percent,
    write_quantity,
    write_shares,
)

NEITHER_QUANTITY_NOR_AMOUNT = [
    "",
    " ",
    "1e3",
    "+5",
    "-5",
    "\u22125",
    "16.829718",
    "1.234.5",
    "0.600",
    "1.2345",
    "1..234",
    ".234",
    "1.234.",
    "1,234.50",
    "1,234",
    "600,000",
    "1 234",
    "1\u00a0234",
    "１２３",
    "١٢٣",
    "1²",
    "①",
    "1\x00",
    "\x001",
    "\u202e123",
    "123\u200f",
    "\ufeff12",
    "0x10",
    "1_000",
    "1'000",
    "doce",
    "NaN",
    "Infinity",
    "1/2",
    "9" * 5000,
]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.234", 1234),
        ("1234", 1234),
        ("0", 0),
        ("600.000", 600_000),
        (" 5.234.634.742 ", 5_234_634_742),
        ("\t12\n", 12),
        ("0012", 12),
        ("9.223.372.036.854.775.807", MAX_QUANTITY),
    ],
)
def test_quantity_is_read_when_its_grouping_is_right(text, number):
    assert read_quantity(text) == number


@pytest.mark.parametrize("text", [*NEITHER_QUANTITY_NOR_AMOUNT, "600,", "60,60", "$60", "1.23"])
def test_quantity_is_refused_when_it_could_be_read_two_ways_or_is_no_number(text):
    with pytest.raises(NumberError):
        read_quantity(text)


def test_quantity_is_refused_when_it_passes_a_bigint():
    with pytest.raises(NumberError, match=r"el máximo es 9\.223\.372\.036\.854\.775\.807"):
        read_quantity("9223372036854775808")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("600,000", "«600,000» no se puede leer. Escriba 600.000 si son seiscientas mil."),
        ("16.829718", "Agrupación incorrecta. Escriba 16.829.718 o 16829718."),
        ("60,5", "La cantidad es un número entero"),
        ("-5", "no puede ser negativa"),
        ("1e3", "Escriba solo cifras, con un punto cada tres, por ejemplo 1.234 o 1234."),
    ],
)
def test_quantity_error_says_how_to_write_it_when_refused(text, message):
    with pytest.raises(NumberError) as refused:
        read_quantity(text)
    assert message in str(refused.value)


def test_quantity_error_agrees_with_what_is_counted_when_it_is_masculine():
    with pytest.raises(NumberError, match="si son doscientos mil"):
        read_quantity("200,000", feminine=False)


@pytest.mark.parametrize("text", ["1\x002", "\u202e12", "x" * 10_000])
def test_number_error_carries_nothing_unseen_or_endless_when_it_quotes(text):
    with pytest.raises(NumberError) as refused:
        read_quantity(text)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


@given(st.integers(min_value=0, max_value=MAX_QUANTITY))
def test_quantity_reads_back_the_same_when_written(number):
    assert read_quantity(write_quantity(number)) == number


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("60,60", "60.60"),
        ("60,6", "60.60"),
        ("60", "60.00"),
        ("$60,60", "60.60"),
        ("$ 1.234,50", "1234.50"),
        ("$\u00a01.234,50", "1234.50"),
        ("317.218.865.365,20", "317218865365.20"),
        ("1.234", "1234.00"),
        ("0,01", "0.01"),
        ("9999999999999999999999,99", "9999999999999999999999.99"),
    ],
)
def test_amount_is_read_to_the_centavo_when_it_is_written_right(text, amount):
    read = read_amount(text)
    assert read == Decimal(amount)
    assert str(read) == amount


@pytest.mark.parametrize(
    "text",
    [
        *NEITHER_QUANTITY_NOR_AMOUNT,
        "60,",
        ",60",
        "60,605",
        "60.60",
        "1.23",
        "$",
        "$$5",
        "5$",
        "1,2,3",
    ],
)
def test_amount_is_refused_when_it_could_be_read_two_ways_or_is_no_number(text):
    with pytest.raises(NumberError):
        read_amount(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,234.50", "Separadores cambiados. Escriba 1.234,50."),
        ("60.60", "Separadores cambiados. Escriba 60,60."),
        ("16.829718", "Agrupación incorrecta. Escriba 16.829.718 o 16829718."),
        ("600,000", "Escriba 600.000 si son seiscientos mil."),
        ("0,125", "a lo sumo 2 decimales"),
        ("-5,50", "no puede ser negativo"),
        ("10000000000000000000000", "caben 22 cifras enteras"),
    ],
)
def test_amount_error_says_how_to_write_it_when_refused(text, message):
    with pytest.raises(NumberError) as refused:
        read_amount(text)
    assert message in str(refused.value)


def test_amount_takes_other_decimals_when_its_column_has_them():
    assert read_amount("26,524713", 6, digits=12) == Decimal("26.524713")
    assert read_amount("12", 0) == Decimal(12)
    with pytest.raises(NumberError):
        read_amount("1000000", 6, digits=12)
    with pytest.raises(NumberError):
        read_amount("12,5", 0)


@given(st.integers(min_value=0, max_value=10**24 - 1))
def test_amount_reads_back_the_same_when_written(centavos):
    amount = Decimal(centavos).scaleb(-2)
    assert read_amount(write_amount(amount)) == amount
    assert read_amount(write_decimal(amount, 2)) == amount


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        ("60.60", "$60,60"),
        ("317218865365.20", "$317.218.865.365,20"),
        ("0", "$0,00"),
        ("-150.50", "\u2212$150,50"),
        ("-0.001", "$0,00"),
        ("0.005", "$0,01"),
        ("9999999999999999999999999999.995", "$10.000.000.000.000.000.000.000.000.000,00"),
    ],
)
def test_amount_is_written_half_up_to_the_centavo_when_shown(amount, written):
    assert write_amount(Decimal(amount)) == written


def test_decimal_keeps_its_own_places_when_none_are_asked_for():
    assert write_decimal(Decimal("0.8225126614"), 9) == "0,822512661"
    assert write_decimal(Decimal("26.520")) == "26,52"
    assert write_decimal(Decimal("1E+3")) == "1.000"
    assert write_decimal(Fraction(1, 3), 4) == "0,3333"
    with pytest.raises(TypeError):
        write_decimal(Fraction(1, 3))


def test_percent_has_a_blank_that_never_breaks_when_written():
    assert write_percent(Decimal("8.3")) == "8,3\u00a0%"
    assert write_percent(Decimal("75.083462")) == "75,083462\u00a0%"
    assert write_percent(Fraction(2, 3), 2) == "0,67\u00a0%"


@pytest.mark.parametrize(
    ("number", "written"), [(0, "0 acciones"), (1, "1 acción"), (495_049, "495.049 acciones")]
)
def test_shares_agree_with_their_noun_when_counted(number, written):
    assert write_shares(number) == written
    assert write_count(number, "acción", "acciones") == written


@pytest.mark.parametrize(
    ("value", "shown"),
    [("66.5", "66,50"), ("100", "100,00"), ("12.345678", "12,345678"), ("1234.5", "1.234,50")],
)
def test_index_has_two_decimals_at_least(value, shown):
    assert write_index(Decimal(value)) == shown
