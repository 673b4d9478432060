"""Small files for tests, made here: a clean PDF, and ones that must not be let in."""

import io

import pikepdf
from django.core.files.base import ContentFile
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
