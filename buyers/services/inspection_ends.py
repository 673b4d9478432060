"""Where a file ends by its own format; for inspection.py alone. What follows that end no program
shows, so it is kept out: it is another file, or hides one. A TIFF has no such end."""

import re
import struct

BLANKS = b"\0\t\n\f\r "
# A reader goes by the last of a PDF's ends; %%EOF alone could have been appended, too.
PDF_MARK, PDF_END = b"%%EOF", re.compile(rb"startxref\s+[0-9]+\s+%%EOF\Z")
PDF_TAIL = 1024
PNG_START, PNG_END = 8, b"IEND"
JPEG_START, JPEG_IMAGE, JPEG_END = b"\xff\xd8", 0xD8, 0xD9
# In what is drawn, FF 00 is a figure and FF D0 to D7 are marks within it.
JPEG_MARK = re.compile(rb"\xff+([\x01-\xcf\xd8-\xfe])")
ZIP_END, ZIP_END_SIZE = b"PK\x05\x06", 22


def tail_fault(kind: str, data: bytes, images: int = 1) -> str:
    """Of a file that is sound: tail, where more follows its end; broken, where it has none.

    `images`: how many a JPEG says it holds, one after the other, as some cameras write them.
    """
    try:
        rest = _ENDS[kind](data, images)
    except (IndexError, struct.error):
        return "broken"
    return "tail" if rest.strip(BLANKS) else ""


def _after_pdf(data: bytes, _: int) -> bytes:
    if PDF_MARK not in data:
        raise IndexError
    return b"" if PDF_END.search(data.rstrip(BLANKS)[-PDF_TAIL:]) else b"something"


def _after_png(data: bytes, _: int) -> bytes:
    place, kind = PNG_START, b""
    while kind != PNG_END:
        length, kind = struct.unpack_from(">I4s", data, place)
        place += 12 + length
    return data[place:]


def _after_jpeg(data: bytes, images: int) -> bytes:
    for _ in range(images):
        data = data.lstrip(BLANKS)
        if not data.startswith(JPEG_START):
            break
        data = data[_jpeg_end(data) :]
    return data


def _jpeg_end(data: bytes) -> int:
    place = len(JPEG_START)
    while True:
        mark = JPEG_MARK.search(data, place)
        if mark is None:
            raise IndexError
        place = mark.end()
        if mark[1][0] == JPEG_END:
            return place
        if mark[1][0] not in {0x01, JPEG_IMAGE}:
            place += struct.unpack_from(">H", data, place)[0]


def _after_book(data: bytes, _: int) -> bytes:
    """The notes that a packed file may end in are no part of a workbook, either."""
    place = data.rindex(ZIP_END) if ZIP_END in data else len(data)
    return data[place + ZIP_END_SIZE :]


_ENDS = {"pdf": _after_pdf, "png": _after_png, "jpeg": _after_jpeg, "xlsx": _after_book}
