"""The home of a broker's person: its own acceptances, what they lack, its certificates."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.world import World


@pytest.fixture
def world(db):
    return World()


def home_of(world, name):
    client = Client()
    client.force_login(world.people[name])
    page = client.get(reverse("home")).content.decode()
    return re.sub(r"\s+", " ", page)


def test_its_acceptances_are_counted_by_how_they_stand_with_their_list(world):
    assert world.presented

    page = home_of(world, "broker")

    assert f'href="{reverse("acceptances")}?situacion=complete"' in page
    assert ">Completa</a> <span>1</span>" in page
    assert "Incompleta" not in page
    assert "Ajena" not in page


def test_what_lacks_something_in_an_open_stage_is_named(world):
    own, other = world.presented["broker"], world.presented["other"]
    for acceptance, label in ((own, "Prueba de la clase"), (other, "Declaración de renta")):
        acceptance.standing, acceptance.admitted = "incomplete", 0
        acceptance.missing = [{"code": "x", "label": label, "cite": "art. 3", "why": "Falta."}]
        acceptance.save()

    page = home_of(world, "broker")

    assert reverse("acceptance", args=[own.pk]) in page
    assert "Prueba de la clase" in page
    assert "Declaración de renta" not in page
    assert reverse("acceptance", args=[other.pk]) not in page


def test_its_certificates_are_there_and_no_others(world):
    own, other = world.certificates["broker"], world.certificates["other"]

    page = home_of(world, "broker")

    assert reverse("certificate", args=[own.pk]) in page
    assert reverse("certificate", args=[other.pk]) not in page


def test_it_leads_to_a_new_acceptance_of_an_open_stage_and_to_no_file(world):
    address = reverse("acceptance_new", kwargs=world.of_open_stage())
    page = home_of(world, "broker")
    assert address in page
    assert reverse("import_new", kwargs=world.of_open_stage()) not in page


def test_with_nothing_presented_it_says_so(world):
    page = home_of(world, "broker")
    assert "Todavía no ha presentado ninguna." in page
    assert "A ninguna le falta nada en una etapa abierta." in page
