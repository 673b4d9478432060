"""Look into a file that a stranger made; run as a script by uploads.py, never imported.

It reads the file from its standard input and prints {"fault": …}. It limits its own memory and
time first, so it dies of a file that swells, instead of the server. It knows no Django.
"""

import io
import json
import resource
import sys
import warnings

MEMORY = 1024 * 1024 * 1024
SECONDS = 20
MAX_UNPACKED = 200 * 1024 * 1024
MAX_OBJECTS = 200_000
MAX_DEPTH = 50
MAX_PIXELS = 60_000_000  # an A3 page at 400 dots an inch has 31

JAVASCRIPT = {"/JS", "/JavaScript"}
ACTIVE = {"/Launch", "/EmbeddedFiles", "/EmbeddedFile", "/XFA", "/RichMedia", "/SubmitForm",
          "/ImportData", "/GoToE"}  # fmt: skip


def main() -> None:
    """Print the fault of the file on standard input, "" where it has none."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    data = sys.stdin.buffer.read()
    look = pdf_fault if sys.argv[1] == "pdf" else image_fault
    try:
        fault = look(data)
    except MemoryError:
        fault = "huge"
    sys.stdout.write(json.dumps({"fault": fault}))


def pdf_fault(data: bytes) -> str:
    """What keeps a PDF out: encryption, scripts, attachments, nothing in it, a bomb."""
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
            return _objects_fault(pdf) or ("" if len(pdf.pages) else "empty")
        except (pikepdf.PdfError, ValueError, RecursionError):
            return "broken"


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


def image_fault(data: bytes) -> str:
    """What keeps a PNG or JPEG out: a damage, or more pixels than a page has."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            image.load()
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return "huge"
    except (OSError, SyntaxError, ValueError):
        return "broken"
    return ""


if __name__ == "__main__":
    main()
