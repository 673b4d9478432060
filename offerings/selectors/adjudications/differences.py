"""How a run differs from the version before it: sums, lines, terms and acceptances."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from offerings.models import Adjudication, Award

FIGURES = (
    ("lines", "Aceptaciones recibidas"),
    ("supply", "Oferta"),
    ("demand", "Demanda completa, tras el límite"),
    ("demand_kept", "Demanda que entra"),
    ("left_over_shares", "Acciones por residuo"),
    ("awarded", "Adjudicado"),
    ("unsold", "Queda para la etapa 2"),
)


@dataclass(frozen=True)
class FigureChange:
    """A figure of two versions; equal ones are shown too."""

    label: str
    before: int
    now: int

    @property
    def change(self) -> int:
        """How much more it is now."""
        return self.now - self.before


@dataclass(frozen=True)
class TermChange:
    """A value of the decree or of the Fund that is not what it was. place: its name in the
    terms; cite: its clause; None where there is no such value."""

    place: str
    cite: str
    before: str | None
    now: str | None


@dataclass(frozen=True)
class Differences:
    """All of it; lines: how many get another quantity; same_session: held on the same day and
    by the same exchange."""

    before: Adjudication
    figures: list[FigureChange]
    lines: int
    terms: list[TermChange]
    same_acceptances: bool
    same_session: bool


def run_before(run: Adjudication) -> Adjudication | None:
    """The version before this one, which was sent back, rejected or annulled."""
    if run.version == 1:
        return None
    return run.stage.adjudications.filter(version=run.version - 1).first()


def run_differences(run: Adjudication, before: Adjudication) -> Differences:
    """What differs between two runs of a stage."""
    return Differences(
        before=before,
        figures=[
            FigureChange(label, int(getattr(before, name)), int(getattr(run, name)))
            for name, label in FIGURES
        ],
        lines=lines_changed(run, before).count(),
        terms=list(_terms_changed(before.terms, run.terms)),
        same_acceptances=before.input_sha256 == run.input_sha256,
        same_session=_session(before) == _session(run),
    )


def _session(run: Adjudication) -> tuple[int | None, date]:
    return run.exchange_id, run.session_on


def lines_changed(run: Adjudication, before: Adjudication) -> QuerySet[Award]:
    """The lines of `run` whose shares are not what they were, each with `was` (None where the
    acceptance was not there), in order of receipt."""
    earlier = Award.objects.filter(adjudication=before, acceptance=OuterRef("acceptance"))
    return (
        run.awards.annotate(was=Subquery(earlier.values("awarded")[:1]))
        .filter(Q(was=None) | ~Q(was=F("awarded")))
        .select_related("acceptance__stage", "acceptance__participation__buyer")
        .order_by("acceptance__received_at", "acceptance__serial")
    )


def _terms_changed(before: Any, now: Any, place: str = "", cite: str = "") -> Iterator[TermChange]:
    if before == now:
        return
    parts = _parts(before), _parts(now)
    if parts[0] is None or parts[1] is None:
        yield TermChange(place, cite, _written(before), _written(now))
        return
    cite = str(parts[1].get("cite") or parts[0].get("cite") or cite)
    for key in [*parts[0], *(key for key in parts[1] if key not in parts[0])]:
        inner = f"{place}.{key}" if place else str(key)
        yield from _terms_changed(parts[0].get(key), parts[1].get(key), inner, cite)


def _parts(data: Any) -> dict[Any, Any] | None:
    """What a value is made of; None for one that is whole."""
    if isinstance(data, dict):
        return data
    return dict(enumerate(data, start=1)) if isinstance(data, list) else None


def _written(value: Any) -> str | None:
    return None if value is None else str(value)
