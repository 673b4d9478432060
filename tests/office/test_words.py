"""Words of certificates, against values written out by hand."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.words import (
    amount_phrase,
    amount_words,
    issue_sentence,
    quantity_phrase,
    quantity_words,
)

SHARES = [
    (0, "cero"),
    (1, "una"),
    (2, "dos"),
    (10, "diez"),
    (15, "quince"),
    (16, "dieciséis"),
    (20, "veinte"),
    (21, "veintiuna"),
    (22, "veintidós"),
    (23, "veintitrés"),
    (26, "veintiséis"),
    (30, "treinta"),
    (31, "treinta y una"),
    (41, "cuarenta y una"),
    (99, "noventa y nueve"),
    (100, "cien"),
    (101, "ciento una"),
    (121, "ciento veintiuna"),
    (200, "doscientas"),
    (500, "quinientas"),
    (700, "setecientas"),
    (900, "novecientas"),
    (999, "novecientas noventa y nueve"),
    (1_000, "mil"),
    (1_001, "mil una"),
    (1_100, "mil cien"),
    (1_500, "mil quinientas"),
    (2_000, "dos mil"),
    (21_000, "veintiún mil"),
    (21_021, "veintiún mil veintiuna"),
    (31_000, "treinta y un mil"),
    (100_000, "cien mil"),
    (101_000, "ciento un mil"),
    (200_200, "doscientas mil doscientas"),
    (291_196, "doscientas noventa y un mil ciento noventa y seis"),
    (397_184, "trescientas noventa y siete mil ciento ochenta y cuatro"),
    (407_184, "cuatrocientas siete mil ciento ochenta y cuatro"),
    (600_000, "seiscientas mil"),
    (999_999, "novecientas noventa y nueve mil novecientas noventa y nueve"),
    (1_000_000, "un millón"),
    (1_000_001, "un millón una"),
    (1_001_000, "un millón mil"),
    (2_202_689, "dos millones doscientas dos mil seiscientas ochenta y nueve"),
    (9_870_151, "nueve millones ochocientas setenta mil ciento cincuenta y una"),
    (16_829_718, "dieciséis millones ochocientas veintinueve mil setecientas dieciocho"),
    (21_000_000, "veintiún millones"),
    (100_000_000, "cien millones"),
    (200_000_000, "doscientos millones"),
    (
        629_291_196,
        "seiscientos veintinueve millones doscientas noventa y un mil ciento noventa y seis",
    ),
    (1_000_000_000, "mil millones"),
    (1_001_000_000, "mil un millones"),
    (
        4_877_777_777,
        (
            "cuatro mil ochocientos setenta y siete millones setecientas setenta y siete mil "
            "setecientas setenta y siete"
        ),
    ),
    (
        5_234_634_742,
        (
            "cinco mil doscientos treinta y cuatro millones seiscientas treinta y cuatro mil "
            "setecientas cuarenta y dos"
        ),
    ),
    (21_000_000_000, "veintiún mil millones"),
    (1_000_000_000_000, "un billón"),
    (1_000_001_000_000, "un billón un millón"),
    (2_000_000_000_200, "dos billones doscientas"),
    (
        9_223_372_036_854_775_807,
        (
            "nueve trillones doscientos veintitrés mil trescientos setenta y dos billones "
            "treinta y seis mil ochocientos cincuenta y cuatro millones setecientas setenta y "
            "cinco mil ochocientas siete"
        ),
    ),
    (10**18, "un trillón"),
    (10**24, "un cuatrillón"),
    (10**27, "mil cuatrillones"),
    (10**30, "un quintillón"),
]

PESOS = [
    ("0", "cero pesos"),
    ("0.01", "un centavo"),
    ("0.21", "veintiún centavos"),
    ("0.60", "sesenta centavos"),
    ("1", "un peso"),
    ("1.01", "un peso con un centavo"),
    ("21", "veintiún pesos"),
    ("31.31", "treinta y un pesos con treinta y un centavos"),
    ("60.60", "sesenta pesos con sesenta centavos"),
    ("60.06", "sesenta pesos con seis centavos"),
    ("100", "cien pesos"),
    ("501", "quinientos un pesos"),
    ("1000", "mil pesos"),
    ("21000", "veintiún mil pesos"),
    ("141702.20", "ciento cuarenta y un mil setecientos dos pesos con veinte centavos"),
    ("1000000", "un millón de pesos"),
    ("1000000.50", "un millón de pesos con cincuenta centavos"),
    ("1000001", "un millón un pesos"),
    ("1001000", "un millón mil pesos"),
    ("2000000", "dos millones de pesos"),
    ("1000000000", "mil millones de pesos"),
    ("3000000000000", "tres billones de pesos"),
    (
        "24675350.40",
        (
            "veinticuatro millones seiscientos setenta y cinco mil trescientos cincuenta pesos "
            "con cuarenta centavos"
        ),
    ),
    (
        "29999969.40",
        (
            "veintinueve millones novecientos noventa y nueve mil novecientos sesenta y nueve "
            "pesos con cuarenta centavos"
        ),
    ),
    (
        "598131150.60",
        (
            "quinientos noventa y ocho millones ciento treinta y un mil ciento cincuenta pesos "
            "con sesenta centavos"
        ),
    ),
    (
        "317218865365.20",
        (
            "trescientos diecisiete mil doscientos dieciocho millones ochocientos sesenta y "
            "cinco mil trescientos sesenta y cinco pesos con veinte centavos"
        ),
    ),
]


@pytest.mark.parametrize(("number", "words"), SHARES)
def test_shares_are_written_in_feminine_words_when_counted(number, words):
    assert quantity_words(number) == words


@pytest.mark.parametrize(("amount", "words"), PESOS)
def test_pesos_are_written_in_words_when_certified(amount, words):
    assert amount_words(Decimal(amount)) == words


@pytest.mark.parametrize(
    ("number", "alone", "before_noun"),
    [
        (1, "uno", "un"),
        (21, "veintiuno", "veintiún"),
        (31, "treinta y uno", "treinta y un"),
        (101, "ciento uno", "ciento un"),
        (1_991, "mil novecientos noventa y uno", "mil novecientos noventa y un"),
        (500, "quinientos", "quinientos"),
    ],
)
def test_masculine_one_is_shortened_when_a_noun_follows(number, alone, before_noun):
    assert quantity_words(number, feminine=False) == alone
    assert quantity_words(number, feminine=False, before_noun=True) == before_noun


@pytest.mark.parametrize(
    ("number", "phrase"),
    [
        (0, "cero (0) acciones"),
        (1, "una (1) acción"),
        (600_000, "seiscientas mil (600.000) acciones"),
        (1_000_000, "un millón (1.000.000) de acciones"),
        (12_000_000, "doce millones (12.000.000) de acciones"),
        (30_000_001, "treinta millones una (30.000.001) acciones"),
    ],
)
def test_shares_take_de_when_their_words_end_in_millions(number, phrase):
    assert quantity_phrase(number) == phrase


def test_pesos_stand_in_words_and_figures_when_phrased():
    assert amount_phrase(Decimal("60.6")) == "sesenta pesos con sesenta centavos ($60,60)"


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        (
            date(1995, 9, 15),
            (
                "a los quince (15) días del mes de septiembre de mil novecientos noventa y cinco "
                "(1995)"
            ),
        ),
        (
            date(1995, 10, 1),
            "al primer (1er) día del mes de octubre de mil novecientos noventa y cinco (1995)",
        ),
        (date(2000, 1, 21), "a los veintiún (21) días del mes de enero de dos mil (2000)"),
        (
            date(2021, 8, 31),
            "a los treinta y un (31) días del mes de agosto de dos mil veintiuno (2021)",
        ),
    ],
)
def test_issue_sentence_states_day_month_and_year_when_issued(day, sentence):
    assert issue_sentence(day) == sentence


@pytest.mark.parametrize("number", [-1, 10**36])
def test_words_are_refused_when_the_number_has_none(number):
    with pytest.raises(ValueError, match="de 0 a"):
        quantity_words(number)


@pytest.mark.parametrize("amount", ["-1", "0.005"])
def test_pesos_are_refused_when_words_would_round_or_hide_a_sign(amount):
    with pytest.raises(ValueError, match="centavos enteros"):
        amount_words(Decimal(amount))


_SMALL = (
    "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte veintiún veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve"
)
_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_HUNDREDS = "doscient trescient cuatrocient quinient seiscient setecient ochocient novecient"
UNITS = {word: value for value, word in enumerate(_SMALL.split(), start=1)}
UNITS |= {"una": 1, "uno": 1, "veintiuna": 21, "veintiuno": 21, "cien": 100, "ciento": 100}
UNITS |= {word: value * 10 for value, word in enumerate(_TENS.split(), start=3)}
UNITS |= {
    word + gender: value * 100
    for value, word in enumerate(_HUNDREDS.split(), start=2)
    for gender in ("os", "as")
}
SCALES = {"mill": 10**6, "bill": 10**12, "trill": 10**18, "cuatrill": 10**24, "quintill": 10**30}


def number_of(words: str) -> int:
    """Add the words up again, by another way than the one that made them."""
    total = group = 0
    for word in words.split():
        stem = word.removesuffix("ón").removesuffix("ones")
        if stem in SCALES:
            total, group = total + group * SCALES[stem], 0
        elif word == "mil":
            group = (group or 1) * 1000
        elif word != "y":
            group += UNITS[word]
    return total + group


@given(st.integers(min_value=1, max_value=10**36 - 1), st.booleans(), st.booleans())
def test_words_add_up_to_the_number_when_read_back(number, feminine, before_noun):
    assert number_of(quantity_words(number, feminine, before_noun=before_noun)) == number
