"""A broker registers its own buyers and papers, and learns nothing of what others brought."""

from decimal import Decimal

import pytest
from django.urls import reverse

from buyers.models import Broker, BrokerUser, Buyer, Document, Presentation
from buyers.services import (
    DocumentExists,
    buyer_change,
    buyer_register,
    buyer_token,
    document_add,
    document_replace,
)
from office.refusals import Refused
from tests.answers import text_of
from tests.buyers.conftest import PERSON, person
from tests.conftest import make_user

pytestmark = pytest.mark.django_db

NEUTRAL = "Los datos no coinciden con el registro"
COOPERATIVE = {
    "kind": "organisation",
    "identity_type": "NIT",
    "identity_number": "860530751-7",
    "name": "Cooperativa Ficticia del Valle",
    "representative_name": "Otra Persona Supuesta",
    "representative_identity_type": "CC",
    "representative_identity_number": "52.000.777",
}


def typed(**changes):
    return {
        **PERSON,
        "identity_number": "51.000.123",
        "name": "María Fernanda Ñáñez Ejemplo",
        "submission_key": "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a11",
    } | changes


def tax_return(exchange, equity=10_000_000, reference="DR-1", year=1994):
    return {
        "kind": "tax_return",
        "year": year,
        "figures": {"gross_equity": Decimal(equity)},
        "exchange": exchange,
        "exchange_reference": reference,
    }


@pytest.fixture
def at_broker(client, bruno):
    client.force_login(bruno)
    return client


def test_a_buyer_that_a_broker_registers_is_its_own(at_broker, broker, other_broker):
    answer = at_broker.post(reverse("buyer_new"), typed(), follow=True)

    assert "Bruno Corredor Prueba registró el comprador." in answer.content.decode()
    assert Presentation.objects.get().broker == broker


def test_a_broker_cannot_register_for_another(bruno, other_broker):
    with pytest.raises(Refused, match="solo por su sociedad"):
        buyer_register(user=bruno, broker=other_broker, **typed(submission_key=None))
    assert not Buyer.objects.exists()


@pytest.mark.parametrize("active", [None, False])
def test_a_person_without_an_active_broker_registers_nothing(client, active):
    lost = make_user("lost", "comisionista", "Sin", "Sociedad Prueba")
    if active is not None:
        broker = Broker.objects.create(name="Cerrada S. A.", nit="830051212-0", is_active=active)
        BrokerUser.objects.create(user=lost, broker=broker)
    client.force_login(lost)

    answer = client.post(reverse("buyer_new"), typed())

    assert answer.status_code == 422
    assert "no tiene una sociedad comisionista activa" in answer.content.decode()
    assert not Buyer.objects.exists()


@pytest.mark.parametrize("name", ["María Fernanda Ñáñez Ejemplo", "maria fernanda NANEZ ejemplo"])
def test_a_known_buyer_is_attached_by_the_same_identity_and_name(at_broker, nanez, broker, name):
    address = reverse("buyer_new")
    answers = [at_broker.post(address, typed(name=name)) for _ in range(2)]

    assert [one["Location"] for one in answers] == [reverse("buyer", args=[nanez.pk])] * 2
    assert Presentation.objects.get(buyer=nanez).broker == broker
    assert Buyer.objects.count() == 1
    nanez.refresh_from_db()
    assert nanez.name == "María Fernanda Ñáñez Ejemplo"


def test_a_broker_is_not_told_that_its_buyer_was_known_and_the_fund_is(at_broker, nanez, irene):
    page = at_broker.post(reverse("buyer_new"), typed(), follow=True).content.decode()
    assert "Bruno Corredor Prueba registró el comprador." in page
    assert "ya estaba registrado" not in page
    assert "Irene" not in page

    at_broker.force_login(irene)
    page = at_broker.get(reverse("buyer", args=[nanez.pk])).content.decode()
    assert "presentó el comprador, que ya estaba registrado" in page


def test_another_name_is_refused_without_a_word_of_what_is_known(at_broker, nanez):
    answer = at_broker.post(reverse("buyer_new"), typed(name="Rosa Inventada Güiza"))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert NEUTRAL in page
    assert "Fernanda" not in page
    assert reverse("buyer", args=[nanez.pk]) not in page
    assert not Presentation.objects.exists()


