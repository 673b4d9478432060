"""How a job reads on its page: its steps, how far it is, what happened, in words."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.utils import timezone

from office.dates import write_clock, write_datetime
from office.models import Job, JobProgress, JobState, User
from office.numbers import write_decimal, write_quantity

SAID_EVERY = 10  # per cent: a screen reader hears of each tenth, not of each request
LITTLE = timedelta(seconds=10)
LONG = timedelta(seconds=120)
# What jobs count, where there is one of it.
ONE = {
    "aceptaciones": "aceptación",
    "actas": "acta",
    "certificados": "certificado",
    "compradores": "comprador",
    "constancias": "constancia",
    "documentos": "documento",
    "filas": "fila",
    "líneas": "línea",
    "pagos": "pago",
    "prendas": "prenda",
}

ENDINGS = {
    JobState.INTERRUPTED: "Se interrumpió: quien lo ejecutaba se detuvo.",
    JobState.STOPPED: "Se detuvo.",
}


def job_page(job: Job) -> dict[str, Any]:
    """What the page of a job shows: steps, progress where it runs, facts, history."""
    progress = getattr(job, "progress", None)
    now = job.ended_at or timezone.now()
    return {
        "job": job,
        "steps": _steps(job, progress, now),
        "progress": _progress(job, progress, now),
        "said": job_said(job, progress),
        "events": _events(job),
    }


def job_said(job: Job, progress: JobProgress | None) -> str:
    """The sentence for whoever listens; it changes with each step and each tenth of it."""
    if job.state != JobState.RUNNING or progress is None:
        return f"{job.code}: {job.get_state_display()}."
    tenths = _percent(progress) // SAID_EVERY * SAID_EVERY
    return f"Paso {progress.step} de {len(job.steps)}: al menos el {tenths} %."


def span_words(span: timedelta) -> str:
    """A length of time: "0,6 s", "36 s", "3 min"."""
    if span < LITTLE:
        return f"{write_decimal(Fraction(span // timedelta(milliseconds=100), 10), 1)} s"
    if span < LONG:
        return f"{span // timedelta(seconds=1)} s"
    return f"{span // timedelta(minutes=1)} min"


def _percent(progress: JobProgress) -> int:
    return progress.done * 100 // progress.total if progress.total else 0


def _steps(job: Job, progress: JobProgress | None, now: datetime) -> list[dict[str, Any]]:
    # Of one that runs and has told nothing yet, the first step is what it is at.
    current = progress.step if progress else int(job.state == JobState.RUNNING)
    marks = progress.steps if progress else {}
    return [
        _step(job, number, current, marks, now) | {"label": label}
        for number, label in enumerate(job.steps, start=1)
    ]


def _step(
    job: Job, number: int, current: int, marks: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    tag = _step_tag(job, number, current)
    return {
        "detail": _step_detail(marks.get(str(number)), finished=tag == JobState.DONE.label),
        "time": _step_time(marks, number, now),
        "tag": tag,
        "current": number == current and job.state == JobState.RUNNING,
    }


def _step_tag(job: Job, number: int, current: int) -> str:
    """A step that was never begun is not complete, also where the job came to its end: a file
    with faults is read and told, and nothing of it is saved.
    """
    if number > current:
        return "Sin empezar"
    return JobState.DONE.label if number < current else job.get_state_display()


def _step_detail(mark: Mapping[str, Any] | None, *, finished: bool = False) -> str:
    """How much of a step is done; of a finished one its whole, whatever it last reported."""
    if not mark or not mark["total"]:
        return ""
    counts = write_quantity(mark["total"])
    if not finished and mark["done"] < mark["total"]:
        counts = f"{write_quantity(mark['done'])} de {counts}"
    unit = mark["unit"] if mark["total"] != 1 else ONE.get(mark["unit"], mark["unit"])
    return f"{counts} {unit}".strip()


def _step_time(marks: Mapping[str, Any], number: int, now: datetime) -> str:
    mark, following = marks.get(str(number)), marks.get(str(number + 1))
    if not mark:
        return ""
    end = datetime.fromisoformat(following["since"]) if following else now
    return span_words(max(end - datetime.fromisoformat(mark["since"]), timedelta()))


def _progress(job: Job, progress: JobProgress | None, now: datetime) -> dict[str, Any] | None:
    """The bar of a job that waits or runs; None for one that has ended."""
    if job.state == JobState.QUEUED:
        return {"title": "Espera su turno en la cola", "note": "Todavía no ha empezado."}
    if job.state != JobState.RUNNING:
        return None
    if progress is None:  # it began, and has told nothing yet
        return {"title": "Empieza", "note": f"Empezó a las {write_clock(job.started_at)}"}
    counts = _step_detail({"done": progress.done, "total": progress.total, "unit": progress.unit})
    return {
        "title": f"Paso {progress.step} de {len(job.steps)}: {counts}".rstrip(": "),
        "done": progress.done,
        "total": progress.total,
        "percent": f"{_percent(progress)} %" if progress.total else "",
        "note": _pace(job, progress, now),
    }


def _pace(job: Job, progress: JobProgress, now: datetime) -> str:
    begun = (
        f"Empezó a las {write_clock(job.started_at)}; lleva {span_words(now - job.started_at)}."
    )
    mark = progress.steps.get(str(progress.step))
    if not mark or not 0 < progress.done < progress.total:
        return begun
    spent = now - datetime.fromisoformat(mark["since"])
    left = spent * (progress.total - progress.done) // progress.done
    return f"{begun} A este paso, faltan unos {span_words(left)}."


def _events(job: Job) -> list[dict[str, str]]:
    """All that happened to it, as often as it was begun: out of the history of its row, which
    nothing wipes.
    """
    rows = list(job.events.select_related("pgh_context").order_by("pgh_id"))
    people = _people(rows)
    asked = f"{job.requested_by} lo pidió."
    told = [{"when": write_datetime(job.requested_at), "sentence": asked}]
    for before, after in pairwise(rows):
        told += [
            {"when": write_datetime(when), "sentence": sentence}
            for when, sentence in _happened(before, after, people)
        ]
    return told


def _people(rows: Sequence[Any]) -> dict[int, User]:
    wanted = {row.stop_asked_by_id for row in rows} | {_actor(row) for row in rows}
    return User.objects.in_bulk([pk for pk in wanted if pk])


def _actor(row: Any) -> int | None:
    return row.pgh_context.metadata.get("user") if row.pgh_context else None


def _happened(
    before: Any, after: Any, people: Mapping[int, User]
) -> Iterator[tuple[datetime, str]]:
    """What one change of its row tells, in the order in which it can have happened."""
    if after.stop_asked_by_id and not before.stop_asked_by_id:
        who = people[after.stop_asked_by_id]
        yield after.pgh_created_at, f"{who} lo mandó detener."
    if before.ended_at and after.state == JobState.QUEUED:
        who = people.get(_actor(after) or 0)
        yield after.pgh_created_at, f"{who} lo volvió a empezar." if who else "Volvió a la cola."
    if after.started_at and after.started_at != before.started_at:
        again = " de nuevo" if before.started_at else ""
        yield after.started_at, f"Empezó el proceso{again}."
    if after.ended_at and after.ended_at != before.ended_at:
        yield after.ended_at, _ended(after)


def _ended(row: Any) -> str:
    """How it ended; of an error, its words too: the next start wipes them from the job."""
    if row.state == JobState.FAILED:
        return f"Terminó con error: {row.message}"
    return ENDINGS.get(row.state, f"Terminó: {row.get_state_display().lower()}.")
