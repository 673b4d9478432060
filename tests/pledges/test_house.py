"""What the rest of the house shows of pledges: a person's export and warnings, the search, the
queue, a merge of two records, the picture of what ends when."""

import json
import re
from datetime import date, timedelta

import pytest
from django.urls import reverse

from buyers.selectors.dossier import dossier_of, person_of
from buyers.services.merges import buyer_merge
from config.pledged import pledges_waiting
from office.models import Decision
from pledges.models import Pledge, Quote, Release, ReleaseRequest
from pledges.selectors.maturities import maturing_by_month
from pledges.services.pledges import pledge_enter
from tests.offerings.paid import make_awards, pay_in_full
from tests.offerings.rows import make_acceptances, make_buyer, make_stage
from tests.pledges.every_table import make_rows
from tests.pledges.release_rows import attach, release_at_term
from tests.pledges.rows import make_pledge, make_pledges
from tests.world import World

ENGLISH = re.compile(r"\b(by|at|of|on|is|buyer|award|pledge|request|holder|programme|key)\b")


@pytest.fixture
def world(db):
    world = World()
    make_rows(world)
    return world


def test_all_that_is_held_of_its_pledges_is_in_a_person_s_export(world):
    pledge = Pledge.objects.get(attached__gt=0)
    tables = {table.title: table for table in dossier_of(person_of(pledge.holder)).tables}

    held = {
        "Prendas", "Medidas sobre prendas", "Derechos de accionista", "Solicitudes de salida",
        "Cierres de solicitudes", "Decisiones del Fondo", "Liquidaciones", "Pagos de sanciones",
        "Devoluciones de sanciones", "Avisos al acreedor", "Levantamientos",
        "Levantamientos anulados", "Transferencias",
    }  # fmt: skip
    assert {title: len(tables[title].rows) for title in held} == dict.fromkeys(held, 1)
    for title in held:
        assert not [one for one in tables[title].columns if not one or ENGLISH.search(one)], title
        assert max(len(title) for title in tables) <= 31
    assert pledge.code in json.dumps(tables["Transferencias"].rows, default=str)


def test_whose_the_pledge_is_not_has_nothing_of_it_in_its_export(world):
    other = Pledge.objects.get(attached=0)
    tables = {table.title: table for table in dossier_of(person_of(other.holder)).tables}
    assert len(tables["Prendas"].rows) == 1
    assert not tables["Solicitudes de salida"].rows


@pytest.mark.parametrize(
    ("model", "title"),
    [
        (Pledge, "Prendas"),
        (ReleaseRequest, "Solicitudes de despignoración"),
        (Quote, "Liquidaciones"),
        (Release, "Levantamientos"),
    ],
)
def test_the_search_finds_by_code_what_the_person_may_see(world, client, model, title):
    one = model.objects.order_by("pk").first()
    found = {}
    for person in ("auditor", "broker", "other", "administrador"):
        client.force_login(world.people[person])
        answer = client.get(reverse("search"), {"q": one.code.lower()})
        sections = answer.context["sections"] if answer.status_code == 200 else []
        found[person] = [section["title"] for section in sections] == [title]
    own = title != "Levantamientos"
    assert found == {"auditor": True, "broker": own, "other": False, "administrador": False}


def test_attached_shares_are_told_on_the_holder_s_page(client, irene, ana):
    pledge = make_pledge(irene, ana, 10)
    client.force_login(ana)
    address = reverse("buyer", args=[pledge.holder_id])
    assert "embargadas" not in client.get(address).content.decode()

    attach(pledge, irene, 4)
    page = client.get(address).content.decode()
    assert "Tiene acciones embargadas." in page
    assert f"4 acciones, de {pledge.code}" in page


def test_the_queue_says_what_waits_and_to_nobody_who_may_not_act(irene, ana, aura):
    stage = make_stage(irene, ana, supply=100, closed=True)
    awards = make_awards(make_acceptances(stage, [10, 20, 30]), irene, ana)
    assert pledges_waiting(irene) == []
    for award in awards[:2]:
        pay_in_full(award, irene)

    assert [row["label"] for row in pledges_waiting(irene)] == [
        "2 adjudicaciones pagadas sin prenda"
    ]
    assert pledges_waiting(aura) == []


def test_the_queue_counts_the_pledges_that_are_not_in_the_register(client, irene, ana):
    pledge = make_pledge(irene, ana, 10)
    client.force_login(irene)
    assert "1 prenda por anotar en el registro" in client.get(reverse("home")).content.decode()

    pledge_enter(
        pledge_id=pledge.pk, user=irene, kept_by="Depósito de Prueba", reference="A-1",
        entered_on=date(1995, 10, 3),
    )  # fmt: skip
    assert pledges_waiting(irene) == []


def test_a_merge_takes_the_pledges_to_the_kept_record(irene, ana):
    pledge = make_pledge(irene, ana, 10)
    merged, kept = pledge.holder, make_buyer(irene, 700)
    done = buyer_merge(
        user=ana,
        merged_id=merged.pk,
        kept_id=kept.pk,
        typed=merged.identity_number,
        reason="La misma cédula, escrita dos veces.",
    )

    pledge.refresh_from_db()
    assert pledge.holder == kept
    (told,) = [one for one in done.moved if one.label == "Prendas que pasan"]
    assert (told.value, told.detail) == (pledge.code, "10 acciones en prenda")
    assert Decision.objects.filter(act="pledge_holder_merged", subject_id=pledge.pk).exists()


def test_what_ends_is_counted_by_month_and_what_was_released_is_not(client, irene, ana):
    pledges = make_pledges(irene, ana, (10, 20))
    attach(pledges[1], irene, 5)
    (month,) = maturing_by_month(Pledge.objects.all())
    assert (month.month, month.pledges, month.shares) == (date(1997, 9, 1), 2, 30)

    client.force_login(ana)
    page = client.get(reverse("pledges_by_month"), {"programa": "banco-popular-1995"})
    words = " ".join(page.content.decode().split())
    assert "septiembre de 1997" in words
    assert "<svg" in words
    assert "?mes=1997-09&amp;programa=banco-popular-1995" in words
    programme = client.get(reverse("programme", args=["banco-popular-1995"])).content.decode()
    assert "Prendas por mes de vencimiento" in programme

    release_at_term(pledges[0].award.acceptance.stage.programme, irene, ana)
    (month,) = maturing_by_month(Pledge.objects.all())
    assert (month.pledges, month.shares, month.attached, month.pledged) == (1, 5, 5, 30)


def test_a_programme_that_is_not_there_shows_nothing(client, irene, ana):
    make_pledge(irene, ana, 10)
    client.force_login(ana)
    page = client.get(reverse("pledges_by_month"), {"programa": "otro-2050"}).content.decode()
    assert "No hay un programa «otro-2050»" in page
    assert "septiembre de 1997" not in page


def test_the_day_after_the_last_one_is_when_it_is_free(client, irene, ana):
    pledge = make_pledge(irene, ana, 10)
    client.force_login(ana)
    shown = client.get(reverse("pledge", args=[pledge.pk])).context
    assert shown["free_from"] == pledge.last_day + timedelta(days=1)
