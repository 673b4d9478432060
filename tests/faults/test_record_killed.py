"""A real Celery worker, killed with SIGKILL while it keeps a part of an act's annex."""

from datetime import date

import pytest
from django.db import connection, transaction

from offerings.certificates import record_issue, record_job_open
from offerings.models import AnnexFile
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.files import file_read
from office.jobs import job_enqueue, job_restart, jobs_interrupted
from office.models import Certificate, CertificateState, Job, JobState, StoredFile
from office.review import ReviewState
from tests.faults.test_worker_killed import GATE as LOCK
from tests.faults.test_worker_killed import (  # noqa: F401
    kill,
    only_this_session_works,
    own_queue,
    wait_until,
    worker,
    worker_waits_at_the_gate,
)
from tests.offerings.rows import make_acceptances, make_stage
from tests.offerings.walks import silent

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True, databases=["default", "progress"]),
]

SESSION = date(1995, 9, 15)
GATE_SQL = f"""
    CREATE FUNCTION annex_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.kind = 'pdf' THEN PERFORM pg_advisory_xact_lock({LOCK}); END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER annex_gate BEFORE INSERT ON offerings_annexfile
        FOR EACH ROW EXECUTE FUNCTION annex_gate();
"""


def run_sql(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def gate():
    """Holds the worker, with act and workbook kept, before its first PDF until it is opened."""
    run_sql(GATE_SQL)
    run_sql(f"SELECT pg_advisory_lock({LOCK})")
    opened = []

    def open_gate():
        if not opened:
            opened.append(True)
            run_sql(f"SELECT pg_advisory_unlock({LOCK})")

    yield open_gate
    open_gate()
    run_sql("DROP TRIGGER annex_gate ON offerings_annexfile")
    run_sql("DROP FUNCTION annex_gate()")


@pytest.fixture
def record(irene, mateo, ana, exchange):
    """The act of an approved run of three lines, numbered and not drawn."""
    stage = make_stage(irene, ana, supply=60, closed=True)
    make_acceptances(stage, [10, 20, 30])
    run = adjudication_open(stage_id=stage.pk, exchange=exchange, session_on=SESSION, user=mateo)
    adjudication_run(adjudication_id=run.pk, report=silent)
    adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    return record_issue(adjudication_id=run.pk, user=mateo, legal_date=date(1995, 9, 18))


def kept():
    return list(AnnexFile.objects.order_by("pk").values_list("kind", "number", "file"))


def test_what_was_drawn_stays_and_the_annex_goes_on_where_it_was(
    record,
    mateo,
    worker,  # noqa: F811
    gate,
):
    with transaction.atomic():
        job = record_job_open(record=record, user=mateo)
        job_enqueue(job)

    first = worker()
    wait_until(worker_waits_at_the_gate, "the annex's first PDF")
    kill(first)
    gate()
    wait_until(only_this_session_works, "the end of the dead worker's transaction")

    act = Certificate.objects.get()
    drawn = file_read(act.file)
    assert act.state == CertificateState.ISSUED
    [workbook] = kept()
    assert workbook[0] == "xlsx"
    assert StoredFile.objects.count() == 2
    assert jobs_interrupted() == [job]
    assert Job.objects.get(pk=job.pk).state == JobState.INTERRUPTED

    job_restart(job_id=job.pk, user=mateo)
    worker()
    wait_until(lambda: Job.objects.get(pk=job.pk).state == JobState.DONE, "the second run")
    assert [part[:2] for part in kept()] == [("xlsx", 1), ("pdf", 1)]
    assert kept()[0] == workbook
    again = Certificate.objects.get()
    assert (again.file_id, file_read(again.file)) == (act.file_id, drawn)
    assert StoredFile.objects.count() == 3
