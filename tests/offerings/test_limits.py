from dataclasses import replace
from decimal import Decimal

import pytest

from buyers.enums import BuyerClass, BuyerKind
from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.limits import FigureSource, LimitFacts, purchase_limit
from offerings.rules.ruling import FactError, NotCovered
from offerings.rules.terms import Base, Cited

T1994, T1995, T1996 = (terms_of(f"banco-popular-{year}") for year in (1994, 1995, 1996))
FA, FES = terms_of("financiera-america-2004"), terms_of("fiduciaria-fes-2004")


def at(terms, price):
    return replace(terms, price=Cited(Decimal(price), "acto ficticio"))


def person(files=True, **facts):
    amounts = {
        name: Decimal(value) if isinstance(value, str) else value for name, value in facts.items()
    }
    return LimitFacts(BuyerKind.NATURAL, BuyerClass.WORKER, files, **amounts)


def cooperative(**facts):
    return LimitFacts(BuyerKind.ORGANISATION, BuyerClass.COOPERATIVE, **facts)


def test_maria_fernanda_ejemplo_may_buy_three_times_her_gross_equity():
    facts = person(
        gross_equity="10000000",
        sources={Base.GROSS_EQUITY: FigureSource(1994, "declaración de renta, folio 3")},
    )
    ruling = purchase_limit(facts, T1995)
    assert ruling.value.shares == 495049
    assert ruling.value.binding == Base.GROSS_EQUITY
    assert [(step.label, step.detail, step.shown) for step in ruling.steps] == [
        ("Patrimonio bruto, 1994", "declaración de renta, folio 3", "$10.000.000,00"),
        ("Tres veces el patrimonio", "3 × $10.000.000 (art. 6-1)", "$30.000.000,00"),
        ("Entre el precio", "$30.000.000 ÷ $60,60 (art. 4-1)", "495.049,50…"),
        ("Acciones enteras", "se baja una sola vez", "495.049"),
    ]
    assert ruling.cites == ("art. 6-1", "art. 4-1")


@pytest.mark.parametrize(("equity", "shares"), [("2019", 99), ("2020", 100)])
def test_a_limit_in_pesos_becomes_whole_shares_by_flooring(equity, shares):
    assert purchase_limit(person(gross_equity=equity), T1995).value.shares == shares


def test_who_does_not_file_is_limited_by_income_alone():
    facts = person(files=False, gross_equity="99000000", annual_income="4200000")
    assert purchase_limit(facts, T1995).value.binding == Base.ANNUAL_INCOME


def test_an_organisation_has_no_limit_where_the_article_sets_none():
    ruling = purchase_limit(cooperative(), T1995)
    assert ruling.value.shares is None
    assert ruling.steps[0].cite == "art. 6"


def test_an_organisation_is_not_covered_where_the_fragment_is_silent():
    with pytest.raises(NotCovered, match="El Fondo debe ingresar") as caught:
        purchase_limit(cooperative(), at(T1996, 75))
    assert caught.value.missing == ("organisation_limit",)


@pytest.mark.parametrize(("choice", "shares"), [("none", None), ("statutory_limit", 1000)])
def test_an_organisation_is_covered_when_the_fund_has_entered_its_limit(choice, shares):
    values = {
        "organisation_limit": FundValue(choice, "Acto ficticio 1"),
        "price": FundValue(Decimal("75"), "Acto ficticio 1"),
    }
    terms = terms_of("banco-popular-1996", values)
    facts = cooperative(statutory_limit=Decimal(75000))
    assert purchase_limit(facts, terms).value.shares == shares


@pytest.mark.parametrize(
    ("members", "binding", "shares"),
    [(99, Base.GROSS_EQUITY, 480000), (100, Base.STATUTORY_LIMIT, 1800000)],
)
def test_under_a_hundred_members_three_times_the_equity_limits_too(members, binding, shares):
    facts = cooperative(
        members=members, gross_equity=Decimal(8000000), statutory_limit=Decimal(90000000)
    )
    value = purchase_limit(facts, at(T1994, 50)).value
    assert (value.binding, value.shares) == (binding, shares)


@pytest.mark.parametrize(
    ("equity", "binding", "shares"),
    [
        ("280495299", Base.GROSS_EQUITY, 16829717),
        ("280495300", Base.GROSS_EQUITY, 16829718),
        ("280495350", Base.SHARE_CAP, 16829718),
    ],
)
def test_the_cap_in_shares_binds_only_where_it_is_smaller(equity, binding, shares):
    value = purchase_limit(person(gross_equity=equity), at(T1994, 50)).value
    assert value.shares == shares
    assert value.binding == binding


def test_of_two_equal_limits_the_first_of_the_article_binds():
    facts = person(net_equity="5000000", annual_income="2000000")
    assert purchase_limit(facts, at(FA, 1)).value.binding == Base.NET_EQUITY


def test_one_peso_decides_which_of_two_limits_binds_even_within_one_share():
    facts = person(net_equity="5000002", annual_income="2000000")
    assert purchase_limit(facts, at(FA, 1000)).value.binding == Base.ANNUAL_INCOME


def test_a_directors_remuneration_is_added_to_the_income_limit_by_default():
    facts = person(
        executive=True,
        net_equity="900000000",
        annual_income="1000000",
        annual_remuneration="2000000",
    )
    ruling = purchase_limit(facts, at(FA, 1))
    assert ruling.value.binding == Base.ANNUAL_INCOME
    assert any("se suma" in reading for reading in ruling.readings)


def test_a_directors_remuneration_replaces_the_income_limit_in_the_other_reading():
    values = {"executive_limit": FundValue("instead_of_income", "Acto ficticio 2")}
    facts = person(
        executive=True,
        net_equity="900000000",
        annual_income="1000000",
        annual_remuneration="2000000",
    )
    terms = at(terms_of("financiera-america-2004", values), 1)
    assert purchase_limit(facts, terms).value.shares == 10000000


@pytest.mark.parametrize(("held", "shares"), [(0, 100000), (1500, 98500), (100001, 0)])
def test_shares_held_through_others_come_off_a_directors_limit_never_below_zero(held, shares):
    facts = person(executive=True, annual_remuneration="96000000", held_through_others=held)
    assert purchase_limit(facts, at(FES, 4800)).value.shares == shares


def test_an_organisation_that_the_law_does_not_limit_has_no_limit_in_fes():
    facts = cooperative(no_statutory_limit=True)
    assert purchase_limit(facts, at(FES, 4800)).value.shares is None


def test_another_solidarity_organisation_is_not_covered_in_fes():
    facts = LimitFacts(BuyerKind.ORGANISATION, BuyerClass.SOLIDARITY_ORGANISATION)
    with pytest.raises(NotCovered):
        purchase_limit(facts, at(FES, 4800))


def test_a_price_that_is_missing_is_not_covered():
    with pytest.raises(NotCovered) as caught:
        purchase_limit(person(gross_equity="1000"), T1996)
    assert caught.value.missing == ("price",)


def test_a_price_of_zero_is_refused_not_divided_by():
    with pytest.raises(FactError, match="mayor que cero"):
        purchase_limit(person(gross_equity="1000"), at(T1995, 0))


@pytest.mark.parametrize("equity", [None, "-1"])
def test_a_figure_that_is_missing_or_negative_is_refused_by_name(equity):
    with pytest.raises(FactError) as caught:
        purchase_limit(person(gross_equity=equity), T1995)
    assert caught.value.fact == "gross_equity"


def test_whether_one_files_must_be_said():
    with pytest.raises(FactError, match="declarar renta"):
        purchase_limit(person(files=None), T1995)
