"""A real Celery worker, killed with SIGKILL between two writes of awards."""

import os
import signal
import subprocess
import sys
import time
from datetime import date
from urllib.parse import urlsplit

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection, transaction
from psycopg.conninfo import make_conninfo
from redis import Redis

from config.env import celery_broker
from offerings.models import Adjudication, Award
from offerings.services.adjudication_results import CHUNK
from offerings.services.adjudications import adjudication_open
from office.jobs import job_enqueue, job_restart, jobs_interrupted
from office.models import Job, JobProgress, JobState
from office.review import ReviewState
from tests.offerings.rows import make_many_acceptances, make_stage

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True, databases=["default", "progress"]),
]

PATIENCE = 60
GATE = 7_409  # an advisory lock that the test holds and the worker's insert waits for
FIRST_OWN_DATABASE = 8  # of Redis's 16: no other test's messages come to this worker
LINES = CHUNK + 200
GATE_SQL = f"""
    CREATE FUNCTION award_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT serial FROM offerings_acceptance WHERE id = NEW.acceptance_id) = {CHUNK + 100}
        THEN PERFORM pg_advisory_xact_lock({GATE}); END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER award_gate BEFORE INSERT ON offerings_award
        FOR EACH ROW EXECUTE FUNCTION award_gate();
"""


@pytest.fixture
def own_queue(monkeypatch):
    """A Redis database of this test's own, for who sends and for the worker."""
    number = FIRST_OWN_DATABASE + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
    address = urlsplit(settings.REDIS_URL)
    if address.scheme == "unix":
        url = f"unix://{address.path}?db={number}"
    else:
        url = address._replace(path=f"/{number}").geturl()
    with Redis.from_url(url) as redis:
        redis.flushdb()
    monkeypatch.setenv("CELERY_BROKER_URL", celery_broker(url))
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    return url


@pytest.fixture
def worker(own_queue, tmp_path):
    """Starts workers, each in a process group of its own; what still lives ends with the test."""
    started = []

    def start():
        known = connection.settings_dict
        named = {"dbname": "NAME", "host": "HOST", "port": "PORT", "user": "USER"}
        place = {key: known[name] for key, name in named.items() if known[name]}
        environment = os.environ | {
            "DATABASE_URL": make_conninfo(**place),
            "REDIS_URL": own_queue,
            "STATE_DIR": str(tmp_path),
            "SECRET_KEY": "for-this-test-alone",
        }
        command = [sys.executable, "-m", "celery", "-A", "config.celery_app", "worker"]
        with (tmp_path / f"worker-{len(started)}.log").open("w") as log:
            process = subprocess.Popen(
                [*command, "--concurrency", "1", "-l", "info"],
                cwd=settings.BASE_DIR,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        started.append(process)
        return process

    yield start
    for process in started:
        kill(process)


def kill(process):
    """SIGKILL to the worker and its child, which are a group of their own."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


@pytest.fixture
def gate():
    """Holds the worker's insert in the second chunk until it is opened."""
    with connection.cursor() as cursor:
        cursor.execute(GATE_SQL)
        cursor.execute("SELECT pg_advisory_lock(%s)", [GATE])
    opened = []

    def open_gate():
        if not opened:
            opened.append(True)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [GATE])

    yield open_gate
    open_gate()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER award_gate ON offerings_award")
        cursor.execute("DROP FUNCTION award_gate()")


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what} did not come about"
        time.sleep(0.1)


def worker_waits_at_the_gate():
    """In this database: another process of the tests may hold a worker at its own gate."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
            " AND NOT granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [GATE],
        )
        return cursor.fetchone()[0] == 1


def only_this_session_works():
    """That nothing of the dead worker is still under way in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND state <> 'idle'"
            " AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0] == 0


def test_no_award_is_left_and_it_can_be_run_again(irene, ana, mateo, exchange, worker, gate):
    stage = make_stage(irene, ana, supply=LINES * 7, closed=True)
    make_many_acceptances(stage, LINES, 10)
    with transaction.atomic():
        adjudication = adjudication_open(
            stage_id=stage.pk, exchange=exchange, session_on=date(1995, 9, 15), user=mateo
        )
        job_enqueue(adjudication.job)

    first = worker()
    wait_until(worker_waits_at_the_gate, "the worker's second write")
    progress = JobProgress.objects.get(job=adjudication.job)
    assert (progress.step, progress.done, progress.total) == (3, CHUNK, LINES)
    kill(first)
    gate()
    wait_until(only_this_session_works, "the end of the dead worker's transaction")

    adjudication.refresh_from_db()
    assert adjudication.review_state == ReviewState.DRAFT
    assert not Award.objects.exists()
    assert jobs_interrupted() == [adjudication.job]
    assert Job.objects.get(pk=adjudication.job_id).state == JobState.INTERRUPTED

    job_restart(job_id=adjudication.job_id, user=mateo)
    worker()
    wait_until(
        lambda: Job.objects.get(pk=adjudication.job_id).state == JobState.DONE, "the second run"
    )
    adjudication.refresh_from_db()
    assert adjudication.review_state == ReviewState.PENDING
    assert Award.objects.filter(adjudication=adjudication, awarded=7).count() == LINES
    assert Adjudication.objects.count() == 1
