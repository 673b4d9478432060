"""What one acceptance does to another of its buyer: told before it is confirmed, and in the
history of the one that changed."""

from django.urls import reverse

from office.decisions import decisions_on
from tests.offerings.brokers.conftest import NEW
from tests.offerings.test_acceptance_pages import text

WAS, IS = "tenía 400.000 acciones (completa)", "tiene 95.049 acciones (recortada al límite)"


def test_what_another_act_did_stands_in_the_history_of_each_with_figures_and_article(
    present, bruno, olga
):
    late = present(olga, 400_000, late=1)

    early = present(bruno, 400_000)

    last = decisions_on([late]).last()
    assert (last.act, last.actor) == ("acceptance_change", bruno)
    assert last.sentence == f"Hizo cambiar {late.code} al registrar {early.code}: {WAS}; {IS}."
    assert "art. 6" in last.article
    assert [one.act for one in decisions_on([early])] == ["acceptance_register"]


def test_its_broker_reads_what_its_own_came_to_and_not_through_whom(
    present, bruno, olga, irene, client
):
    late = present(olga, 400_000, late=1)
    early = present(bruno, 400_000)
    address = reverse("acceptance", args=[late.pk])

    client.force_login(olga)
    page = text(client.get(address))
    assert f"Cambió {late.code}: {WAS}; {IS}" in page
    assert "Bruno" not in page
    assert early.code not in page

    client.force_login(irene)
    assert f"hizo cambiar {late.code} al registrar {early.code}" in text(client.get(address))


def test_the_review_of_an_acceptance_lists_the_others_that_change(
    present, bruno, irene, client, typed
):
    late = present(bruno, 400_000, late=60)
    client.force_login(irene)

    review = text(client.post(NEW, typed | {"paso": "revisar"}))

    assert f"Cambia {late.code}" in review
    assert "tenía 400.000 (completa)" in review
    late.refresh_from_db()
    assert late.admitted == 400_000
    assert decisions_on([late]).get().act == "acceptance_register"


def test_the_review_of_a_broker_lists_no_change_of_another(present, bruno, as_olga, typed):
    late = present(bruno, 400_000, late=60)

    review = text(as_olga.post(NEW, typed | {"paso": "revisar"}))

    assert "Revise y confirme" in review
    assert late.code not in review
    assert "que cambian" not in review
