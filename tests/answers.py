"""What an answer holds, whether it is a page or a file that streams."""

import csv
import io
from itertools import takewhile


def text_of(response) -> str:
    """The whole answer as text."""
    data = response.getvalue() if response.streaming else response.content
    return data.decode("utf-8-sig")


def table_of(response) -> list[list[str]]:
    """The headings and rows of a list given as CSV, without its foot."""
    lines = csv.reader(io.StringIO(text_of(response), newline=""), delimiter=";")
    return list(takewhile(bool, lines))
