"""Jobs: long work that survives the browser and the worker.

A job's row says what to run (a task's name and its arguments). While a worker runs it, the
worker holds an advisory lock of its own session on the alias `progress`: the lock goes with the
worker, however it dies, so a running job without its lock is an interrupted one.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pghistory
from celery import current_app, current_task
from django.core.cache import cache
from django.db import connections, transaction
from django.db.models import QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from office.models import Job, JobProgress, JobState, User
from office.refusals import Refused
from office.roles import Capability

PROGRESS = "progress"
logger = logging.getLogger(__name__)

SEND_PATIENCE = {"socket_timeout": 5, "socket_connect_timeout": 5}  # seconds
LONG_WAIT = timedelta(seconds=60)
SEND_PAUSE = 300  # seconds between two sendings of one waiting job
LOCK_SPACE = 7_408  # the first key of the jobs' advisory locks; the second is the job's id
UNKNOWN_FAILURE = (
    "El proceso se detuvo por un error que no se esperaba; no quedó nada a medias. "
    "Puede volver a empezarlo; si se repite, avise al administrador con el número del proceso."
)

# Some work keeps what it has done so far, other work keeps all of it or nothing: true of both.
LEFT_HALF_DONE = (
    "Lo que ya estaba guardado queda; lo que estaba a medias no se guardó. Puede volver a "
    "empezarlo: nada se repite."
)
STOPPED_MESSAGE = "Lo mandó detener {who}. " + LEFT_HALF_DONE
INTERRUPTED_MESSAGE = "Quien lo ejecutaba se detuvo. " + LEFT_HALF_DONE

ENDED = (JobState.DONE, JobState.FAILED, JobState.STOPPED)


class JobStopped(Exception):
    """Somebody asked for the job to stop; raised in its work, at its next report."""


@dataclass
class JobRun:
    """A job under way, as its task sees it."""

    job: Job
    steps: dict[str, dict[str, Any]] = field(default_factory=dict)

    def report(self, step: int, done: int = 0, total: int = 0, unit: str = "") -> None:
        """Tell how far it is: step from 1, `done` of `total` units; commits at once.

        Raises JobStopped, which the work lets pass, where somebody asked for it to stop.
        """
        now = {"done": done, "total": total, "unit": unit}
        begun = self.steps.get(str(step), {"since": self._step_began().isoformat()})
        self.steps[str(step)] = begun | now
        JobProgress.objects.using(PROGRESS).update_or_create(
            job_id=self.job.pk, defaults={"step": step, "steps": self.steps, **now}
        )
        self.job.refresh_from_db(using=PROGRESS, fields=["stop_asked_by"])
        if self.job.stop_asked_by_id:
            raise JobStopped

    def _step_began(self) -> datetime:
        """The first step with the job, the others when they are first heard of."""
        return timezone.now() if self.steps else self.job.started_at or timezone.now()

    def link_to(self, link: str, message: str = "") -> None:
        """Where the result is to be seen, and a sentence about it."""
        self.job.link = link
        self.job.message = message


def job_open(
    *,
    kind: str,
    title: str,
    task: str,
    user: User,
    steps: list[str],
    arguments: dict[str, Any] | None = None,
    context: str = "",
) -> Job:
    """Register a job inside the caller's transaction; `job_enqueue` sends it on commit."""
    return Job.objects.create(
        kind=kind,
        title=title,
        context=context,
        task=task,
        arguments=arguments or {},
        steps=steps,
        requested_by=user,
    )


def job_enqueue(job: Job) -> None:
    """Send the job's task to a worker once the row is committed."""
    transaction.on_commit(lambda: job_send(job))


def job_send(job: Job) -> bool:
    """Hand the task to the broker; False where it does not answer within a few seconds.

    The row is what counts: a job that could not be sent stays queued, and `jobs_send_again`
    sends it when the broker is back. Sent twice, it is run once.
    """
    try:
        with current_app.connection_for_write(transport_options=SEND_PATIENCE) as connection:
            current_app.send_task(job.task, args=[job.pk], connection=connection, retry=False)
    except (OperationalError, RedisError, OSError):
        logger.warning("job_not_sent")
        return False
    return True


def jobs_send_again() -> int:
    """Send each queued job that has waited long, at most once in a while; how many were sent."""
    waiting = Job.objects.filter(
        state=JobState.QUEUED, requested_at__lt=timezone.now() - LONG_WAIT
    )
    return sum(
        job_send(job) for job in waiting if cache.add(f"job-sent-again:{job.pk}", 1, SEND_PAUSE)
    )


def job_restart(*, job_id: int, user: User) -> Job:
    """Put a failed or interrupted job back in the queue; raises Refused otherwise.

    What it was before stays in its events, and so does who started it again.
    """
    with transaction.atomic(), pghistory.context(user=user.pk):
        job = Job.objects.select_for_update().get(pk=job_id)
        if not job.can_restart:
            raise Refused(
                f"{job.code} está «{job.get_state_display()}»: solo se vuelve a empezar un "
                "proceso con error, interrumpido o detenido."
            )
        job.state, job.message, job.ended_at, job.stop_asked_by = JobState.QUEUED, "", None, None
        job.save(update_fields=["state", "message", "ended_at", "stop_asked_by"])
        job_enqueue(job)
    return job


