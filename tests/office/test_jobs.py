"""Jobs: a dead worker noticed, a second delivery told, a restart, and their pages."""

import socket
from datetime import datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connections, transaction
from django.urls import reverse
from django.utils import timezone
from kombu import Connection
from redis.exceptions import TimeoutError as RedisTimeoutError

from office.jobs import (
    LOCK_SPACE,
    LONG_WAIT,
    SEND_PATIENCE,
    job_enqueue,
    job_restart,
    job_running,
    job_send,
    jobs_interrupted,
    jobs_send_again,
)
from office.models import Job, JobProgress, JobState
from office.progress import job_page, job_said, span_words
from office.refusals import Refused
from office.tasks import certificates_draw_task
from tests.conftest import BOGOTA

both_aliases = pytest.mark.django_db(transaction=True, databases=["default", "progress"])


def state_set(job, state, **fields):
    Job.objects.filter(pk=job.pk).update(state=state, **fields)


@pytest.fixture
def held():
    """Hold a job's lock as a worker of its own session would; let go at the end."""
    other = connections.create_connection("progress")

    def hold(job):
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LOCK_SPACE, job.pk])
        return other

    yield hold
    other.close()


@both_aliases
def test_a_job_runs_to_its_end_and_keeps_its_result(job):
    with job_running(job.pk) as run:
        run.report(1, 3, 3, "filas")
        run.link_to("/procesos/", "Se hizo.")
    job.refresh_from_db()
    assert (job.state, job.message, job.link) == (JobState.DONE, "Se hizo.", "/procesos/")
    assert job.started_at <= job.ended_at


@both_aliases
def test_a_message_with_the_job_of_another_task_leaves_that_job_alone(job):
    certificates_draw_task(job.pk)
    job.refresh_from_db()
    assert (job.state, job.started_at, job.message) == (JobState.QUEUED, None, "")


@both_aliases
def test_progress_is_seen_while_the_work_is_not_committed(job):
    with job_running(job.pk) as run, transaction.atomic():
        run.report(2, 400, 1000, "líneas")
        seen = JobProgress.objects.using("progress").get(job_id=job.pk)
        assert (seen.step, seen.done, seen.total) == (2, 400, 1000)
        transaction.set_rollback(True)
    assert JobProgress.objects.get(job=job).done == 400


@both_aliases
def test_a_second_delivery_is_told_that_it_is_done(job):
    with job_running(job.pk):
        pass
    ended_at = Job.objects.get(pk=job.pk).ended_at
    with job_running(job.pk) as run:
        assert run is None
    assert Job.objects.get(pk=job.pk).ended_at == ended_at


@both_aliases
def test_a_second_delivery_is_told_that_another_worker_has_it(job, held):
    state_set(job, JobState.RUNNING)
    held(job)
    with job_running(job.pk) as run:
        assert run is None


@both_aliases
def test_a_refusal_ends_it_with_its_own_words(job):
    with job_running(job.pk):
        raise Refused("Falta la regla.")
    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.FAILED, "Falta la regla.")


@both_aliases
def test_an_unexpected_error_ends_it_without_its_words_and_goes_on_up(job):
    with pytest.raises(ZeroDivisionError), job_running(job.pk):
        raise ZeroDivisionError("secret detail")
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "secret" not in job.message
    assert "no quedó nada a medias" in job.message


@both_aliases
def test_a_dead_worker_is_noticed(job):
    state_set(job, JobState.RUNNING, started_at=timezone.now())
    assert jobs_interrupted() == [job]
    job.refresh_from_db()
    assert job.state == JobState.INTERRUPTED
    assert "Puede volver a empezarlo" in job.message


@both_aliases
def test_a_living_worker_is_left_alone_until_it_goes(job, held):
    state_set(job, JobState.RUNNING, started_at=timezone.now())
    worker = held(job)
    assert jobs_interrupted() == []
    worker.close()
    assert jobs_interrupted() == [job]


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.INTERRUPTED])
def test_what_stopped_is_started_again(
    job, irene, sent, state, django_capture_on_commit_callbacks
):
    state_set(job, state, message="Se detuvo", ended_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        job_restart(job_id=job.pk, user=irene)
    job.refresh_from_db()
    assert (job.state, job.message, job.ended_at) == (JobState.QUEUED, "", None)
    assert sent == [("tests.nothing", [job.pk])]


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.RUNNING, JobState.DONE])
def test_what_did_not_stop_is_not_started_again(job, irene, state):
    state_set(job, state)
    with pytest.raises(Refused, match="solo se vuelve a empezar"):
        job_restart(job_id=job.pk, user=irene)
    job.refresh_from_db()
    assert job.state == state


# Its pages


def running(job, **progress):
    state_set(job, JobState.RUNNING, started_at=datetime(1995, 9, 15, 9, 33, tzinfo=BOGOTA))
    since = (timezone.now() - timedelta(seconds=30)).isoformat()
    JobProgress.objects.create(
        job=job,
        steps={
            "1": {"since": since, "done": 30, "total": 30, "unit": "filas"},
            "2": {"since": since, "done": 400, "total": 1000, "unit": "líneas"},
        },
        **progress,
    )
    job.refresh_from_db()


@pytest.fixture
def as_irene(client, irene):
    client.force_login(irene)
    return client


