"""The register of buyers: who may be in it, once, and how it is corrected."""

import threading
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from buyers.models import Buyer, Presentation
from buyers.services import (
    AlreadyRegistered,
    Stale,
    buyer_change,
    buyer_register,
    buyer_token,
)
from office.decisions import decisions_on
from office.models import Decision
from office.refusals import Refused

pytestmark = pytest.mark.django_db

MARIA = {
    "kind": "natural",
    "identity_type": "CC",
    "identity_number": "51.000.123",
    "name": "María Fernanda Ejemplo Ñáñez",
}
COOPERATIVE = {
    "kind": "organisation",
    "identity_type": "NIT",
    "identity_number": "860.530.751-7",
    "name": "Cooperativa Ficticia del Valle",
    "representative_name": "María Fernanda Ejemplo Ñáñez",
    "representative_identity_type": "CC",
    "representative_identity_number": "51000123",
}


def as_kept(buyer):
    return {
        name: getattr(buyer, name)
        for name in (
            "kind",
            "identity_type",
            "identity_number",
            "name",
            "representative_name",
            "representative_identity_type",
            "representative_identity_number",
        )
    }


def corrected(buyer, **changes):
    said = as_kept(buyer)
    if said["identity_type"] == "NIT":
        said["identity_number"] += f"-{buyer.check_digit}"
    return said | changes


def test_a_person_is_registered_with_its_trace(irene):
    buyer = buyer_register(user=irene, **MARIA)

    buyer.refresh_from_db()
    assert (buyer.identity, buyer.name) == ("C.C. 51.000.123", "María Fernanda Ejemplo Ñáñez")
    assert buyer.name_folded == "maria fernanda ejemplo nanez"
    assert buyer.registered_by == irene
    [decision] = decisions_on([buyer])
    assert (decision.act, decision.actor) == ("buyer_register", irene)
    assert "51000123" not in decision.sentence


def test_an_organisation_is_registered_with_its_representative_beside_it(irene):
    buyer = buyer_register(user=irene, **COOPERATIVE)

    assert buyer.identity == "NIT 860.530.751-7"
    assert buyer.representative_identity == "C.C. 51.000.123"


def test_a_representative_who_also_buys_is_two_records_and_no_loop(irene):
    organisation = buyer_register(user=irene, **COOPERATIVE)
    person = buyer_register(user=irene, **MARIA)

    assert Buyer.objects.count() == 2
    assert person.representative_name == ""
    assert organisation.representative_identity == person.identity


@pytest.mark.parametrize(
    "said",
    [
        {"representative_name": "Otra Prueba"},
        {"representative_identity_type": "CC"},
        {"representative_identity_number": "52.000.456"},
    ],
)
def test_a_person_with_a_representative_is_refused(irene, said):
    with pytest.raises(Refused, match="no tiene representante") as refusal:
        buyer_register(user=irene, **MARIA | said)
    assert refusal.value.field == "representative_name"
    assert not Buyer.objects.exists()


@pytest.mark.parametrize(
    "nit", ["860530751-7", "860007738-9", "800197268-4", "899999068-1", "890903938-8"]
)
def test_an_organisation_is_let_in_when_its_check_digit_is_right(irene, nit):
    buyer = buyer_register(user=irene, **COOPERATIVE | {"identity_number": nit})

    assert f"{buyer.identity_number}-{buyer.check_digit}" == nit


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"identity_number": "860530751-1"}, "identity_number", "debe ser 7"),
        ({"identity_number": "860530751"}, "identity_number", "Falta el dígito"),
        ({"identity_type": "CC", "identity_number": "51000123"}, "identity_type", "con NIT"),
        ({"representative_name": " "}, "representative_name", "quién la representa"),
        ({"representative_identity_type": ""}, "representative_identity_type", "Elija"),
        ({"representative_identity_type": "NIT"}, "representative_identity_type", "persona"),
        ({"representative_identity_number": "x"}, "representative_identity_number", "no se puede"),
        ({"kind": "otro"}, "kind", "persona natural"),
    ],
)
def test_an_organisation_is_refused_at_the_field_that_is_wrong(irene, said, field, words):
    with pytest.raises(Refused, match=words) as refusal:
        buyer_register(user=irene, **COOPERATIVE | said)

    assert refusal.value.field == field
    assert not Buyer.objects.exists()
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("María\x00 Ejemplo", r"U\+0000"),
        ("María \u202eolpmejE", r"U\+202E"),
        ("María \u2066Ejemplo\u2069", r"U\+2066"),
        ("   ", "Escriba el nombre"),
        ("123 - 456", "Escriba el nombre"),
        ("W" * 201, "201 caracteres"),
    ],
)
def test_a_name_is_refused_with_a_message_that_says_why(irene, name, words):
    with pytest.raises(Refused, match=words) as refusal:
        buyer_register(user=irene, **MARIA | {"name": name})

    assert refusal.value.field == "name"
    assert not Buyer.objects.exists()


@pytest.mark.parametrize("name", ["W" * 200, "W" * 154, "ﷺ" * 200, "Ñáñez Güiza $ º"])
def test_a_long_name_is_kept_whole(irene, name):
    assert buyer_register(user=irene, **MARIA | {"name": name}).name == name


@pytest.mark.parametrize("number", ["1.020.304.050", " 1020304050 ", "1020304050"])
def test_dots_and_blanks_make_no_second_buyer(irene, number):
    first = buyer_register(user=irene, **MARIA | {"identity_number": "1020304050"})

    with pytest.raises(AlreadyRegistered, match="Ya está registrado: María Fernanda") as refusal:
        buyer_register(user=irene, **MARIA | {"identity_number": number})

    assert refusal.value.buyer == first
    assert refusal.value.field == "identity_number"


