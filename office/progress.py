"""How a job reads on its page: its steps, how far it is, what happened, in words."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.utils import timezone

from office.dates import write_clock, write_datetime
from office.models import Job, JobProgress, JobState
from office.numbers import write_decimal, write_quantity

SAID_EVERY = 10  # per cent: a screen reader hears of each tenth, not of each request
LITTLE = timedelta(seconds=10)
LONG = timedelta(seconds=120)
# What jobs count, where there is one of it.
ONE = {
    "aceptaciones": "aceptación",
    "certificados": "certificado",
    "compradores": "comprador",
    "filas": "fila",
    "líneas": "línea",
    "pagos": "pago",
    "prendas": "prenda",
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
    return f"Paso {progress.step} de {len(job.steps)}: {tenths} %."


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
    current = progress.step if progress else 0
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
    if job.state == JobState.QUEUED or (job.is_active and progress is None):
        return {"title": "Espera su turno en la cola", "note": "Todavía no ha empezado."}
    if job.state != JobState.RUNNING:
        return None
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
    asked = {"when": write_datetime(job.requested_at), "sentence": f"{job.requested_by} lo pidió."}
    events = [asked]
    if job.started_at:
        events.append({"when": write_datetime(job.started_at), "sentence": "Empezó el proceso."})
    if job.stop_asked_by and not job.ended_at:
        asked = f"{job.stop_asked_by} lo mandó detener: se detiene en su próximo avance."
        events.append({"when": "", "sentence": asked})
    if job.ended_at:
        ended = f"Terminó: {job.get_state_display().lower()}."
        events.append({"when": write_datetime(job.ended_at), "sentence": ended})
    return events
