"""What the database itself holds of an adjudication, whoever writes to it and however."""

import threading
from datetime import date

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from offerings.models import Adjudication, Award
from offerings.services.adjudications import (
    AlreadyUnderWay,
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.tasks.adjudications import adjudication_run_task
from office.models import Job, JobState
from office.review import ReviewState
from tests.offerings.rows import make_acceptance, make_acceptances

SESSION = date(1995, 9, 15)


def silent(*told):
    """A report that nobody reads."""


@pytest.fixture
def pending(closed_stage, exchange, mateo):
    """A run that waits for its review, prepared by an analyst."""
    make_acceptances(closed_stage, [98, 92])
    return pending_of(closed_stage, exchange, mateo)


def pending_of(stage, exchange, user):
    adjudication = adjudication_open(
        stage_id=stage.pk, exchange=exchange, session_on=SESSION, user=user
    )
    adjudication_run(adjudication_id=adjudication.pk, report=silent)
    adjudication.refresh_from_db()
    return adjudication


def refused(sql, *parameters, by):
    """That the database refuses a statement, naming what it keeps."""
    with (
        pytest.raises(DatabaseError, match=by),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql, parameters)


def test_an_award_is_not_changed_by_sql(pending):
    refused("UPDATE offerings_award SET awarded = awarded - 1", by="Cannot update")


def test_an_award_is_not_deleted_by_sql(pending):
    refused("DELETE FROM offerings_award", by="Cannot delete")


def test_an_award_is_not_added_by_sql_once_the_run_is_over(pending, closed_stage):
    late = make_acceptance(closed_stage, 9, 5)
    refused(
        "INSERT INTO offerings_award (adjudication_id, acceptance_id, requested, admitted, least,"
        " got_left_over, awarded, reason) VALUES (%s, %s, 5, 5, 0, false, 5, 'in_full')",
        pending.pk,
        late.pk,
        by="award_only_while_running",
    )


@pytest.mark.parametrize(
    "change",
    ["awarded = 0, unsold = supply", "session_on = '1995-10-01'", "ties = '[1]'", "lines = 1"],
)
def test_the_figures_of_a_pending_run_are_not_changed_by_sql(pending, change):
    refused(f"UPDATE offerings_adjudication SET {change}", by="Cannot update")


def test_a_pending_run_is_not_made_a_draft_again_by_sql(pending):
    refused("UPDATE offerings_adjudication SET review_state = 'draft'", by="Cannot update")


def test_it_is_not_deleted_by_sql(pending):
    refused("DELETE FROM offerings_adjudication", by="Cannot delete")


APPROVE = (
    "UPDATE offerings_adjudication SET review_state = 'approved', reviewed_by_id = %s,"
    " reviewed_at = now()"
)


def test_the_preparer_does_not_approve_by_sql(closed_stage, exchange, tomas):
    pending_of(closed_stage, exchange, tomas)
    refused(APPROVE, tomas.pk, by="adjudication_reviewed_by_another")


@pytest.mark.parametrize("person", ["irene", "aura", "bruno", "adela", "root"])
def test_who_is_not_a_supervisor_does_not_approve_by_sql(request, pending, person):
    user = request.getfixturevalue(person)
    refused(APPROVE, user.pk, by="reviewer_is_supervisor")


def test_a_supervisor_who_has_left_does_not_approve_by_sql(pending, ana):
    ana.is_active = False
    ana.save()
    refused(APPROVE, ana.pk, by="reviewer_is_supervisor")


def test_it_is_not_approved_by_sql_without_a_reviewer(pending):
    refused(
        "UPDATE offerings_adjudication SET review_state = 'approved'",
        by="adjudication_decided_has_reviewer",
    )


def test_it_is_not_sent_back_by_sql_without_a_reason(pending, ana):
    refused(
        APPROVE.replace("'approved'", "'returned'"), ana.pk, by="adjudication_refused_has_reason"
    )


@pytest.mark.parametrize("outcome", [ReviewState.APPROVED, ReviewState.REJECTED])
def test_a_decided_run_is_final_for_sql_too(pending, ana, outcome):
    adjudication_decide(
        adjudication_id=pending.pk, user=ana, outcome=outcome, reason="Motivo de prueba"
    )
    refused(
        "UPDATE offerings_adjudication SET review_state = 'pending'",
        by="adjudication_decided_is_final",
    )
    refused(
        "UPDATE offerings_adjudication SET session_on = '1995-10-01'",
        by="adjudication_decided_is_final",
    )


def test_a_line_above_what_the_limit_left_is_refused(closed_stage, exchange, mateo):
    acceptance = make_acceptance(closed_stage, 1, 5)
    draft = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
    )
    with pytest.raises(IntegrityError, match="award_never_above_admitted"), transaction.atomic():
        Award.objects.create(
            adjudication=draft,
            acceptance=acceptance,
            requested=5,
            admitted=4,
            awarded=5,
            reason="in_full",
        )


