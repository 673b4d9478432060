"""What happened to an object, in the words of the decision log."""

from collections.abc import Iterable

from django.db.models import Model

from office.dates import bogota_day, write_date, write_datetime
from office.decisions import decisions_on


def timeline(subjects: Iterable[Model]) -> list[dict[str, str]]:
    """The acts on `subjects`, oldest first, as the partial `timeline.html` shows them."""
    return [
        {
            "when": _when(decision),
            "sentence": _told(decision),
            "article": decision.article,
            "reason": decision.reason,
        }
        for decision in decisions_on(subjects)
    ]


def _told(decision) -> str:
    """The sentence with who did it: «Recibió $1,00.» becomes «Irene Ejemplo recibió $1,00.»; the
    stop comes after the article, where there is one."""
    sentence = decision.sentence
    told = f"{decision.actor} {sentence[:1].lower()}{sentence[1:]}"
    return told.removesuffix(".") if decision.article else told


def _when(decision) -> str:
    """The moment of recording, and the legal day where it is another."""
    recorded = write_datetime(decision.recorded_at)
    legal = bogota_day(decision.legal_at)
    if legal == bogota_day(decision.recorded_at):
        return recorded
    return f"{write_date(legal)} · registrado {recorded}"
