"""Many certificates in one ZIP, sent while it is made: in memory there is one file at a time."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.db import transaction
from django.db.models import QuerySet

from office.certificates import pdf_name
from office.dates import BOGOTA, write_date
from office.decisions import decision_record
from office.files import file_read
from office.models import Certificate, User
from office.numbers import write_count, write_quantity
from office.refusals import Refused
from office.spreadsheets import Value, write_csv

AT_MOST = 10_000
CHUNK = 200
INDEX_NAME = "indice.csv"
INDEX_COLUMNS = ["numero", "titulo", "estado", "expedido", "archivo", "sha256"]
PRIVATE = 0o600 << 16  # a file's permissions, where a ZIP keeps them


class _Tray:
    """A file that can only be written, and from which what was written is taken away."""

    def __init__(self) -> None:
        self.held = BytesIO()

    def write(self, data: bytes) -> int:
        return self.held.write(data)

    def flush(self) -> None:
        """Nothing waits anywhere: what is written is held."""

    def take(self) -> bytes:
        data = self.held.getvalue()
        self.held = BytesIO()
        return data


@transaction.atomic
def certificates_archive(
    *, certificates: QuerySet[Certificate], told: str, user: User
) -> Iterator[bytes]:
    """The PDFs of `certificates` as the pieces of a ZIP, with an index of their SHA-256.

    `certificates` are those that `user` may download; `told`, in words, what they were narrowed
    by. It is written down who took them. Raises Refused for none and for too many.
    """
    wanted = certificates.filter(file__isnull=False)
    count = wanted.order_by().count()
    if not count:
        raise Refused("No hay ningún PDF generado que responda a este filtro.")
    if count > AT_MOST:
        raise Refused(
            f"Son {write_quantity(count)}: en un ZIP caben {write_quantity(AT_MOST)}. Filtre por "
            "programa, comisionista, clase o año."
        )
    narrowed = f", con el filtro «{told}»" if told else ""
    decision_record(
        act="certificates_archive",
        sentence=f"Descargó en un ZIP {write_count(count, 'PDF', 'PDF')} de "
        f"certificados{narrowed}.",
        actor=user,
        subject=user,
    )
    rows = Certificate.objects.filter(pk__in=wanted.order_by().values("pk"))
    slim = rows.select_related("series", "file").defer("facts").order_by("pk")
    return _pieces(slim)


def _pieces(certificates: QuerySet[Certificate]) -> Iterator[bytes]:
    index: list[list[Value]] = []
    return zip_pieces(_files(certificates, index))


def _files(
    certificates: QuerySet[Certificate], index: list[list[Value]]
) -> Iterator[tuple[str, datetime, bytes]]:
    """Each PDF, checked against its SHA-256, and after the last one the index of them all."""
    moment = None
    for certificate in certificates.iterator(chunk_size=CHUNK):
        stored: Any = certificate.file
        name, moment = pdf_name(certificate), certificate.issued_at
        index.append(
            [
                certificate.label,
                certificate.title,
                certificate.get_state_display(),
                write_date(certificate.legal_date),
                name,
                stored.sha256,
            ]
        )
        yield name, moment, file_read(stored)
    if moment:
        yield INDEX_NAME, moment, write_csv(INDEX_COLUMNS, index)


def zip_pieces(files: Iterable[tuple[str, datetime, bytes]]) -> Iterator[bytes]:
    """A ZIP of `files` (name, moment, bytes), piece by piece. PDFs are packed already: stored."""
    tray = _Tray()
    with ZipFile(tray, "w", ZIP_STORED) as archive:
        for name, moment, data in files:
            local = moment.astimezone(BOGOTA)
            entry = ZipInfo(name, date_time=local.timetuple()[:6])
            entry.external_attr = PRIVATE
            archive.writestr(entry, data)
            yield tray.take()
    yield tray.take()
