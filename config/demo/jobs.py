"""Waiting for the worker: a job of the demonstration is done by Celery, as for the screens."""

import time
from collections.abc import Callable

from django.core.management.base import CommandError

from office.jobs import job_enqueue, job_restart, jobs_interrupted
from office.models import Job, JobProgress, JobState
from office.numbers import write_quantity

PAUSE = 0.2
TOLD_EVERY = 3  # seconds
PATIENCE = 180  # seconds in which nothing moves
ENDED = (JobState.DONE, JobState.FAILED, JobState.INTERRUPTED)

Tell = Callable[[str], None]


def job_finish(job: Job, tell: Tell) -> None:
    """Have a job done by a worker, whatever an earlier start left of it, and tell how it goes.

    A queued one is sent again: delivered twice, it is done once.
    """
    jobs_interrupted()
    job.refresh_from_db()
    if job.state == JobState.DONE:
        return
    if job.can_restart:
        job_restart(job_id=job.pk, user=job.requested_by)
    elif job.state == JobState.QUEUED:
        job_enqueue(job)
    _watch(job, tell)
    if job.state != JobState.DONE:
        raise CommandError(f"{job.code}, {job.title}: {job.message}")
    tell(f"{job.code}: {job.message}")


def _watch(job: Job, tell: Tell) -> None:
    said, told = "", 0.0
    before, moved = ("", ""), time.monotonic()
    while True:
        job.refresh_from_db()
        now = (job.state, _told(job))
        if job.state in ENDED:
            return
        if now != before:
            moved, before = time.monotonic(), now
        if time.monotonic() - moved > PATIENCE:
            raise CommandError(
                f"{job.code}, {job.title}, no avanza hace {PATIENCE // 60} minutos. ¿Está en "
                "marcha un trabajador de Celery? Cuando lo esté, empiece de nuevo: la "
                "demostración sigue donde iba."
            )
        if now[1] != said and time.monotonic() - told > TOLD_EVERY:
            said, told = now[1], time.monotonic()
            tell(said)
        time.sleep(PAUSE)


def _told(job: Job) -> str:
    progress = JobProgress.objects.filter(job=job).first()
    if job.state == JobState.QUEUED or progress is None:
        return f"{job.code} espera a un trabajador…"
    step = f"paso {progress.step} de {len(job.steps)}, {job.steps[progress.step - 1].lower()}"
    if not progress.total:
        return f"{job.code}: {step}"
    counts = f"{write_quantity(progress.done)} de {write_quantity(progress.total)}"
    return f"{job.code}: {step}: {counts} {progress.unit}"
