"""What the decrees' files say of pledge and penalty, and its readings, confirmed apart."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_values import FundValue
from offerings.decrees.merging import readings_of
from offerings.decrees.penalties import (
    open_penalty_readings,
    penalty_readings,
    with_penalty_readings,
)
from offerings.decrees.reader import (
    decree_slugs,
    release_terms,
    terms_as_data,
    terms_from_data,
    terms_from_toml,
    terms_of,
    terms_sha256,
)
from offerings.rules.penalties.readings import SENTENCES
from offerings.rules.penalty_terms import PenaltyRegime
from offerings.selectors.fund_rules import missing_keys, open_readings

SLUG, FES = "banco-popular-1995", "fiduciaria-fes-2004"
SOURCE = "Resolución ficticia 41 del Fondo"
READINGS = [
    "cpi_factor",
    "trade_index_from",
    "reduction_month",
    "month_fraction",
    "reduction_on_monthly",
    "on_negative",
    "trade_threshold_of",
    "trades_before_auction",
]


def text_of(slug):
    return (files("offerings.decrees") / f"{slug}.toml").read_text(encoding="utf-8")


def test_each_decree_has_its_regime():
    found = {slug: terms_of(slug).penalty for slug in decree_slugs()}
    assert {slug: penalty and penalty.regime for slug, penalty in found.items()} == {
        "banco-popular-1994": PenaltyRegime.AUCTION_DIFFERENCE,
        "banco-popular-1995": PenaltyRegime.INDEXED_DIFFERENCE,
        "banco-popular-1996": PenaltyRegime.INDEXED_DIFFERENCE,
        "fiduciaria-fes-2004": PenaltyRegime.SEMESTERS,
        "financiera-america-2004": None,
    }


@pytest.mark.parametrize("slug", decree_slugs())
def test_every_decree_says_what_leaving_early_is_and_that_inheritance_is_not(slug):
    pledge = terms_of(slug).pledge
    assert pledge.early_exit.cite
    assert "sigue a las acciones" in pledge.inheritance.value
    clause = terms_of(slug).lock_up.cite
    assert pledge.inheritance.cite.startswith(clause)


@pytest.mark.parametrize("slug", decree_slugs())
def test_only_fes_gives_the_fund_the_shareholders_rights_and_the_lender_its_call(slug):
    pledge = terms_of(slug).pledge
    given = (pledge.shareholder_rights, pledge.lender_may_call)
    assert [term and term.cite for term in given] == (
        ["numeral 5", "numeral 6"] if slug == FES else [None, None]
    )


def test_the_readings_of_the_penalty_are_not_those_that_open_the_stage():
    for slug in decree_slugs():
        names = set(penalty_readings(terms_of(slug)))
        assert not names & (set(readings_of(terms_of(slug))) | set(open_readings(slug)))
        assert not names & set(missing_keys(slug, {}))


def test_the_text_leaves_open_eight_readings_in_1995_and_settles_one_in_1996():
    assert list(open_penalty_readings(terms_of(SLUG))) == READINGS
    later = terms_of("banco-popular-1996")
    assert list(penalty_readings(later)) == READINGS
    assert [name for name in READINGS if name not in open_penalty_readings(later)] == [
        "on_negative"
    ]
    assert penalty_readings(later)["on_negative"].value == "monthly"


@pytest.mark.parametrize(
    "slug", ["banco-popular-1994", "fiduciaria-fes-2004", "financiera-america-2004"]
)
def test_elsewhere_the_fund_has_no_reading_to_confirm(slug):
    assert open_penalty_readings(terms_of(slug)) == {}


def test_every_value_of_every_reading_has_its_sentence():
    readings = penalty_readings(terms_of(SLUG))
    assert list(SENTENCES) == list(readings)
    for name, reading in readings.items():
        assert set(SENTENCES[name]) == set(reading.alternatives)


def test_a_confirmed_reading_is_adopted_with_its_source():
    values = {"cpi_factor": FundValue("lagged", SOURCE), "month_fraction": "actual"}
    adopted = penalty_readings(with_penalty_readings(terms_of(SLUG), values))
    assert adopted["cpi_factor"].value == "lagged"
    assert adopted["cpi_factor"].cite == f"art. 6-4, inciso 1; art. 4-2; {SOURCE}"
    assert adopted["month_fraction"].value == "actual"
    assert adopted["on_negative"] == penalty_readings(terms_of(SLUG))["on_negative"]
    assert with_penalty_readings(terms_of(SLUG), {}) == terms_of(SLUG)


@pytest.mark.parametrize(
    ("slug", "name", "value", "message"),
    [
        (SLUG, "color", "verde", "no tiene esa lectura"),
        (SLUG, "over_limit", "cut", "no tiene esa lectura"),
        (SLUG, "cpi_factor", "verde", "no admite la lectura «verde»"),
        ("banco-popular-1996", "on_negative", "none", "no admite la lectura «none»"),
        ("fiduciaria-fes-2004", "cpi_factor", "lagged", "no tiene esa lectura"),
        ("financiera-america-2004", "cpi_factor", "lagged", "no tiene esa lectura"),
    ],
)
def test_a_reading_that_the_text_does_not_admit_is_refused(slug, name, value, message):
    with pytest.raises(DecreeError, match=message):
        with_penalty_readings(terms_of(slug), {name: value})


def test_to_compare_any_known_reading_can_be_put_in_but_no_unknown_one():
    terms = terms_of("banco-popular-1996")
    compared = with_penalty_readings(terms, {"on_negative": "none"}, any_known=True)
    assert penalty_readings(compared)["on_negative"].value == "none"
    with pytest.raises(DecreeError, match="no admite"):
        with_penalty_readings(terms, {"on_negative": "verde"}, any_known=True)


def test_the_reglamento_of_stage_1_takes_no_reading_of_the_penalty():
    with pytest.raises(DecreeError, match="no admite la lectura"):
        terms_of(SLUG, {"cpi_factor": FundValue("lagged", SOURCE)})


def test_adopted_readings_are_stored_and_read_back_with_another_fingerprint():
    adopted = with_penalty_readings(terms_of(SLUG), {"cpi_factor": "lagged"})
    assert terms_from_data(json.loads(json.dumps(terms_as_data(adopted)))) == adopted
    assert terms_sha256(adopted) != terms_sha256(terms_of(SLUG))


def test_terms_stored_before_the_decree_held_them_take_pledge_and_penalty_from_it():
    stored = replace(terms_of(SLUG), pledge=None, penalty=None, base_price=None, price=None)
    whole = release_terms(stored)
    assert (whole.pledge, whole.penalty) == (terms_of(SLUG).pledge, terms_of(SLUG).penalty)
    assert whole.price is None


def test_terms_that_hold_them_stay_as_they_were_stored():
    adopted = with_penalty_readings(terms_of(SLUG), {"cpi_factor": "lagged"})
    assert release_terms(adopted) == adopted
    unknown = replace(terms_of(SLUG), slug="banco-ficticio-1999", pledge=None, penalty=None)
    assert release_terms(unknown) == unknown


@pytest.mark.parametrize(
    ("slug", "old", "new", "message"),
    [
        (SLUG, "[penalty.trade]", "[penalty.trades]", "clave desconocida «trades»"),
        (SLUG, "percent = 0.3", "percent = 0.3\nshares = 9", "clave desconocida «shares»"),
        (SLUG, "[penalty.readings.cpi_factor]", "[penalty.readings.color]", "«color»"),
        (SLUG, '"indexed_difference"', '"verde"', "«verde» no se conoce"),
        (SLUG, '"indexed_difference"', '"semesters"', "lleva «semesters»"),
        (SLUG, '["decree_window", "lagged"]', '["decree_window", "x"]', "lectura desconocida"),
        (SLUG, 'value = "decree_window"', 'value = "x"', "lectura desconocida"),
        (SLUG, "percent = 8.3", "percent = 0", "mayor que cero"),
        (SLUG, "percent = 8.7", "percent = 8.71", "más del cien por ciento"),
        (SLUG, "percent = 1\n", "percent = 100.5\n", "a lo sumo cien"),
        (SLUG, "percent = 1\ndays = 30", "percent = 1\ndays = 0", "uno o más días"),
        (SLUG, "last_month = 23", "last_month = 24", "van en orden"),
        (SLUG, "last_month = 23", "last_month = 12", "van en orden"),
        (SLUG, "last_month = 24", "last_month = 25", "van en orden"),
        (SLUG, "first_month = 13", "first_month = 0", "van en orden"),
        (FES, "months = 6", "months = 5", "no cubren los 24 meses"),
        (FES, "months = 6", "months = 0", "no cubren los 24 meses"),
        (FES, 'cite = "numeral 2.4"', "", "no cita su artículo"),
        (FES, "[pledge.lender_may_call]", "[pledge.lender]", "clave desconocida «lender»"),
    ],
)
def test_a_penalty_that_cannot_be_is_refused_when_the_decree_is_loaded(slug, old, new, message):
    text = text_of(slug)
    assert old in text
    with pytest.raises(DecreeError, match=message):
        terms_from_toml(slug, text.replace(old, new, 1))


def test_a_regime_without_one_of_its_readings_is_refused():
    text = text_of(SLUG)
    start = text.index("[penalty.readings.on_negative]")
    end = text.index("[penalty.readings.trade_threshold_of]")
    with pytest.raises(DecreeError, match="lleva la lectura «on_negative»"):
        terms_from_toml(SLUG, text[:start] + text[end:])
