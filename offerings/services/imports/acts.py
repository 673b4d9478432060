"""A file of acceptances: taken in, read and checked as a whole, loaded whole or refused."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction

from offerings.enums import ImportState
from offerings.models import Acceptance, AcceptanceImport, Stage
from offerings.services.acceptances import stage_check
from offerings.services.imports.known import known_of
from offerings.services.imports.loading import REPORT_EVERY, acceptances_save, buyers_save
from offerings.services.imports.matching import Match, rows_match
from offerings.services.imports.reading import (
    MAX_BYTES,
    MAX_MEGABYTES,
    Fault,
    RowGiven,
    rows_read,
    sheet_read,
    sheet_words,
)
from office.decisions import decision_record
from office.files import file_read, file_store
from office.jobs import job_open
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability
from office.spreadsheets import Sheet, SpreadsheetError

TASK = "offerings.tasks.imports.import_run_task"
STEPS = ["Leer el archivo", "Comprobar cada fila", "Guardar", "Aplicar los límites"]
MAX_FAULTY_ROWS = 5_000  # of one file: beyond it the rest is not kept, and the page says so

Report = Callable[..., None]


class AlreadyUploaded(Refused):
    """The same bytes came before for this stage: `first` is that import."""

    def __init__(self, first: AcceptanceImport) -> None:
        if first.state == ImportState.LOADED:
            said = f"sus {write_quantity(first.rows)} aceptaciones ya están registradas"
        else:
            said = "está en proceso"
        super().__init__(
            f"Este archivo ya se subió con el número {first.code} y {said}: 0 nuevas.", "file"
        )
        self.first = first


class FileRefused(Exception):
    """The file is not loaded: the faults of its rows, as they are stored."""

    def __init__(self, errors: list[dict[str, Any]], rows: int = 0, read_as: str = "") -> None:
        super().__init__()
        self.errors, self.rows, self.read_as = errors, rows, read_as


@transaction.atomic
def import_open(*, stage: Stage, data: bytes, name: str, user: User) -> AcceptanceImport:
    """Keep a file of acceptances for an open stage, with the job that will load it; the caller
    enqueues the job. Raises Refused, or AlreadyUploaded with the import of the same bytes."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo analistas y supervisores cargan archivos de aceptaciones.")
    if not data:
        raise Refused("El archivo está vacío. Elija el archivo de nuevo.", "file")
    if len(data) > MAX_BYTES:
        raise Refused(f"El archivo pesa más de {MAX_MEGABYTES} MB. Divídalo en varios.", "file")
    stage = _stage_locked(stage.pk)
    stage_check(stage)
    digest = hashlib.sha256(data).hexdigest()
    first = stage.imports.filter(sha256=digest).exclude(state=ImportState.REFUSED).first()
    if first is not None:
        raise AlreadyUploaded(first)
    return _open(stage, data, name, user)


def _stage_locked(pk: int) -> Stage:
    stages = Stage.objects.select_for_update(of=("self",)).select_related("programme", "rules")
    return stages.get(pk=pk)


def _open(stage: Stage, data: bytes, name: str, user: User) -> AcceptanceImport:
    stored = file_store(data=data, name=name, content_type="text/csv", user=user)
    opened = AcceptanceImport(stage=stage, file=stored, sha256=stored.sha256, uploaded_by=user)
    opened.full_clean(exclude=["job"])
    opened.save()
    opened.job = job_open(
        kind="import",
        title=f"Importación de aceptaciones {opened.code}",
        context=str(stage),
        task=TASK,
        arguments={"import": opened.pk},
        steps=STEPS,
        user=user,
    )
    opened.save(update_fields=["job"])
    decision_record(
        act="import_open",
        sentence=f"Subió el archivo {opened.code} de aceptaciones.",
        actor=user,
        subject=opened,
        data={"sha256": opened.sha256, "bytes": stored.size},
    )
    return opened


def import_run(*, import_id: int, report: Report) -> bool:
    """Load the file whole, or refuse it with every fault; False where that was done before.

    `report(step, done, total, unit)` tells how far it is. Raises Refused where another person
    registered the same buyer in the meantime: nothing was saved and it can be run again.
    """
    source = AcceptanceImport.objects.select_related("file", "uploaded_by").get(pk=import_id)
    if source.state != ImportState.UPLOADED:
        return False
    try:
        return _load(source, report)
    except FileRefused as refusal:
        return _refuse(source, refusal)
    except IntegrityError as error:
        raise Refused(
            "Mientras se cargaba el archivo otra persona registró alguno de los mismos datos. No "
            "se guardó nada: vuelva a empezar el proceso."
        ) from error


