"""Files of acceptances for tests, written cell by cell; their people are made up."""

from offerings.services.imports import COLUMNS, import_open, import_run

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


def silent(*told):
    """A report that nobody reads."""


def loaded(stage, user, data, name="aceptaciones.csv"):
    """The import of a file, run in place."""
    opened = import_open(stage=stage, data=data, name=name, user=user)
    assert import_run(import_id=opened.pk, report=silent)
    opened.refresh_from_db()
    return opened


def faults(refused):
    """The faults of a refused file: {(row, column): message}."""
    return {
        (line["row"], fault["column"]): fault["message"]
        for line in refused.errors
        for fault in line["faults"]
    }
