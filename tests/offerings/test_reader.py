import json
from datetime import date
from decimal import Decimal
from importlib.resources import files

import pytest

from buyers.enums import BuyerClass
from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_values import (
    FUND_KEYS,
    READING_LABELS,
    READING_VALUE_LABELS,
    READINGS,
    FundValue,
    check_fund_value,
    fund_value_as_data,
    fund_value_from_data,
)
from offerings.decrees.merging import readings_of
from offerings.decrees.reader import (
    asks_of,
    decree_slugs,
    terms_as_data,
    terms_from_data,
    terms_from_toml,
    terms_of,
    terms_sha256,
)
from offerings.rules.terms import PledgeRank

SLUG = "banco-popular-1995"
TEXT = (files("offerings.decrees") / f"{SLUG}.toml").read_text(encoding="utf-8")
SOURCE = "Acto ficticio 12"

VALUES = {
    "published": date(1995, 6, 30),
    "seller": "la Nación ficticia",
    "shares": 1000,
    "price": Decimal("12.50"),
    "outstanding": 5000,
    "stage_months": 2,
    "authorisation_percent": Decimal(5),
    "adjudication_rule": "pro_rata",
    "payment_term_days": 10,
    "minimum_validity_days": 15,
    "withdrawal_allowed": False,
    "pledge_rank": "second",
    "signatory_name": "Clara Muestra",
    "signatory_title": "Directora ficticia",
    "organisation_limit": "none",
    "credit_line": True,
    "payment_guarantee": True,
    "pledge_terms": "Ante el depósito ficticio",
    "organisation_equity_multiple": 3,
    "organisation_share_cap": 700,
    "organisation_documents": ("Acta ficticia",),
    "extra_classes": ("employee_association",),
    "extra_documents": ("Formulario ficticio",),
}


def changed(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def all_values(slug):
    return {ask.key: FundValue(VALUES[ask.key], SOURCE) for ask in asks_of(slug)}


def test_the_1995_decree_reads_with_its_exact_figures():
    terms = terms_of(SLUG)
    assert (terms.shares.value, terms.shares.cite) == (5234634742, "art. 1")
    assert (terms.price.value, terms.price.cite) == (Decimal("60.60"), "art. 4-1")
    assert terms.stage.latest_day.value == date(1995, 12, 29)
    assert BuyerClass.SOLIDARITY_ORGANISATION in terms.classes.groups[0].codes
    assert terms.shares.value * terms.price.value == Decimal("317218865365.20")


def test_the_five_decrees_are_there():
    assert decree_slugs() == (
        "banco-popular-1994",
        "banco-popular-1995",
        "banco-popular-1996",
        "fiduciaria-fes-2004",
        "financiera-america-2004",
    )


@pytest.mark.parametrize("slug", decree_slugs())
def test_stored_terms_read_back_as_they_were(slug):
    terms = terms_of(slug, all_values(slug))
    stored = json.loads(json.dumps(terms_as_data(terms)))
    assert terms_from_data(stored) == terms
    assert terms_sha256(terms_from_data(stored)) == terms_sha256(terms)


def test_the_fingerprint_moves_with_any_value():
    values = {"outstanding": FundValue(5609906000, SOURCE)}
    assert terms_sha256(terms_of(SLUG)) != terms_sha256(terms_of(SLUG, values))


@pytest.mark.parametrize("slug", decree_slugs())
def test_whatever_a_decree_leaves_open_the_fund_can_enter(slug):
    terms = terms_of(slug, all_values(slug))
    for name in ("shares", "price", "outstanding", "published", "seller", "adjudication"):
        assert getattr(terms, name) is not None
    assert terms.stage.months.value == 2
    assert terms.payment.days in (10,)
    assert terms.signatory_name.cite == SOURCE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[name]", "[nombre]", "clave desconocida «nombre»"),
        ('cite = "art. 8"', 'cite = "art. 8"\nplazo = 2', "clave desconocida «plazo»"),
        ('value = 2\ncite = "art. 8"', "value = 2", "no cita su artículo"),
        ('cite = "art. 8"', 'cite = " "', "no cita su artículo"),
        ('consent_cite = "art. 9-2, inciso 2"\n', "", "no cita su artículo"),
        (
            '[stage.months]\nvalue = 2\ncite = "art. 8"',
            "[stage]\nmonths = 2",
            "se espera una tabla",
        ),
        ('"pensioner"', '"jubilado"', "«jubilado» no se conoce"),
        ('base = "gross_equity"', 'base = "patrimonio"', "«patrimonio» no se conoce"),
        (
            'alternatives = ["no", "yes"]',
            'alternatives = ["no", "tal vez"]',
            "lectura desconocida",
        ),
        ('value = "no"', 'value = "maybe"', "lectura desconocida"),
        ('key = "outstanding"', 'key = "circulantes"', "no es un valor que el Fondo ingrese"),
        ("value = 60.60", "value = 0.00", "mayor que cero"),
        ("value = 60.60", "value = nan", "no es un número exacto"),
        ("value = 60.60", 'value = "sesenta"', "no es un número exacto"),
        ("value = 60.60", "value = true", "no es un número exacto"),
        ("value = 5234634742", "value = 5234634742.5", "no es del tipo"),
        ("value = 1995-12-29", 'value = "fin de año"', "no es una fecha"),
        ("multiple = 3", "", "uno"),
        ("multiple = 3", "multiple = 3\nshares = 10", "uno"),
        ("[name]", 'slug = "otro"\n[name]', "clave desconocida «slug»"),
        ("[name]", "[name", "no es TOML válido"),
        ('[issuer]\nvalue = "Banco Popular"\ncite = "art. 1"\n', "", "falta «issuer»"),
        ("[[notes]]", "[notes]", "se espera una lista"),
    ],
)
def test_a_decrees_file_with_a_fault_is_refused_when_it_is_loaded(old, new, message):
    text = changed(old, new) if new != "[notes]" else _single_note()
    with pytest.raises(DecreeError, match=message):
        terms_from_toml(SLUG, text)