def _load(source: AcceptanceImport, report: Report) -> bool:
    report(1)
    sheet = _sheet(source)
    rows = _rows(sheet, report)
    with transaction.atomic():
        source = _import_locked(source.pk)
        if source.state != ImportState.UPLOADED:
            return False
        acceptances = _save(source, sheet, rows, report)
        _record_loaded(source, sheet, acceptances)
    return True


def _sheet(source: AcceptanceImport) -> Sheet:
    try:
        return sheet_read(file_read(source.file))
    except SpreadsheetError as error:
        raise FileRefused([_of_the_file(str(error))]) from error


def _rows(sheet: Sheet, report: Report) -> list[RowGiven]:
    rows = []
    for done, row in enumerate(rows_read(sheet)):
        if done % REPORT_EVERY == 0:
            report(2, done, len(sheet.rows), "filas")
        rows.append(row)
    return rows


def _save(
    source: AcceptanceImport, sheet: Sheet, rows: list[RowGiven], report: Report
) -> list[Acceptance]:
    stage = _stage_locked(source.stage_id)
    try:
        stage_check(stage)
    except Refused as refusal:
        raise _refused([_of_the_file(refusal.message)], sheet) from refusal
    known = known_of(stage, (row.identity for row in rows if row.identity))
    match = Match(known, source, source.uploaded_by)
    rows_match(match, rows)
    _check_faults(rows, sheet)
    cases = [case for case in known.cases.values() if case.new]
    buyers_save(cases, report)
    gaps = acceptances_save(known, cases, match.acceptances, report)
    by_number = {row.number: row for row in rows}
    for acceptance, gap in gaps:
        assert acceptance.source_row is not None
        by_number[acceptance.source_row].fault("clase", gap.message)
    _check_faults(rows, sheet)
    return match.acceptances


def _check_faults(rows: list[RowGiven], sheet: Sheet) -> None:
    faulty = [row for row in rows if row.faults]
    if not faulty:
        return
    errors = [row.as_data() for row in faulty[:MAX_FAULTY_ROWS]]
    if len(faulty) > MAX_FAULTY_ROWS:
        more = write_quantity(len(faulty) - MAX_FAULTY_ROWS)
        errors.insert(0, _of_the_file(f"Otras {more} filas también tienen errores."))
    raise _refused(errors, sheet)


def _refused(errors: list[dict[str, Any]], sheet: Sheet) -> FileRefused:
    return FileRefused(errors, len(sheet.rows), sheet_words(sheet))


def _of_the_file(message: str) -> dict[str, Any]:
    """A fault of the whole file, stored beside those of its rows."""
    return RowGiven(0, {}, faults=[Fault("", message)]).as_data()


def _import_locked(pk: int) -> AcceptanceImport:
    imports = AcceptanceImport.objects.select_for_update(of=("self",))
    return imports.select_related("uploaded_by").get(pk=pk)


def _record_loaded(source: AcceptanceImport, sheet: Sheet, acceptances: list[Acceptance]) -> None:
    source.state, source.rows = ImportState.LOADED, len(acceptances)
    source.read_as, source.errors = sheet_words(sheet), []
    source.save(update_fields=["state", "rows", "read_as", "errors"])
    first, last = acceptances[0], acceptances[-1]
    decision_record(
        act="import_load",
        sentence=f"Registró las {write_quantity(len(acceptances))} aceptaciones del archivo "
        f"{source.code}, de {first.code} a {last.code}.",
        article=", ".join(first.ruling.get("cites", [])[:2]),
        actor=source.uploaded_by,
        subject=source,
        data={
            "rows": len(acceptances),
            "sha256": source.sha256,
            "first_serial": first.serial,
            "last_serial": last.serial,
        },
    )


@transaction.atomic
def _refuse(source: AcceptanceImport, refusal: FileRefused) -> bool:
    source = _import_locked(source.pk)
    if source.state != ImportState.UPLOADED:
        return False
    source.state, source.errors = ImportState.REFUSED, refusal.errors
    source.rows, source.read_as = refusal.rows, refusal.read_as
    source.save(update_fields=["state", "rows", "read_as", "errors"])
    decision_record(
        act="import_refuse",
        sentence=f"Subió {source.code} con errores: no se guardó nada del archivo.",
        actor=source.uploaded_by,
        subject=source,
        data={"rows": refusal.rows, "sha256": source.sha256, "faulty": len(refusal.errors)},
    )
    return True
