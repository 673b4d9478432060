"""What the database itself keeps true of buyers and of their documents."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from buyers.models import Document, Presentation
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.rows import make_buyer


@pytest.fixture
def person(irene):
    return make_buyer(irene, 1)


@pytest.fixture
def cooperative(irene):
    return make_buyer(irene, 2, "cooperative")


@pytest.fixture
def tax_return(person, exchange, irene):
    return Document.objects.create(
        buyer=person,
        kind="tax_return",
        year=1993,
        gross_equity=Decimal("10000000.00"),
        exchange=exchange,
        exchange_reference="carpeta 7",
        seen_by=irene,
    )


def test_one_identity_is_one_buyer_and_another_type_is_another(person):
    with refused_by("buyer_identity_once"):
        repeat(person)
    repeat(person, identity_type="CE")


def test_nit_alone_bears_a_check_digit(person, cooperative):
    with refused_by("buyer_nit_has_check_digit"):
        change(person, check_digit="3")
    with refused_by("buyer_nit_has_check_digit"):
        change(cooperative, check_digit="")
    with refused_by("buyer_nit_has_check_digit"):
        change(cooperative, check_digit="x")


def test_organisation_is_identified_by_its_nit(cooperative):
    with refused_by("buyer_organisation_has_nit"):
        change(cooperative, identity_type="CC", check_digit="")


def test_broker_presents_a_buyer_once(person, broker):
    presented = Presentation.objects.create(buyer=person, broker=broker)
    with refused_by("presentation_once"):
        repeat(presented)


def test_document_has_its_file_or_its_reference_at_the_exchange(tax_return):
    with refused_by("document_file_or_reference"):
        change(tax_return, exchange_reference="")
    with refused_by("document_file_or_reference"):
        change(tax_return, exchange_id=None)


def test_return_of_a_year_is_one_until_it_is_replaced(tax_return):
    with refused_by("document_one_per_kind_and_year"):
        repeat(tax_return)
    change(tax_return, replaced_at=timezone.now() + timedelta(seconds=1))
    fresh = {"replaced_at": None}
    repeat(tax_return, **fresh)
    assert Document.objects.filter(replaced_at=None).count() == 1


def test_return_without_a_year_is_one_too(tax_return):
    change(tax_return, year=None)
    with refused_by("document_one_per_kind_and_year"):
        repeat(tax_return)


@pytest.mark.parametrize(
    "figure",
    ["gross_equity", "net_equity", "annual_income", "annual_remuneration", "statutory_limit"],
)
def test_document_holds_no_negative_figure(tax_return, figure):
    with refused_by("document_figures_not_negative"):
        change(tax_return, **{figure: "-0.01"})


def test_document_is_not_replaced_before_it_was_seen(tax_return):
    with refused_by("document_replaced_after_seen"):
        change(tax_return, replaced_at=tax_return.seen_at - timedelta(seconds=1))


def test_neither_buyer_nor_document_can_be_deleted(tax_return, person):
    with refused_by("document_kept"):
        strike_out(tax_return)
    with refused_by("buyer_kept"):
        strike_out(person)


def test_document_is_verified_by_somebody_else_later_and_both_are_said(tax_return, irene, ana):
    later = tax_return.seen_at + timedelta(seconds=1)
    for who, when in (
        (irene.pk, later),  # who registered it
        (ana.pk, None),
        (None, later),
        (ana.pk, tax_return.seen_at - timedelta(seconds=1)),
    ):
        with refused_by("document_verified_by_another"):
            change(tax_return, verified_by_id=who, verified_at=when)
    change(tax_return, verified_by_id=ana.pk, verified_at=later)