def _single_note():
    start = TEXT.index("[[notes]]")
    end = TEXT.index("[[asks]]")
    return TEXT[:start] + '[notes]\ntext = "x"\ncite = "y"\n\n' + TEXT[end:]


def test_an_unknown_programme_is_refused():
    with pytest.raises(DecreeError, match="No hay un decreto"):
        terms_of("banco-ficticio-1999")


def test_stored_terms_with_an_unknown_key_are_refused():
    with pytest.raises(DecreeError, match="clave desconocida"):
        terms_from_data({**terms_as_data(terms_of(SLUG)), "color": "verde"})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("price", Decimal("1.00"), "no lo deja al Fondo"),
        ("color", "verde", "no lo deja al Fondo"),
        ("outstanding", 0, "no es un valor posible"),
        ("outstanding", 2**63, "no es un valor posible"),
        ("outstanding", True, "no es un valor posible"),
        ("outstanding", "1000", "no es un valor posible"),
        ("published", "1995-06-30", "no es un valor posible"),
        ("withdrawal_allowed", 1, "no es un valor posible"),
        ("signatory_name", "  ", "no es un valor posible"),
        ("extra_documents", "uno", "no es un valor posible"),
        ("pledge_rank", "third", "no es un valor posible"),
        ("pledge_rank", "none", "el decreto no admite"),
        ("payment_term_days", 31, "no permite más de 30"),
        ("over_limit", "reject", "no admite la lectura"),
        ("executive_limit", "added", "no admite la lectura"),
    ],
)
def test_a_value_that_the_decree_does_not_admit_is_refused(key, value, message):
    with pytest.raises(DecreeError, match=message):
        terms_of(SLUG, {key: FundValue(value, SOURCE)})


@pytest.mark.parametrize("amount", ["0", "-1", "1.001", "NaN", "1E+30"])
def test_an_impossible_amount_is_refused(amount):
    with pytest.raises(DecreeError):
        check_fund_value("price", Decimal(amount))


def test_a_value_without_its_source_is_refused():
    with pytest.raises(DecreeError, match="falta la fuente"):
        terms_of(SLUG, {"outstanding": FundValue(1000, " ")})


def test_the_funds_value_cites_the_funds_act():
    terms = terms_of(SLUG, {"pledge_rank": FundValue("first", SOURCE)})
    assert (terms.pledge_rank.value, terms.pledge_rank.cite) == (PledgeRank.FIRST, SOURCE)


def test_the_fund_may_shorten_the_term_of_payment():
    terms = terms_of(SLUG, {"payment_term_days": FundValue(30, SOURCE)})
    assert (terms.payment.days, terms.payment.guarantee) == (30, True)


def test_a_reading_is_settled_where_the_text_says_so_itself():
    readings = readings_of(terms_of(SLUG))
    assert readings["over_limit"].settled
    assert not readings["readmit_left_out"].settled
    assert not readings_of(terms_of("banco-popular-1994"))["over_limit"].settled


def test_every_reading_and_every_choice_has_its_spanish_words():
    assert set(READING_LABELS) == set(READINGS) == set(READING_VALUE_LABELS)
    for name, known in READINGS.items():
        assert set(READING_VALUE_LABELS[name]) == set(known)


@pytest.mark.parametrize("key", sorted(FUND_KEYS))
def test_a_fund_value_is_stored_as_json_and_read_back(key):
    stored = json.loads(json.dumps(fund_value_as_data(VALUES[key])))
    assert fund_value_from_data(key, stored) == VALUES[key]


@pytest.mark.parametrize(("key", "data"), [("price", "x"), ("published", 3), ("color", 1)])
def test_a_stored_value_that_does_not_fit_is_refused(key, data):
    with pytest.raises(DecreeError):
        fund_value_from_data(key, data)
