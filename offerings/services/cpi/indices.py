"""The index of one month: entered, corrected with a reason, withdrawn."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from offerings.enums import FigureState
from offerings.models import CpiBase, CpiIndex
from offerings.selectors.cpi import indices_in_force
from offerings.services.cpi.bases import (
    base_held,
    base_made,
    base_put_in_use,
    check_month_over,
    may_enter,
)
from offerings.services.cpi.months import base_words
from offerings.services.cpi.plausible import series_problem
from office.dates import write_month
from office.decisions import decision_record
from office.models import User
from office.numbers import write_index
from office.refusals import Refused


@dataclass(frozen=True)
class IndexEntry:
    """The index of a month as it is entered. `base`: the month in which it is 100."""

    month: date
    value: Decimal
    base: date
    source: str


@transaction.atomic
def cpi_record(*, user: User, entry: IndexEntry, submission_key: UUID) -> CpiIndex:
    """Enter the index of a month that has none, in the base in use; the first one of all chooses
    the base. The same submission again gives the first one's index. Raises Refused.
    """
    may_enter(user)
    base = base_held()
    known = CpiIndex.objects.filter(submission_key=submission_key).first()
    if known:
        return known
    check_month_over(entry.month, "month")
    base = base or _first_base(entry.base, user)
    _check_base(base, entry.base)
    loaded = indices_in_force(base)
    if entry.month in loaded:
        there = loaded[entry.month]
        raise Refused(
            f"El IPC de {write_month(entry.month)} ya está cargado: {write_index(there.value)} "
            f"({there.source}). Si está mal, corríjalo en su página.",
            "month",
        )
    _check_value(entry.month, entry.value, base, loaded)
    index = CpiIndex(
        base=base,
        month=entry.month,
        value=entry.value,
        source=entry.source,
        submission_key=submission_key,
        recorded_by=user,
    )
    _save(index)
    decision_record(
        act="cpi_record",
        sentence=f"Ingresó el IPC de {write_month(index.month)}: {write_index(index.value)}, "
        f"en la base {base}.",
        actor=user,
        subject=index,
        data={"value": str(index.value), "base": str(base.month)},
    )
    return index


def _first_base(month: date, user: User) -> CpiBase:
    base = base_made(month, user)
    base_put_in_use(base)
    return base


@transaction.atomic
def cpi_correct(
    *,
    index_id: int,
    user: User,
    value: Decimal,
    source: str,
    reason: str,
    submission_key: UUID,
) -> CpiIndex:
    """Put another value in the place of one that was entered wrong; what was there stays, with
    who corrected it, when and why. Settled quotes keep theirs. Raises Refused.
    """
    may_enter(user)
    base_held()
    known = CpiIndex.objects.filter(submission_key=submission_key).first()
    if known:
        return known
    before = _index_held(index_id)
    if before.value == value and before.source == source:
        raise Refused("Es el mismo valor, de la misma fuente: no hay nada que corregir.", "value")
    loaded = indices_in_force(before.base)
    del loaded[before.month]
    _check_value(before.month, value, before.base, loaded)
    _close(before, FigureState.CORRECTED, reason, user)
    index = CpiIndex(
        base=before.base,
        month=before.month,
        value=value,
        source=source,
        corrects=before,
        submission_key=submission_key,
        recorded_by=user,
    )
    _save(index)
    decision_record(
        act="cpi_correct",
        sentence=f"Corrigió el IPC de {write_month(index.month)}: de "
        f"{write_index(before.value)} a {write_index(value)}.",
        actor=user,
        subject=index,
        reason=reason,
        data={"before": str(before.value), "value": str(value)},
    )
    return index


@transaction.atomic
def cpi_withdraw(*, index_id: int, user: User, reason: str) -> CpiIndex:
    """Take an index out of use without another in its place; withdrawn already, it is left as it
    is. What needs that month stops until it is loaded. Raises Refused.
    """
    may_enter(user)
    base_held()
    index = CpiIndex.objects.select_for_update(of=("self",)).get(pk=index_id)
    if index.state == FigureState.WITHDRAWN:
        return index
    index = _index_held(index_id)
    _close(index, FigureState.WITHDRAWN, reason, user)
    decision_record(
        act="cpi_withdraw",
        sentence=f"Retiró el IPC de {write_month(index.month)}: {write_index(index.value)}.",
        actor=user,
        subject=index,
        reason=reason,
        data={"before": str(index.value)},
    )
    return index


def _index_held(pk: int) -> CpiIndex:
    rows = CpiIndex.objects.select_for_update(of=("self",)).select_related("base")
    index = rows.get(pk=pk)
    if index.state != FigureState.IN_FORCE:
        raise Refused(
            f"Ese valor del IPC de {write_month(index.month)} ya no está vigente: vea el que lo "
            "reemplazó."
        )
    return index


def _check_base(base: CpiBase, given: date) -> None:
    if base.month != given:
        raise Refused(
            f"La base en uso es {base}. Un índice suelto en la base {base_words(given)} la "
            "mezclaría con otra: cargue por archivo la serie completa en la nueva base.",
            "base",
        )


def _check_value(month: date, value: Decimal, base: CpiBase, loaded: dict[date, CpiIndex]) -> None:
    known = {other: row.value for other, row in loaded.items()}
    problem = series_problem({month: value}, base.month, known)
    if problem:
        raise Refused(problem, "value")


def _close(index: CpiIndex, state: FigureState, reason: str, user: User) -> None:
    if not reason.strip():
        raise Refused("Escriba el motivo.", "reason")
    index.state, index.closed_by, index.closed_at = state, user, timezone.now()
    index.closed_reason = reason.strip()
    index.full_clean()
    index.save()


def _save(index: CpiIndex) -> None:
    index.full_clean()
    try:
        with transaction.atomic():
            index.save()
    except IntegrityError as error:
        raise Refused(
            f"Otra persona cargó el IPC de {write_month(index.month)} hace un instante: revise la "
            "tabla.",
            "month",
        ) from error
