"""What many changes at once leave behind: who, with which job, before and after."""

import pytest
from django.db import connection
from django.urls import reverse

from buyers.models import Buyer, Document, Presentation
from offerings.enums import ImportMode
from offerings.models import Acceptance, Participation, ParticipationDocument
from offerings.services.imports import import_confirm
from offerings.tasks.imports import import_load_task
from tests.offerings.import_files import csv_of, many, reviewed, row
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.rows import make_acceptance, make_stage


def test_a_change_by_hand_leaves_the_acceptance_as_it_was(irene, ana):
    acceptance = make_acceptance(make_stage(irene, ana), 1, 10)
    for shares in (11, 12):
        with connection.cursor() as cursor:
            cursor.execute("UPDATE offerings_acceptance SET requested = %s", [shares])
    acceptance.refresh_from_db()
    kept = acceptance.events.order_by("pk").values_list("requested", flat=True)
    assert [*kept, acceptance.requested] == [10, 11, 12]


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_what_a_file_changes_leaves_who_with_which_job_before_and_after(
    client, irene, mateo, ana, root, broker, exchange
):
    stage = open_stage_of(irene, ana)
    files = [
        (irene, row(cantidad="900.000")),
        (mateo, row(cantidad="900.000", recibida="01/08/1995 9:00")),
    ]
    for user, line in files:
        source = reviewed(stage, user, csv_of(line))
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=user)
        source.refresh_from_db()
        import_load_task(source.job_id)
    first = Acceptance.objects.get(serial=1)
    [event] = first.events.all()
    assert (event.standing, event.admitted) == ("complete", 900_000)
    assert (first.standing, first.admitted) == ("cut", 90_099)
    assert event.pgh_context.metadata == {"user": mateo.pk, "job": source.job_id}
    client.force_login(root)
    address = reverse("admin:offerings_acceptanceevent_change", args=[event.pk])
    page = client.get(address).content.decode()
    assert "situación: Completa → Recortada al límite" in page
    assert "cantidad tras el límite: 900.000 → 90.099" in page


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_each_row_that_a_file_adds_leaves_its_event_with_who_and_which_job(
    irene, ana, broker, exchange
):
    source = reviewed(open_stage_of(irene, ana), irene, csv_of(*many(3)))
    import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
    source.refresh_from_db()
    import_load_task(source.job_id)
    for model, rows in (
        (Buyer, 3),
        (Participation, 3),
        (Document, 6),
        (ParticipationDocument, 6),
        (Presentation, 3),
    ):
        events = model.pgh_event_model.objects.all()
        assert {event.pgh_obj_id for event in events} == set(
            model.objects.values_list("pk", flat=True)
        )
        said = [(event.pgh_label, event.pgh_context.metadata) for event in events]
        assert said == [("insert", {"user": irene.pk, "job": source.job_id})] * rows
