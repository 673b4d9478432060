"""Two records of one buyer made one: what passes, what is refused, what is found afterwards."""

import pytest
from django.urls import reverse

from buyers.models import Buyer, Document, Presentation
from buyers.selectors import buyers_found
from buyers.services import (
    AlreadyRegistered,
    buyer_change,
    buyer_merge,
    buyer_register,
    buyer_token,
    document_add,
)
from office.decisions import decisions_on
from office.refusals import Refused
from tests.buyers.conftest import PERSON, person
from tests.buyers.test_brokers import NEUTRAL, tax_return
from tests.guards import change, refused_by

pytestmark = pytest.mark.django_db

NAME = "María Fernanda Ñáñez Ejemplo"


@pytest.fixture
def twin(irene):
    """The same person as `nanez`, registered a second time with a figure too many."""
    return person(irene, "510001234", NAME)


def merge(user, twin, kept, **said):
    asked = {"typed": "510.001.234", "reason": "La cédula 510001234 está mal digitada."}
    return buyer_merge(user=user, merged_id=twin.pk, kept_id=kept.pk, **asked | said)


def test_all_that_the_twin_has_passes_and_its_row_leads_to_the_kept_one(
    ana, irene, twin, nanez, broker, exchange
):
    Presentation.objects.create(buyer=twin, broker=broker)
    document_add(user=irene, buyer=twin, **tax_return(exchange))

    done = merge(ana, twin, nanez)

    twin.refresh_from_db()
    assert (twin.merged_into, twin.kept) == (nanez, nanez)
    assert Document.objects.get().buyer == nanez
    assert Presentation.objects.get(buyer=nanez).broker == broker
    assert {line.label for line in done.moved} == {
        "Documentos que pasan",
        "Comisionistas que lo presentaron",
    }
    for buyer in (twin, nanez):
        decision = decisions_on([buyer]).last()
        assert (decision.act, decision.actor) == ("buyer_merge", ana)
        assert decision.reason == "La cédula 510001234 está mal digitada."


@pytest.mark.parametrize("who", ["irene", "aura", "bruno", "adela", "root"])
def test_only_a_supervisor_merges(request, twin, nanez, who):
    with pytest.raises(Refused, match="Solo un supervisor"):
        merge(request.getfixturevalue(who), twin, nanez)


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"typed": "51000123"}, "typed", "No es el número"),
        ({"typed": "x"}, "typed", "no se puede leer"),
        ({"typed": "C.E. 510.001.234"}, "typed", "no se puede leer"),
        ({"typed": "C.C. 51.000.123"}, "typed", "No es el número"),
        ({"reason": "  "}, "reason", "en qué consta"),
    ],
)
def test_a_merge_asks_for_the_number_and_the_reason(ana, twin, nanez, said, field, words):
    with pytest.raises(Refused, match=words) as refusal:
        merge(ana, twin, nanez, **said)
    assert refusal.value.field == field
    assert not Buyer.objects.exclude(merged_into=None).exists()


def test_the_number_is_typed_as_the_title_shows_it(ana, twin, nanez):
    merge(ana, twin, nanez, typed=str(twin.identity))
    twin.refresh_from_db()
    assert twin.merged_into == nanez


def test_neither_itself_nor_another_kind_is_a_twin(ana, twin, cooperative):
    with pytest.raises(Refused, match="Es el mismo registro"):
        merge(ana, twin, twin)
    with pytest.raises(Refused, match="no son la misma"):
        merge(ana, twin, cooperative)


def test_the_same_merge_twice_is_one(ana, twin, nanez):
    merge(ana, twin, nanez)
    assert merge(ana, twin, nanez).moved == ()
    assert decisions_on([twin]).filter(act="buyer_merge").count() == 1


def test_a_chain_ends_at_the_last_and_never_turns_back(ana, irene, twin, nanez):
    last = person(irene, "52999111", NAME)
    merge(ana, twin, nanez)
    merge(ana, nanez, last, typed="51000123")

    twin.refresh_from_db()
    assert twin.merged_into == last
    assert "se unió a otro" in decisions_on([twin]).last().sentence
    for merged in (twin, nanez):
        with pytest.raises(Refused, match="ya se unió"):
            merge(ana, last, merged, typed="52999111")
    with pytest.raises(AlreadyRegistered) as refusal:
        person(irene, "510001234", NAME)
    assert refusal.value.buyer == last


def test_a_buyer_is_merged_into_another_whole(twin, nanez):
    with refused_by("buyer_merged_into_another"):
        change(twin, merged_into_id=nanez.pk)
    with refused_by("buyer_merged_into_another"):
        change(twin, merged_into_id=twin.pk, merged_at="2026-01-01")
    with refused_by("buyer_merged_into_another"):
        change(twin, merged_at="2026-01-01")


