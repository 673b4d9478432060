"""What a PDF says."""

from io import BytesIO

from pdfminer.high_level import extract_text
from pdfminer.layout import LAParams

ACROSS = LAParams(char_margin=1_000, boxes_flow=None)


def text_of(data: bytes) -> str:
    """Its text, with one blank between the words wherever the lines break."""
    return " ".join(extract_text(BytesIO(data)).split())


def rows_of(data: bytes) -> str:
    """Its text row by row, straight across the columns of its tables, blanks in one."""
    return " ".join(extract_text(BytesIO(data), laparams=ACROSS).split())


def letters_of(data: bytes) -> str:
    """Its text without any blank, for what is set wide."""
    return "".join(extract_text(BytesIO(data)).split())
