"""What is let in as a buyer's paper: a PDF, an image or a workbook by its content, whatever its
name says.

The file is looked into by another process (inspection.py) with little memory and little time, so
that one that swells when it is opened harms nobody.
"""

import json
import subprocess
import sys
from pathlib import Path, PurePath

from django.core.files import File

from office.refusals import Refused
from office.text import TextError, clean_text

MAX_MEGABYTES = 10
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
FIELD = "file"

_INSPECTION = Path(__file__).with_name("inspection.py")
_SECONDS = 60
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CONTENT_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "tiff": "image/tiff",
    "xlsx": XLSX,
}
# The ending of the name under which a file of each content type is given back.
EXTENSIONS = {
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/tiff": "tif",
    XLSX: "xlsx",
}
# What a browser shows by itself, and does no harm in doing so.
SHOWN_INLINE = frozenset({"application/pdf", "image/png", "image/jpeg"})
_MAGIC = (
    (b"%PDF-", "pdf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"PK\x03\x04", "xlsx"),
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED_BOOK = "EncryptedPackage".encode("utf-16-le")
ACCEPTED = "PDF, PNG, JPEG, TIFF o libro de Excel (.xlsx)"
_ACCEPTED = f"Se reciben {ACCEPTED}."
_SAVE_BOOK = "Guarde una copia sin eso como «Libro de Excel (.xlsx)» y súbala."
_MESSAGES = {
    "encrypted": "El PDF está protegido con clave o cifrado. Guárdelo sin protección y súbalo.",
    "javascript": "El PDF contiene JavaScript y no se recibe. Imprímalo a un PDF nuevo y súbalo.",
    "active": "El PDF contiene adjuntos, formularios XFA u órdenes que se ejecutan, y no se "
    "recibe. Imprímalo a un PDF nuevo y súbalo.",
    "empty": "El PDF no tiene páginas. Revise que sea el documento y súbalo de nuevo.",
    "huge": "El archivo crece demasiado al abrirlo y no se recibe. Digitalice el documento de "
    "nuevo, con menos resolución.",
    "long": "El archivo tiene más de 300 páginas y no se recibe. Divídalo y registre cada parte.",
    "two": "El archivo es a la vez de dos formatos, y no se recibe. Imprímalo o digitalícelo de "
    "nuevo y súbalo.",
    "tail": "El archivo trae otros datos después de su final, y no se recibe. Imprímalo a un PDF "
    "nuevo o digitalícelo de nuevo y súbalo.",
    "no_book": f"Por su contenido no es un libro de Excel (.xlsx). {_ACCEPTED}",
    "old_book": "Es un archivo antiguo de Office. Guárdelo como «Libro de Excel (.xlsx)» o como "
    "PDF y súbalo.",
    "locked_book": "El libro de Excel está protegido con clave. Guárdelo sin clave y súbalo.",
    "macros": f"El libro de Excel tiene macros y no se recibe. {_SAVE_BOOK}",
    "objects": f"El libro de Excel lleva objetos incrustados y no se recibe. {_SAVE_BOOK}",
    "links": "El libro de Excel tiene vínculos o fórmulas que traen datos de afuera, y no se "
    f"recibe. {_SAVE_BOOK}",
    "broken_book": "El libro de Excel está dañado y no se puede abrir. Ábralo, guárdelo de nuevo "
    "como «Libro de Excel (.xlsx)» y súbalo.",
    "broken": f"El archivo está dañado y no se puede abrir. {_ACCEPTED}",
}


def upload_read(file: File) -> dict[str, object]:
    """The bytes, name and content type of a file that may be kept; Refused says why not."""
    name = _name(file)
    data = file.read(MAX_BYTES + 1)
    if not data:
        raise Refused("El archivo está vacío. Elija el documento de nuevo.", FIELD)
    if len(data) > MAX_BYTES:
        raise Refused(f"El archivo pesa más de {MAX_MEGABYTES} MB. Redúzcalo.", FIELD)
    kind = _kind(data)
    fault = _inspect(kind, data)
    if fault:
        # What the office's own reader says of a workbook is a sentence already.
        raise Refused(_MESSAGES.get(fault, fault), FIELD)
    return {"data": data, "name": name, "content_type": _CONTENT_TYPES[kind]}


def _kind(data: bytes) -> str:
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")
    if kind:
        return kind
    if data.startswith(_OLD_OFFICE):
        raise Refused(_MESSAGES["locked_book" if _LOCKED_BOOK in data else "old_book"], FIELD)
    raise Refused(f"Por su contenido no es un PDF ni una imagen. {_ACCEPTED}", FIELD)


def _name(file: File) -> str:
    last = PurePath((file.name or "documento").replace("\\", "/")).name
    try:
        return clean_text(last)
    except TextError as error:
        raise Refused(
            "El nombre del archivo tiene caracteres que no se ven. Cámbielo y súbalo de nuevo.",
            FIELD,
        ) from error


def _inspect(kind: str, data: bytes) -> str:
    """The fault found in the file, "" for none; a process that dies found it too large."""
    try:
        done = subprocess.run(  # noqa: S603 -- our own script, no shell, no argument from outside
            [sys.executable, "-I", str(_INSPECTION), kind],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "huge"
    if done.returncode != 0:
        return "huge"
    return str(json.loads(done.stdout)["fault"])
