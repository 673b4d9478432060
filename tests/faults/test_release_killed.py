"""A real Celery worker, killed with SIGKILL between two pieces of a release at term."""

import pytest
from django.db import connection, transaction

from office.jobs import job_enqueue, job_restart, jobs_interrupted
from office.models import Decision, Job, JobState
from pledges.enums import LineState
from pledges.models import Pledge, ReleaseLine
from tests.faults.test_worker_killed import GATE as LOCK
from tests.faults.test_worker_killed import (  # noqa: F401
    kill,
    only_this_session_works,
    own_queue,
    wait_until,
    worker,
    worker_waits_at_the_gate,
)
from tests.pledges.release_rows import decide, prepare_term
from tests.pledges.rows import make_pledges

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True, databases=["default", "progress"]),
]

HELD = 22  # the shares of the line before which the worker waits
GATE_SQL = f"""
    CREATE FUNCTION release_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.shares = {HELD} AND NEW.state = 'done' THEN
            PERFORM pg_advisory_xact_lock({LOCK});
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER release_gate BEFORE UPDATE ON pledges_releaseline
        FOR EACH ROW EXECUTE FUNCTION release_gate();
"""


def run(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def gate():
    """Holds the worker before its second piece until it is opened."""
    run(GATE_SQL)
    run(f"SELECT pg_advisory_lock({LOCK})")
    opened = []

    def open_gate():
        if not opened:
            opened.append(True)
            run(f"SELECT pg_advisory_unlock({LOCK})")

    yield open_gate
    open_gate()
    run("DROP TRIGGER release_gate ON pledges_releaseline")
    run("DROP FUNCTION release_gate()")


def states():
    return list(ReleaseLine.objects.order_by("pledge_id").values_list("state", flat=True))


def sums():
    return list(Pledge.objects.order_by("pk").values_list("released", "in_process"))


def test_what_was_released_stays_and_the_rest_goes_on_once(irene, ana, worker, gate):  # noqa: F811
    pledges = make_pledges(irene, ana, (10, 11, HELD, 33))
    release = decide(prepare_term(pledges[0].award.adjudication.stage.programme, irene), ana)
    with transaction.atomic():
        Job.objects.filter(pk=release.job_id).update(arguments={"release": release.pk, "chunk": 2})
        job_enqueue(release.job)

    first = worker()
    wait_until(worker_waits_at_the_gate, "the worker's second piece")
    kill(first)
    gate()
    wait_until(only_this_session_works, "the end of the dead worker's transaction")

    done, planned = LineState.DONE, LineState.PLANNED
    assert states() == [done, done, planned, planned]
    assert sums() == [(10, 0), (11, 0), (0, HELD), (0, 33)]
    assert jobs_interrupted() == [release.job]

    job_restart(job_id=release.job_id, user=irene)
    worker()
    wait_until(lambda: Job.objects.get(pk=release.job_id).state == JobState.DONE, "the second run")
    assert states() == [done] * 4
    assert sums() == [(10, 0), (11, 0), (HELD, 0), (33, 0)]
    assert Decision.objects.filter(act="release_done").count() == 4
    assert Decision.objects.filter(act="release_ended").count() == 1
