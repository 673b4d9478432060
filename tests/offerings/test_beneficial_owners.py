"""For whom an acceptance buys: a name with its identity, linked where it is a buyer."""

import pytest
from django.urls import reverse

from buyers.models import Presentation
from offerings.models import Acceptance
from office.identities import read_identity
from office.refusals import Refused
from tests.offerings.import_files import csv_of, loaded, reviewed, row
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptance_pages import NEW, desk, text, typed
from tests.offerings.test_acceptances import maria, register, stage

__all__ = ["desk", "maria", "register", "stage", "typed"]

OWNER = {
    "beneficial_owner": "Rosa Inventada Güiza",
    "beneficial_owner_identity_type": "CC",
    "beneficial_owner_identity_number": "53.000.789",
}
ROSA = read_identity("CC", "53000789")
IN_FILE = {
    "beneficiario_real": "Rosa Inventada Güiza",
    "beneficiario_tipo": "C.C.",
    "beneficiario_documento": "53.000.789",
}


def rosa_as_buyer(irene):
    buyer = make_buyer(irene, 7)
    buyer.identity_number = "53000789"
    buyer.save()
    return buyer


def test_a_beneficial_owner_is_kept_with_its_identity_and_shown(desk, typed):
    review = text(desk.post(NEW, typed | OWNER | {"paso": "revisar"}))
    assert "Rosa Inventada Güiza" in review
    assert "C.C. 53.000.789" in review

    done = desk.post(NEW, typed | OWNER | {"paso": "registrar"})

    acceptance = Acceptance.objects.get()
    assert acceptance.beneficial_owner_identity == "C.C. 53.000.789"
    page = text(desk.get(done.url))
    assert "C.C. 53.000.789" in page
    assert "también registrado como comprador" not in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"beneficial_owner": ""}, "Escriba el nombre del beneficiario real"),
        ({"beneficial_owner_identity_type": ""}, "Elija el tipo de documento del beneficiario"),
        ({"beneficial_owner_identity_number": ""}, "Escriba el número del documento del benef"),
        ({"beneficial_owner_identity_number": "12"}, "no se puede leer"),
        (
            {
                "beneficial_owner_identity_type": "NIT",
                "beneficial_owner_identity_number": "860530751-1",
            },
            "debe ser 7",
        ),
        ({"beneficial_owner_identity_number": "51.000.123"}, "Es el mismo comprador"),
    ],
)
def test_half_a_beneficial_owner_is_refused_at_its_field(desk, typed, changes, words):
    page = desk.post(NEW, typed | OWNER | changes | {"paso": "registrar"})

    assert page.status_code == 422
    assert words in text(page)
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize(
    ("name", "identity", "field"),
    [
        ("Rosa Inventada Güiza", None, "beneficial_owner_identity_number"),
        ("", ROSA, "beneficial_owner"),
        ("María", read_identity("CC", "51000123"), "beneficial_owner_identity_number"),
    ],
)
def test_the_service_refuses_what_the_form_would(register, name, identity, field):
    with pytest.raises(Refused) as refusal:
        register(100, beneficial_owner=name, beneficial_owner_identity=identity)
    assert refusal.value.field == field
    assert not Acceptance.objects.exists()


def test_an_owner_who_is_a_buyer_is_linked_for_staff_and_for_a_broker_that_sees_it(
    register, irene, bruno, broker, maria, client
):
    owner = rosa_as_buyer(irene)
    Presentation.objects.create(buyer=maria, broker=broker)
    acceptance = register(
        100, broker=broker, beneficial_owner="Rosa", beneficial_owner_identity=ROSA
    )
    address, link = reverse("acceptance", args=[acceptance.pk]), reverse("buyer", args=[owner.pk])

    client.force_login(irene)
    assert link in client.get(address).content.decode()
    client.force_login(bruno)
    page = client.get(address).content.decode()
    assert "C.C. 53.000.789" in page
    assert link not in page
    assert "también registrado" not in page
    Presentation.objects.create(buyer=owner, broker=broker)
    assert link in client.get(address).content.decode()


def test_a_file_brings_a_beneficial_owner(stage, irene, broker, exchange):
    source = loaded(stage, irene, csv_of(row(**IN_FILE)))

    acceptance = Acceptance.objects.get(source_import=source)
    assert acceptance.beneficial_owner == "Rosa Inventada Güiza"
    assert acceptance.beneficial_owner_identity == "C.C. 53.000.789"


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"beneficiario_real": ""}, "beneficiario_real"),
        ({"beneficiario_tipo": ""}, "beneficiario_tipo"),
        ({"beneficiario_documento": ""}, "beneficiario_documento"),
        ({"beneficiario_documento": "x1"}, "beneficiario_documento"),
        ({"beneficiario_documento": "51000123"}, "beneficiario_documento"),
    ],
)
def test_half_a_beneficial_owner_in_a_file_is_a_fault_of_its_cell(
    stage, irene, broker, exchange, changes, column
):
    source = reviewed(stage, irene, csv_of(row(**(IN_FILE | changes))))

    [line] = source.lines.all()
    assert {one["column"] for one in line.of_level("error")} == {column}
