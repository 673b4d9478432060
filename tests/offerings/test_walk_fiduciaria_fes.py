"""Fiduciaria FES 2004, of which we hold the article on the limits of offers, opened and
adjudicated by its screens."""

import pytest

from tests.offerings.walks import COMMON, Walk

SLUG = "fiduciaria-fes-2004"
TYPED = COMMON | {
    "price": "4.800,00",
    "published": "20/10/2004",
    "outstanding": "2.933.654",
    "credit_line": "no",
    "authorisation_percent": "10",
    "withdrawal_allowed": "si",
    "extra_classes": "solidarity_organisation",
    "organisation_limit": "none",
}
SOURCES = {"organisation_limit": "Circular ficticia 9"}
DAY = "15/11/2004"


@pytest.fixture
def walk(client, irene, ana):
    return Walk(client, SLUG, irene, ana, TYPED, SOURCES)


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
    walk.open_programme()
    walk.refused_without(
        *(key for key in TYPED if key not in ("extra_classes", "organisation_limit"))
    )


def test_a_class_added_without_a_limit_is_told_before_it_is_confirmed(walk):
    walk.open_programme()
    walk.enter_rules(organisation_limit="", organisation_limit_source="")
    review = walk.get(walk.analyst, "fund_rules_submit", 1)
    assert "Límite de compra de Fiduciaria FES 2004" in review
    walk.enter_rules()
    assert "Queda sin respuesta" not in walk.get(walk.analyst, "fund_rules_submit", 1)


def test_each_kind_of_buyer_under_its_limit_or_none(opened, through, exchange):
    worker = opened.buyer("53.000.101", "Rosa Inventada Peña")
    chief = opened.buyer("53.000.102", "Elsa Ficticia Ruiz")
    full = opened.buyer("53.000.103", "Luis Muestra Díaz")
    fund = opened.buyer("860.530.751-7", "Fondo Mutuo Ficticio", "organisation")
    league = opened.buyer("800.197.268-4", "Liga Solidaria Inventada", "organisation")
    remunerated = "remuneration_certificate"
    # no limit; 10 % of 2.933.654 is 293.366 shares, so it brings the authorisation
    first = opened.present(
        worker, "worker", "1.000.000", DAY, authorisation_reference="SB-1",
        papers={"class_proof": {}}, **through,
    )  # fmt: skip
    # 5 × 96.000.000 ÷ 4.800 = 100.000, less 1.500 held through others
    second = opened.present(
        chief, "worker", "100.000", DAY, is_executive="on", held_through_others="1.500",
        papers={
            "class_proof": {},
            remunerated: {"annual_remuneration": "96.000.000", "year": "2003"},
        },
        **through,
    )  # fmt: skip
    # 5 × 4.800.000 ÷ 4.800 = 5.000, less 6.000: never below 0
    third = opened.present(
        full, "worker", "10", DAY, is_executive="on", held_through_others="6.000",
        papers={
            "class_proof": {},
            remunerated: {"annual_remuneration": "4.800.000", "year": "2003"},
        },
        **through,
    )  # fmt: skip
    # 123.456.789 ÷ 4.800 = 25.720,16
    fourth = opened.present(
        fund, "mutual_investment_fund", "30.000", DAY,
        papers={
            "class_proof": {},
            "statutory_limit_proof": {"statutory_limit": "123.456.789"},
        },
        **through,
    )  # fmt: skip
    fifth = opened.present(
        league, "solidarity_organisation", "200.000", DAY,
        papers={
            "class_proof": {},
            "no_statutory_limit": {"norm": "Ley ficticia 79, art. 3"},
        },
        **through,
    )  # fmt: skip
    taken = [first, second, third, fourth, fifth]
    assert [(one.standing, one.admitted, one.limit_shares) for one in taken] == [
        ("complete", 1_000_000, None),
        ("cut", 98_500, 98_500),
        ("nothing_left", 0, 0),
        ("cut", 25_720, 25_720),
        ("complete", 200_000, None),
    ]
    for one, article in zip(
        taken, ("numeral 1", "numeral 1", "numeral 1", "numeral 3", "Circular ficticia 9"),
        strict=True,
    ):  # fmt: skip
        assert article in opened.page_of(one)
    opened.close_stage("03/01/2005")
    assert opened.adjudicate(exchange, "04/01/2005") == {
        1: 1_000_000, 2: 98_500, 3: 0, 4: 25_720, 5: 200_000,
    }  # fmt: skip


def test_a_remuneration_of_another_year_leaves_the_executive_incomplete(opened, through):
    chief = opened.buyer("53.000.102", "Elsa Ficticia Ruiz")
    one = opened.present(
        chief, "worker", "100", DAY, is_executive="on",
        papers={
            "class_proof": {},
            "remuneration_certificate": {"annual_remuneration": "96.000.000", "year": "2002"},
        },
        **through,
    )  # fmt: skip
    assert (one.standing, one.admitted) == ("incomplete", 0)
    assert "Debe ser del año 2003" in opened.page_of(one)


def test_without_the_authorisation_who_reaches_ten_per_cent_is_incomplete(opened, through):
    worker = opened.buyer("53.000.101", "Rosa Inventada Peña")
    papers = {"class_proof": {}}
    under = opened.present(worker, "worker", "293.365", DAY, papers=papers, **through)
    assert under.standing == "complete"
    over = opened.present(worker, "worker", "1", DAY, papers=papers, **through)
    assert over.standing == "incomplete"
