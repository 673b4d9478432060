"""A file of the index: read and shown first, loaded once somebody has confirmed it."""

import hashlib
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from offerings.enums import CpiLayout, CpiOutcome, ImportState
from offerings.models import CpiBase, CpiImport, CpiIndex
from offerings.models.imports import WAITING
from offerings.selectors.cpi import indices_in_force, month_after
from offerings.services.cpi.bases import base_held, base_made, base_put_in_use, may_enter
from offerings.services.cpi.grids import MAX_BYTES, MAX_MEGABYTES, grids_of
from offerings.services.cpi.layouts import NOT_A_SERIES, Understood, series_read
from offerings.services.cpi.months import base_words
from offerings.services.cpi.plausible import series_problem
from offerings.services.imports.opening import CSV, XLSX
from office.dates import bogota_day, write_month
from office.decisions import decision_record
from office.files import file_store
from office.models import User
from office.numbers import write_count, write_index
from office.refusals import Refused
from office.spreadsheets import SpreadsheetError
from office.workbooks import MAGIC

# A file of which more than half of the months that are loaded already differ is of another base.
HALF = 2
FEWEST_TO_TELL = 3


class CpiFileAlreadyUploaded(Refused):
    """The same bytes came before in the same base: `first` is that file."""

    def __init__(self, first: CpiImport) -> None:
        if first.state == ImportState.LOADED:
            said = "sus meses ya están cargados"
        else:
            said = "espera que alguien lo confirme"
        super().__init__(
            f"Este archivo ya se subió con el número {first.code} y {said}: 0 nuevos.", "file"
        )
        self.first = first


@transaction.atomic
def cpi_import_open(
    *, data: bytes, name: str, base_month: date, source: str, user: User
) -> CpiImport:
    """Keep a file of the index in the base whose month is `base_month`, with all that was
    understood of it; nothing is loaded. Raises Refused, or CpiFileAlreadyUploaded.

    What cannot be one series of the index is kept too, refused, with why.
    """
    may_enter(user)
    if not data:
        raise Refused("El archivo está vacío. Elija el archivo de nuevo.", "file")
    if len(data) > MAX_BYTES:
        raise Refused(f"El archivo pesa más de {MAX_MEGABYTES} MB: no es una serie.", "file")
    in_use = base_held()
    first = _same_file(hashlib.sha256(data).hexdigest(), base_month)
    if first is not None:
        raise CpiFileAlreadyUploaded(first)
    kind = XLSX if data.startswith(MAGIC) else CSV
    stored = file_store(data=data, name=name, content_type=kind, user=user)
    opened = CpiImport(
        file=stored,
        sha256=stored.sha256,
        source=source,
        base_month=base_month,
        uploaded_by=user,
    )
    _review(opened, data, in_use)
    opened.full_clean()
    opened.save()
    _record_opened(opened, user)
    return opened


def _same_file(digest: str, base_month: date) -> CpiImport | None:
    """The file of the same bytes that waits, or whose every month is loaded and in force."""
    for one in CpiImport.objects.filter(sha256=digest, base_month=base_month):
        if one.state in WAITING or (one.state == ImportState.LOADED and _is_whole(one)):
            return one
    return None


def _is_whole(source: CpiImport) -> bool:
    base = CpiBase.objects.filter(month=source.base_month, in_force=True).first()
    loaded = indices_in_force(base)
    return all(
        month in loaded and loaded[month].value == value
        for month, value in months_given(source).items()
    )


def months_given(source: CpiImport) -> dict[date, Decimal]:
    """The value of each month that was understood of a file."""
    return {date.fromisoformat(one["month"]): Decimal(one["value"]) for one in source.months}


def _review(opened: CpiImport, data: bytes, in_use: CpiBase | None) -> None:
    """Note what was understood of the file, and what is wrong with it."""
    try:
        understood = series_read(grids_of(data))
    except SpreadsheetError as error:
        understood, problems = None, [str(error)]
    else:
        problems = [NOT_A_SERIES] if understood is None else []
    if understood is not None:
        opened.layout, opened.read_as = understood.layout, _read_as(understood)
        problems = _problems(opened, understood, in_use)
    if problems or understood is None:
        opened.state, opened.problems = ImportState.REFUSED, problems
        return
    opened.changes_base = in_use is not None and in_use.month != opened.base_month
    opened.months = _months(understood, _loaded(opened.base_month))


