"""Screens of releases: prepared, reviewed, carried out, certified, annulled, in the browser."""

from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.urls import reverse

from buyers.models import BrokerUser
from office.certificates import certificate_draw
from office.models import Certificate, Job
from pledges.certificates import release_certificate_issue
from pledges.enums import LineState
from pledges.models import Release, ReleaseAnnulment
from pledges.services.maturing import pledges_mature
from pledges.tasks import release_carry_out_task, release_certificates_task
from tests.conftest import make_user
from tests.pledges.release_rows import (
    FREE_DAY,
    ask_annulment,
    attach,
    make_paid_request,
    prepare_term,
    release_at_term,
    release_early,
)
from tests.pledges.rows import make_pledge, make_pledges

# A job's progress is written through a connection of its own.
JOBS = pytest.mark.django_db(transaction=True, databases=["default", "progress"])
BATCH = {"released_on": "16/09/1997"}


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def programme(pledge):
    return pledge.award.adjudication.stage.programme


@pytest.fixture
def as_irene(client, irene):
    client.force_login(irene)
    return client


def act(client, name, *args, **typed):
    return client.post(reverse(name, args=args), typed)


def confirm(client, name, *args, **typed):
    return act(client, name, *args, paso="confirmar", **typed)


def text(response):
    return response.content.decode()


def test_a_paid_request_is_released_in_three_steps(pledge, as_irene, irene):
    request = make_paid_request(pledge, irene, 4)
    page = text(as_irene.get(reverse("pledge", args=[pledge.pk])))
    assert reverse("release_new", args=[request.pk]) in page

    review = act(as_irene, "release_new", request.pk, released_on="24/01/1997")
    assert "Revise y confirme" in text(review)
    assert "seis acciones" in text(review)
    assert not Release.objects.exists()

    done = confirm(as_irene, "release_new", request.pk, released_on="24/01/1997")
    release = Release.objects.get()
    assert done.url == reverse("release", args=[release.pk])
    again = confirm(as_irene, "release_new", request.pk, released_on="24/01/1997")
    assert again.url == done.url
    assert Release.objects.count() == 1


def test_too_early_it_says_so_at_its_field_and_keeps_what_was_typed(pledge, as_irene, irene):
    request = make_paid_request(pledge, irene, 4)
    response = act(as_irene, "release_new", request.pk, released_on="22/01/1997")
    assert response.status_code == 422
    assert "anterior al último pago" in text(response)
    assert 'value="22/01/1997"' in text(response)


@JOBS
def test_a_batch_is_reviewed_with_what_is_left_out_and_confirmed_once(
    irene, ana, client, django_capture_on_commit_callbacks
):
    pledges = make_pledges(irene, ana, (10, 20))
    attach(pledges[1], irene, 5)
    programme = pledges[0].award.adjudication.stage.programme
    client.force_login(irene)
    typed = BATCH | {"programme": programme.pk}

    review = text(act(client, "release_batch_new", **typed))
    assert "25 acciones" in review
    assert "Quedan fuera, embargadas" in review
    assert not Release.objects.exists()
    confirm(client, "release_batch_new", **typed)
    release = Release.objects.get()
    assert confirm(client, "release_batch_new", **typed).url.endswith(f"/{release.pk}/")

    client.force_login(ana)
    page = text(client.get(reverse("release", args=[release.pk])))
    assert "Quedan fuera 5 acciones embargadas" in page
    assert reverse("release_approve", args=[release.pk]) in page
    with django_capture_on_commit_callbacks():
        approved = act(client, "release_approve", release.pk, reason="")
    job = Job.objects.get()
    assert approved.url == reverse("job", args=[job.pk])
    release_carry_out_task(job.pk)
    page = text(client.get(reverse("release", args=[release.pk])))
    assert "Levantada" in page
    job.refresh_from_db()
    assert job.message == "2 prendas levantadas."


def test_the_last_day_is_too_early_for_the_batch(as_irene, programme):
    response = act(as_irene, "release_batch_new", programme=programme.pk, released_on="15/09/1997")
    assert response.status_code == 422
    assert "no hay prendas cumplidas" in text(response)


def test_who_prepared_it_is_told_whom_it_waits_for(as_irene, irene, programme):
    release = prepare_term(programme, irene)
    page = text(as_irene.get(reverse("release", args=[release.pk])))
    assert "Solo un supervisor puede revisar" in page
    assert reverse("release_approve", args=[release.pk]) not in page


def test_sent_back_with_its_reason_it_is_in_the_queue_of_who_prepared_it(
    client, ana, irene, programme
):
    release = prepare_term(programme, irene)
    client.force_login(ana)
    assert f"Levantamiento {release.code}" in text(client.get(reverse("home")))
    empty = act(client, "release_return", release.pk, reason="")
    assert empty.status_code == 422
    act(client, "release_return", release.pk, reason="Falta revisar un embargo.")
    client.force_login(irene)
    home = text(client.get(reverse("home")))
    assert "Falta revisar un embargo." in home
    assert "Prendas cumplidas por levantar: 1 prenda" in home


