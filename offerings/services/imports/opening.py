"""A file of acceptances: taken in, its columns told, set aside."""

import hashlib
from collections.abc import Mapping

from django.db import transaction

from offerings.enums import ImportState
from offerings.models import AcceptanceImport, Stage
from offerings.models.imports import WAITING
from offerings.selectors.programmes import stage_terms
from offerings.services.imports.columns import columns_of, mapping_check
from offerings.services.imports.reading import MAX_BYTES, MAX_MEGABYTES
from offerings.services.stages import stage_check
from office.decisions import decision_record
from office.files import file_store
from office.jobs import job_open
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability
from office.workbooks import MAGIC

REVIEW_TASK = "offerings.tasks.imports.import_review_task"
REVIEW_STEPS = [
    "Leer el archivo",
    "Comprobar cada fila",
    "Reconocer a los compradores",
    "Aplicar los límites",
]
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class AlreadyUploaded(Refused):
    """The same bytes came before for this stage: `first` is that import."""

    def __init__(self, first: AcceptanceImport) -> None:
        if first.state == ImportState.LOADED:
            said = f"sus {write_quantity(first.rows)} filas ya están registradas"
        else:
            said = "está en revisión"
        super().__init__(
            f"Este archivo ya se subió con el número {first.code} y {said}: 0 nuevas.", "file"
        )
        self.first = first


@transaction.atomic
def import_open(*, stage: Stage, data: bytes, name: str, user: User) -> AcceptanceImport:
    """Keep a file of acceptances for an open stage, with the job that will review it; the caller
    enqueues the job. Raises Refused, or AlreadyUploaded with the import of the same bytes."""
    may_prepare(user)
    if not data:
        raise Refused("El archivo está vacío. Elija el archivo de nuevo.", "file")
    if len(data) > MAX_BYTES:
        raise Refused(f"El archivo pesa más de {MAX_MEGABYTES} MB. Divídalo en varios.", "file")
    stage = stage_held(stage.pk)
    stage_check(stage)
    first = _same_file(stage, hashlib.sha256(data).hexdigest())
    if first is not None:
        raise AlreadyUploaded(first)
    return _open(stage, data, name, user)


def may_prepare(user: User) -> None:
    """Refuse who neither uploads nor decides on files."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo analistas y supervisores cargan archivos de aceptaciones.")


def stage_held(pk: int) -> Stage:
    """The stage with its row held, so that its numbers are given by one person at a time."""
    stages = Stage.objects.select_for_update(of=("self",)).select_related("programme", "rules")
    return stages.get(pk=pk)


def import_held(pk: int) -> AcceptanceImport:
    """The import with its row held."""
    imports = AcceptanceImport.objects.select_for_update(of=("self",))
    return imports.select_related("file", "stage", "uploaded_by", "confirmed_by", "job").get(pk=pk)


def _same_file(stage: Stage, digest: str) -> AcceptanceImport | None:
    """The import of the same bytes that waits, or that registered every row of them."""
    for one in stage.imports.filter(sha256=digest):
        if one.state in WAITING or one.is_whole:
            return one
    return None


def _open(stage: Stage, data: bytes, name: str, user: User) -> AcceptanceImport:
    kind = XLSX if data.startswith(MAGIC) else CSV
    stored = file_store(data=data, name=name, content_type=kind, user=user)
    opened = AcceptanceImport(stage=stage, file=stored, sha256=stored.sha256, uploaded_by=user)
    opened.full_clean(exclude=["job"])
    opened.save()
    _send_to_review(opened, user)
    decision_record(
        act="import_open",
        sentence=f"Subió el archivo {opened.code} de aceptaciones.",
        actor=user,
        subject=opened,
        data={"sha256": opened.sha256, "bytes": stored.size},
    )
    return opened


def _send_to_review(source: AcceptanceImport, user: User) -> None:
    source.job = job_open(
        kind="import",
        title=f"Revisión de aceptaciones {source.code}",
        context=str(source.stage),
        task=REVIEW_TASK,
        arguments={"import": source.pk},
        steps=REVIEW_STEPS,
        user=user,
    )
    source.save(update_fields=["job"])


@transaction.atomic
def import_columns(*, import_id: int, mapping: Mapping[str, str], user: User) -> AcceptanceImport:
    """Say which column each heading of the file stands for ("" for none) and have it reviewed
    again; the caller enqueues the job. Told the same twice, it is reviewed once."""
    may_prepare(user)
    source = import_held(import_id)
    told = {key: mapping.get(key, "") for key in (one["key"] for one in source.headings)}
    if source.mapping == told and source.is_waiting:
        return source
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        raise Refused(f"{source.code} ya no espera que se emparejen sus columnas.")
    mapping_check(source.headings, told, columns_of(stage_terms(source.stage)))
    source.mapping, source.state = told, ImportState.UPLOADED
    source.save(update_fields=["mapping", "state"])
    _send_to_review(source, user)
    decision_record(
        act="import_columns",
        sentence=f"Emparejó las columnas de {source.code} con las del modelo.",
        actor=user,
        subject=source,
        data={"mapping": told},
    )
    return source


@transaction.atomic
def import_discard(*, import_id: int, user: User) -> AcceptanceImport:
    """Set a file aside before it is loaded; set aside already, it is left as it is."""
    may_prepare(user)
    source = import_held(import_id)
    if source.state == ImportState.DISCARDED:
        return source
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        raise Refused(f"{source.code} ya no se puede descartar: {source.get_state_display()}.")
    source.state = ImportState.DISCARDED
    source.save(update_fields=["state"])
    decision_record(
        act="import_discard",
        sentence=f"Descartó {source.code}: no se guardó nada del archivo.",
        actor=user,
        subject=source,
        data={"sha256": source.sha256, "rows": source.rows},
    )
    return source
