"""Jobs that somebody stops: at once, at their next report, and started again."""

import re

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from office.jobs import job_restart, job_running, job_stop, jobs_interrupted
from office.models import Job, JobState
from office.progress import job_page
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
    assert '<span id="job-stop" hx-swap-oob="innerHTML"></span>' in last
    assert '<div id="job-if-stopped" hx-swap-oob="delete"></div>' in last
    assert "job-if-stopped" not in client.get(address).content.decode()


def test_a_page_whose_job_was_told_to_stop_has_where_each_loose_piece_goes(client, job, irene):
    client.force_login(irene)
    address = reverse("job", args=[job.pk])
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, started_at=timezone.now())
    job_stop(job_id=job.pk, user=irene)
    page = client.get(address).content.decode()
    assert "Si se detiene" in page
    assert reverse("job_stop", args=[job.pk]) not in page
    polled = client.get(address, headers={"hx-request": "true"}).content.decode()
    loose = re.findall(r'id="([^"]+)" hx-swap-oob', polled)
    assert "job-stop" in loose
    assert [name for name in loose if f'id="{name}"' not in page] == []


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


# What its page tells of it


def told(job):
    return [event["sentence"] for event in job_page(Job.objects.get(pk=job.pk))["events"]]


@both_aliases
def test_every_start_stop_error_and_restart_stays_in_its_history(job, irene, tomas, sent):
    with job_running(job.pk) as run:
        run.report(1, 1, 2)
        job_stop(job_id=job.pk, user=tomas)
        run.report(2, 2, 2)
    job_restart(job_id=job.pk, user=irene)
    with job_running(job.pk):
        raise Refused("Falta la regla.")
    job_restart(job_id=job.pk, user=tomas)
    with job_running(job.pk):
        pass
    assert told(job) == [
        f"{irene} lo pidió.",
        "Empezó el proceso.",
        f"{tomas} lo mandó detener.",
        "Se detuvo.",
        f"{irene} lo volvió a empezar.",
        "Empezó el proceso de nuevo.",
        "Terminó con error: Falta la regla.",
        f"{tomas} lo volvió a empezar.",
        "Empezó el proceso de nuevo.",
        "Terminó: completa.",
    ]


@both_aliases
def test_an_interruption_stays_when_it_is_started_again(job, irene, sent):
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, started_at=timezone.now())
    jobs_interrupted()
    job_restart(job_id=job.pk, user=irene)
    assert told(job)[2:] == [
        "Se interrumpió: quien lo ejecutaba se detuvo.",
        f"{irene} lo volvió a empezar.",
    ]


@pytest.mark.parametrize("state", [JobState.DONE, JobState.STOPPED, JobState.FAILED])
def test_of_one_that_has_ended_nothing_says_that_it_goes_on(client, job, irene, state):
    Job.objects.filter(pk=job.pk).update(state=state, ended_at=timezone.now())
    client.force_login(irene)
    page = client.get(reverse("job", args=[job.pk])).content.decode()
    assert "el proceso sigue" not in page
    assert "Ya no está en marcha" in page


def test_one_that_was_asked_to_stop_says_so_and_is_not_stopped_twice(client, job, irene, tomas):
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, started_at=timezone.now(), stop_asked_by=tomas
    )
    client.force_login(irene)
    page = client.get(reverse("job", args=[job.pk])).content.decode()
    assert f"{tomas} lo mandó detener" in page
    assert reverse("job_stop", args=[job.pk]) not in page
    assert job_stop(job_id=job.pk, user=irene).stop_asked_by == tomas


def test_one_that_began_and_has_told_nothing_yet_does_not_wait_its_turn(job):
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, started_at=timezone.now())
    shown = job_page(Job.objects.get(pk=job.pk))
    assert shown["progress"]["title"] == "Empieza"
    assert [step["tag"] for step in shown["steps"]] == ["En curso", "Sin empezar"]
