"""The columns of a file of acceptances, written down once: the page, the model file and the
reading all take them from here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from buyers.enums import DocumentKind
from offerings.rules.terms import Base, Terms
from offerings.services.imports import cells
from office.refusals import Refused
from office.spreadsheets import column_key, write_csv

ERRORS_COLUMN = "errores"  # of the file that is given back; read again, it says nothing


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, what it holds and how its cells are read.

    `required`: each row must fill it in. `heading`: the file must have it, even if empty.
    """

    name: str
    holds: str
    example: str
    read: Callable[[str], Any]
    required: bool = False
    heading: bool = False

    @property
    def need(self) -> str:
        """Whether a row must fill it in, in words."""
        if self.required:
            return "Obligatoria"
        return "Obligatoria, puede ir vacía" if self.heading else "Opcional"


Columns = Mapping[str, Column]  # by name

COLUMNS = (
    Column(
        "tipo_documento", "C.C., C.E., Pasaporte o NIT.", "C.C.", cells.identity_type,
        required=True, heading=True,
    ),
    Column(
        "numero_documento",
        "Con puntos o sin ellos; el NIT, con guion y dígito de verificación.",
        "51.000.123", cells.text, required=True, heading=True,
    ),
    Column(
        "nombre", "Nombre de la persona o razón social.", "Rosa Inventada Peña",
        cells.text_up_to(200), required=True, heading=True,
    ),
    Column(
        "clase", f"La clase de destinatario, por su nombre o su código: {cells.CLASS_NAMES}.",
        "Trabajador activo", cells.buyer_class, required=True, heading=True,
    ),
    Column("directivo", "«sí» o «no»: cargo de nivel directivo. Vacía, no.", "no", cells.yes_no),
    Column(
        "declara_renta",
        "«sí» o «no»: si está obligada a declarar renta. Dice qué documento se espera.",
        "sí", cells.yes_no, heading=True,
    ),
    Column(
        "anio_gravable", "El año de la declaración o del certificado.", "1994", cells.year,
        heading=True,
    ),
    Column(
        "patrimonio_bruto", "En pesos, el de la declaración de renta.", "20.000.000,00",
        cells.amount, heading=True,
    ),
    Column("patrimonio_liquido", "En pesos, el de la declaración de renta.", "", cells.amount),
    Column(
        "ingresos_anuales", "En pesos, los de la declaración o del certificado.", "",
        cells.amount, heading=True,
    ),
    Column("remuneracion_anual", "En pesos, la certificada de un directivo.", "", cells.amount),
    Column(
        "anio_remuneracion", "El año de esa remuneración, donde el decreto lo pide.", "",
        cells.year,
    ),
    Column("limite_legal", "En pesos, el que la ley fija a la organización.", "", cells.amount),
    Column(
        "norma", "La norma por la que la ley no le fija límite a la organización.", "",
        cells.text_up_to(200),
    ),
    Column("afiliados", "Cuántos afiliados certifica la organización.", "", cells.members),
    Column(
        "ultimo_anio_declarado", "El último año gravable que declaró, conste o no.", "1994",
        cells.year,
    ),
    Column(
        "acciones_actuales", "Acciones del emisor que ya tiene. Vacía, ninguna.", "0",
        cells.quantity,
    ),
    Column(
        "acciones_por_otros", "Acciones que tiene por interpuesta persona. Vacía, ninguna.", "0",
        cells.quantity,
    ),
    Column(
        "beneficiario_real", "A nombre de quién compra, si no es para sí.", "",
        cells.text_up_to(200),
    ),
    Column(
        "beneficiario_tipo", "Tipo de documento del beneficiario real, si lo hay.", "",
        cells.identity_type,
    ),
    Column(
        "beneficiario_documento", "El número de su documento; van los tres datos o ninguno.", "",
        cells.text,
    ),
    Column(
        "referencia_documento",
        "Con qué referencia guarda la bolsa la declaración o el certificado y, de una "
        "organización, su existencia y representación, su límite y sus afiliados.",
        "B-000123", cells.text_up_to(80), heading=True,
    ),
    Column(
        "referencia_clase", "Con qué referencia guarda la bolsa la constancia de la clase.",
        "B-000124", cells.text_up_to(80),
    ),
    Column(
        "referencia_autorizacion",
        "Con qué referencia guarda la bolsa la autorización de la Superintendencia (5 %).",
        "", cells.text_up_to(80),
    ),
    Column(
        "otros_documentos",
        "Los que añade el reglamento del Fondo: de cada uno su nombre, «=» y con qué referencia "
        "lo guarda la bolsa; entre uno y otro, «|».",
        "", cells.other_documents,
    ),
    Column(
        "representante", "Quién representa a la organización.", "", cells.text_up_to(200)
    ),
    Column("representante_tipo", "C.C., C.E. o Pasaporte.", "", cells.identity_type),
    Column("representante_documento", "El número de su documento.", "", cells.text),
    Column(
        "cantidad", "Acciones que solicita.", "1.500", cells.quantity, required=True,
        heading=True,
    ),
    Column(
        "minimo", "Lo menos que acepta. Vacía, admite cualquier reducción.", "",
        cells.quantity, heading=True,
    ),
    Column(
        "comisionista",
        "NIT de la sociedad comisionista, con dígito de verificación. Vacía solo donde el decreto "
        "no la pide: llegó directamente al Fondo.",
        "800.197.268-4", cells.nit, heading=True,
    ),
    Column(
        "bolsa",
        "Nombre de la bolsa de valores, como consta. Vacía solo donde el decreto no la pide: los "
        "papeles los conserva el Fondo.",
        "Bolsa de Bogotá", cells.text, heading=True,
    ),
    Column(
        "papeles", "Dónde reposan los papeles: carpeta o caja, si se sabe.", "Caja 12, carpeta 3",
        cells.text_up_to(80),
    ),
    Column(
        "certificado_el", "Cuándo certificó el comisionista los límites (dd/mm/aaaa).",
        "15/08/1995", cells.day,
    ),
    Column(
        "no_inhabilitado", "«sí» o «no»: declara que no está inhabilitada para comprar.", "sí",
        cells.yes_no,
    ),
    Column(
        "otras_declaraciones",
        "Las demás declaraciones expresas que pide el decreto, con un espacio entre ellas, de "
        f"estas: {cells.DECLARATION_NAMES}.",
        "no_transferir", cells.declarations,
    ),
    Column(
        "vigencia_dias", "Por cuántos días vale la aceptación, si lo dice.", "", cells.days
    ),
    Column(
        "recibida", "Fecha y hora legales del recibo (dd/mm/aaaa hh:mm).", "15/08/1995 10:42",
        cells.moment, required=True, heading=True,
    ),
)  # fmt: skip

