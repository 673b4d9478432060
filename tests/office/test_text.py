"""Text that people type: nothing unseen gets in, and searches find what looks alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.text import TextError, clean_text, exchange_words, fold, quoted

_UNSEEN = (
    "\x00\x07\x1b\x7f"  # controls
    "\u202e\u202a\u2066\u2069\u200e\u200f\u061c"  # direction
    "\u200b\u200d\u2060\ufeff\u00ad"  # no width
    "\ue000\uffff"  # no character at all
)


def test_text_is_single_spaced_and_composed_when_clean():
    assert clean_text("  María\u00a0 Ñáñez\t Güiza \n") == "María Ñáñez Güiza"
    assert clean_text("N\u0303a\u0301n\u0303ez") == "Ñáñez"


@pytest.mark.parametrize(
    "mark",
    [*_UNSEEN, chr(0xD800)],
)
def test_text_is_refused_when_it_holds_what_cannot_be_seen(mark):
    with pytest.raises(TextError, match=rf"U\+{ord(mark):04X}, posición 4"):
        clean_text(f"Ana{mark}Prueba")


def test_line_ends_stay_only_when_the_text_may_have_them():
    assert clean_text(" uno \r\n\r\n dos\r", multiline=True) == "uno\n\ndos"
    assert clean_text("uno\r\ndos") == "uno dos"


@given(st.text())
def test_text_does_not_change_when_cleaned_again(text):
    try:
        once = clean_text(text)
    except TextError:
        return
    assert clean_text(once) == once
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("Ñáñez", "nanez"),
        ("D’Alemán", "d'aleman"),
        ("D´Alemán", "D'ALEMAN"),
        ("Valores Ficticios S.A.", "valores  ficticios sa"),
        ("GÜIZA", "guiza"),
        ("tres‴", "tres'''"),
        ("O’Higgins", "ohiggins"),
        ("O'Higgins", "OHIGGINS"),
        ("Rosa Inventada", "ro\x00sa\u202e inventada\u200b"),
    ],
)
def test_folded_text_is_the_same_when_it_looks_alike(stored, typed):
    assert fold(stored) == fold(typed)


@given(st.text())
def test_folded_text_does_not_change_when_folded_again(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_quoted_text_is_short_and_printable_whatever_it_quotes(text):
    assert quoted(text).isprintable()
    assert len(quoted(text)) <= 43


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Bolsa de Prueba", "la Bolsa de Prueba"),
        ("BOLSA DE PRUEBA", "la BOLSA DE PRUEBA"),
        ("Mercado de Prueba", "la bolsa «Mercado de Prueba»"),
        ("Bolsalibre", "la bolsa «Bolsalibre»"),
    ],
)
def test_an_exchange_has_its_article_and_its_noun_whatever_its_name(name, written):
    assert exchange_words(name) == written
