"""Acceptances: a file of two thousand, one that comes late by hand, and the closing act."""

from datetime import datetime
from pathlib import Path
from uuid import uuid5

from django.core.management.base import CommandError

from buyers.enums import BuyerClass, DeclarationKind
from config.demo import SUBMISSIONS
from config.demo.jobs import Tell, job_finish
from config.demo.people import acting
from offerings.enums import ImportMode, ImportState, RowOutcome, StageState
from offerings.models import Acceptance, AcceptanceImport, Participation, Stage
from offerings.services.acceptances import AcceptanceGiven, acceptance_register
from offerings.services.imports import AlreadyUploaded, import_confirm, import_open
from offerings.services.participations import PART_LABELS, PartGiven
from offerings.services.stages import stage_close
from office.dates import BOGOTA, bogota_day

FILE = Path(__file__).parent / "aceptaciones.csv"
CLOSED_AT = datetime(1995, 9, 14, 17, 0, tzinfo=BOGOTA)
# Bought by file on 22/08/1995; his other paper, received before, was found afterwards.
LATE_BUYER = "444444444"
LATE_RECEIVED_AT = datetime(1995, 7, 25, 15, 20, tzinfo=BOGOTA)
LATE_REQUESTED = 200_000


def file_ready(stage: Stage, tell: Tell) -> None:
    """The file's acceptances, reviewed by the worker, confirmed by irene and loaded by it."""
    if stage.state != StageState.OPEN:
        return
    source = _source(stage)
    if source.state == ImportState.UPLOADED:
        job_finish(source.job, tell)
        source.refresh_from_db()
    if source.state == ImportState.REVIEWED:
        source = _confirmed(source)
    if source.state == ImportState.CONFIRMED:
        job_finish(source.job, tell)
        source.refresh_from_db()
    if source.state != ImportState.LOADED:
        raise CommandError(f"{source.code} no se cargó. {' '.join(source.problems)}")


def _source(stage: Stage) -> AcceptanceImport:
    data = FILE.read_bytes()
    try:
        with acting("irene") as irene:
            return import_open(stage=stage, data=data, name=FILE.name, user=irene)
    except AlreadyUploaded as known:
        return known.first


def _confirmed(source: AcceptanceImport) -> AcceptanceImport:
    faulty = source.lines.filter(outcome=RowOutcome.ERROR).order_by("number")[:3]
    if faulty:
        faults = [f"fila {line.number}: {line.messages[0]['message']}" for line in faulty]
        raise CommandError(f"{source.code} tiene errores. {' '.join(faults)}")
    with acting("irene") as irene:
        return import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)


def late_ready(stage: Stage) -> Acceptance | None:
    """The acceptance that mateo registers by hand after the file, with its earlier legal time."""
    if stage.state != StageState.OPEN:
        return None
    part = Participation.objects.select_related("buyer").get(
        programme=stage.programme, buyer__identity_number=LATE_BUYER
    )
    with acting("mateo") as mateo:
        return acceptance_register(
            stage=stage,
            buyer=part.buyer,
            part=_part_again(part),
            papers=(),
            given=_late_given(part.acceptances.earliest("serial")),
            submission_key=uuid5(SUBMISSIONS, "late acceptance"),
            user=mateo,
        )


def _part_again(part: Participation) -> PartGiven:
    """His part as it is known already."""
    known = {name: getattr(part, name) for name in PART_LABELS}
    return PartGiven(**known | {"buyer_class": BuyerClass(part.buyer_class)})


def _late_given(first: Acceptance) -> AcceptanceGiven:
    """Through the broker and the exchange that brought his other one."""
    return AcceptanceGiven(
        requested=LATE_REQUESTED,
        received_at=LATE_RECEIVED_AT,
        broker=first.broker,
        exchange=first.exchange,
        attested_on=bogota_day(LATE_RECEIVED_AT),
        declarations=(DeclarationKind.NOT_DISQUALIFIED,),
    )


def stage_closed(stage: Stage) -> None:
    """The act that closes the stage, on its last day."""
    if stage.state == StageState.OPEN:
        with acting("ana") as ana:
            stage_close(stage=stage, user=ana, closed_at=CLOSED_AT)
