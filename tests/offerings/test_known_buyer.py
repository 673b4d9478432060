"""A buyer that is named by its number: what is known of it is filled in, and nothing doubles."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from buyers.models import Document
from buyers.services import buyer_register
from offerings.models import Acceptance
from tests.offerings.import_files import (
    csv_of,
    differences,
    faults,
    import_decided,
    loaded,
    outcomes,
    row,
)
from tests.offerings.programme_1995 import SLUG, open_stage_of

NEW = reverse("acceptance_new", args=[SLUG, 1])
PAPERS = reverse("acceptance_papers", args=[SLUG, 1])
BY_BUYER = f"{PAPERS}?comprador"


def value_of(page, name):
    """What the field shows: the value of an input, or the chosen option."""
    box = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
    if box:
        found = re.search(r'value="([^"]*)"', box[0])
        return found[1] if found else ""
    chosen = re.search(rf'<select[^>]*name="{name}".*?</select>', page, re.DOTALL)[0]
    found = re.search(r'<option value="([^"]*)"\s+selected', chosen)
    return found[1] if found else ""


@pytest.fixture
def stage(irene, ana):
    return open_stage_of(irene, ana)


@pytest.fixture
def rosa(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="Rosa Inventada Peña",
    )


@pytest.fixture
def other(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="52000456",
        name="Julián Supuesto",
    )


@pytest.fixture
def typed(stage, rosa, broker, exchange):
    return {
        "buyer": "51.000.123",
        "buyer_class": "pensioner",
        "files_tax_return": "si",
        "paper0_reference": "CL-7781",
        "paper1_gross_equity": "10.000.000",
        "paper1_year": "1994",
        "paper1_reference": "DR-118",
        "requested": "1.000",
        "received_on": "14/09/1995",
        "received_time": "10:42",
        "broker": str(broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "14/09/1995",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid4()),
    }


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


@pytest.fixture
def presented(desk, typed):
    desk.post(NEW, typed | {"paso": "registrar"})
    return Acceptance.objects.get()


def test_a_known_buyer_named_by_its_number_fills_in_the_blanks(desk, presented):
    page = desk.post(BY_BUYER, {"buyer": "51000123", "requested": "500"}).content.decode()
    assert 'id="parte" hx-swap-oob="true"' in page
    assert "Ya consta en este programa" in page
    assert value_of(page, "buyer_class") == "pensioner"
    assert value_of(page, "paper0_reference") == "CL-7781"
    assert value_of(page, "paper1_gross_equity") == "10.000.000,00"


def test_what_was_typed_already_stays(desk, presented):
    said = {"buyer": "51000123", "buyer_class": "worker", "paper0_reference": "CL-9"}
    page = desk.post(BY_BUYER, said).content.decode()
    assert value_of(page, "buyer_class") == "worker"
    assert value_of(page, "paper0_reference") == "CL-9"
    assert value_of(page, "paper1_reference") == "DR-118"


def test_what_was_filled_in_for_one_buyer_goes_when_another_is_named(desk, presented, other):
    first = desk.post(BY_BUYER, {"buyer": "51000123"}).content.decode()
    names = ("filled_for", "buyer_class", "paper0_reference", "paper1_gross_equity")
    shown = {name: value_of(first, name) for name in names}
    typed = shown | {"buyer": "52000456", "paper1_reference": "DR-500"}
    second = desk.post(BY_BUYER, typed).content.decode()
    assert value_of(second, "filled_for") == str(other.pk)
    assert value_of(second, "buyer_class") == ""
    assert value_of(second, "paper0_reference") == ""
    assert value_of(second, "paper1_gross_equity") == ""
    assert value_of(second, "paper1_reference") == "DR-500"
    assert "Ya consta en este programa" not in second


@pytest.mark.parametrize("filled_for", ["x", "9" * 30, "-1", "0"])
def test_a_forged_buyer_before_is_nobody(desk, presented, filled_for):
    page = desk.post(BY_BUYER, {"buyer": "51000123", "filled_for": filled_for})
    assert value_of(page.content.decode(), "buyer_class") == "pensioner"


def test_a_broker_is_filled_in_nothing_of_what_another_presented(client, olga, presented):
    client.force_login(olga)
    page = client.post(BY_BUYER, {"buyer": "51000123"}).content.decode()
    assert "CL-7781" not in page
    # What is being typed is left alone: there is nothing to fill in.
    assert 'id="parte"' not in page


def test_another_answer_brings_the_papers_alone(desk, presented):
    page = desk.post(PAPERS, {"buyer": "51000123", "files_tax_return": "no"}).content.decode()
    assert 'id="parte"' not in page


def test_a_second_proof_of_the_class_is_told_at_the_review(desk, typed, presented):
    again = typed | {"submission_key": str(uuid4()), "requested": "500", "paso": "revisar"}
    assert "Hay más de uno" not in desk.post(NEW, again).content.decode()
    page = desk.post(NEW, again | {"paper0_reference": "CL-7782"}).content.decode()
    assert "Constancia de la clase: CL-7781, CL-7782." in page
    left_blank = desk.post(NEW, again | {"paper0_reference": ""}).content.decode()
    assert "Hay más de uno" not in left_blank
    assert "Queda incompleta" not in left_blank


# --- in a file ---


def test_a_file_with_another_reference_of_the_class_proof_asks_and_adds_none(
    stage, broker, exchange, irene
):
    loaded(stage, irene, csv_of(row()))
    source = loaded(stage, irene, csv_of(row(referencia_clase="OTRA-9", cantidad="200")))
    assert differences(source) == {(2, "referencia_clase"): ("OTRA-9", "B-000124")}
    import_decided(source, irene)
    assert outcomes(source) == {"loaded": 1}
    assert Acceptance.objects.count() == 2
    proof = Document.objects.get(kind="class_proof")
    assert proof.exchange_reference == "B-000124"


def test_two_rows_of_one_buyer_with_two_references_say_so(stage, broker, exchange, irene):
    second = row(referencia_clase="OTRA-9", cantidad="200")
    found = faults(loaded(stage, irene, csv_of(row(), second)))
    assert "Escriba lo mismo en las dos" in found[3, "referencia_clase"]