def may_stop(job: Job, user: User) -> bool:
    """Whether `user` may stop the job: whoever asked for it, an analyst or a supervisor; once
    it was asked to stop, nobody needs to.
    """
    if not job.is_active or job.stop_asked_by_id:
        return False
    return job.requested_by_id == user.pk or user.may(Capability.PREPARE)


@transaction.atomic
def job_stop(*, job_id: int, user: User) -> Job:
    """Stop a job: at once where it waits, at its next report where it runs.

    Asked for already, it is left as it is. Raises Refused where it has ended, or where it is
    neither the person's own nor the person prepares.
    """
    job = Job.objects.select_for_update().get(pk=job_id)
    if not job.is_active:
        raise Refused(f"{job.code} ya terminó: está «{job.get_state_display()}».")
    if job.stop_asked_by_id:
        return job
    if not may_stop(job, user):
        raise Refused("Lo detiene quien lo pidió, un analista o un supervisor.")
    job.stop_asked_by = user
    if job.state == JobState.QUEUED:
        job.state, job.ended_at = JobState.STOPPED, timezone.now()
        job.message = STOPPED_MESSAGE.format(who=user)
    job.save(update_fields=["stop_asked_by", "state", "ended_at", "message"])
    return job


def jobs_visible_to(user: User) -> QuerySet[Job]:
    """All jobs for staff; for everybody else, those that it started."""
    jobs = Job.objects.select_related("requested_by", "progress")
    return jobs if user.may(Capability.READ) else jobs.filter(requested_by=user)


@contextmanager
def job_running(job_id: int) -> Iterator[JobRun | None]:
    """Run a job's work inside; gives None if it has ended already (a failed one runs again only
    when somebody starts it again), another worker has it, or it is another task's.

    JobStopped ends it as stopped, Refused as failed with that message. Any other exception ends
    it as failed with a general sentence and goes on up, for the log.
    """
    if not _lock(job_id):
        yield None
        return
    try:
        job = _begun(job_id)
        if job is None:
            yield None
            return
        yield from _work(job)
    finally:
        _unlock(job_id)


def _begun(job_id: int) -> Job | None:
    """The job, marked as running; None where it has ended, or is another task's. Its row is held
    meanwhile: stopped or begun, whichever comes first.
    """
    with transaction.atomic(using=PROGRESS):
        jobs = Job.objects.using(PROGRESS).select_for_update(of=["self"])
        job = jobs.select_related("requested_by").get(pk=job_id)
        if job.state in ENDED or _is_of_another_task(job):
            return None
        _save(job, state=JobState.RUNNING, started_at=timezone.now(), message="", ended_at=None)
    return job


def _is_of_another_task(job: Job) -> bool:
    """Whether a message names the job of another task: that one must not end by its fault."""
    return bool(current_task) and current_task.name != job.task


def _work(job: Job) -> Iterator[JobRun]:
    run = JobRun(job)
    try:
        with pghistory.context(user=job.requested_by_id, job=job.pk):
            yield run
    except JobStopped:
        message = STOPPED_MESSAGE.format(who=job.stop_asked_by)
        _save(job, state=JobState.STOPPED, message=message, ended_at=timezone.now())
    except Refused as refusal:
        _save(job, state=JobState.FAILED, message=refusal.message, ended_at=timezone.now())
    except Exception:
        _save(job, state=JobState.FAILED, message=UNKNOWN_FAILURE, ended_at=timezone.now())
        raise
    else:
        _save(job, state=JobState.DONE, ended_at=timezone.now())


def jobs_interrupted() -> list[Job]:
    """Mark as interrupted each running job whose worker is gone, and return them."""
    gone = []
    for job in Job.objects.using(PROGRESS).filter(state=JobState.RUNNING):
        if not _lock(job.pk):
            continue
        try:
            job.refresh_from_db(using=PROGRESS)
            if job.state == JobState.RUNNING:
                _save(
                    job,
                    state=JobState.INTERRUPTED,
                    message=INTERRUPTED_MESSAGE,
                    ended_at=timezone.now(),
                )
                gone.append(job)
        finally:
            _unlock(job.pk)
    return gone


def _save(job: Job, **changes: Any) -> None:
    for name, value in changes.items():
        setattr(job, name, value)
    job.save(using=PROGRESS, update_fields=[*changes, "link", "message"])


def _lock(job_id: int) -> bool:
    with connections[PROGRESS].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_SPACE, job_id])
        return bool(cursor.fetchone()[0])


def _unlock(job_id: int) -> None:
    with connections[PROGRESS].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_SPACE, job_id])
