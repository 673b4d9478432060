"""Private files, kept under their own SHA-256. No address leads to them: a file is served by
the view of the object that owns it, which checks who asks.
"""

import hashlib
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.http import FileResponse

from office.models import StoredFile, User

SAFE_NAME = "archivo"


def file_store(
    *, data: bytes, name: str, content_type: str, user: User | None = None
) -> StoredFile:
    """Keep `data`; the same bytes are written once, however often they come.

    `name` is what the person called it (only its last part is kept, to be shown).
    """
    digest = hashlib.sha256(data).hexdigest()
    stored = StoredFile(
        sha256=digest,
        size=len(data),
        content_type=content_type,
        original_name=PurePath(name.replace("\\", "/")).name[:255] or SAFE_NAME,
        stored_by=user,
    )
    if not default_storage.exists(stored.path):
        default_storage.save(stored.path, ContentFile(data))
    stored.save()
    return stored


def file_read(stored: StoredFile) -> bytes:
    """The bytes, checked against their SHA-256; raises ValueError if they changed on disk."""
    with default_storage.open(stored.path) as source:
        data: bytes = source.read()
    if hashlib.sha256(data).hexdigest() != stored.sha256:
        raise ValueError("stored file does not match its SHA-256")
    return data


def file_response(stored: StoredFile, *, name: str = "", inline: bool = False) -> FileResponse:
    """The file as a download; `inline`, for the browser to show by itself. Its content type is
    what was found in it, and the browser is told not to look for another.
    """
    response = FileResponse(
        default_storage.open(stored.path),
        as_attachment=not inline,
        filename=name or stored.original_name,
        content_type=stored.content_type,
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
