"""Made-up people by the thousand, in the open stage of the demonstration."""

from datetime import timedelta

from buyers.enums import BuyerClass, BuyerKind, IdentityType
from buyers.models import Broker, Buyer, Exchange
from config.demo.people import person
from config.demo.programme import OPENED_AT
from offerings.enums import Standing
from offerings.models import Acceptance, Participation, Stage
from offerings.services.imports import COLUMNS
from offerings.services.imports.copying import rows_copy
from office.spreadsheets import write_csv
from office.text import fold

CHUNK = 10_000
PLAIN = {
    "tipo_documento": "C.C.",
    "clase": "Trabajador activo",
    "declara_renta": "sí",
    "anio_gravable": "1994",
    "patrimonio_bruto": "20.000.000,00",
    "ultimo_anio_declarado": "1994",
    "referencia_documento": "B-000123",
    "referencia_clase": "B-000124",
    "cantidad": "1.500",
    "certificado_el": "15/08/1995",
    "no_inhabilitado": "sí",
    "recibida": "15/08/1995 10:42",
}


def file_of(count: int, first: int) -> bytes:
    """A file of acceptances of so many new buyers, whose numbers begin with `first`."""
    through = {"comisionista": Broker.objects.earliest("pk").nit, "bolsa": _exchange().name}
    names = [column.name for column in COLUMNS]
    rows = (
        PLAIN
        | through
        | {"numero_documento": str(first + place), "nombre": f"Persona de Muestra {place}"}
        for place in range(count)
    )
    return write_csv(names, ([row.get(name, "") for name in names] for row in rows))


def acceptances_make(stage: Stage, count: int, before: int = 0) -> None:
    """So many complete acceptances, each of a buyer of its own, after the `before` first."""
    for start in range(before, before + count, CHUNK):
        _chunk_make(stage, range(start, min(start + CHUNK, before + count)))
    Stage.objects.filter(pk=stage.pk).update(last_serial=before + count)


def _chunk_make(stage: Stage, places: range) -> None:
    user = person("irene")
    buyers = Buyer.objects.bulk_create(_buyer(place, user) for place in places)
    parts = Participation.objects.bulk_create(
        Participation(programme=stage.programme, buyer=buyer, buyer_class=BuyerClass.WORKER)
        for buyer in buyers
    )
    broker, exchange = Broker.objects.earliest("pk"), _exchange()
    rows_copy(
        Acceptance,
        (
            Acceptance(
                stage=stage,
                participation=part,
                serial=place + 1,
                requested=1_000 + place % 977,
                admitted=1_000 + place % 977,
                standing=Standing.COMPLETE,
                received_at=OPENED_AT + timedelta(seconds=place),
                conditions_accepted_at=OPENED_AT,
                broker=broker,
                exchange=exchange,
                registered_by=user,
            )
            for place, part in zip(places, parts, strict=True)
        ),
    )


def _buyer(place: int, user) -> Buyer:
    name = f"Persona de Muestra {place}"
    return Buyer(
        kind=BuyerKind.NATURAL,
        identity_type=IdentityType.CC,
        identity_number=str(60_000_000 + place),
        name=name,
        name_folded=fold(name),
        registered_by=user,
    )


def _exchange() -> Exchange:
    return Exchange.objects.earliest("pk")
