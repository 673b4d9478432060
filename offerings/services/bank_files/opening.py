"""A bank's file: taken in, its columns told, confirmed, set aside."""

import hashlib
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Sum

from offerings.enums import BankRowOutcome, ImportState, PaymentMeans
from offerings.models import BankFile, Programme
from offerings.models.imports import WAITING
from offerings.services.bank_files.columns import BY_NAME
from offerings.services.imports.columns import mapping_check
from offerings.services.imports.opening import CSV, XLSX
from offerings.services.imports.reading import MAX_BYTES, MAX_MEGABYTES
from office.decisions import decision_record
from office.files import file_store
from office.jobs import job_open
from office.models import Job, User
from office.numbers import write_amount, write_count, write_quantity
from office.refusals import Refused
from office.roles import Capability
from office.workbooks import MAGIC

REVIEW_TASK = "offerings.tasks.bank_files.bank_file_review_task"
LOAD_TASK = "offerings.tasks.bank_files.bank_file_load_task"
REVIEW_STEPS = ["Leer el archivo", "Comprobar cada fila", "Buscar las adjudicaciones"]
LOAD_STEPS = ["Registrar los pagos"]
DONE = (BankRowOutcome.LOADED, BankRowOutcome.ALREADY)


class BankFileAlreadyUploaded(Refused):
    """The same bytes came before for this programme: `first` is that file."""

    def __init__(self, first: BankFile) -> None:
        if first.state == ImportState.LOADED:
            said = f"sus {write_quantity(first.rows)} filas ya están registradas"
        else:
            said = "está en revisión"
        super().__init__(
            f"Este archivo ya se subió con el número {first.code} y {said}: 0 nuevas.", "file"
        )
        self.first = first


@transaction.atomic
def bank_file_open(
    *, programme: Programme, data: bytes, name: str, means: str, user: User
) -> BankFile:
    """Keep a bank's file, with the job that will review it; the caller enqueues the job.

    `means`: of the rows that do not say theirs, "" for none. Raises Refused, or
    BankFileAlreadyUploaded with the one of the same bytes.
    """
    may_prepare(user)
    if not data:
        raise Refused("El archivo está vacío. Elija el archivo de nuevo.", "file")
    if len(data) > MAX_BYTES:
        raise Refused(f"El archivo pesa más de {MAX_MEGABYTES} MB. Divídalo en varios.", "file")
    if means and means not in PaymentMeans.values:
        raise Refused("Elija dinero efectivo o cheque.", "means")
    programme = Programme.objects.select_for_update().get(pk=programme.pk)
    first = _same_file(programme, hashlib.sha256(data).hexdigest())
    if first is not None:
        raise BankFileAlreadyUploaded(first)
    return _open(programme, data, name, means, user)


def may_prepare(user: User) -> None:
    """Refuse who neither uploads nor decides on files."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo analistas y supervisores cargan archivos del banco.")


def bank_file_held(pk: int) -> BankFile:
    """The file with its row held."""
    files = BankFile.objects.select_for_update(of=("self",))
    return files.select_related("file", "programme", "uploaded_by", "confirmed_by").get(pk=pk)


def _same_file(programme: Programme, digest: str) -> BankFile | None:
    """The file of the same bytes that waits, or of which every row is registered."""
    for one in programme.bank_files.filter(sha256=digest):
        whole = one.state == ImportState.LOADED and not one.lines.exclude(outcome__in=DONE)
        if one.state in WAITING or whole:
            return one
    return None


def _open(programme: Programme, data: bytes, name: str, means: str, user: User) -> BankFile:
    kind = XLSX if data.startswith(MAGIC) else CSV
    stored = file_store(data=data, name=name, content_type=kind, user=user)
    opened = BankFile(
        programme=programme, file=stored, sha256=stored.sha256, means=means, uploaded_by=user
    )
    opened.full_clean(exclude=["job"])
    opened.save()
    opened.job = _review_job(opened, user)
    opened.save(update_fields=["job"])
    decision_record(
        act="bank_file_open",
        sentence=f"Subió el archivo del banco {opened.code}.",
        actor=user,
        subject=opened,
        data={"sha256": opened.sha256, "bytes": stored.size},
    )
    return opened


def _review_job(source: BankFile, user: User) -> Job:
    return job_open(
        kind="bank_file",
        title=f"Revisión de pagos {source.code}",
        context=str(source.programme),
        task=REVIEW_TASK,
        arguments={"bank_file": source.pk},
        steps=REVIEW_STEPS,
        user=user,
    )


@transaction.atomic
def bank_file_columns(*, bank_file_id: int, mapping: Mapping[str, str], user: User) -> BankFile:
    """Say which column each heading of the file stands for ("" for none) and have it reviewed
    again; the caller enqueues the job. Told the same twice, it is reviewed once."""
    may_prepare(user)
    source = bank_file_held(bank_file_id)
    told = {key: mapping.get(key, "") for key in (one["key"] for one in source.headings)}
    if source.mapping == told and source.state in WAITING:
        return source
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        raise Refused(f"{source.code} ya no espera que se emparejen sus columnas.")
    mapping_check(source.headings, told, BY_NAME)
    source.mapping, source.state = told, ImportState.UPLOADED
    source.job = _review_job(source, user)
    source.save(update_fields=["mapping", "state", "job"])
    decision_record(
        act="bank_file_columns",
        sentence=f"Emparejó las columnas de {source.code} con las del modelo.",
        actor=user,
        subject=source,
        data={"mapping": told},
    )
    return source


@transaction.atomic
def bank_file_confirm(*, bank_file_id: int, user: User) -> BankFile:
    """Have the payments of a reviewed file recorded; the caller enqueues the job. Confirmed
    already, it is left as it is. Raises Refused."""
    may_prepare(user)
    source = bank_file_held(bank_file_id)
    if source.state in {ImportState.CONFIRMED, ImportState.LOADED}:
        return source
    if source.state != ImportState.REVIEWED:
        raise Refused(f"{source.code} no se puede registrar: {source.get_state_display()}.")
    ready = source.lines.filter(outcome=BankRowOutcome.READY)
    count = ready.count()
    if not count:
        raise Refused("No hay pagos nuevos que registrar.")
    total = ready.aggregate(total=Sum("amount"))["total"]
    source.state, source.confirmed_by = ImportState.CONFIRMED, user
    source.job = job_open(
        kind="bank_file",
        title=f"Registro de pagos {source.code}",
        context=str(source.programme),
        task=LOAD_TASK,
        arguments={"bank_file": source.pk},
        steps=LOAD_STEPS,
        user=user,
    )
    source.save()
    payments = write_count(count, "pago", "pagos")
    decision_record(
        act="bank_file_confirm",
        sentence=f"Confirmó {source.code}: registrar {payments} por {write_amount(total)}.",
        actor=user,
        subject=source,
        data={"rows": count, "total": str(total), "sha256": source.sha256},
    )
    return source


@transaction.atomic
def bank_file_discard(*, bank_file_id: int, user: User) -> BankFile:
    """Set a file aside before it is recorded; set aside already, it is left as it is."""
    may_prepare(user)
    source = bank_file_held(bank_file_id)
    if source.state == ImportState.DISCARDED:
        return source
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        raise Refused(f"{source.code} ya no se puede descartar: {source.get_state_display()}.")
    source.state = ImportState.DISCARDED
    source.save(update_fields=["state"])
    decision_record(
        act="bank_file_discard",
        sentence=f"Descartó {source.code}: no se registró ningún pago del archivo.",
        actor=user,
        subject=source,
        data={"sha256": source.sha256, "rows": source.rows},
    )
    return source