def test_the_same_number_of_another_type_is_another_buyer(irene):
    citizen = buyer_register(user=irene, **MARIA | {"identity_number": "123456"})
    foreigner = buyer_register(
        user=irene, **MARIA | {"identity_type": "CE", "identity_number": "123456"}
    )

    assert citizen != foreigner


def test_the_form_sent_twice_leaves_one_record(irene):
    key = uuid4()
    first = buyer_register(user=irene, submission_key=key, **MARIA)
    second = buyer_register(user=irene, submission_key=key, **MARIA)

    assert first == second
    assert Buyer.objects.count() == Decision.objects.count() == 1


def test_the_database_refuses_a_twin_that_no_service_saw(irene):
    buyer = buyer_register(user=irene, **MARIA)
    buyer.pk = None
    with pytest.raises(IntegrityError, match="buyer_identity_once"), transaction.atomic():
        buyer.save()


@pytest.mark.django_db(transaction=True)
def test_of_two_people_at_once_one_registers_and_the_other_is_told(irene, mateo):
    barrier, outcomes = threading.Barrier(2), []

    def register(user):
        barrier.wait()
        try:
            outcomes.append(buyer_register(user=user, **MARIA))
        except AlreadyRegistered as refusal:
            outcomes.append(refusal)
        finally:
            connection.close()

    people = [threading.Thread(target=register, args=(user,)) for user in (irene, mateo)]
    for person in people:
        person.start()
    for person in people:
        person.join()

    buyer = Buyer.objects.get()
    [told] = [outcome for outcome in outcomes if isinstance(outcome, AlreadyRegistered)]
    assert told.buyer == buyer
    assert buyer in outcomes


@pytest.mark.parametrize("person", ["aura", "adela", "root"])
def test_nobody_registers_without_the_role(person, request):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        buyer_register(user=request.getfixturevalue(person), **MARIA)


def test_a_broker_sees_the_buyers_that_it_presented_and_no_others(
    irene, bruno, olga, broker, aura, adela
):
    buyer = buyer_register(user=irene, broker=broker, **MARIA)
    buyer_register(user=irene, **COOPERATIVE)

    assert Presentation.objects.get().buyer == buyer
    assert list(Buyer.objects.visible_to(bruno)) == [buyer]
    assert not Buyer.objects.visible_to(olga).exists()
    assert Buyer.objects.visible_to(aura).count() == 2
    assert not Buyer.objects.visible_to(adela).exists()


def test_a_correction_leaves_who_why_before_and_after(irene, mateo):
    buyer = buyer_register(user=irene, **MARIA)
    buyer_change(
        user=mateo,
        buyer_id=buyer.pk,
        seen=buyer_token(buyer),
        reason="La cédula dice Fernández.",
        **corrected(buyer, name="María Fernández Ejemplo"),
    )

    buyer.refresh_from_db()
    assert buyer.name_folded == "maria fernandez ejemplo"
    decision = decisions_on([buyer]).last()
    assert (decision.actor, decision.reason) == (mateo, "La cédula dice Fernández.")
    before, after = buyer.events.order_by("pk")
    assert (before.name, after.name) == (MARIA["name"], "María Fernández Ejemplo")
    assert decision.data == {"event": after.pk}


def test_a_stale_correction_is_refused_and_shows_what_is_there(irene, mateo):
    buyer = buyer_register(user=irene, **MARIA)
    seen = buyer_token(buyer)
    buyer_change(
        user=mateo, buyer_id=buyer.pk, seen=seen, reason="Acento.",
        **corrected(buyer, name="María Primera Prueba"),
    )  # fmt: skip

    with pytest.raises(Stale, match="Otra persona cambió") as refusal:
        buyer_change(
            user=irene, buyer_id=buyer.pk, seen=seen, reason="Acento.",
            **corrected(buyer, name="María Segunda Prueba"),
        )  # fmt: skip

    assert refusal.value.current.name == "María Primera Prueba"
    buyer.refresh_from_db()
    assert buyer.name == "María Primera Prueba"


@pytest.mark.parametrize(
    ("reason", "name", "words"),
    [("", "Otra Prueba", "por qué se corrige"), ("Acento.", MARIA["name"], "No cambió ningún")],
)
def test_a_correction_needs_a_change_and_its_reason(irene, reason, name, words):
    buyer = buyer_register(user=irene, **MARIA)
    with pytest.raises(Refused, match=words):
        buyer_change(
            user=irene, buyer_id=buyer.pk, seen=buyer_token(buyer), reason=reason,
            **corrected(buyer, name=name),
        )  # fmt: skip


def test_a_correction_cannot_take_the_identity_of_another(irene):
    maria = buyer_register(user=irene, **MARIA)
    other = buyer_register(user=irene, **MARIA | {"identity_number": "52000456"})

    with pytest.raises(AlreadyRegistered) as refusal:
        buyer_change(
            user=irene, buyer_id=other.pk, seen=buyer_token(other), reason="Error de digitación.",
            **corrected(other, identity_number="51000123"),
        )  # fmt: skip

    assert refusal.value.buyer == maria


def test_a_buyer_is_never_deleted(irene):
    buyer = buyer_register(user=irene, **MARIA)
    with pytest.raises(Exception, match="Cannot delete"), transaction.atomic():
        Buyer.objects.filter(pk=buyer.pk)._raw_delete("default")