def test_one_paper_of_both_is_left_once_if_it_says_the_same(ana, irene, twin, nanez, exchange):
    kept = document_add(user=irene, buyer=nanez, **tax_return(exchange))
    gone = document_add(user=irene, buyer=twin, **tax_return(exchange, reference="DR-2"))

    done = merge(ana, twin, nanez)

    gone.refresh_from_db()
    assert gone.replaced_at is not None
    assert list(nanez.documents.filter(replaced_at=None)) == [kept]
    assert nanez.documents.count() == 2
    assert "queda una vez" in done.moved[0].detail


def test_one_paper_of_both_with_other_figures_is_refused_and_named(
    ana, irene, twin, nanez, exchange
):
    document_add(user=irene, buyer=nanez, **tax_return(exchange))
    document_add(user=irene, buyer=twin, **tax_return(exchange, equity=11_000_000))

    with pytest.raises(Refused, match="«Declaración de renta 1994» con cifras distintas"):
        merge(ana, twin, nanez)
    assert twin.documents.filter(replaced_at=None).count() == 1


def test_the_merged_one_is_in_no_list_and_its_number_finds_the_kept_one(
    ana, irene, client, twin, nanez
):
    merge(ana, twin, nanez)

    assert list(buyers_found(irene)) == [nanez]
    assert list(buyers_found(irene, text="510.001.234")) == [nanez]
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[twin.pk])).content.decode()
    assert "Unido a otro registro" in page
    assert f'href="{reverse("buyer", args=[nanez.pk])}"' in page
    assert reverse("buyer_change", args=[twin.pk]) not in page
    page = client.get(reverse("buyer", args=[nanez.pk])).content.decode()
    assert f'href="{reverse("buyer", args=[twin.pk])}"' in page


def test_the_history_of_the_kept_one_tells_what_happened_to_the_other(
    ana, irene, client, twin, nanez
):
    merge(ana, twin, nanez)
    client.force_login(irene)
    page = client.get(reverse("buyer_history", args=[nanez.pk])).content.decode()
    assert "registró el comprador, C.C. 510.001.234." in page
    assert "unió a este comprador otro registro suyo." in page


def test_nothing_more_is_written_on_the_merged_one(ana, irene, twin, nanez, exchange):
    merge(ana, twin, nanez)
    with pytest.raises(Refused, match="se unió al de otro"):
        document_add(user=irene, buyer=twin, **tax_return(exchange))
    with pytest.raises(Refused, match="se unió al de otro"):
        buyer_change(
            user=irene, buyer_id=twin.pk, seen=buyer_token(twin), reason="Acento.",
            **PERSON, identity_number="510001234", name="Otra Prueba",
        )  # fmt: skip


def test_registering_the_merged_identity_again_finds_the_kept_buyer(
    ana, irene, client, twin, nanez
):
    merge(ana, twin, nanez)
    client.force_login(irene)
    answer = client.post(
        reverse("buyer_new"), {**PERSON, "identity_number": "510.001.234", "name": NAME}
    )
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Ese registro se unió a otro: María Fernanda" in page
    assert f'href="{reverse("buyer", args=[nanez.pk])}"' in page


def test_a_broker_of_the_twin_sees_both_and_one_of_the_kept_learns_nothing(
    ana, irene, client, bruno, olga, broker, other_broker, twin, nanez
):
    Presentation.objects.create(buyer=twin, broker=broker)
    Presentation.objects.create(buyer=nanez, broker=other_broker)
    merge(ana, twin, nanez)

    client.force_login(bruno)
    assert list(buyers_found(bruno)) == [nanez]
    assert "Unido a otro" in client.get(reverse("buyer", args=[twin.pk])).content.decode()

    client.force_login(olga)
    assert client.get(reverse("buyer", args=[twin.pk])).status_code == 404
    page = client.get(reverse("buyer", args=[nanez.pk])).content.decode()
    for word in ("510.001.234", "unió", "Valores Ficticios"):
        assert word not in page
    assert not buyers_found(olga, text="510001234").exists()


def test_a_broker_that_types_the_merged_identity_is_told_only_if_it_knows_the_name(
    ana, olga, other_broker, twin, nanez
):
    Presentation.objects.create(buyer=nanez, broker=other_broker)
    merge(ana, twin, nanez)
    said = {**PERSON, "identity_number": "510001234"}

    with pytest.raises(Refused, match=NEUTRAL):
        buyer_register(user=olga, **said, name="Otra Supuesta Prueba")
    assert not Presentation.objects.filter(buyer=twin).exists()

    assert buyer_register(user=olga, **said, name=NAME) == nanez
    assert Presentation.objects.get(buyer=twin).broker == other_broker


def test_who_acts_for_another_is_linked_to_the_record_that_is_left(ana, irene, client, nanez):
    twin = person(irene, "510001234", NAME)
    principal = buyer_register(
        user=irene, **PERSON, identity_number="54000111", name="Tomasa Supuesta Prueba",
        attorney_name=NAME, attorney_identity_type="CC", attorney_identity_number="510001234",
    )  # fmt: skip
    merge(ana, twin, nanez)
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[principal.pk])).content.decode()
    assert f'href="{reverse("buyer", args=[nanez.pk])}"' in page
