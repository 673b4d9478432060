"""Handing out all that is held on one person, to whom the law gives the right to know it."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from django.core.files.storage import default_storage
from django.db import transaction

from buyers.models import Buyer
from buyers.selectors.dossier import (
    DOSSIER_ACT,
    Dossier,
    counted,
    dossier_of,
    person_of,
)
from buyers.services.typed import read_text
from office.decisions import decision_record
from office.files import zip_stream
from office.models import StoredFile, User
from office.refusals import Refused
from office.roles import Capability
from office.spreadsheets import write_book
from office.xlsx import Table

BOOK_NAME = "datos.xlsx"
REASON_LENGTH = 1000


@transaction.atomic
def dossier_export(*, buyer: Buyer, reason: str, user: User) -> Iterator[bytes]:
    """All that is held on the person whose record `buyer` is, as a ZIP in pieces: a workbook
    with a sheet for each kind, and the stored files. Who asked and why stays in the history.
    """
    if not user.may(Capability.READ):
        raise Refused("Solo quien ve todo lo de un comprador lo exporta.")
    reason = read_text(reason, "reason", limit=REASON_LENGTH)
    if not reason:
        raise Refused("Escriba quién lo pide y para qué: queda en la historia.", "reason")
    dossier = _with_files(dossier_of(person_of(buyer)))
    book = write_book(dossier.tables)
    decision_record(
        act=DOSSIER_ACT,
        sentence="Exportó todo lo que se guarda de este comprador.",
        actor=user,
        subject=buyer.kept,
        reason=reason,
        data={
            "rows": counted(dossier),
            "files": len(dossier.files),
            "sha256": hashlib.sha256(book).hexdigest(),
        },
    )
    return zip_stream(_members(book, dossier.files))


def _members(
    book: bytes, files: list[tuple[str, StoredFile]]
) -> Iterator[tuple[str, bytes | StoredFile]]:
    yield BOOK_NAME, book
    yield from files


def _with_files(dossier: Dossier) -> Dossier:
    """The same with a sheet of the files; one that is not in the store is told, not left out in
    silence."""
    stored = [(name, one, default_storage.exists(one.path)) for name, one in dossier.files]
    sheet = Table(
        "Archivos",
        ["nombre en este ZIP", "tamaño", "SHA-256", "nombre original"],
        [
            [name if there else "no está en el almacén", one.size, one.sha256, one.original_name]
            for name, one, there in stored
        ],
    )
    there = [(name, one) for name, one, is_there in stored if is_there]
    return replace(dossier, tables=[*dossier.tables, sheet], files=there)
