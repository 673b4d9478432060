"""A merge of two buyers, further up: their parts, their acceptances, one limit for all."""

import threading
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.urls import reverse

from buyers.enums import BuyerClass
from buyers.models import Buyer
from buyers.services import buyer_merge, buyer_register
from offerings.models import Acceptance, ClassFinding, Participation
from offerings.services.acceptances import acceptance_register
from offerings.services.participation_acts import participation_change
from offerings.services.participations import PartGiven
from offerings.services.stages import stage_close
from office.decisions import decisions_on
from office.refusals import Refused
from tests.conftest import CLOSED
from tests.offerings.import_files import csv_of, loaded, row
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import WORKER, class_proof, given, tax_return

NAME = "María Fernanda Ejemplo Ñáñez"
SAID = {"typed": "510001234", "reason": "Una cifra de más."}


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


def person(irene, number):
    return buyer_register(
        user=irene, kind="natural", identity_type="CC", identity_number=number, name=NAME
    )


@pytest.fixture
def kept(irene):
    return person(irene, "51000123")


@pytest.fixture
def twin(irene):
    return person(irene, "510001234")


@pytest.fixture
def present(stage, irene, broker, exchange):
    def run(buyer, requested, *, part=WORKER, papers=None, minute=0):
        fields = given(broker, exchange, requested)
        if papers is None:
            papers = [class_proof(exchange), tax_return(exchange)]
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=part,
            papers=papers,
            given=replace(fields, received_at=fields.received_at.replace(minute=minute)),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return run


def merge(user, twin, kept):
    return buyer_merge(user=user, merged_id=twin.pk, kept_id=kept.pk, **SAID)


def told(done):
    return {line.label: line.value for line in done.moved}


def test_a_part_that_the_kept_buyer_lacks_passes_whole(ana, present, twin, kept):
    acceptance = present(twin, 100)

    merge(ana, twin, kept)

    part = Participation.objects.get()
    assert part.buyer == kept
    acceptance.refresh_from_db()
    assert (acceptance.participation, acceptance.standing) == (part, "complete")
    assert part.documents.get(kind="tax_return").buyer == kept


def test_the_acceptances_of_both_stand_under_one_limit(ana, irene, present, twin, kept):
    first = present(twin, 300_000, minute=1)
    second = present(kept, 400_000, minute=2)
    assert (first.admitted, second.admitted) == (300_000, 400_000)

    done = merge(ana, twin, kept)

    for one in (first, second):
        one.refresh_from_db()
    assert first.participation == second.participation
    assert second.participation.buyer == kept
    assert (first.admitted, second.admitted) == (300_000, 195_049)
    assert second.standing == "cut"
    assert told(done)["Cambia A-000002"] == "195.049 acciones"
    assert first.code in decisions_on([first.participation]).last().sentence
    emptied = Participation.objects.get(buyer=twin)
    assert not emptied.acceptances.exists()
    assert not emptied.documents.exists()


def test_the_review_shows_who_changes_and_saves_nothing(client, ana, irene, present, twin, kept):
    present(twin, 300_000, minute=1)
    second = present(kept, 400_000, minute=2)
    client.force_login(ana)
    address = reverse("buyer_merge", args=[twin.pk])
    typed = {"kept": "51.000.123", **SAID}

    review = text(client.post(address, typed))
    assert "Cambia A-000002 195.049 acciones" in review
    assert "tenía 400.000" in review
    assert "No se puede deshacer" in review
    second.refresh_from_db()
    assert second.admitted == 400_000
    assert not Buyer.objects.exclude(merged_into=None).exists()

    for _ in range(2):
        done = client.post(address, typed | {"paso": "confirmar"})
        assert done["Location"] == reverse("buyer", args=[kept.pk])
    second.refresh_from_db()
    assert second.admitted == 195_049
    assert client.get(address)["Location"] == reverse("buyer", args=[twin.pk])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kept": "nadie"}, "No hay un comprador registrado"),
        ({"kept": "510001234"}, "Es el mismo registro"),
        ({"typed": "51000123"}, "No es el número"),
        ({"reason": ""}, "Escriba en qué consta"),
    ],
)
def test_the_form_says_what_is_wrong_and_loses_nothing(client, ana, twin, kept, changes, words):
    client.force_login(ana)
    answer = client.post(
        reverse("buyer_merge", args=[twin.pk]), {"kept": "51.000.123", **SAID, **changes}
    )
    assert answer.status_code == 422
    assert words in text(answer)
    assert "Error:" in text(answer)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (replace(WORKER, is_executive=True), "el cargo de nivel directivo"),
        (PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True), "la clase"),
        (replace(WORKER, present_holding=5), "las acciones que ya tiene"),
    ],
)
def test_parts_that_say_different_are_refused_and_the_difference_named(
    ana, present, twin, kept, part, words
):
    present(kept, 100)
    present(twin, 100, part=part)
    with pytest.raises(Refused, match=f"los dos no dicen lo mismo.*{words}"):
        merge(ana, twin, kept)
    assert Participation.objects.get(buyer=twin).acceptances.count() == 1


