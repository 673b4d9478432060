"""What a PDF says."""

from io import BytesIO

from pdfminer.high_level import extract_text


def text_of(data: bytes) -> str:
    """Its text, with one blank between the words wherever the lines break."""
    return " ".join(extract_text(BytesIO(data)).split())