def test_a_second_one_of_a_stage_is_refused_by_the_database(
    pending, closed_stage, mateo, exchange
):
    with pytest.raises(IntegrityError, match="adjudication_one_per_stage"), transaction.atomic():
        Adjudication.objects.create(
            stage=closed_stage,
            version=2,
            exchange=exchange,
            session_on=SESSION,
            prepared_by=mateo,
        )


def test_the_same_version_twice_is_refused_by_the_database(
    pending, closed_stage, mateo, ana, exchange
):
    adjudication_decide(
        adjudication_id=pending.pk, user=ana, outcome=ReviewState.REJECTED, reason="Prueba"
    )
    with pytest.raises(IntegrityError, match="adjudication_version_once"), transaction.atomic():
        Adjudication.objects.create(
            stage=closed_stage,
            version=1,
            exchange=exchange,
            session_on=SESSION,
            prepared_by=mateo,
        )


def test_a_result_needs_its_figures(closed_stage, mateo, exchange):
    with (
        pytest.raises(IntegrityError, match="adjudication_pending_has_result"),
        transaction.atomic(),
    ):
        Adjudication.objects.create(
            stage=closed_stage,
            version=1,
            exchange=exchange,
            session_on=SESSION,
            prepared_by=mateo,
            review_state=ReviewState.PENDING,
        )


def test_what_is_awarded_and_what_is_left_make_the_supply(closed_stage, mateo, exchange):
    with (
        pytest.raises(IntegrityError, match="adjudication_awarded_plus_unsold_is_supply"),
        transaction.atomic(),
    ):
        Adjudication.objects.create(
            stage=closed_stage,
            version=1,
            exchange=exchange,
            session_on=SESSION,
            prepared_by=mateo,
            supply=10,
            awarded=10,
            unsold=1,
        )


# At once


def at_once(*acts):
    """Run each act in a thread and a connection of its own, begun together; their outcomes."""
    barrier, outcomes = threading.Barrier(len(acts)), [None] * len(acts)

    def work(place, act):
        try:
            barrier.wait(10)
            outcomes[place] = act()
        except Exception as error:  # noqa: BLE001 - the outcome is looked at by the test
            outcomes[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_start_it_one_wins_and_the_other_is_told(
    closed_stage, exchange, mateo, tomas
):
    def start(user):
        return lambda: adjudication_open(
            stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=user
        )

    outcomes = at_once(start(mateo), start(tomas))
    won = [outcome for outcome in outcomes if isinstance(outcome, Adjudication)]
    told = [outcome for outcome in outcomes if isinstance(outcome, AlreadyUnderWay)]
    assert (len(won), len(told)) == (1, 1)
    assert told[0].adjudication == won[0]
    assert Adjudication.objects.count() == Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_give_one_result(closed_stage, exchange, mateo):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    draft = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
    )

    def run():
        return adjudication_run(adjudication_id=draft.pk, report=silent)

    assert sorted(at_once(run, run)) == [False, True]
    assert sorted(Award.objects.values_list("awarded", flat=True)) == [76, 76, 81, 81, 84, 102]


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_task_delivered_twice_gives_one_result_and_links_to_it(closed_stage, exchange, mateo):
    make_acceptances(closed_stage, [6, 6, 2])
    draft = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
    )
    for _ in range(2):
        adjudication_run_task(draft.job_id)
    job = Job.objects.get(pk=draft.job_id)
    assert job.state == JobState.DONE
    assert job.link == reverse("adjudication", args=[draft.pk])
    assert "espera la revisión" in job.message
    assert Award.objects.count() == 3


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_a_run_started_again_after_its_commit_says_that_it_was_done(closed_stage, exchange, mateo):
    waiting = pending_of(closed_stage, exchange, mateo)
    adjudication_run_task(waiting.job_id)  # the worker died before it could say so
    job = Job.objects.get(pk=waiting.job_id)
    assert job.state == JobState.DONE
    assert "ya estaba hecha: no se repitió" in job.message


@pytest.mark.django_db(transaction=True)
def test_of_two_supervisors_who_decide_one_is_told_that_it_is_decided(
    closed_stage, exchange, mateo, ana, tomas
):
    waiting = pending_of(closed_stage, exchange, mateo)

    def decide(user, outcome):
        return lambda: adjudication_decide(
            adjudication_id=waiting.pk, user=user, outcome=outcome, reason="Motivo de prueba"
        )

    outcomes = at_once(decide(ana, ReviewState.APPROVED), decide(tomas, ReviewState.REJECTED))
    refusals = [outcome for outcome in outcomes if not isinstance(outcome, Adjudication)]
    assert len(refusals) == 1
    assert "No espera revisión" in refusals[0].message
    waiting.refresh_from_db()
    assert waiting.reviewed_at <= timezone.now()