def test_the_same_number_of_another_kind_of_buyer_is_refused(at_broker, cooperative, bruno):
    said = {key: value for key, value in COOPERATIVE.items() if "representative" not in key}
    natural = said | {"kind": "natural"}
    with pytest.raises(Refused, match=NEUTRAL):
        buyer_register(user=bruno, **natural)


def test_its_own_buyer_again_is_told_to_be_there(bruno, at_broker):
    own = person(bruno, "51000123", "María Fernanda Ñáñez Ejemplo")

    answer = at_broker.post(reverse("buyer_new"), typed(name="Otra Escritura Prueba"))

    assert f'href="{reverse("buyer", args=[own.pk])}"' in answer.content.decode()


def test_a_representative_that_another_typed_is_not_shown_anywhere(at_broker, bruno, cooperative):
    assert buyer_register(user=bruno, **COOPERATIVE) == cooperative

    for address in (
        reverse("buyer", args=[cooperative.pk]),
        reverse("buyers"),
        reverse("buyers_export", args=["csv"]),
    ):
        page = text_of(at_broker.get(address))
        assert "Cooperativa Ficticia" in page
        assert "Ñáñez" not in page
        assert "51.000.123" not in page
        assert "51000123" not in page
    cooperative.refresh_from_db()
    assert cooperative.representative_identity_number == "51000123"


def test_its_own_representative_is_shown_until_the_fund_corrects_it(at_broker, bruno, irene):
    own = buyer_register(user=bruno, **COOPERATIVE)
    address = reverse("buyer", args=[own.pk])
    assert "Otra Persona Supuesta" in at_broker.get(address).content.decode()

    said = COOPERATIVE | {"representative_name": "Persona Nueva Muestra"}
    buyer_change(
        user=irene, buyer_id=own.pk, seen=buyer_token(own), reason="Acta 3 de Muestra.", **said
    )

    page = at_broker.get(address).content.decode()
    assert "Persona Nueva Muestra" not in page
    assert "Acta 3" not in page
    assert "Irene" not in page


def test_a_broker_corrects_no_buyer(at_broker, bruno):
    own = person(bruno, "51000123", "María Fernanda Ñáñez Ejemplo")

    assert at_broker.get(reverse("buyer_change", args=[own.pk])).status_code == 403
    assert at_broker.post(reverse("buyer_change", args=[own.pk]), typed()).status_code == 403
    page = at_broker.get(reverse("buyer", args=[own.pk])).content.decode()
    assert reverse("buyer_change", args=[own.pk]) not in page
    assert "Los datos los corrige el Fondo" in page


def test_a_search_finds_no_buyer_of_another(at_broker, nanez, olga):
    person(olga, "52000456", "Julián Supuesto D’Alemán")
    for address in (
        reverse("buyers"),
        reverse("buyers_export", args=["csv"]),
        reverse("search"),
    ):
        for text in ("nanez", "51000123", "51.000.123", "aleman", "52000456"):
            page = text_of(at_broker.get(address, {"q": text}))
            assert "Ejemplo" not in page, (address, text)
            assert "Supuesto" not in page, (address, text)


# --- papers ---


@pytest.fixture
def shared(irene, bruno, olga):
    """María, whom the Fund registered, and whom both brokers brought."""
    buyer = person(irene, "51000123", "María Fernanda Ñáñez Ejemplo")
    assert person(bruno, "51000123", buyer.name) == buyer == person(olga, "51000123", buyer.name)
    return buyer