BY_NAME: Columns = {column.name: column for column in COLUMNS}

# Columns of the returns and the certificates of income, and what of the terms looks at them.
_TAX_COLUMNS = ("declara_renta", "anio_gravable", "patrimonio_bruto", "ingresos_anuales")
_TAX_BASES = {Base.GROSS_EQUITY, Base.NET_EQUITY, Base.ANNUAL_INCOME}
_TAX_PAPERS = {
    DocumentKind.TAX_RETURN,
    DocumentKind.INCOME_CERTIFICATE,
    DocumentKind.CERTIFIED_STATEMENTS,
}


def columns_of(terms: Terms) -> Columns:
    """The columns by name, for a programme: a file must have those of the returns only where its
    limits or its papers look at them; what is missing is not said."""
    papers = {kind for term in terms.documents.required for kind in term.kinds}
    bases = {limb.base for limb in terms.limits.limbs}
    if papers & _TAX_PAPERS or bases & _TAX_BASES:
        return BY_NAME
    free = {name: replace(BY_NAME[name], heading=False) for name in _TAX_COLUMNS}
    return {**BY_NAME, **free}


def template_csv() -> bytes:
    """The model file: the headings and nothing else."""
    return write_csv([column.name for column in COLUMNS], [])


def is_known(heading: str, columns: Columns = BY_NAME) -> bool:
    """Whether a heading is a column's, or that of the file that was given back."""
    return column_key(heading) in {*columns, ERRORS_COLUMN}


def headings_of(columns: Columns = BY_NAME) -> list[str]:
    """The columns that a file must have, even if empty."""
    return [name for name, column in columns.items() if column.heading]


def names_missing(names: Iterable[str], columns: Columns = BY_NAME) -> list[str]:
    """The columns that a file must have and `names` lacks."""
    given = set(names)
    return [name for name in headings_of(columns) if name not in given]


def mapping_check(
    headings: list[dict[str, Any]], told: Mapping[str, str], columns: Columns = BY_NAME
) -> None:
    """Refuse what was said of a file's headings where a column is unknown, told twice, or lacks
    its heading."""
    names = [name for name in told.values() if name]
    if any(name not in columns for name in names):
        raise Refused("Elija para cada título una de las columnas del modelo.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        titles = [one["heading"] for one in headings if told[one["key"]] == twice]
        raise Refused(f"Dos títulos llevan «{twice}»: {' y '.join(titles)}. Deje uno solo.")
    missing = names_missing(names, columns)
    if missing:
        which = ", ".join(f"«{name}»" for name in missing)
        raise Refused(
            f"Falta decir qué título lleva {which}. Si el archivo no lo trae, descártelo y súbalo "
            "con esa columna."
        )
