"""What print keeps on one line: a figure and its words, an abbreviation, the last words of a text.

WeasyPrint has no `text-wrap: pretty`, so that blanks which must not break are made no-break ones
in the page's tree before it is laid out. Cells of narrow tables are left alone.
"""

import re
from collections.abc import Iterator
from typing import Any

NO_BREAK = "\u00a0"
# Signs, without the blanks, that a paragraph's last line has at least; and from how many signs on
# a paragraph may have more than one line.
LAST_LINE, LONG = 15, 60

_PHRASES = [
    # the figure after its words: "cinco (1995)", "centavos ($60,60)"
    (re.compile(r"(?<=\w)\s+(?=\(\$?\d[\d.,]*\))"), NO_BREAK),
    # what is counted after its figure: "(407.184) acciones", "(5.000.000) de acciones"
    (re.compile(r"(?<=\d\))\s+(?=(?:acci[oó]n|d[ií]as?\b))"), NO_BREAK),
    (re.compile(r"(?<=\d\))\s+de\s+(?=acciones)"), f"{NO_BREAK}de{NO_BREAK}"),
    # abbreviations: "S. A. S.", "D. C.", "a. m."; an identity; "8,3 %"
    (re.compile(r"\b([A-Za-z]\.)\s+(?=[A-Za-z]\.)"), f"\\1{NO_BREAK}"),
    (re.compile(r"\b(C\.C\.|C\.E\.|NIT)\s+(?=\d)"), f"\\1{NO_BREAK}"),
    (re.compile(r"(?<=\d)\s+(?=%)"), NO_BREAK),
]
_BLANKS = re.compile(r"\s+")


def keep_together(root: Any) -> None:
    """Make the blanks of a page's tree that must not break no-break ones."""
    for element, name in _texts(root):
        text = getattr(element, name)
        for phrase, bound in _PHRASES:
            text = phrase.sub(bound, text)
        setattr(element, name, text)
    for block in _paragraphs(root):
        _keep_last_words(block)


def _texts(root: Any) -> Iterator[tuple[Any, str]]:
    """Where the texts of a tree stand: an element and "text" or "tail", in no special order."""
    for element in root.iter():
        for name in ("text", "tail"):
            if getattr(element, name) and not _is_blank(getattr(element, name)):
                yield element, name


def _is_blank(text: str) -> bool:
    return not text.strip()


def _paragraphs(root: Any) -> Iterator[Any]:
    """Paragraphs, and the values of tables of facts, that may have more than one line."""
    facts = [table for table in root.iter("table") if "facts" in table.get("class", "").split()]
    cells = [cell for table in facts for cell in table.iter("td")]
    for block in (*root.iter("p"), *cells):
        if sum(len(part) for part in block.itertext()) > LONG:
            yield block


def _keep_last_words(block: Any) -> None:
    kept = 0
    for element, name in reversed(list(_parts(block))):
        if name == "break" or kept >= LAST_LINE:
            return
        kept = _bind_end(element, name, kept)


def _parts(element: Any) -> Iterator[tuple[Any, str]]:
    """An element's texts in the order of reading, and its line breaks."""
    if element.tag in ("br", "p"):
        yield element, "break"
    if element.text:
        yield element, "text"
    for child in element:
        yield from _parts(child)
        if child.tail:
            yield child, "tail"


def _bind_end(element: Any, name: str, kept: int) -> int:
    """Bind the last blanks of one text until enough signs stand together; say how many do.

    A blank at a text's edge, next to another element, is left: WeasyPrint breaks the line before
    badly where it is a no-break one. So is the one that ends the paragraph.
    """
    text = getattr(element, name)
    last = end = len(text)
    for blank in reversed(list(_BLANKS.finditer(text))):
        kept += end - blank.end()
        at_edge = blank.start() == 0 or blank.end() == last
        if kept and at_edge:
            kept = LAST_LINE
        if kept >= LAST_LINE:
            break
        if kept:
            text = text[: blank.start()] + NO_BREAK + text[blank.end() :]
        end = blank.start()
    else:
        kept += end
    setattr(element, name, text)
    return kept
