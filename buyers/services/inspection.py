"""Look into a file that a stranger made; run as a script by uploads.py, never imported.

It reads the file from its standard input and prints {"fault": …}. It limits its own memory and
time first, so it dies of a file that swells, instead of the server. It knows no Django.
"""

import io
import json
import resource
import sys
import warnings
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What it shares with the office; the interpreter runs it apart from the project.
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from inspection_ends import tail_fault  # noqa: E402 -- found by the line above

MEMORY = 1024 * 1024 * 1024
SECONDS = 20
MAX_UNPACKED = 200 * 1024 * 1024
MAX_OBJECTS = 200_000
MAX_DEPTH = 50
MAX_PAGES = 300
MAX_PIXELS = 60_000_000  # an A3 page at 400 dots an inch has 31
MAX_ALL_PIXELS = 600_000_000
HEAD = 1024  # where a browser looks for what a file is, and a PDF reader for its beginning

JAVASCRIPT = {"/JS", "/JavaScript"}
ACTIVE = {"/Launch", "/EmbeddedFiles", "/EmbeddedFile", "/XFA", "/RichMedia", "/SubmitForm",
          "/ImportData", "/GoToE", "/Rendition", "/Movie"}  # fmt: skip
FOREIGN = (b"%pdf-", b"<!doctype", b"<html", b"<script", b"<svg", b"<?php")


def main() -> None:
    """Print the fault of the file on standard input, "" where it has none."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    data = sys.stdin.buffer.read()
    try:
        fault = _fault(sys.argv[1], data)
    except MemoryError:
        fault = "huge"
    sys.stdout.write(json.dumps({"fault": fault}))


def _fault(kind: str, data: bytes) -> str:
    if kind == "xlsx":
        from inspection_book import book_fault

        return book_fault(data) or tail_fault(kind, data)
    if _is_another_too(kind, data):
        return "two"
    if kind == "tiff":  # a page list cut short is no more than a warning to Pillow
        warnings.filterwarnings("error", message="Corrupt EXIF data")
    return pdf_fault(data) if kind == "pdf" else image_fault(kind, data)


def _is_another_too(kind: str, data: bytes) -> bool:
    """Whether some other program would open the same bytes as something else."""
    head = data[:HEAD].lower()
    if kind != "pdf" and any(mark in head for mark in FOREIGN):
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return bool(packed.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return False


def pdf_fault(data: bytes) -> str:
    """What keeps a PDF out: encryption, scripts, attachments, no or many pages, a bomb."""
    import pikepdf

    try:
        pdf = pikepdf.open(io.BytesIO(data), suppress_warnings=True)
    except pikepdf.PasswordError:
        return "encrypted"
    except pikepdf.PdfError:
        return "broken"
    with pdf:
        if pdf.is_encrypted:
            return "encrypted"
        try:
            fault = _objects_fault(pdf) or _pages_fault(len(pdf.pages))
        except (pikepdf.PdfError, ValueError, RecursionError):
            return "broken"
    return fault or tail_fault("pdf", data)


def _pages_fault(pages: int) -> str:
    if not pages:
        return "empty"
    return "long" if pages > MAX_PAGES else ""


def _objects_fault(pdf) -> str:
    unpacked = 0
    for count, item in enumerate(pdf.objects):
        if count > MAX_OBJECTS:
            return "huge"
        names = set(_names(item, 0))
        if names & JAVASCRIPT:
            return "javascript"
        if names & ACTIVE:
            return "active"
        unpacked += _unpacked(item)
        if unpacked > MAX_UNPACKED:
            return "huge"
    return ""


def _names(item, depth: int):
    """Every key and name in an object and in what it holds directly; references are skipped,
    since what they lead to comes by itself."""
    import pikepdf

    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(item, pikepdf.Name):
        yield str(item)
        return
    for key, child in _held(item):
        yield key
        if not _is_reference(child):
            yield from _names(child, depth + 1)


def _held(item):
    """What an object holds directly, with its key where it has one."""
    import pikepdf

    if isinstance(item, pikepdf.Array):
        return [("", child) for child in item]
    if isinstance(item, pikepdf.Stream):
        return list(item.stream_dict.items())
    return list(item.items()) if isinstance(item, pikepdf.Dictionary) else []


def _is_reference(item) -> bool:
    return bool(getattr(item, "is_indirect", False))


def _unpacked(item) -> int:
    """The size of a stream once it is unpacked; images stay as they are."""
    import pikepdf

    if not isinstance(item, pikepdf.Stream):
        return 0
    try:
        return len(item.read_bytes())
    except pikepdf.PdfError as error:
        if "bad_alloc" in str(error):  # it passed the memory that this process has
            raise MemoryError from error
        # A filter that is not unpacked here: DCT, JPX, CCITT.
        return len(item.read_raw_bytes())


def image_fault(kind: str, data: bytes) -> str:
    """What keeps an image out: a damage, more pages or pixels than papers have, a tail."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF")) as image:
            fault = _frames_fault(image)
            images = getattr(image, "n_frames", 1)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return "huge"
    except (OSError, SyntaxError, ValueError, LookupError, TypeError, ArithmeticError, Warning):
        return "broken"
    return fault or (tail_fault(kind, data, images) if kind != "tiff" else "")


def _frames_fault(image) -> str:
    """Every page is drawn: a fax of many pages may be sound in its first alone."""
    pixels = 0
    for page in range(MAX_PAGES + 1):
        try:
            image.seek(page)
        except EOFError:
            return ""
        if image.width * image.height > MAX_PIXELS:
            return "huge"
        pixels += image.width * image.height
        if pixels > MAX_ALL_PIXELS:
            return "huge"
        image.load()
    return "long"


if __name__ == "__main__":
    main()
