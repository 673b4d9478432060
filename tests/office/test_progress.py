"""How the steps of a job read once it has ended, well or not."""

import pytest
from django.utils import timezone

from office.jobs import job_open
from office.models import JobProgress, JobState
from office.progress import job_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(irene):
    """The steps of a job that ended in a state, after what was reported of each by then."""

    def end(state, *reported):
        job = job_open(
            kind="test",
            title="Prueba",
            task="tests.nothing",
            user=irene,
            steps=["Leer", "Guardar"],
        )
        since = timezone.now().isoformat()
        marks = {
            str(number): {"since": since, "done": done, "total": total, "unit": "filas"}
            for number, (done, total) in enumerate(reported, start=1)
        }
        JobProgress.objects.create(job=job, step=len(reported), steps=marks)
        job.state, job.started_at, job.ended_at = state, timezone.now(), timezone.now()
        job.save()
        return [(step["detail"], step["tag"]) for step in job_page(job)["steps"]]

    return end


def test_a_finished_step_shows_its_whole_alone(ended):
    """A report tells each five hundred rows, not the last one."""
    assert ended(JobState.DONE, (1_500, 2_000), (2_000, 2_000)) == [
        ("2.000 filas", "Completa"),
        ("2.000 filas", "Completa"),
    ]


def test_the_step_in_which_a_job_failed_says_how_far_it_came(ended):
    assert ended(JobState.FAILED, (2_000, 2_000), (500, 2_000)) == [
        ("2.000 filas", "Completa"),
        ("500 de 2.000 filas", "Con error"),
    ]


def test_one_of_what_is_counted_has_its_singular(ended):
    assert ended(JobState.FAILED, (1, 1), (0, 1)) == [
        ("1 fila", "Completa"),
        ("0 de 1 fila", "Con error"),
    ]


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED])
def test_a_step_that_was_never_begun_is_not_complete_when_the_job_ends(ended, state):
    assert ended(state, (30, 30))[1] == ("", "Sin empezar")