def test_a_broker_sees_the_papers_that_it_brought_alone(
    at_broker, shared, irene, bruno, olga, exchange, broker
):
    of_fund = document_add(user=irene, buyer=shared, **tax_return(exchange, reference="FO-1"))
    of_other = document_add(
        user=olga, buyer=shared, kind="class_proof", exchange=exchange, exchange_reference="OL-1"
    )
    own = document_add(
        user=bruno, buyer=shared, kind="class_proof", exchange=exchange, exchange_reference="BR-1"
    )

    page = at_broker.get(reverse("buyer", args=[shared.pk])).content.decode()

    assert own.presented_by == broker
    assert of_fund.presented_by is None
    assert "BR-1" in page
    for hidden in ("FO-1", "OL-1", "10.000.000", "Olga", "Irene", "Declaración de renta 1994"):
        assert hidden not in page, hidden
    for document in (of_fund, of_other):
        for name in ("document_file", "document_replace"):
            assert at_broker.get(reverse(name, args=[document.pk])).status_code == 404


def test_a_broker_brings_no_paper_of_a_buyer_that_it_did_not_bring(bruno, nanez, exchange):
    with pytest.raises(Refused, match="de los compradores que presentó"):
        document_add(user=bruno, buyer=nanez, **tax_return(exchange))
    assert not Document.objects.exists()


def test_the_same_paper_is_brought_by_each_without_knowing(shared, irene, bruno, olga, exchange):
    first = document_add(user=bruno, buyer=shared, **tax_return(exchange))
    second = document_add(user=olga, buyer=shared, **tax_return(exchange, reference="DR-77"))

    assert first.presented_by != second.presented_by
    with pytest.raises(DocumentExists):
        document_add(user=bruno, buyer=shared, **tax_return(exchange))
    with pytest.raises(DocumentExists):
        document_add(user=irene, buyer=shared, **tax_return(exchange))


@pytest.mark.parametrize("first", ["irene", "olga"])
def test_a_paper_with_other_figures_is_refused_without_telling_them(
    shared, bruno, exchange, first, request, at_broker
):
    document_add(
        user=request.getfixturevalue(first), buyer=shared, **tax_return(exchange, 77_000_000)
    )
    answer = at_broker.post(
        reverse("document_new", args=[shared.pk]),
        {
            "kind": "tax_return",
            "year": "1994",
            "gross_equity": "10.000.000",
            "exchange": exchange.pk,
            "exchange_reference": "DR-1",
            "submission_key": "6f1c2a52-8f0e-4f7e-9c1a-0d7b3b0a1a12",
        },
    )

    page = answer.content.decode()
    assert answer.status_code == 422
    assert NEUTRAL in page
    assert "77.000.000" not in page
    assert "Reemplazar" not in page


def test_a_certificate_of_pay_with_other_figures_is_refused_too(shared, bruno, olga, exchange):
    paper = {"kind": "remuneration_certificate", "exchange": exchange, "exchange_reference": "R-1"}
    document_add(
        user=olga, buyer=shared, figures={"annual_remuneration": Decimal(5_000_000)}, **paper
    )
    with pytest.raises(Refused, match=NEUTRAL):
        document_add(
            user=bruno, buyer=shared, figures={"annual_remuneration": Decimal(9_000_000)}, **paper
        )


def test_a_broker_replaces_its_own_paper_alone(shared, bruno, olga, exchange):
    of_other = document_add(user=olga, buyer=shared, **tax_return(exchange))
    with pytest.raises(Refused, match="solo los documentos que registró su sociedad"):
        document_replace(
            user=bruno, document_id=of_other.pk, reason="Error.", **tax_return(exchange)
        )
    own = document_add(user=bruno, buyer=shared, **tax_return(exchange, reference="DR-2"))
    new = document_replace(
        user=bruno, document_id=own.pk, reason="Error.", **tax_return(exchange, reference="DR-3")
    )
    assert new.presented_by == own.presented_by
    of_other.refresh_from_db()
    assert of_other.replaced_at is None


def test_the_fund_replaces_the_same_paper_of_every_broker(shared, irene, bruno, olga, exchange):
    first = document_add(user=bruno, buyer=shared, **tax_return(exchange))
    second = document_add(user=olga, buyer=shared, **tax_return(exchange, reference="DR-77"))

    new = document_replace(
        user=irene, document_id=first.pk, reason="Cifra.", **tax_return(exchange, 20_000_000)
    )

    second.refresh_from_db()
    assert second.replaced_at is not None
    assert list(shared.documents.filter(replaced_at=None)) == [new]
