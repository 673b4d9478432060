"""Filters and Django's own formats, as they come out of a template."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from django.template import Context, Template
from django.utils import formats

from office.identities import Identity


def shown(expression: str, **context) -> str:
    return Template("{% load show %}{{ " + expression + " }}").render(Context(context))


@pytest.mark.parametrize(
    ("expression", "value", "text"),
    [
        ("x|quantity", 5_234_634_742, "5.234.634.742"),
        ("x|amount", Decimal("317218865365.20"), "$317.218.865.365,20"),
        ("x|decimal:9", Decimal("0.8225126614"), "0,822512661"),
        ("x|decimal", Decimal("26.52"), "26,52"),
        ("x|percent", Decimal("8.3"), "8,3\u00a0%"),
        ("x|percent:2", Decimal("40.7"), "40,70\u00a0%"),
        ("x|day", date(1995, 9, 15), "15/09/1995"),
        ("x|day", datetime(2005, 3, 11, 1, 30, tzinfo=UTC), "10/03/2005"),
        ("x|day_long", date(1995, 9, 15), "15 de septiembre de 1995"),
        (
            "x|moment",
            datetime(1995, 9, 15, 15, 42, tzinfo=UTC),
            "15/09/1995, 10:42\u00a0a.\u00a0m.",
        ),
        ("x|clock", time(15, 30), "3:30\u00a0p.\u00a0m."),
        ("x|identity", Identity("CC", "51000123"), "C.C. 51.000.123"),
        ("x|identity:'860530751'", "NIT", "NIT 860.530.751-7"),
        ("x|identity_long", Identity("CC", "51000123"), "cédula de ciudadanía 51.000.123"),
        ("x|identity_long:'51000123'", "CC", "cédula de ciudadanía 51.000.123"),
        ("x|quantity_words", 21, "veintiuna"),
        ("x|quantity_phrase", 600_000, "seiscientas mil (600.000) acciones"),
        ("x|amount_words", Decimal("60.60"), "sesenta pesos con sesenta centavos"),
        ("x|amount_phrase", Decimal(1), "un peso ($1,00)"),
        ("x|cite", "Decreto 1118 de 1995, art. 6-1.", "Decreto 1118 de 1995, art.\u00a06\u20111."),
        ("x|cite", "(arts. 4-2, 10)", "(arts.\u00a04\u20112, 10)"),
        ("x|cite", "A-001206", "A-001206"),
        ("x|cite", "ADJ-1995-000001 de 860.530.751-7", "ADJ-1995-000001 de 860.530.751-7"),
    ],
)
def test_filter_shows_its_value_as_colombia_writes_it(expression, value, text):
    assert shown(expression, x=value) == text


@pytest.mark.parametrize(
    "name",
    [
        "quantity",
        "amount",
        "decimal",
        "percent",
        "day",
        "day_long",
        "moment",
        "clock",
        "identity",
        "identity_long",
        "quantity_words",
        "quantity_phrase",
        "amount_words",
        "amount_phrase",
    ],
)
@pytest.mark.parametrize("value", [None, ""])
def test_filter_shows_a_dash_when_there_is_nothing_to_show(name, value):
    assert shown(f"x|{name}", x=value) == "–"


def test_zero_is_shown_when_it_is_a_value():
    assert shown("x|quantity", x=0) == "0"
    assert shown("x|amount", x=Decimal(0)) == "$0,00"


def test_citation_is_escaped_when_it_holds_markup():
    assert shown("x|cite", x="<b>art. 6-1") == "&lt;b&gt;art.\u00a06\u20111"


def test_django_shows_dates_and_numbers_as_colombia_does_when_left_to_itself():
    day = date(1995, 7, 4)
    assert formats.date_format(day, "SHORT_DATE_FORMAT") == "04/07/1995"
    assert formats.date_format(day) == "4 de julio de 1995"
    assert formats.number_format(Decimal("60.60")) == "60,60"
    assert Template("/x/{{ n }}/").render(Context({"n": 12345})) == "/x/12345/"
