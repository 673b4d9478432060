"""The second job on a file: load the confirmed rows, checked against what is known now."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from offerings.enums import ImportMode, ImportState, RowChoice, RowOutcome
from offerings.models import AcceptanceImport, ImportRow, Stage
from offerings.selectors.programmes import stage_terms
from offerings.services.changes import Cause
from offerings.services.imports.columns import columns_of
from offerings.services.imports.loading import READING, UPDATE_CHUNK, Report, acceptances_save
from offerings.services.imports.opening import import_held, stage_held
from offerings.services.imports.reading import (
    Difference,
    RowGiven,
    columns_match,
    sheet_read,
)
from offerings.services.imports.review import (
    import_refuse,
    import_review,
    row_outcome,
    rows_of,
)
from offerings.services.imports.settling import Settled, rows_settle
from offerings.services.stages import stage_check
from office.decisions import decision_record
from office.files import file_read
from office.numbers import write_quantity
from office.refusals import Refused

_CHANGED = (
    "No se cargó nada: desde la revisión cambió algo de lo que el archivo dice. Se revisó de "
    "nuevo; mire los mensajes y confirme otra vez."
)


class ReviewAgain(Exception):
    """What was confirmed cannot be loaded any more as it was."""


def import_load(*, import_id: int, report: Report) -> bool:
    """Load the confirmed rows in one transaction; False where that was done before.

    Where what is known has changed so that nothing, or not all of it, can be loaded, nothing is
    saved and the file is reviewed again. Raises Refused where another person registered the same
    buyer at this very moment: nothing was saved and it can be run again.
    """
    sources = AcceptanceImport.objects.select_related("file", "stage__programme", "stage__rules")
    source = sources.get(pk=import_id)
    if source.state != ImportState.CONFIRMED:
        return False
    report(READING)
    sheet = sheet_read(file_read(source.file))
    columns = columns_match(sheet, source.mapping, columns_of(stage_terms(source.stage)))
    assert columns is not None  # the review has asked
    rows = rows_of(sheet, columns, report)
    try:
        return _load(source.pk, rows, report)
    except ReviewAgain:
        return _review_again(source.pk, report)
    except IntegrityError as error:
        raise Refused(
            "Mientras se cargaba el archivo otra persona registró alguno de los mismos datos. No "
            "se guardó nada: vuelva a empezar el proceso."
        ) from error


@transaction.atomic
def _load(import_id: int, rows: list[RowGiven], report: Report) -> bool:
    source = import_held(import_id)
    if source.state != ImportState.CONFIRMED:
        return False
    stage = stage_held(source.stage_id)
    try:
        stage_check(stage)
    except Refused as refusal:
        return import_refuse(source.pk, refusal.message)
    lines = {line.number: line for line in source.lines.all()}
    chosen = [row for row in rows if _is_chosen(lines[row.number])]
    settled = _settled(source, stage, chosen, lines, report)
    faulty = [row for row in chosen if row.faults]
    if not settled.acceptances or (faulty and source.mode == ImportMode.ALL):
        raise ReviewAgain
    assert source.confirmed_by is not None
    cause = Cause(source.confirmed_by, f"al cargar el archivo {source.code}")
    acceptances_save(settled.match.known, settled.acceptances, settled.evaluation, cause)
    _note(source, settled, chosen, lines)
    _record(source, settled)
    return True


def _is_chosen(line: ImportRow) -> bool:
    return line.outcome != RowOutcome.ERROR and line.choice != RowChoice.LEAVE_OUT


def _settled(
    source: AcceptanceImport,
    stage: Stage,
    rows: Sequence[RowGiven],
    lines: dict[int, ImportRow],
    report: Report,
) -> Settled:
    assert source.confirmed_by is not None
    agreed = {
        number: frozenset(Difference(**one) for one in line.differences)
        for number, line in lines.items()
        if line.choice == RowChoice.KEEP
    }
    return rows_settle(source, stage, rows, source.confirmed_by, report, save=True, agreed=agreed)


def _note(
    source: AcceptanceImport,
    settled: Settled,
    rows: Sequence[RowGiven],
    lines: dict[int, ImportRow],
) -> None:
    """What came of each row, in as many queries for ten rows as for ten thousand."""
    loaded = [acceptance.source_row for acceptance in settled.acceptances]
    source.lines.filter(number__in=loaded).update(outcome=RowOutcome.LOADED)
    changed = []
    for row in rows:
        line, outcome = lines[row.number], row_outcome(row)
        if outcome != line.outcome:
            line.outcome, line.messages = outcome, row.messages()
            changed.append(line)
    ImportRow.objects.bulk_update(changed, ["outcome", "messages"], batch_size=UPDATE_CHUNK)
    source.state, source.loaded = ImportState.LOADED, len(loaded)
    source.save(update_fields=["state", "loaded"])


def _record(source: AcceptanceImport, settled: Settled) -> None:
    assert source.confirmed_by is not None
    first, last = settled.acceptances[0], settled.acceptances[-1]
    count = len(settled.acceptances)
    said = "una aceptación" if count == 1 else f"{write_quantity(count)} aceptaciones"
    decision_record(
        act="import_load",
        sentence=f"Registró {said} del archivo {source.code}, de {first.code} a {last.code}.",
        article=", ".join(first.ruling.get("cites", [])[:2]),
        actor=source.confirmed_by,
        subject=source,
        data={
            "rows": count,
            "sha256": source.sha256,
            "first_serial": first.serial,
            "last_serial": last.serial,
        },
    )


@transaction.atomic
def _review_again(import_id: int, report: Report) -> bool:
    AcceptanceImport.objects.filter(pk=import_id, state=ImportState.CONFIRMED).update(
        state=ImportState.UPLOADED
    )
    import_review(import_id=import_id, report=report)
    AcceptanceImport.objects.filter(pk=import_id).update(problems=[_CHANGED])
    return True
