"""Financiera América 2004, of which we hold the article on acceptances of natural persons, opened
and adjudicated through the screens."""

import pytest

from tests.offerings.walks import COMMON, Walk

SLUG = "financiera-america-2004"
TYPED = COMMON | {
    "shares": "1.000.000",
    "price": "1,35",
    "published": "20/09/2004",
    "outstanding": "10.000.000",
    "credit_line": "no",
    "authorisation_percent": "10",
    "pledge_rank": "first",
    "pledge_terms": "Contrato ficticio de prenda, anexo 2",
    "executive_limit": "added",
    "organisation_limit": "statutory_limit",
    "organisation_share_cap": "150.000",
    "organisation_documents": "Certificado ficticio de existencia",
}
OPTIONAL = {
    "pledge_terms",
    "organisation_limit",
    "organisation_share_cap",
    "organisation_documents",
}
DAY = "15/11/2004"


@pytest.fixture
def walk(client, irene, ana):
    return Walk(client, SLUG, irene, ana, TYPED)


@pytest.fixture
def through(broker, exchange):
    return {"broker": broker.pk, "exchange": exchange.pk, "attested_on": DAY}


@pytest.fixture
def opened(walk):
    walk.open_programme()
    walk.enter_rules()
    walk.confirm_rules()
    walk.notice("25/10/2004")
    assert walk.open_stage("02/11/2004").status_code == 302
    return walk


def test_nothing_that_the_fragment_lacks_is_assumed(walk):
    page = walk.open_programme()
    assert "Línea de crédito" not in page
    walk.refused_without(*(key for key in TYPED if key not in OPTIONAL))


def test_a_cap_of_organisations_without_their_limit_does_not_go_to_review(walk):
    walk.open_programme()
    walk.refused_without("organisation_limit")
    assert "El Fondo no lo dice" in walk.get(walk.analyst, "fund_rules_edit", 1)


def test_the_terms_of_the_pledge_stand_in_the_programme_with_their_source(opened):
    page = opened.get(opened.analyst, "fund_rules_version", 1)
    assert "Contrato ficticio de prenda, anexo 2" in page
    assert opened.terms.pledge_terms.cite == "Resolución ficticia 7 del Fondo"


def test_each_kind_of_buyer_is_limited_and_the_supply_serves_them_all(opened, through, exchange):
    filer = opened.buyer("52.000.101", "Rosa Inventada Peña")
    other = opened.buyer("52.000.102", "Luis Muestra Díaz")
    chief = opened.buyer("52.000.103", "Elsa Ficticia Ruiz")
    coop = opened.buyer("860.530.751-7", "Cooperativa Ficticia del Valle", "organisation")
    # the least of 2 × 300.000 ÷ 1,35 = 444.444 and 5 × 100.000 ÷ 1,35 = 370.370
    first = opened.present(
        filer, "worker", "400.000", DAY, files_tax_return="si",
        papers={
            "class_proof": {},
            "tax_return": {"net_equity": "300.000", "annual_income": "100.000", "year": "2003"},
        },
        **through,
    )  # fmt: skip
    # 5 × 50.000 ÷ 1,35 = 185.185
    second = opened.present(
        other, "pensioner", "200.000", DAY, files_tax_return="no",
        papers={
            "class_proof": {},
            "income_certificate": {"annual_income": "50.000", "year": "2003"},
        },
        **through,
    )  # fmt: skip
    # 5 × 60.000 ÷ 1,35 = 222.222, under 444.444 and 1.111.111
    third = opened.present(
        chief, "worker", "250.000", DAY, files_tax_return="si", is_executive="on",
        papers={
            "class_proof": {},
            "tax_return": {"net_equity": "300.000", "annual_income": "300.000", "year": "2003"},
            "remuneration_certificate": {"annual_remuneration": "60.000"},
        },
        **through,
    )  # fmt: skip
    # the least of 270.000 ÷ 1,35 = 200.000 and the cap
    fourth = opened.present(
        coop, "cooperative", "200.000", DAY,
        papers={
            "class_proof": {},
            "Certificado ficticio de existencia": {},
            "statutory_limit_proof": {"statutory_limit": "270.000"},
        },
        **through,
    )  # fmt: skip
    taken = [first, second, third, fourth]
    assert [one.admitted for one in taken] == [370_370, 185_185, 222_222, 150_000]
    assert {one.standing for one in taken} == {"cut"}
    for one, article in zip(
        taken,
        ("numeral 2(ii)", "numeral 2(ii)", "numeral 2(ii)", "Resolución ficticia 7 del Fondo"),
        strict=True,
    ):
        assert article in opened.page_of(one)
    opened.close_stage("03/01/2005")
    assert opened.adjudicate(exchange, "04/01/2005") == {
        1: 370_370, 2: 185_185, 3: 222_222, 4: 150_000,
    }  # fmt: skip


def test_an_executive_whose_remuneration_stands_instead_of_its_income(walk, through):
    walk.open_programme()
    walk.enter_rules(executive_limit="instead_of_income")
    walk.confirm_rules()
    walk.notice("25/10/2004")
    walk.open_stage("02/11/2004")
    chief = walk.buyer("52.000.103", "Elsa Ficticia Ruiz")
    # 5 × 27.000 ÷ 1,35 = 100.000; the income, 5 × 2.700 ÷ 1,35 = 10.000, does not count
    one = walk.present(
        chief, "worker", "200.000", DAY, files_tax_return="si", is_executive="on",
        papers={
            "class_proof": {},
            "tax_return": {"net_equity": "300.000", "annual_income": "2.700", "year": "2003"},
            "remuneration_certificate": {"annual_remuneration": "27.000"},
        },
        **through,
    )  # fmt: skip
    assert one.admitted == 100_000
    assert "reemplaza al de ingresos" in walk.page_of(one)


def test_one_of_the_five_declarations_missing_keeps_the_acceptance_out(opened, through):
    buyer = opened.buyer("52.000.104", "Inés Prueba Gil")
    express = [one.kind for one in opened.terms.documents.declarations if one.express]
    one = opened.present(
        buyer, "worker", "10", DAY, files_tax_return="no",
        declares=[kind for kind in express if kind != "no_subrogation"],
        papers={
            "class_proof": {},
            "income_certificate": {"annual_income": "50.000", "year": "2003"},
        },
        **through,
    )  # fmt: skip
    assert (one.standing, one.admitted) == ("incomplete", 0)
    assert [gap["code"] for gap in one.missing] == ["no_subrogation"]
    page = opened.page_of(one)
    assert "numeral 4(iv)" in page
    assert "Retirar" not in page  # irrevocable, numeral 4
