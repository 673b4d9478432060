"""Buyers that the tests of their screens share. All of them are made up."""

import pytest

from buyers.services import buyer_register, document_add
from tests.buyers.files import pdf_bytes, upload

PERSON = {"kind": "natural", "identity_type": "CC"}


def person(user, number, name):
    return buyer_register(user=user, **PERSON, identity_number=number, name=name)


@pytest.fixture
def nanez(irene):
    return person(irene, "51000123", "María Fernanda Ñáñez Ejemplo")


@pytest.fixture
def aleman(irene):
    return person(irene, "52000456", "Julián Supuesto D’Alemán")


@pytest.fixture
def cooperative(irene):
    return buyer_register(
        user=irene,
        kind="organisation",
        identity_type="NIT",
        identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle",
        representative_name="María Fernanda Ñáñez Ejemplo",
        representative_identity_type="CC",
        representative_identity_number="51000123",
    )


@pytest.fixture
def paper(irene, nanez):
    return document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))


@pytest.fixture
def at_desk(client, irene):
    client.force_login(irene)
    return client