def test_the_page_of_a_running_job_tells_step_and_counts_without_javascript(job, as_irene):
    running(job, step=2, done=400, total=1000, unit="líneas")
    page = as_irene.get(reverse("job", args=[job.pk])).content.decode()
    assert "Paso 2 de 2: 400 de 1.000 líneas" in page
    assert '<progress value="400" max="1000"' in page
    assert "40 %" in page
    assert 'name="poll"' in page
    assert "faltan unos" in page


def test_polling_gets_the_part_that_changes_and_does_not_renew_the_session(job, as_irene):
    running(job, step=2, done=400, total=1000, unit="líneas")
    address = reverse("job", args=[job.pk])
    polled = as_irene.get(address, headers={"HX-Request": "true", "HX-Trigger-Name": "poll"})
    assert "<html" not in polled.content.decode()
    assert "sessionid" not in polled.cookies
    assert "sessionid" in as_irene.get(address).cookies


def test_the_same_tenth_is_not_said_twice(job, as_irene):
    running(job, step=2, done=400, total=1000, unit="líneas")
    address, header = reverse("job", args=[job.pk]), {"HX-Request": "true"}
    said = job_said(job, job.progress)
    assert said == "Paso 2 de 2: al menos el 40 %."
    assert 'id="job-said"' in as_irene.get(address, headers=header).content.decode()
    again = as_irene.get(address, {"said": said}, headers=header).content.decode()
    assert 'id="job-said"' not in again


def test_polling_ends_with_the_job_and_shows_its_result(job, as_irene):
    state_set(job, JobState.DONE, link="/adjudicaciones/1/", message="Quedó hecha.")
    page = as_irene.get(
        reverse("job", args=[job.pk]), headers={"HX-Request": "true"}
    ).content.decode()
    assert 'name="poll"' not in page
    assert "Quedó hecha." in page
    assert 'href="/adjudicaciones/1/"' in page


def test_an_interrupted_job_is_started_again_from_its_page(job, as_irene, sent):
    state_set(job, JobState.INTERRUPTED, message="Se detuvo", ended_at=timezone.now())
    page = as_irene.get(reverse("job", args=[job.pk])).content.decode()
    assert "Interrumpida" in page
    assert "Volver a empezar" in page
    as_irene.post(reverse("job_restart", args=[job.pk]))
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_starting_again_what_runs_is_refused_in_words(job, as_irene):
    running(job, step=1)
    page = as_irene.post(reverse("job_restart", args=[job.pk]), follow=True)
    assert "solo se vuelve a empezar" in page.content.decode()


@pytest.mark.parametrize("person", ["aura", "bruno"])
def test_who_may_not_prepare_starts_nothing_again(request, client, job, person):
    state_set(job, JobState.INTERRUPTED)
    client.force_login(request.getfixturevalue(person))
    assert client.post(reverse("job_restart", args=[job.pk])).status_code == 403


def test_a_broker_does_not_see_the_jobs_of_others(client, job, bruno):
    client.force_login(bruno)
    assert client.get(reverse("job", args=[job.pk])).status_code == 404
    assert job.code not in client.get(reverse("jobs")).content.decode()


def test_the_list_shows_the_jobs_or_what_will_be_there(client, as_irene, aura, job):
    assert job.code in as_irene.get(reverse("jobs")).content.decode()
    Job.objects.all().delete()
    assert "Todavía no se ha pedido ninguno" in as_irene.get(reverse("jobs")).content.decode()


def test_each_step_has_its_time_and_its_count(job):
    running(job, step=2, done=400, total=1000, unit="líneas")
    first, second = job_page(job)["steps"]
    assert (first["detail"], first["tag"]) == ("30 filas", "Completa")
    assert (second["detail"], second["tag"]) == ("400 de 1.000 líneas", "En curso")
    assert second["time"].endswith(" s")


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(milliseconds=640), "0,6 s"),
        (timedelta(seconds=36), "36 s"),
        (timedelta(minutes=3, seconds=20), "3 min"),
    ],
)
def test_a_span_is_written_for_people(span, words):
    assert span_words(span) == words


# --- a broker that does not answer ---


def frozen(*_args, **_options):
    raise RedisTimeoutError


@both_aliases
def test_a_job_that_cannot_be_sent_stays_in_the_queue_and_the_page_answers(job, monkeypatch):
    monkeypatch.setattr("office.jobs.current_app.send_task", frozen)

    job_enqueue(job)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED


@both_aliases
def test_a_job_that_waits_long_is_sent_again_once_in_a_while(job, sent):
    cache.clear()
    assert jobs_send_again() == 0
    Job.objects.filter(pk=job.pk).update(requested_at=timezone.now() - 2 * LONG_WAIT)

    assert jobs_send_again() == 1
    assert jobs_send_again() == 0
    assert sent == [("tests.nothing", [job.pk])]


@both_aliases
def test_a_failed_job_is_not_run_by_a_late_second_message(job):
    state_set(job, JobState.FAILED)

    with job_running(job.pk) as run:
        assert run is None


@pytest.mark.faults
def test_a_redis_that_hangs_is_given_up(job, monkeypatch):
    """A server that takes the connection and never says a word."""
    monkeypatch.setitem(SEND_PATIENCE, "socket_timeout", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        monkeypatch.setattr(
            "office.jobs.current_app.connection_for_write",
            lambda **options: Connection(address, **options),
        )
        assert job_send(job) is False
