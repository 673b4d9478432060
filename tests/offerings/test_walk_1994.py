"""The Banco Popular programme of 1994, until the decree of 1995 repeals it, by its screens."""

import pytest

from offerings.services.programmes import programme_open
from tests.offerings.programme_1995 import SLUG as NEW_SLUG
from tests.offerings.programme_1995 import confirmed_of
from tests.offerings.walks import COMMON, REFUSED, Walk, text_of

SLUG = "banco-popular-1994"
TYPED = COMMON | {
    "shares": "1.000.000",
    "price": "55,00",
    "published": "22/04/1994",
    "outstanding": "9.000.000",
    "credit_line": "no",
    "authorisation_percent": "5",
    "minimum_validity_days": "60",
    "withdrawal_allowed": "no",
    "over_limit": "reject",
}


@pytest.fixture
def walk(client, irene, ana):
    return Walk(client, SLUG, irene, ana, TYPED)


@pytest.fixture
def opened(walk, irene, ana):
    walk.open_programme()
    walk.enter_rules()
    walk.confirm_rules()
    walk.notice("25/05/1995")
    told = walk.open_stage("01/06/1995")
    assert told.status_code == REFUSED
    assert "la fecha de su publicación no está registrada" in text_of(told)
    confirmed_of(programme_open(slug=NEW_SLUG, user=irene), irene, ana)  # published 30/06/1995
    assert walk.open_stage("01/06/1995").status_code == 302
    return walk


@pytest.fixture
def said(broker, exchange):
    return {
        "broker": broker.pk,
        "exchange": exchange.pk,
        "attested_on": "15/06/1995",
        "files_tax_return": "si",
        "valid_days": "60",
        "papers": {"class_proof": {}, "tax_return": {"gross_equity": "10.000", "year": "1994"}},
    }


def test_nothing_that_the_fragment_lacks_is_assumed(walk):
    walk.open_programme()
    walk.refused_without(*TYPED)


def test_what_passes_the_limit_is_rejected_and_a_later_one_that_fits_stands(
    opened, said, exchange
):
    buyer = opened.buyer("51.000.101", "Rosa Inventada Peña")
    # 3 × 10.000 ÷ 55 = 545
    over = opened.present(buyer, "worker", "546", "15/06/1995", **said)
    fits = opened.present(buyer, "worker", "545", "16/06/1995", **said)
    assert (over.standing, over.admitted) == ("over_limit", 0)
    assert (fits.standing, fits.admitted) == ("complete", 545)
    assert "numeral 1" in opened.page_of(over)
    opened.close_stage("29/06/1995")
    assert opened.adjudicate(exchange, "29/06/1995") == {1: 0, 2: 545}


def test_it_takes_no_acceptance_from_the_publication_of_the_decree_of_1995_on(opened, said):
    buyer = opened.buyer("51.000.101", "Rosa Inventada Peña")
    assert opened.present(buyer, "worker", "10", "29/06/1995", **said).standing == "complete"
    page = opened.answer(buyer, "worker", "11", "30/06/1995", paso="registrar", **said)
    assert page.status_code == REFUSED
    assert "quedó derogado el 30/06/1995" in text_of(page)


def test_one_valid_for_less_than_the_minimum_is_not_admitted(opened, said):
    buyer = opened.buyer("51.000.101", "Rosa Inventada Peña")
    page = opened.answer(
        buyer, "worker", "10", "15/06/1995", paso="registrar", **said | {"valid_days": "59"}
    )
    assert page.status_code == REFUSED
    assert "vale 59 días y el Fondo pide al menos 60" in text_of(page)
    assert list(page.context["form"].errors) == ["valid_days"]