def _read_as(understood: Understood) -> str:
    return f"{understood.read_as}; {CpiLayout(understood.layout).label.lower()}"


def _loaded(base_month: date | None) -> dict[date, CpiIndex]:
    return indices_in_force(CpiBase.objects.filter(month=base_month).first())


def _problems(opened: CpiImport, understood: Understood, in_use: CpiBase | None) -> list[str]:
    """All that keeps the file from being loaded; empty where nothing does."""
    assert opened.base_month is not None
    told = _base_problem(understood, opened.base_month)
    problems = [told] if told else []
    problems += understood.problems
    if problems:
        return problems
    values = understood.values
    if not values:
        return ["No hay ningún índice en el archivo. Revise cuál es y súbalo."]
    to_come = [m for m in sorted(values) if month_after(m) > bogota_day(timezone.now())]
    if to_come:
        return [f"El mes {write_month(to_come[0])} no ha terminado y el archivo trae su índice."]
    loaded = {month: row.value for month, row in _loaded(opened.base_month).items()}
    shape = series_problem(values, opened.base_month)
    others = {month: value for month, value in loaded.items() if month not in values}
    joined = _other_series(values, loaded) or series_problem(values, opened.base_month, others)
    lacking = _lacking(values, opened.base_month, in_use)
    return [one for one in (shape or joined, lacking) if one]


def _base_problem(understood: Understood, given: date) -> str:
    if len(understood.bases) > 1:
        named = "; ".join(base_words(base) for base in sorted(understood.bases))
        return (
            f"El archivo nombra varias bases ({named}): cargue la serie completa en una sola base."
        )
    named_one = next(iter(understood.bases), given)
    if named_one != given:
        return (
            f"El título del archivo dice que su base es {base_words(named_one)}, y usted escribió "
            f"{base_words(given)}. Compruebe cuál es."
        )
    return ""


def _other_series(values: dict[date, Decimal], loaded: dict[date, Decimal]) -> str:
    shared = [month for month in sorted(values) if month in loaded]
    differing = [month for month in shared if values[month] != loaded[month]]
    if len(differing) < FEWEST_TO_TELL or len(differing) * HALF <= len(shared):
        return ""
    first = differing[0]
    return (
        f"De los {len(shared)} meses que ya están cargados difieren {len(differing)} (en "
        f"{write_month(first)} está {write_index(loaded[first])} y el archivo dice "
        f"{write_index(values[first])}): parece otra base u otra serie."
    )


def _lacking(values: dict[date, Decimal], given: date, in_use: CpiBase | None) -> str:
    """Another base is taken in whole, or not at all: no calculation may lose a month by it."""
    if in_use is None or in_use.month == given:
        return ""
    known = indices_in_force(in_use)
    lost = [month for month in sorted(known) if month not in values]
    if not lost:
        return ""
    return (
        f"La base en uso es {in_use}. Para cambiarla, el archivo debe traer la serie completa en "
        f"la nueva base: le faltan {write_count(len(lost), 'mes', 'meses')} de los que están "
        f"cargados, desde {write_month(lost[0])}. Dos bases no se mezclan."
    )


def _months(understood: Understood, loaded: dict[date, CpiIndex]) -> list[dict[str, Any]]:
    return [_month(understood, month, loaded.get(month)) for month in sorted(understood.values)]


def _month(understood: Understood, month: date, known: CpiIndex | None) -> dict[str, Any]:
    value = understood.values[month]
    outcome = CpiOutcome.NEW
    if known is not None:
        outcome = CpiOutcome.ALREADY if known.value == value else CpiOutcome.DIFFERS
    return {
        "month": month.isoformat(),
        "value": str(value),
        "at": understood.places[month],
        "rounded": month in understood.rounded,
        "outcome": str(outcome),
        "known": str(known.value) if known else "",
    }


def _record_opened(opened: CpiImport, user: User) -> None:
    said = write_count(len(opened.months), "mes", "meses")
    refused = opened.state == ImportState.REFUSED
    decision_record(
        act="cpi_import_refuse" if refused else "cpi_import_open",
        sentence=f"Subió el archivo del IPC {opened.code}: "
        + ("no se puede cargar." if refused else f"se leyeron {said}; aún no se carga nada."),
        actor=user,
        subject=opened,
        data={"sha256": opened.sha256, "months": len(opened.months)},
    )


