"""Who acts for a buyer: the representative, the attorney, and where each of them leads."""

import pytest
from django.urls import reverse

from buyers.models import Buyer, Presentation
from buyers.selectors import buyers_shown
from buyers.selectors.acting import acting_for, acts_for
from buyers.services import buyer_change, buyer_register, buyer_token
from office.refusals import Refused
from tests.answers import text_of
from tests.buyers.conftest import PERSON, person

pytestmark = pytest.mark.django_db

ATTORNEY = {
    "attorney_name": "Rosa Inventada Güiza",
    "attorney_identity_type": "CC",
    "attorney_identity_number": "53.000.789",
}


def principal(user, number="54000111", **said):
    name = "Tomasa Supuesta Prueba"
    return buyer_register(
        user=user, **PERSON, identity_number=number, name=name, **ATTORNEY | said
    )


def shown(buyer, user):
    return buyers_shown(user).get(pk=buyer.pk)


def test_a_person_has_an_attorney_beside_it(irene):
    buyer = principal(irene)

    buyer.refresh_from_db()
    assert buyer.attorney_name == "Rosa Inventada Güiza"
    assert buyer.attorney_identity == "C.C. 53.000.789"
    assert Buyer.objects.count() == 1


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"attorney_name": " "}, "attorney_name", "nombre del apoderado"),
        ({"attorney_identity_type": ""}, "attorney_identity_type", "Elija"),
        ({"attorney_identity_type": "NIT"}, "attorney_identity_type", "El apoderado es una"),
        ({"attorney_identity_number": "x"}, "attorney_identity_number", "no se puede leer"),
        ({"attorney_identity_number": ""}, "attorney_identity_number", "Falta el número"),
        ({"attorney_identity_number": "54.000.111"}, "attorney_identity_number", "otra persona"),
        ({"attorney_name": "Rosa \u202ematnevnI"}, "attorney_name", r"U\+202E"),
    ],
)
def test_an_attorney_is_refused_at_the_field_that_is_wrong(irene, said, field, words):
    with pytest.raises(Refused, match=words) as refusal:
        principal(irene, **said)

    assert refusal.value.field == field
    assert not Buyer.objects.exists()


def test_an_attorney_comes_and_goes_by_correction_with_before_and_after(client, irene):
    buyer = person(irene, "54000111", "Tomasa Supuesta Prueba")
    said = {**PERSON, "identity_number": "54000111", "name": buyer.name}
    buyer_change(
        user=irene, buyer_id=buyer.pk, seen=buyer_token(buyer), reason="Poder.", **said, **ATTORNEY
    )
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[buyer.pk])).content.decode()
    assert "Apoderado" in page
    assert "53000789" in page  # before and after, in the history

    buyer.refresh_from_db()
    buyer_change(
        user=irene, buyer_id=buyer.pk, seen=buyer_token(buyer), reason="Lo revocó.", **said
    )
    buyer.refresh_from_db()
    assert (buyer.attorney_name, buyer.attorney_identity) == ("", "")


def test_two_buyers_who_act_for_each_other_are_two_records_with_a_link_each(client, irene):
    one = principal(irene)
    other = buyer_register(
        user=irene,
        **PERSON,
        identity_number="53000789",
        name="Rosa Inventada Güiza",
        attorney_name=one.name,
        attorney_identity_type="CC",
        attorney_identity_number="54000111",
    )

    assert Buyer.objects.count() == 2
    client.force_login(irene)
    for buyer, linked in ((one, other), (other, one)):
        assert [line["buyer"] for line in acting_for(shown(buyer, irene), irene)] == [linked]
        assert list(acts_for(buyer, irene)) == [linked]
        page = client.get(reverse("buyer", args=[buyer.pk])).content.decode()
        assert page.count(f'href="{reverse("buyer", args=[linked.pk])}"') == 2


def test_a_representative_who_buys_is_linked_to_its_own_record(client, irene, nanez, cooperative):
    assert [line["buyer"] for line in acting_for(shown(cooperative, irene), irene)] == [nanez]
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[cooperative.pk])).content.decode()
    assert f'href="{reverse("buyer", args=[nanez.pk])}"' in page


def test_a_broker_is_led_to_no_buyer_that_it_did_not_bring(client, bruno, broker, irene):
    attorney = person(irene, "53000789", "Rosa Inventada Güiza")
    own = principal(bruno)
    client.force_login(bruno)
    address = reverse("buyer", args=[own.pk])

    page = client.get(address).content.decode()
    assert "C.C. 53.000.789" in page
    assert reverse("buyer", args=[attorney.pk]) not in page
    assert "También está registrado" not in page

    Presentation.objects.create(buyer=attorney, broker=broker)
    assert reverse("buyer", args=[attorney.pk]) in client.get(address).content.decode()


def test_an_attorney_that_the_fund_typed_is_not_shown_to_a_broker(client, irene, bruno, broker):
    principal(irene)
    buyer = buyer_register(
        user=bruno, **PERSON, identity_number="54000111", name="Tomasa Supuesta Prueba"
    )
    client.force_login(bruno)
    for address in (
        reverse("buyer", args=[buyer.pk]),
        reverse("buyers"),
        reverse("buyers_export", args=["csv"]),
    ):
        page = text_of(client.get(address))
        assert "Tomasa" in page
        assert "Rosa Inventada" not in page
        assert "53.000.789" not in page
        assert "53000789" not in page


def test_the_form_asks_for_the_attorney_and_the_export_holds_it(client, bruno):
    client.force_login(bruno)
    typed = {
        **PERSON,
        "identity_number": "54.000.111",
        "name": "Tomasa Supuesta Prueba",
        **ATTORNEY,
    }
    refused = client.post(reverse("buyer_new"), typed | {"attorney_name": ""})
    assert refused.status_code == 422
    assert 'value="53.000.789"' in refused.content.decode()

    page = client.post(reverse("buyer_new"), typed, follow=True).content.decode()
    assert "Rosa Inventada Güiza" in page
    export = text_of(client.get(reverse("buyers_export", args=["csv"])))
    assert "Rosa Inventada Güiza;CC;53000789" in export
    listed = client.get(reverse("buyers")).content.decode()
    assert "Apoderado: Rosa Inventada Güiza, C.C. 53.000.789" in listed
