"""The two jobs on a file, as a worker does them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from buyers.models import Buyer
from offerings.models import Acceptance, AcceptanceImport
from offerings.tasks.imports import import_load_task, import_review_task
from office.jobs import job_restart
from office.models import Job, JobState
from tests.offerings.import_files import (
    csv_of,
    many,
    row,
)
from tests.offerings.programme_1995 import open_stage_of

pytestmark = pytest.mark.usefixtures("broker", "exchange")


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def upload(client, stage, irene):
    """Sends a file as irene."""
    client.force_login(irene)

    def send(data, name="aceptaciones.csv"):
        file = SimpleUploadedFile(name, data, content_type="text/csv")
        return client.post(new_url(stage), {"file": file})

    return send


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were sent to a worker."""
    calls = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task",
        lambda task, args, **options: calls.append((task, args)),
    )
    return calls


def new_url(stage):
    return reverse("import_new", args=[stage.programme.slug, stage.number])


def done(stage, client):
    """The file of the upload, reviewed by its task, confirmed on its page and loaded by its task,
    each delivered twice."""
    source = AcceptanceImport.objects.get()
    for task in (import_review_task, import_review_task):
        task(source.job_id)
    client.post(reverse("import_confirm", args=[source.pk]), {"modo": "all"})
    source.refresh_from_db()
    for task in (import_load_task, import_load_task):
        task(source.job_id)
    source.refresh_from_db()
    return source


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_tasks_delivered_twice_load_once_and_say_what_they_did(client, stage, upload, sent):
    upload(csv_of(*many(2)))
    source = done(stage, client)
    review, load = Job.objects.order_by("pk")
    assert (review.state, load.state) == (JobState.DONE, JobState.DONE)
    assert load.link == review.link == reverse("import", args=[source.pk])
    assert review.message == (
        f"{source.code}: se leyeron 2 filas, 0 con errores. Revíselas y confirme la carga."
    )
    assert load.message == f"{source.code}: quedaron registradas 2 aceptaciones."
    assert Acceptance.objects.count() == 2


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_a_file_that_cannot_be_read_ends_its_job_with_an_error(upload, sent):
    upload(b"\x89PNG\r\n\x1a\n")
    source = AcceptanceImport.objects.get()
    import_review_task(source.job_id)
    job = Job.objects.get()
    assert (job.state, job.link) == (JobState.FAILED, reverse("import", args=[source.pk]))
    assert "sino una imagen" in job.message


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_history_of_a_buyer_tells_who_brought_it_in_with_which_file(
    client, stage, upload, sent, irene
):
    upload(csv_of(row()))
    source = done(stage, client)
    [buyer] = Buyer.objects.all()
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[buyer.pk])).content.decode()
    told = f"{irene} registró el comprador, con el proceso {source.job.code}"
    assert f"{told} (Carga de aceptaciones {source.code})." in page


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_a_failing_run_leaves_a_job_that_can_be_started_again(
    client, stage, upload, sent, monkeypatch, irene
):
    upload(csv_of(*many(2)))
    source = AcceptanceImport.objects.get()
    import_review_task(source.job_id)
    client.post(reverse("import_confirm", args=[source.pk]), {"modo": "all"})
    source.refresh_from_db()
    with monkeypatch.context() as broken:
        broken.setattr("offerings.services.imports.load.acceptances_save", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            import_load_task(source.job_id)
    assert Job.objects.get(pk=source.job_id).can_restart
    assert not Buyer.objects.exists()
    job_restart(job_id=source.job_id, user=irene)
    import_load_task(source.job_id)
    assert Acceptance.objects.count() == 2
