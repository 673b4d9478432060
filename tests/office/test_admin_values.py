"""What the admin shows of a row: Spanish, Bogotá, and no link that ends at a closed door."""

from datetime import UTC, datetime

import pghistory.core
import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from buyers.models import Exchange
from offerings.models import Acceptance
from office.admin_bases import event_model
from office.admin_values import NAMES, name_of, value_shown
from office.decisions import decision_record
from office.models import Decision, Job
from tests.offerings.rows import make_acceptance, make_stage

pytestmark = pytest.mark.django_db

OURS = ("office", "buyers", "offerings", "pledges")


def address(model, name, key=None):
    options = model._meta
    return reverse(
        f"admin:{options.app_label}_{options.model_name}_{name}", args=[key] if key else []
    )


@pytest.fixture
def aura_inside(client, aura):
    aura.is_staff = True
    aura.save()
    client.force_login(aura)
    return client


def test_every_field_of_ours_has_a_spanish_name():
    events = set(pghistory.core.event_models())
    unnamed = {
        field.name
        for app in OURS
        for model in apps.get_app_config(app).get_models()
        if model not in events
        for field in model._meta.fields
        if getattr(field, "_verbose_name", None) is None and field.name not in NAMES
    }
    assert not unnamed
    assert name_of(Job._meta.get_field("requested_at")) == "pedido"


def test_choices_moments_and_figures_are_words_of_ours(irene, ana):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 1_234)
    acceptance.received_at = datetime(2005, 3, 11, 1, 30, tzinfo=UTC)
    shown = {
        name: value_shown(Acceptance._meta.get_field(name), acceptance)
        for name in ("received_at", "requested", "standing", "state", "minimum", "stage")
    }
    assert shown["received_at"].startswith("10/03/2005")
    assert shown["requested"] == "1.234"
    assert (shown["standing"], shown["state"]) == ("Completa", "Presentada")
    assert shown["minimum"] == "–"
    assert shown["stage"] == str(acceptance.stage)


def test_a_link_to_a_person_is_there_only_for_who_may_open_it(client, aura_inside, irene, adela):
    exchange = Exchange.objects.create(name="Bolsa de Muestra")
    act = decision_record(act="prueba", sentence="Probó.", actor=irene, subject=exchange)
    person = f'href="{reverse("admin:office_user_change", args=[irene.pk])}"'
    page = aura_inside.get(address(Decision, "change", act.pk)).content.decode()
    assert "Irene Ejemplo Ñáñez" in page
    assert person not in page
    assert client.get(reverse("admin:office_user_change", args=[irene.pk])).status_code == 403


def test_a_link_leads_to_what_the_reader_may_open(aura_inside, irene, ana):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 10)
    page = aura_inside.get(address(Acceptance, "change", acceptance.pk)).content.decode()
    stage = reverse("admin:offerings_stage_change", args=[acceptance.stage_id])
    assert f'href="{stage}"' in page
    assert aura_inside.get(stage).status_code == 200


def test_an_event_tells_its_changes_in_words_and_no_column_of_the_library(aura_inside, irene, ana):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 1_234)
    acceptance.standing, acceptance.admitted = "incomplete", 0
    acceptance.save()
    events = event_model(Acceptance)
    page = aura_inside.get(address(events, "change", events.objects.get().pk)).content.decode()
    assert "situación: Completa → Incompleta" in page
    assert "cantidad tras el límite: 1.234 → 0" in page
    assert "<h1>Cambio en aceptaciones</h1>" in page
    assert "sin usuario" in page
    for raw in ("None", "pgh", "Pgh", "+00:00", "UTC", "incomplete"):
        assert raw not in page.partition("<h1>")[2]


def test_every_read_only_page_has_its_columns_once_a_request(rf, adela):
    request = rf.get("/")
    request.user = adela
    keeper = admin.site._registry[Job]
    assert keeper.get_fields(request) == keeper.get_readonly_fields(request)