@transaction.atomic
def cpi_import_confirm(*, import_id: int, user: User) -> CpiImport:
    """Load the new months of a file that was read, in one transaction; loaded already, it is left
    as it is. What differs from a loaded value is left out. Raises Refused.
    """
    may_enter(user)
    in_use = base_held()
    source = _held(import_id)
    if source.state == ImportState.LOADED:
        return source
    if source.state != ImportState.REVIEWED:
        raise Refused(f"{source.code} no se puede cargar: {source.get_state_display()}.")
    new = _new_months(source, in_use)
    assert source.base_month is not None
    base = base_made(source.base_month, user)
    _save(source, base, new, user)
    if in_use is None or source.changes_base:
        base_put_in_use(base)
    source.state, source.loaded, source.confirmed_by = ImportState.LOADED, len(new), user
    source.save()
    _record_loaded(source, base, in_use, user)
    return source


def _save(source: CpiImport, base: CpiBase, new: dict[date, Decimal], user: User) -> None:
    rows = [
        CpiIndex(
            base=base,
            month=month,
            value=value,
            source=source.source,
            loaded_with=source,
            recorded_by=user,
        )
        for month, value in new.items()
    ]
    try:
        with transaction.atomic():
            CpiIndex.objects.bulk_create(rows)
    except IntegrityError as error:
        raise Refused(
            "Otra persona cargó alguno de esos meses hace un instante: descarte el archivo y "
            "súbalo de nuevo."
        ) from error


def _new_months(source: CpiImport, in_use: CpiBase | None) -> dict[date, Decimal]:
    """The months to load, the file looked at again against what is loaded now."""
    given = months_given(source)
    loaded = {month: row.value for month, row in _loaded(source.base_month).items()}
    known = {one["month"]: one["known"] for one in source.months}
    changes_base = in_use is not None and in_use.month != source.base_month
    moved = changes_base != source.changes_base or any(
        known[month.isoformat()] != (str(loaded[month]) if month in loaded else "")
        for month in given
    )
    assert source.base_month is not None
    problem = _lacking(given, source.base_month, in_use) or series_problem(
        {month: value for month, value in given.items() if month not in loaded},
        source.base_month,
        loaded,
    )
    if moved or problem:
        raise Refused(
            problem
            or "Lo que está cargado cambió desde que se leyó el archivo: descártelo y "
            "súbalo de nuevo."
        )
    new = {month: value for month, value in given.items() if month not in loaded}
    if not new and not changes_base:
        raise Refused("No hay meses nuevos que cargar: 0 nuevos.")
    return new


def _record_loaded(source: CpiImport, base: CpiBase, in_use: CpiBase | None, user: User) -> None:
    said = write_count(source.loaded, "mes", "meses")
    changed = f" Desde ahora los cálculos usan la base {base}." if source.changes_base else ""
    decision_record(
        act="cpi_import_confirm",
        sentence=f"Cargó {said} del IPC del archivo {source.code}, en la base {base}.{changed}",
        actor=user,
        subject=source,
        data={
            "rows": source.loaded,
            "sha256": source.sha256,
            "base": str(base.month),
            "base_before": str(in_use.month) if in_use else "",
        },
    )


@transaction.atomic
def cpi_import_discard(*, import_id: int, user: User) -> CpiImport:
    """Set a file aside before it is loaded; set aside already, it is left as it is."""
    may_enter(user)
    source = _held(import_id)
    if source.state == ImportState.DISCARDED:
        return source
    if source.state != ImportState.REVIEWED:
        raise Refused(f"{source.code} ya no se puede descartar: {source.get_state_display()}.")
    source.state = ImportState.DISCARDED
    source.save(update_fields=["state"])
    decision_record(
        act="cpi_import_discard",
        sentence=f"Descartó {source.code}: no se cargó nada del archivo.",
        actor=user,
        subject=source,
        data={"sha256": source.sha256},
    )
    return source


def _held(pk: int) -> CpiImport:
    return CpiImport.objects.select_for_update().get(pk=pk)
