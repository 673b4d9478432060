"""What a person decides about a reviewed file: its differences, and that it be loaded."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from offerings.enums import ImportMode, ImportState, RowChoice, RowOutcome
from offerings.models import AcceptanceImport, ImportRow
from offerings.selectors.imports import ImportCounts, import_counts
from offerings.services.imports.opening import import_held, may_prepare
from offerings.services.stages import stage_check
from office.decisions import decision_record
from office.jobs import job_open
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused

LOAD_TASK = "offerings.tasks.imports.import_load_task"
LOAD_STEPS = [
    "Leer el archivo",
    "Comprobar de nuevo",
    "Guardar compradores y documentos",
    "Aplicar los límites y guardar",
]


@transaction.atomic
def import_decide(
    *, import_id: int, choice: str, numbers: Collection[int] | None, user: User
) -> int:
    """Keep what the register says, or leave the row out, for the rows of those numbers or, with
    None, for all that differ from it; returns how many they are."""
    may_prepare(user)
    source = import_held(import_id)
    if source.state != ImportState.REVIEWED:
        raise Refused(f"{source.code} ya no espera decisiones: {source.get_state_display()}.")
    if choice not in RowChoice.values:
        raise Refused("Elija si se conserva lo que consta o si la fila queda fuera.")
    lines = _differing(source)
    if numbers is not None:
        lines = lines.filter(number__in=numbers)
    decided = list(lines.exclude(choice=choice).values_list("number", flat=True))
    lines.update(choice=choice)
    if decided:
        _record_choice(source, RowChoice(choice), decided, user)
    return len(decided)


def _differing(source: AcceptanceImport) -> QuerySet[ImportRow]:
    return source.lines.filter(outcome=RowOutcome.READY).exclude(differences=[])


def _record_choice(
    source: AcceptanceImport, choice: RowChoice, numbers: list[int], user: User
) -> None:
    decision_record(
        act="import_decide",
        sentence=f"Decidió sobre {_rows(len(numbers))} de {source.code}, que no coinciden con el "
        f"registro: {choice.label.lower()}.",
        actor=user,
        subject=source,
        data={"choice": choice.value, "rows": numbers},
    )


@transaction.atomic
def import_confirm(*, import_id: int, mode: str, user: User) -> AcceptanceImport:
    """Have a reviewed file loaded, all of it or the rows without errors; the caller enqueues the
    job. Confirmed already, it is left as it is. Raises Refused."""
    may_prepare(user)
    source = import_held(import_id)
    if source.state in {ImportState.CONFIRMED, ImportState.LOADED}:
        return source
    if source.state != ImportState.REVIEWED:
        raise Refused(f"{source.code} no se puede cargar: {source.get_state_display()}.")
    stage_check(source.stage)
    _check_mode(mode, import_counts(source))
    source.state, source.mode, source.confirmed_by = ImportState.CONFIRMED, mode, user
    source.problems = []
    source.job = job_open(
        kind="import",
        title=f"Carga de aceptaciones {source.code}",
        context=str(source.stage),
        task=LOAD_TASK,
        arguments={"import": source.pk},
        steps=LOAD_STEPS,
        user=user,
    )
    source.save()
    decision_record(
        act="import_confirm",
        sentence=f"Confirmó la carga de {source.code}: {source.get_mode_display().lower()}.",
        actor=user,
        subject=source,
        data={"mode": mode, "sha256": source.sha256},
    )
    return source


def _check_mode(mode: str, counts: ImportCounts) -> None:
    if mode not in ImportMode.values:
        raise Refused("Elija cómo se carga el archivo.")
    if counts.undecided:
        raise Refused(
            f"Decida primero qué hacer con {_rows(counts.undecided)} que dicen otra cosa que el "
            "registro."
        )
    if not counts.ready:
        raise Refused("No hay filas nuevas que cargar.")
    if mode == ImportMode.ALL and (counts.errors or counts.left_out):
        raise Refused(
            f"Hay {_rows(counts.errors + counts.left_out)} que no se cargan: no se puede cargar "
            "todas o ninguna. Cargue las filas sin errores, o corrija el archivo."
        )


def _rows(count: int) -> str:
    return "1 fila" if count == 1 else f"{write_quantity(count)} filas"
