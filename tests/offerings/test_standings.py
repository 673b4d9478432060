"""Papers, limit and authorisation together: how one buyer's acceptances stand."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.documents import HeldDocument
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import NotCovered
from offerings.rules.standings import BuyerPart, Presented, StandingCode, standings
from offerings.rules.terms import Base
from tests.conftest import BOGOTA

ACT = "Resolución ficticia 12 de 1995"
TERMS = terms_of("banco-popular-1995", {"outstanding": FundValue(1_000_000, ACT)})
DAY = date(1995, 9, 14)


def paper(reference, kind, **fields):
    return HeldDocument(
        reference,
        kind,
        exchange_reference=f"B-{reference}",
        looked_at_by="irene",
        looked_at_on=DAY,
        **fields,
    )


CLASS_PROOF = paper("1", DocumentKind.CLASS_PROOF)
RETURN = paper(
    "2", DocumentKind.TAX_RETURN, year=1994, figures={Base.GROSS_EQUITY: Decimal(20_200)}
)  # 3 × 20,200 ÷ 60.60 = 1,000 shares
EXISTENCE = paper("3", DocumentKind.EXISTENCE_CERTIFICATE)
AUTHORISATION = paper("4", DocumentKind.SUPERINTENDENCY_AUTHORISATION)


def worker(*documents, **fields):
    fields.setdefault("files_tax_return", True)
    return BuyerPart(
        BuyerKind.NATURAL,
        BuyerClass.WORKER,
        documents=documents or (CLASS_PROOF, RETURN),
        **fields,
    )


def cooperative(*documents, **fields):
    return BuyerPart(
        BuyerKind.ORGANISATION,
        BuyerClass.COOPERATIVE,
        documents=documents or (CLASS_PROOF, EXISTENCE),
        **fields,
    )


def presented(number, requested, **fields):
    fields.setdefault("declarations", frozenset({DeclarationKind.NOT_DISQUALIFIED}))
    fields.setdefault("broker_attested_on", DAY)
    receipt = Receipt(datetime(1995, 9, 1, 9, number, tzinfo=BOGOTA), number)
    return Presented(f"A-{number:06d}", receipt, requested, **fields)


def stand(part, *acceptances, terms=TERMS):
    found = standings(part, acceptances, terms).value
    return [(one.code.value, one.admitted) for one in found]


def test_a_worker_with_its_papers_is_complete_up_to_its_limit():
    assert stand(worker(), presented(1, 1_000)) == [("complete", 1_000)]
    assert stand(worker(), presented(1, 1_001)) == [("cut", 1_000)]


def test_several_share_the_limit_in_order_of_receipt_whatever_the_order_of_rows():
    first, second, third = presented(1, 600), presented(2, 600), presented(3, 10)
    right = [("complete", 600), ("cut", 400), ("nothing_left", 0)]

    assert stand(worker(), first, second, third) == right
    assert stand(worker(), third, second, first) == right


def test_one_withdrawn_takes_nothing():
    assert stand(worker(), presented(1, 600, out="retirada"), presented(2, 900)) == [
        ("not_counted", 0),
        ("complete", 900),
    ]


@pytest.mark.parametrize(
    ("documents", "fields", "code"),
    [
        ((RETURN,), {}, "class_proof"),
        ((CLASS_PROOF,), {}, "tax_return"),
        ((CLASS_PROOF, RETURN), {"declarations": frozenset()}, "not_disqualified"),
        ((CLASS_PROOF, RETURN), {"broker_attested_on": None}, "broker_attestation"),
    ],
)
def test_what_lacks_one_paper_is_incomplete_and_the_paper_is_named(documents, fields, code):
    found = standings(worker(*documents), [presented(1, 10, **fields)], TERMS).value[0]

    assert found.code == StandingCode.INCOMPLETE
    assert found.admitted == 0
    assert code in [gap.code for gap in found.missing]


def test_a_missing_return_is_told_once():
    found = standings(worker(CLASS_PROOF), [presented(1, 10)], TERMS).value[0]

    assert [gap.code for gap in found.missing] == ["tax_return"]
    assert found.limit is None


def test_who_does_not_say_whether_it_files_is_incomplete():
    part = worker(files_tax_return=None)
    found = standings(part, [presented(1, 10)], TERMS).value[0]

    assert [gap.code for gap in found.missing] == ["files_tax_return"]


def test_the_first_that_reaches_five_per_cent_is_incomplete_and_a_later_one_that_fits_stands():
    # 5 % of 1,000,000 outstanding shares = 50,000
    assert stand(
        cooperative(), presented(1, 40_000), presented(2, 10_000), presented(3, 9_999)
    ) == [
        ("complete", 40_000),
        ("incomplete", 0),
        ("complete", 9_999),
    ]


def test_whoever_is_there_already_may_add_nothing_without_authorisation():
    part = cooperative(present_holding=60_000)
    assert stand(part, presented(1, 1)) == [("incomplete", 0)]


def test_with_the_authorisation_nothing_is_missing():
    part = cooperative(CLASS_PROOF, EXISTENCE, AUTHORISATION)
    assert stand(part, presented(1, 900_000)) == [("complete", 900_000)]


def test_the_steps_of_the_authorisation_are_shown_only_where_it_was_needed():
    part = cooperative(CLASS_PROOF, EXISTENCE, AUTHORISATION)
    needed = standings(part, [presented(1, 900_000)], TERMS).value[0].ruling
    not_needed = standings(cooperative(), [presented(1, 10)], TERMS).value[0].ruling

    assert "art. 16" in needed.cites
    assert "art. 16" not in not_needed.cites


def test_without_the_outstanding_shares_nobody_is_admitted():
    with pytest.raises(NotCovered, match="acciones en circulación"):
        standings(worker(), [presented(1, 10)], terms_of("banco-popular-1995"))


def test_an_organisation_of_1996_waits_for_the_funds_rule():
    with pytest.raises(NotCovered):
        standings(cooperative(), [presented(1, 10)], terms_of("banco-popular-1996"))


@given(
    st.lists(st.tuples(st.integers(1, 3_000), st.booleans()), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_together_they_never_pass_the_limit_nor_depend_on_the_order_of_rows(rows, chance):
    acceptances = [
        presented(number, requested, broker_attested_on=DAY if attested else None)
        for number, (requested, attested) in enumerate(rows, start=1)
    ]
    right = standings(worker(), acceptances, TERMS).value
    chance.shuffle(acceptances)

    assert standings(worker(), acceptances, TERMS).value == right
    assert sum(one.admitted for one in right) <= 1_000
    assert all(one.admitted <= 1_000 for one in right)


def test_a_declaration_that_the_law_sets_no_limit_counts_only_with_its_norm():
    values = {
        "price": FundValue(Decimal("4800.10"), ACT),
        "outstanding": FundValue(1_000_000, ACT),
        "authorisation_percent": FundValue(Decimal(5), ACT),
    }
    fes = terms_of("fiduciaria-fes-2004", values)
    proof = paper(
        "5",
        DocumentKind.STATUTORY_LIMIT_PROOF,
        figures={Base.STATUTORY_LIMIT: Decimal("480010")},
    )
    no_norm = paper("6", DocumentKind.NO_STATUTORY_LIMIT)
    one = presented(1, 500, declarations=frozenset(DeclarationKind))
    assert stand(cooperative(CLASS_PROOF, proof, no_norm), one, terms=fes) == [("cut", 100)]
    with_norm = paper("7", DocumentKind.NO_STATUTORY_LIMIT, norm="Ley ficticia 1 de 1990")
    assert stand(cooperative(CLASS_PROOF, with_norm), one, terms=fes) == [("complete", 500)]
