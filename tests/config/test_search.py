"""The search of the top bar: by name, identity or number, each person among its own."""

import pytest
from django.urls import reverse

from buyers.models import Presentation
from buyers.services import buyer_register
from offerings.models import Payment
from office.text import fold
from tests.offerings.price_pages import of_file
from tests.offerings.rows import make_acceptance, make_buyer, make_stage
from tests.world import World


@pytest.fixture
def look(client):
    def look_for(person, text):
        client.force_login(person)
        answer = client.get(reverse("search"), {"q": text})
        assert answer.status_code == 200
        return answer.content.decode().partition("<h1>")[2]

    return look_for


def named(buyer, name):
    buyer.name, buyer.name_folded = name, fold(name)
    buyer.save()
    return buyer


@pytest.mark.parametrize("text", ["Ñáñez Güiza", "nanez", "NAÑEZ", "guiza", "ficticia nanez"])
def test_name_is_found_without_its_accents(look, irene, text):
    named(make_buyer(irene, 1), "María Ficticia Ñáñez Güiza")
    assert "María Ficticia Ñáñez Güiza" in look(irene, text)


@pytest.mark.parametrize("text", ["D'Alemán", "D’Aleman", "d'aleman"])
def test_either_apostrophe_finds_the_name(look, irene, text):
    named(make_buyer(irene, 1), "Julián Supuesto D'Alemán")
    assert "Julián Supuesto" in look(irene, text)


@pytest.mark.parametrize("text", ["51000001", "51.000.001", " 51 000 001 "])
def test_identity_is_found_with_dots_or_without(look, irene, text):
    make_buyer(irene, 1)
    assert "C.C. 51.000.001" in look(irene, text)


@pytest.mark.parametrize("text", ["A-000007", "a-7", "A-7"])
def test_acceptance_is_found_by_its_number(look, irene, ana, text):
    acceptance = make_acceptance(make_stage(irene, ana), 7, 100)
    assert reverse("acceptance", args=[acceptance.pk]) in look(irene, text)


def test_certificate_is_found_by_its_number_by_staff_and_by_its_broker_alone(look, db):
    world = World()
    certificate = world.certificates["broker"]
    address = reverse("certificate", args=[certificate.pk])
    for person in ("analista", "supervisor", "auditor", "broker"):
        assert address in look(world.people[person], certificate.label.lower())
    assert address not in look(world.people["other"], certificate.label)


def test_broker_finds_its_own_buyers_and_acceptances_alone(look, irene, ana, bruno, olga, broker):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 100)
    acceptance.broker = broker
    acceptance.save()
    buyer = acceptance.participation.buyer
    Presentation.objects.create(buyer=buyer, broker=broker)
    assert buyer.name in look(bruno, "ejemplo")
    assert "A-000001" in look(bruno, "A-1")
    assert buyer.name not in look(olga, "ejemplo")
    assert "A-000001</a>" not in look(olga, "A-1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "\x00\x00",
        "A-",
        "A-99999999999999999999",
        "ADJ-x-1",
        "ADJ-1995-٣",
        "%",
        "' OR 1=1",
        "A-１",
        "<script>alert(1)</script>",
        "ñ" * 5000,
    ],
)
def test_text_that_finds_nothing_says_how_to_search(look, irene, text):
    make_buyer(irene, 1)
    page = look(irene, text)
    assert "Escriba al menos dos letras" in page
    assert "<script>" not in page


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("AD", "adjudication"),
        ("IM", "import"),
        ("PR", "job"),
        ("BA", "bank_file"),
        ("IP", "cpi_import"),
    ],
)
def test_what_bears_a_number_is_found_by_it_and_by_nobody_who_may_not_see_it(look, db, code, name):
    world = World()
    made = {
        "AD": world.of_adjudication,
        "IM": world.of_reviewed_import,
        "PR": world.of_job,
        "BA": world.of_bank_file,
        "IP": lambda: of_file(world),
    }[code]()
    address = reverse(name, kwargs=made)
    for typed in (f"{code}-{made['pk']:06d}", f"{code.lower()} {made['pk']}"):
        assert address in look(world.people["analista"], typed)
        assert address in look(world.people["auditor"], typed)
        assert address not in look(world.people["other"], typed)
    assert (address in look(world.people["broker"], f"{code}-{made['pk']}")) is (code == "PR")


def test_a_receipt_is_found_by_its_number_by_staff_and_by_its_broker_alone(look, db):
    world = World()
    paid = world.of_payment()
    address = reverse("payment_receipt", kwargs=paid)
    receipt = Payment.objects.get(**paid).receipt
    for typed in (receipt, receipt.lower().replace("-", " ")):
        assert address in look(world.people["analista"], typed)
        assert address in look(world.people["broker"], typed)
        assert address not in look(world.people["other"], typed)


def test_a_certificate_is_found_by_its_code_however_it_is_grouped(look, db):
    world = World()
    certificate = world.certificates["broker"]
    address = reverse("certificate", args=[certificate.pk])
    code = certificate.code
    for typed in (code, f"{code[:4]}-{code[4:8]}-{code[8:]}", code.lower()):
        assert address in look(world.people["broker"], typed)
        assert address not in look(world.people["other"], typed)


@pytest.mark.parametrize("text", ["C.C. 51.000.001", "cc 51000001", "CC51.000.001"])
def test_identity_is_found_with_its_type_before_it(look, irene, text):
    make_buyer(irene, 1)
    assert "C.C. 51.000.001" in look(irene, text)


def test_page_has_no_other_persons_words_in_it(look, irene):
    assert "&lt;b&gt;x&lt;/b&gt;" in look(irene, "<b>x</b>")


def test_an_organisation_is_found_by_its_nit_as_the_screens_write_it(look, irene):
    buyer_register(
        user=irene,
        kind="organisation",
        identity_type="NIT",
        identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle",
        representative_name="Rosa Inventada Peña",
        representative_identity_type="CC",
        representative_identity_number="41000902",
    )

    assert "Cooperativa Ficticia del Valle" in look(irene, "NIT 860.530.751-7")