def test_what_one_part_alone_says_completes_the_other(ana, present, twin, kept):
    present(kept, 100, part=PartGiven(buyer_class=BuyerClass.WORKER))
    present(twin, 100, part=replace(WORKER, last_year_filed=1994))
    merge(ana, twin, kept)
    part = Participation.objects.get(buyer=kept)
    assert (part.last_year_filed, part.files_tax_return) == (1994, True)


def test_a_false_class_of_one_alone_is_settled_first(ana, present, twin, kept):
    present(kept, 100)
    theirs = present(twin, 100).participation
    ClassFinding.objects.create(
        participation=theirs, found_at=CLOSED, evidence="Carta ficticia", recorded_by=ana
    )
    with pytest.raises(Refused, match="la clase de uno es falsa"):
        merge(ana, twin, kept)


def test_what_is_frozen_in_both_is_refused_and_what_to_do_is_said(ana, stage, present, twin, kept):
    present(twin, 100)
    present(kept, 100)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    with pytest.raises(Refused, match=r"se cerró.*Deje los dos registros.*se anula"):
        merge(ana, twin, kept)


def test_what_is_frozen_in_one_passes_as_it_is(ana, stage, present, twin, kept):
    acceptance = present(twin, 100)
    before = Acceptance.objects.values().get(pk=acceptance.pk)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    merge(ana, twin, kept)
    assert Acceptance.objects.values().get(pk=acceptance.pk) == before
    assert Participation.objects.get().buyer == kept


def test_an_empty_part_of_the_kept_one_asks_for_the_other_way_round(
    ana, stage, present, twin, kept
):
    Participation.objects.create(
        programme=stage.programme, buyer=kept, buyer_class="worker", files_tax_return=True
    )
    present(twin, 100)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    with pytest.raises(Refused, match=r"Hágalo al revés: conserve C\.C\. 510\.001\.234"):
        merge(ana, twin, kept)


def test_a_file_with_the_merged_identity_attaches_to_the_kept_buyer(
    ana, stage, irene, broker, exchange, twin, kept
):
    merge(ana, twin, kept)
    rows = [
        row(numero_documento="510001234", nombre=NAME, cantidad="100"),
        row(numero_documento="51000123", nombre=NAME, cantidad="200"),
    ]
    source = loaded(stage, irene, csv_of(*rows))
    found = Acceptance.objects.filter(source_import=source)
    assert {one.participation.buyer for one in found} == {kept}
    assert found.count() == 2
    assert Buyer.objects.count() == 2


def test_a_new_acceptance_under_the_merged_identity_is_the_kept_ones(
    ana, client, stage, irene, twin, kept
):
    merge(ana, twin, kept)
    client.force_login(irene)
    new = reverse("acceptance_new", args=[stage.programme.slug, 1])
    page = client.get(f"{new}?comprador={twin.pk}").content.decode()
    assert f"{NAME} · C.C. 51.000.123" in page
    with pytest.raises(Refused, match="se unió al de otro"):
        acceptance_register(
            stage=stage, buyer=twin, part=WORKER, papers=[], given=given(None, None, 1),
            submission_key=uuid.uuid4(), user=irene,
        )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_merge_and_a_correction_of_the_part_at_once_lose_nothing(
    ana, irene, present, twin, kept
):
    part = present(twin, 100).participation
    barrier, refusals = threading.Barrier(2), []

    def run(act):
        barrier.wait()
        try:
            act()
        except Refused as refusal:
            refusals.append(refusal.message)
        finally:
            connection.close()

    acts = (
        lambda: merge(ana, twin, kept),
        lambda: participation_change(
            participation_id=part.pk,
            part=replace(WORKER, present_holding=7),
            reason="Certificado.",
            user=irene,
        ),
    )
    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    part.refresh_from_db()
    assert part.buyer == kept
    assert part.present_holding == 7 or refusals