def test_matured_under_an_embargo_they_are_told_on_the_home(as_irene, irene, pledge):
    attach(pledge, irene, 10)
    pledges_mature(day=FREE_DAY)
    home = text(as_irene.get(reverse("home")))
    assert "Cumplidas con embargo: 1 prenda" in home
    assert "por levantar" not in home


@JOBS
def test_all_its_certificates_are_asked_for_as_one_job(as_irene, irene, ana, programme):
    release = release_at_term(programme, irene, ana)
    typed = {"programme": programme.pk, "release": release.pk, "legal_date": "17/09/1997"}
    assert "1 certificado de levantamiento" in text(act(as_irene, "release_certificates", **typed))
    done = confirm(as_irene, "release_certificates", **typed)
    job = Job.objects.get(kind="release_certificates")
    assert done.url == reverse("job", args=[job.pk])
    release_certificates_task(job.pk)
    certificate = Certificate.objects.get(series__kind="CL")
    assert certificate.state == "issued"
    listed = text(as_irene.get(reverse("certificates") + "?clase=CL"))
    assert certificate.label in listed
    assert "Certificados de levantamiento de prenda" in listed
    page = text(as_irene.get(reverse("certificate", args=[certificate.pk])))
    assert "Cumplimiento del término" in page
    assert reverse("release_annul", args=[release.lines.get().pk]) in page


@pytest.fixture
def certificate(irene, ana, pledge):
    """Drawn, of an early exit."""
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    day = date(1997, 1, 24)
    issued = release_certificate_issue(line_id=line.pk, user=irene, legal_date=day)
    return certificate_draw(issued.pk)


def test_to_everybody_it_shows_the_least(certificate, client, pledge):
    page = text(client.get(reverse("verify", args=[certificate.code])))
    assert "Acciones libres de prenda" in page
    assert "Siguen en prenda" in page
    assert pledge.holder.name not in page
    assert pledge.holder.identity_number not in page


def test_it_comes_with_its_list_in_one_zip(certificate, as_irene):
    answer = as_irene.post(reverse("certificates_zip") + "?clase=CL")
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as archive:
        assert f"{certificate.label}.pdf" in archive.namelist()


def test_one_certificate_is_issued_from_its_line(as_irene, irene, ana, pledge):
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    confirm(as_irene, "release_certificate_new", line.pk, legal_date="24/01/1997")
    certificate = Certificate.objects.get(series__kind="CL")
    again = as_irene.get(reverse("release_certificate_new", args=[line.pk]))
    assert again.url == reverse("certificate", args=[certificate.pk])
    moved = as_irene.get(reverse("certificate_annul", args=[certificate.pk]))
    assert moved.url == reverse("release_annul", args=[line.pk])


def test_its_annulment_asks_for_the_number_when_asked_and_when_approved(
    client, irene, ana, pledge
):
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    client.force_login(irene)
    typed = {"annulled_on": "01/10/1997", "cause": "Se levantó por error."}
    wrong = act(client, "release_annul", line.pk, **typed, number="LV-9")
    assert wrong.status_code == 422
    confirm(client, "release_annul", line.pk, **typed, number=line.release.code)
    asked = ReleaseAnnulment.objects.get()

    client.force_login(ana)
    empty = act(client, "release_annulment_approve", asked.pk, reason="", number="")
    assert empty.status_code == 422
    act(client, "release_annulment_approve", asked.pk, reason="", number=line.release.code)
    line.refresh_from_db()
    assert line.state == LineState.ANNULLED
    page = text(client.get(reverse("pledge", args=[pledge.pk])))
    assert "aprobó la anulación del levantamiento de 4 acciones" in page


def test_an_annulment_waits_in_the_queue(client, irene, ana, pledge):
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    asked = ask_annulment(line, irene)
    client.force_login(ana)
    assert reverse("release_annulment_approve", args=[asked.pk]) in text(
        client.get(reverse("home"))
    )


def test_a_broker_sees_what_was_released_of_its_own_and_its_certificate(
    client, irene, ana, pledge
):
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    certificate = release_certificate_issue(
        line_id=line.pk, user=irene, legal_date=date(1997, 1, 24)
    )
    person = make_user("corredora", "comisionista", "Carla", "Corredora Prueba")
    BrokerUser.objects.create(user=person, broker=pledge.award.acceptance.broker)
    client.force_login(person)
    page = text(client.get(reverse("pledge", args=[pledge.pk])))
    assert certificate.label in page
    assert reverse("release", args=[line.release_id]) not in page
    assert client.get(reverse("certificate", args=[certificate.pk])).status_code == 200
    assert client.get(reverse("releases")).status_code == 403


def test_the_lines_export_bears_the_last_day(client, irene, ana, programme):
    release = release_at_term(programme, irene, ana)
    client.force_login(ana)
    answer = client.get(reverse("release_export", args=[release.pk, "csv"]))
    rows = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert "15/09/1997" in rows[1] or "1997-09-15" in rows[1]
