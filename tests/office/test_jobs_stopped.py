"""Jobs that somebody stops: at once, at their next report, and started again."""

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from office.jobs import job_restart, job_running, job_stop
from office.models import Job, JobState
from office.refusals import Refused

both_aliases = pytest.mark.django_db(transaction=True, databases=["default", "progress"])


@both_aliases
def test_job_that_waits_is_stopped_at_once_and_no_worker_takes_it(job, irene):
    assert job_stop(job_id=job.pk, user=irene).state == JobState.STOPPED
    with job_running(job.pk) as run:
        assert run is None


@both_aliases
def test_job_that_runs_stops_at_its_next_report_and_keeps_nothing_half_done(job, irene, tomas):
    with job_running(job.pk) as run:
        run.report(1, 1, 2)
        job_stop(job_id=job.pk, user=tomas)
        with transaction.atomic():
            Job.objects.filter(pk=job.pk).update(context="a medias")
            run.report(2, 2, 2)
    job.refresh_from_db()
    assert job.state == JobState.STOPPED
    assert str(tomas) in job.message
    assert job.context != "a medias"


@both_aliases
def test_stopped_job_starts_again_and_runs_to_its_end(job, irene, sent):
    job_stop(job_id=job.pk, user=irene)
    job_restart(job_id=job.pk, user=irene)
    with job_running(job.pk) as run:
        run.report(1, 1, 1)
    job.refresh_from_db()
    assert (job.state, job.stop_asked_by) == (JobState.DONE, None)


@pytest.mark.parametrize("name", ["aura", "adela", "bruno"])
def test_job_of_another_is_stopped_by_who_prepares_alone(job, name, request):
    with pytest.raises(Refused, match="quien lo pidió"):
        job_stop(job_id=job.pk, user=request.getfixturevalue(name))


def test_ended_job_is_not_stopped(job, irene):
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    with pytest.raises(Refused, match="ya terminó"):
        job_stop(job_id=job.pk, user=irene)


def test_the_page_of_a_job_that_ends_loses_its_way_to_stop_it(client, job, irene):
    client.force_login(irene)
    address = reverse("job", args=[job.pk])
    assert 'id="job-stop"' in client.get(address).content.decode()
    assert "job-stop" not in client.get(address, headers={"hx-request": "true"}).content.decode()
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, ended_at=timezone.now())
    last = client.get(address, headers={"hx-request": "true"}).content.decode()
    assert '<span id="job-stop" hx-swap-oob="delete"></span>' in last
    assert "job-stop" not in client.get(address).content.decode()


def test_page_asks_before_it_stops(client, job, irene):
    client.force_login(irene)
    assert "Detener" in client.get(reverse("job", args=[job.pk])).content.decode()
    page = client.get(reverse("job_stop", args=[job.pk]))
    assert "no se guarda" in page.content.decode()
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    client.post(reverse("job_stop", args=[job.pk]))
    job.refresh_from_db()
    assert job.state == JobState.STOPPED
    told = client.get(reverse("job", args=[job.pk])).content.decode()
    assert "Detenida" in told
    assert "Volver a empezar" in told
