"""Private files, kept under their own SHA-256. No address leads to them: a file is served by
the view of the object that owns it, which checks who asks.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.http import FileResponse
from django.utils import timezone

from office.dates import BOGOTA
from office.models import StoredFile, User

SAFE_NAME = "archivo"
_CHUNK = 64 * 1024
_UNSAFE = re.compile(r"[^\w./ -]|\.\.")


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


def zip_stream(members: Iterable[tuple[str, bytes | StoredFile]]) -> Iterator[bytes]:
    """A ZIP of the members by their names, in pieces: no more than one piece is in memory.

    Raises ValueError where a stored file is not what its SHA-256 says: the archive then ends
    before its directory, and no program opens it.
    """
    sink = _Sink()
    now = timezone.localtime(timezone=BOGOTA).timetuple()[:6]
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            about = zipfile.ZipInfo(_UNSAFE.sub("_", name), date_time=now)
            about.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(about, "w") as target:
                for piece in _pieces(content):
                    target.write(piece)
                    yield sink.taken()
            yield sink.taken()
    yield sink.taken()


def _pieces(content: bytes | StoredFile) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    digest = hashlib.sha256()
    with default_storage.open(content.path) as source:
        for piece in source.chunks(_CHUNK):
            digest.update(piece)
            yield piece
    if digest.hexdigest() != content.sha256:
        raise ValueError("stored file does not match its SHA-256")


class _Sink(io.RawIOBase):
    """What is written, until it is taken away; it cannot go back, so a ZIP does not ask it to."""

    def __init__(self) -> None:
        super().__init__()
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._held += data
        return len(data)

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        data = bytes(self._held)
        self._held.clear()
        return data
