"""The pictures: what they draw, and that nothing in them is refused or left unescaped."""

import re
from xml.etree import ElementTree

import pytest

from office.charts import Bar, area_chart, bar_chart, bar_unit, chart_unit

SUPPLY = 5_234_634_742
WEEKS = [
    ("14/07", 0),
    ("25/08", 2_874_765_051),
    ("08/09", 5_089_816_847),
    ("14/09", 6_365_399_021),
]
CLASSES = [
    Bar("Trabajadores activos", 2_591_414_935, 2_130_605_193),
    Bar("Cooperativas", 757_857_488, 623_347_379),
]
SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg):
    return ElementTree.fromstring(svg)


def words(svg):
    return [text.text for text in drawn(svg).iter(f"{SVG}text")]


def test_demand_and_supply_end_with_their_exact_figures():
    shown = words(area_chart(WEEKS, SUPPLY))
    assert shown[shown.index("Demanda") + 1] == "6.365.399.021"
    assert shown[shown.index("Oferta") + 1] == "5.234.634.742"


def test_axis_begins_at_zero_and_counts_in_thousands_of_millions():
    assert words(area_chart(WEEKS, SUPPLY))[:4] == ["0", "2", "4", "6"]
    assert chart_unit(6_365_399_021) == "miles de millones de acciones"


def test_unit_follows_the_size_of_the_figures():
    assert chart_unit(1_000_000) == "millones de acciones"
    assert chart_unit(999_999) == "miles de acciones"
    assert chart_unit(999) == "acciones"


def test_crossing_is_marked_between_the_dates_where_demand_passes_supply():
    svg = area_chart(WEEKS, SUPPLY)
    assert "pasa la oferta en la semana del 14/09" in words(svg)
    crossing = [float(dot.get("cx")) for dot in drawn(svg).iter(f"{SVG}circle")][-1]
    assert 514 < crossing < 739


def test_crossing_is_not_drawn_when_demand_only_reaches_supply():
    svg = area_chart([("14/07", 0), ("14/09", SUPPLY)], SUPPLY)
    assert not any("pasa la oferta" in text for text in words(svg))


def test_end_labels_keep_apart_when_demand_and_supply_are_close():
    labels = {text.text: text for text in drawn(area_chart([("a", 0), ("b", 99)], 100)).iter()}
    distance = float(labels["Demanda"].get("y")) - float(labels["Oferta"].get("y"))
    assert distance == 38


@pytest.mark.parametrize("demand", [0, 3_787, SUPPLY])
def test_end_labels_stay_above_the_dates_when_there_is_little_demand(demand):
    shown = list(drawn(area_chart([("01/11", 0), ("03/01", demand)], SUPPLY)).iter(f"{SVG}text"))
    at = {text.text: float(text.get("y")) for text in shown}
    figures = [at[word] + 17 for word in ("Demanda", "Oferta")]  # each stands under its word
    assert max(figures) <= at["03/01"] - 14
    assert abs(at["Demanda"] - at["Oferta"]) >= 38


def test_chart_without_demand_shows_the_supply_alone():
    svg = area_chart([], SUPPLY)
    assert "Todavía no hay demanda." in svg
    assert "5.234.634.742" in words(svg)


def test_many_dates_are_thinned_and_the_last_one_stays():
    svg = area_chart([(f"día {i}", i) for i in range(60)], 30)
    dates = [text for text in words(svg) if text.startswith("día")]
    assert len(dates) <= 12
    assert dates[-1] == "día 59"


def test_fill_is_drawn_in_proportion_to_its_outline():
    bars = list(drawn(bar_chart([Bar("Pensionados", 1000, 500)])).iter(f"{SVG}rect"))
    assert [bar.get("width") for bar in bars] == ["490.0", "245.0"]


def test_bars_are_labelled_in_millions_with_a_decimal_comma():
    assert words(bar_chart(CLASSES)) == [
        "Trabajadores activos",
        "2.130,6",
        "Cooperativas",
        "623,3",
    ]
    assert bar_unit(CLASSES) == "millones de acciones"


def test_bars_of_nothing_have_no_length():
    bars = list(drawn(bar_chart([Bar("Pensionados", 0, 0)])).iter(f"{SVG}rect"))
    assert [bar.get("width") for bar in bars] == ["0.0", "0.0"]


@pytest.mark.parametrize("svg", [area_chart(WEEKS, SUPPLY), bar_chart(CLASSES)])
def test_picture_has_title_and_description_and_no_style(svg):
    picture = drawn(svg)
    named = picture.get("aria-labelledby").split()
    assert [picture.find(f"{SVG}{part}").get("id") for part in ("title", "desc")] == named
    assert "style" not in svg
    assert not re.search(r"\son\w+=", svg)


def test_markup_in_a_label_is_drawn_as_text():
    svg = bar_chart([Bar("<script>alert(1)</script>", 2, 1)])
    assert "<script" not in svg
    assert words(svg)[0] == "<script>alert(1)</script>"
