"""What is let in as a buyer's paper: a PDF, PNG or JPEG by its content, whatever its name says.

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
_CONTENT_TYPES = {"pdf": "application/pdf", "png": "image/png", "jpeg": "image/jpeg"}
_MAGIC = ((b"%PDF-", "pdf"), (b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"))
_ACCEPTED = "Se reciben PDF, PNG o JPEG."
_MESSAGES = {
    "encrypted": "El PDF está protegido con clave o cifrado. Guárdelo sin protección y súbalo.",
    "javascript": "El PDF contiene JavaScript y no se recibe. Imprímalo a un PDF nuevo y súbalo.",
    "active": "El PDF contiene adjuntos, formularios XFA u órdenes que se ejecutan, y no se "
    "recibe. Imprímalo a un PDF nuevo y súbalo.",
    "empty": "El PDF no tiene páginas. Revise que sea el documento y súbalo de nuevo.",
    "huge": "El archivo crece demasiado al abrirlo y no se recibe. Digitalice el documento de "
    "nuevo, con menos resolución.",
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
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")
    if not kind:
        raise Refused(f"Por su contenido no es un PDF ni una imagen. {_ACCEPTED}", FIELD)
    fault = _inspect(kind, data)
    if fault:
        raise Refused(_MESSAGES[fault], FIELD)
    return {"data": data, "name": name, "content_type": _CONTENT_TYPES[kind]}


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
