"""Files of acceptances for tests, written cell by cell; their people are made up."""

import io

from openpyxl import Workbook

from offerings.enums import ImportMode, ImportState, RowChoice, RowOutcome
from offerings.services.imports import (
    COLUMNS,
    import_confirm,
    import_decide,
    import_load,
    import_open,
    import_review,
)

HEADER = tuple(column.name for column in COLUMNS)
ORDINARY = {
    "tipo_documento": "C.C.",
    "numero_documento": "51.000.123",
    "nombre": "Rosa Inventada Peña",
    "clase": "Trabajador activo",
    "declara_renta": "sí",
    "anio_gravable": "1994",
    "patrimonio_bruto": "20.000.000,00",
    "ultimo_anio_declarado": "1994",
    "referencia_documento": "B-000123",
    "referencia_clase": "B-000124",
    "cantidad": "1.500",
    "comisionista": "800.197.268-4",
    "bolsa": "Bolsa de Prueba",
    "certificado_el": "15/08/1995",
    "no_inhabilitado": "sí",
    "recibida": "15/08/1995 10:42",
}
COOPERATIVE = ORDINARY | {
    "tipo_documento": "NIT",
    "numero_documento": "860.530.751-7",
    "nombre": "Cooperativa Ficticia del Valle",
    "clase": "cooperative",
    "declara_renta": "",
    "anio_gravable": "",
    "patrimonio_bruto": "",
    "ultimo_anio_declarado": "",
    "representante": "Óscar Prueba Ñungo",
    "representante_tipo": "CC",
    "representante_documento": "79000118",
}


def row(**cells):
    """An ordinary row with some cells of its own."""
    return ORDINARY | cells


def many(count, **cells):
    """Rows of as many buyers."""
    return [
        row(numero_documento=str(52_000_000 + place), nombre=f"Lucía Muestra {place}", **cells)
        for place in range(count)
    ]


def csv_of(*rows, header=HEADER, separator=";", encoding="utf-8"):
    """The bytes of a file; a cell with the separator in it stands between quotes."""
    lines = [header, *([one.get(name, "") for name in header] for one in rows)]
    quoted = ([f'"{cell}"' if separator in cell else cell for cell in line] for line in lines)
    return "\r\n".join(separator.join(line) for line in quoted).encode(encoding) + b"\r\n"


def xlsx_of(*rows, header=HEADER, title="Aceptaciones", before=()):
    """The bytes of a workbook whose cells are of the kinds given; `before`: titles of other
    sheets that stand first."""
    book = Workbook()
    book.remove(book.active)
    for name in before:
        book.create_sheet(name).append(["Notas", "de prueba"])
    sheet = book.create_sheet(title)
    for line in (header, *([one.get(name, "") for name in header] for one in rows)):
        sheet.append(list(line))
        for cell in sheet[sheet.max_row]:
            if isinstance(cell.value, str):  # a text that begins with "=" stays a text
                cell.data_type = "s"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def silent(*told):
    """A report that nobody reads."""


def reviewed(stage, user, data, name="aceptaciones.csv"):
    """The import of a file, reviewed in place."""
    opened = import_open(stage=stage, data=data, name=name, user=user)
    assert import_review(import_id=opened.pk, report=silent)
    opened.refresh_from_db()
    return opened


def confirmed(source, user, mode=ImportMode.ALL):
    """A reviewed file, loaded in place as its user confirms."""
    import_confirm(import_id=source.pk, mode=mode, user=user)
    assert import_load(import_id=source.pk, report=silent)
    source.refresh_from_db()
    return source


def loaded(stage, user, data, name="aceptaciones.csv"):
    """The import of a file, reviewed and, where nothing keeps it out, loaded whole."""
    source = reviewed(stage, user, data, name)
    held = source.state != ImportState.REVIEWED or faults(source) or differences(source)
    return source if held else confirmed(source, user)


def faults(source):
    """What is wrong in a file: {(row, column): message}, row 0 for the file as a whole."""
    lines = source.lines.filter(outcome=RowOutcome.ERROR)
    found = {
        (line.number, one["column"]): one["message"]
        for line in lines
        for one in line.of_level("error")
    }
    if source.problems:
        found[0, ""] = source.problems[0]
    return found


def warnings(source):
    """What is to be seen in a file: {(row, column): message}."""
    return {
        (line.number, one["column"]): one["message"]
        for line in source.lines.all()
        for one in line.of_level("warning")
    }


def differences(source):
    """Where a file says otherwise than the register: {(row, column): (given, known)}."""
    return {
        (line.number, one["column"]): (one["given"], one["known"])
        for line in source.lines.all()
        for one in line.differences
    }


def outcomes(source):
    """How many rows of a file came to what."""
    return {
        outcome: count
        for outcome in RowOutcome.values
        if (count := source.lines.filter(outcome=outcome).count())
    }


def import_decided(source, user):
    """What the register says is kept wherever the file differs, and the file is loaded."""
    import_decide(import_id=source.pk, choice=RowChoice.KEEP, numbers=None, user=user)
    source.refresh_from_db()
    return confirmed(source, user)
