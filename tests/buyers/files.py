"""Small files for tests, made here: a clean PDF, and ones that must not be let in."""

import io
import zipfile
from zipfile import ZIP_DEFLATED as DEFLATED

import pikepdf
from django.core.files.base import ContentFile
from openpyxl import Workbook
from PIL import Image


def pdf_bytes(change=None, **save) -> bytes:
    """A PDF of one empty page, after `change` has had its hand in it."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    if change:
        change(pdf)
    target = io.BytesIO()
    pdf.save(target, **save)
    return target.getvalue()


def image_bytes(kind="PNG", size=(20, 20)) -> bytes:
    target = io.BytesIO()
    Image.new("L", size, 255).save(target, kind)
    return target.getvalue()


def upload(data: bytes, name="declaracion.pdf") -> ContentFile:
    return ContentFile(data, name=name)


def tiff_bytes(pages=3, size=(60, 80), mode="1", compression="group4") -> bytes:
    """A fax of several pages."""
    first, *others = (Image.new(mode, size, 1) for _ in range(pages))
    target = io.BytesIO()
    first.save(target, "TIFF", save_all=True, append_images=others, compression=compression)
    return target.getvalue()


def book_bytes(*rows, formula="") -> bytes:
    """A workbook with one sheet."""
    book = Workbook()
    for row in rows or (("Cuenta", "Valor"), ("Patrimonio", 20_000_000)):
        book.active.append(row)
    if formula:
        book.active["D1"] = formula
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def repacked(data: bytes, change=None, **added: bytes) -> bytes:
    """A packed file with parts `added`, by name, and the others as `change` leaves them."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, change(name, text) if change else text)
        for name, text in added.items():
            new.writestr(name, text)
    return target.getvalue()
