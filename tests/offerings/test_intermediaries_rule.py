"""Whether broker and exchange must be named, programme by programme."""

from dataclasses import replace

import pytest

from offerings.decrees.reader import terms_of
from offerings.rules.intermediaries import intermediaries_required


@pytest.mark.parametrize(
    ("slug", "required", "cite"),
    [
        ("banco-popular-1994", True, "numeral 4"),
        ("banco-popular-1995", True, "art. 14"),
        ("banco-popular-1996", True, "numeral 5"),
        ("financiera-america-2004", False, "artículo de reglas de las aceptaciones"),
        ("fiduciaria-fes-2004", False, "artículo de limitaciones de las ofertas"),
    ],
)
def test_broker_and_exchange_are_asked_for_as_each_decree_says(slug, required, cite):
    ruling = intermediaries_required(terms_of(slug))

    assert ruling.value is required
    assert ruling.cites == (cite,)


def test_where_the_text_says_nothing_of_them_they_are_asked_for_without_an_article():
    silent = replace(terms_of("fiduciaria-fes-2004"), through_broker=None)

    ruling = intermediaries_required(silent)

    assert ruling.value is True
    assert ruling.cites == ()
