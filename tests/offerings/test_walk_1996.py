"""The Banco Popular programme of 1996, of which we hold one article, opened and adjudicated by
its screens."""

import pytest

from tests.offerings.walks import COMMON, REFUSED, Walk, text_of

SLUG = "banco-popular-1996"
TYPED = COMMON | {
    "seller": "la Nación de muestra",
    "shares": "1.000",
    "price": "75,00",
    "published": "15/01/1996",
    "outstanding": "1.000.000",
    "credit_line": "si",
    "authorisation_percent": "5",
    "pledge_rank": "first",
    "withdrawal_allowed": "no",
    "organisation_limit": "statutory_limit",
    "organisation_documents": "Certificado ficticio de existencia",
}
SOURCES = {"organisation_limit": "Circular ficticia 3, punto 2"}


@pytest.fixture
def walk(client, irene, ana):
    return Walk(client, SLUG, irene, ana, TYPED, SOURCES)


@pytest.fixture
def through(broker, exchange):
    return {"broker": broker.pk, "exchange": exchange.pk, "attested_on": "15/02/1996"}


@pytest.fixture
def opened(walk):
    walk.open_programme()
    walk.enter_rules()
    walk.confirm_rules()
    walk.notice("20/01/1996")
    walk.credit_line("20/01/1996")
    assert walk.open_stage("01/02/1996").status_code == 302
    return walk


def test_nothing_that_the_fragment_lacks_is_assumed(walk):
    walk.open_programme()
    optional = {"organisation_limit", "organisation_documents"}
    walk.refused_without(*(key for key in TYPED if key not in optional))
    walk.enter_rules(
        organisation_limit="", organisation_documents="", organisation_limit_source=""
    )
    review = walk.get(walk.analyst, "fund_rules_submit", 1)
    assert "Queda sin respuesta con estos datos" in review
    assert "El Fondo debe ingresar el límite de las organizaciones" in review
    assert "no dice qué trae una organización" in review
    walk.enter_rules()
    review = walk.get(walk.analyst, "fund_rules_submit", 1)
    assert "límite de las organizaciones, con su fuente" not in review
    assert "Clase «Otra organización solidaria»" in review


def test_a_wrong_price_that_was_confirmed_is_put_right_in_another_version(walk):
    walk.open_programme()
    walk.enter_rules(price="57,00")
    assert walk.confirm_rules()["price"]["value"] == "57.00"
    walk.enter_rules(version=2)
    assert walk.confirm_rules(version=2)["price"] == {
        "value": "75.00",
        "cite": "Resolución ficticia 7 del Fondo",
        "note": "",
    }


def test_the_stage_waits_for_its_notice_and_for_the_credit_line_that_the_fund_asks_for(walk):
    walk.open_programme()
    walk.enter_rules()
    walk.confirm_rules()
    for record, lacking in ((walk.notice, "aviso público"), (walk.credit_line, "línea de cr")):
        page = walk.open_stage("01/02/1996")
        assert (page.status_code, lacking in text_of(page)) == (REFUSED, True)
        record("20/01/1996")
    assert walk.open_stage("01/02/1996").status_code == 302


def test_each_kind_of_buyer_is_limited_and_all_are_served_pro_rata(opened, through, exchange):
    filer = opened.buyer("51.000.101", "Rosa Inventada Peña")
    other = opened.buyer("51.000.102", "Luis Muestra Díaz")
    chief = opened.buyer("51.000.103", "Elsa Ficticia Ruiz")
    coop = opened.buyer("860.530.751-7", "Cooperativa Ficticia del Valle", "organisation")
    # 3 × 20.000 ÷ 75 = 800
    first = opened.present(
        filer, "worker", "900", "15/02/1996", files_tax_return="si", last_year_filed="1995",
        papers={"class_proof": {}, "tax_return": {"gross_equity": "20.000", "year": "1995"}},
        **through,
    )  # fmt: skip
    # 3 × 10.000 ÷ 75 = 400
    second = opened.present(
        other, "pensioner", "400", "15/02/1996", files_tax_return="no",
        papers={
            "class_proof": {},
            "income_certificate": {"annual_income": "10.000", "year": "1995"},
        },
        **through,
    )  # fmt: skip
    # 5 × 12.010 ÷ 75 = 800,67, under 3 × 90.000 ÷ 75 = 3.600
    third = opened.present(
        chief, "worker", "1.000", "16/02/1996", files_tax_return="si", is_executive="on",
        papers={
            "class_proof": {},
            "tax_return": {"gross_equity": "90.000", "year": "1994"},
            "remuneration_certificate": {"annual_remuneration": "12.010"},
        },
        **through,
    )  # fmt: skip
    # 30.000 ÷ 75 = 400
    fourth = opened.present(
        coop, "cooperative", "500", "16/02/1996",
        papers={
            "class_proof": {},
            "Certificado ficticio de existencia": {},
            "statutory_limit_proof": {"statutory_limit": "30.000"},
        },
        **through,
    )  # fmt: skip
    taken = [first, second, third, fourth]
    assert [(one.standing, one.admitted) for one in taken] == [
        ("cut", 800), ("complete", 400), ("cut", 800), ("cut", 400),
    ]  # fmt: skip
    for one, article in zip(
        taken, ("numeral 1", "numeral 2", "numeral 3", "Circular ficticia 3, punto 2"), strict=True
    ):
        assert article in opened.page_of(one)
    opened.close_stage("01/04/1996")
    # 800 × 1.000 ÷ 2.400 = 333, rest 800; 400 × 1.000 ÷ 2.400 = 166, rest 1.600: one more each
    assert opened.adjudicate(exchange, "02/04/1996") == {1: 333, 2: 167, 3: 333, 4: 167}


def test_who_does_not_file_brings_no_return_and_without_a_paper_stays_incomplete(opened, through):
    buyer = opened.buyer("51.000.104", "Inés Prueba Gil")
    one = opened.present(
        buyer, "worker", "10", "15/02/1996", files_tax_return="no",
        papers={"class_proof": {}}, **through,
    )  # fmt: skip
    assert (one.standing, one.admitted) == ("incomplete", 0)
    assert "certificado de ingresos" in opened.page_of(one)
