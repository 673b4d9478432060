"""A real Celery worker, killed with SIGKILL between two payments of a bank's file."""

import pytest
from django.db import connection, transaction

from offerings.models import BankFileRow, Payment
from offerings.services.bank_files import bank_file_confirm
from office.jobs import job_enqueue, job_restart, jobs_interrupted
from office.models import Job, JobState, Series
from tests.faults.test_worker_killed import GATE as LOCK
from tests.faults.test_worker_killed import (  # noqa: F401
    kill,
    only_this_session_works,
    own_queue,
    wait_until,
    worker,
    worker_waits_at_the_gate,
)
from tests.offerings.bank_rows import bank_csv, bank_reviewed, bank_row
from tests.offerings.paid import make_awards
from tests.offerings.rows import make_acceptances, make_stage

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True, databases=["default", "progress"]),
]

HELD = "2.00"  # the payment before which the worker waits
GATE_SQL = f"""
    CREATE FUNCTION payment_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.amount = {HELD} THEN PERFORM pg_advisory_xact_lock({LOCK}); END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER payment_gate BEFORE INSERT ON offerings_payment
        FOR EACH ROW EXECUTE FUNCTION payment_gate();
"""


def run(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def gate():
    """Holds the worker before its second payment until it is opened."""
    run(GATE_SQL)
    run(f"SELECT pg_advisory_lock({LOCK})")
    opened = []

    def open_gate():
        if not opened:
            opened.append(True)
            run(f"SELECT pg_advisory_unlock({LOCK})")

    yield open_gate
    open_gate()
    run("DROP TRIGGER payment_gate ON offerings_payment")
    run("DROP FUNCTION payment_gate()")


def test_what_was_recorded_stays_and_the_rest_goes_on_once(irene, ana, worker, gate):  # noqa: F811
    stage = make_stage(irene, ana, closed=True)
    awards = make_awards(make_acceptances(stage, [1, 10, 100]), irene, ana)
    rows = [bank_row(award, f"{n},00") for n, award in enumerate(awards, start=1)]
    source = bank_reviewed(stage.programme, irene, bank_csv(*rows))
    with transaction.atomic():
        confirmed = bank_file_confirm(bank_file_id=source.pk, user=irene)
        job_enqueue(confirmed.job)

    first = worker()
    wait_until(worker_waits_at_the_gate, "the worker's second payment")
    kill(first)
    gate()
    wait_until(only_this_session_works, "the end of the dead worker's transaction")

    lines = BankFileRow.objects.filter(source=source)
    assert list(lines.values_list("outcome", flat=True)) == ["loaded", "ready", "ready"]
    assert Payment.objects.count() == 1
    assert jobs_interrupted() == [confirmed.job]

    job_restart(job_id=confirmed.job_id, user=irene)
    worker()
    wait_until(
        lambda: Job.objects.get(pk=confirmed.job_id).state == JobState.DONE, "the second run"
    )
    assert list(lines.values_list("outcome", flat=True)) == ["loaded"] * 3
    assert Payment.objects.count() == 3
    assert Series.objects.get(kind="PG").last_number == 3
