"""The columns of a bank's file, written down once: the page, the model file and the reading all
take them from here."""

from offerings.enums import PaymentMeans
from offerings.services.imports import cells
from offerings.services.imports.columns import Column
from office.spreadsheets import write_csv
from office.text import fold, quoted

_MEANS = {
    "efectivo": PaymentMeans.CASH,
    "dinero efectivo": PaymentMeans.CASH,
    PaymentMeans.CASH.value: PaymentMeans.CASH,
    "cheque": PaymentMeans.CHEQUE,
}


def means(cell: str) -> PaymentMeans:
    """Cash or a cheque; no other means is admissible."""
    found = _MEANS.get(fold(cell))
    if found is None:
        raise cells.CellError(
            f"{quoted(cell)} no es un medio que se admita. Escriba «efectivo» o «cheque»."
        )
    return found


COLUMNS = (
    Column(
        "referencia",
        "La referencia de pago que lleva la constancia de adjudicación. Los espacios y los "
        "guiones no importan.",
        "0000000018", cells.text_up_to(80), required=True, heading=True,
    ),
    Column(
        "fecha", "Cuándo se pagó (dd/mm/aaaa).", "02/10/1995", cells.day,
        required=True, heading=True,
    ),
    Column("valor", "En pesos.", "1.234,50", cells.amount, required=True, heading=True),
    Column(
        "medio", "«efectivo» o «cheque». Vacía, el que se eligió al subir el archivo.",
        "cheque", means,
    ),
    Column(
        "numero",
        "El número de la consignación o del cheque, que identifica el pago. Vacía, la referencia.",
        "4118", cells.text_up_to(80),
    ),
)  # fmt: skip
BY_NAME = {column.name: column for column in COLUMNS}


def template_csv() -> bytes:
    """The model file: the headings and nothing else."""
    return write_csv([column.name for column in COLUMNS], [])
