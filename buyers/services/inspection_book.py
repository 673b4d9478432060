"""Look into a workbook (XLSX) that a stranger made; for inspection.py alone, which limits it.

A workbook is a folder of XML, packed. What each part is stands in its list of contents and in the
relations between parts, not in the parts' names.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree  # what declares entities was refused before

from office.spreadsheets import SpreadsheetError
from office.workbooks import workbook_check

CONTENTS, BOOK = "[Content_Types].xml", "xl/workbook.xml"
FAULTS = {  # by what stands in the kind of a part or of a relation, in lower case
    "vba": "macros",
    "macro": "macros",
    "activex": "objects",
    "oleobject": "objects",
    "externallink": "links",
    "connections": "links",
    "querytable": "links",
    "attachedtemplate": "links",
}
LINK, EMBEDDED = "hyperlink", "package"
# What a formula must not do: talk to another program, or fetch from elsewhere.
REACHES_OUT = re.compile(
    r"\|.*!|\b(WEBSERVICE|CALL|REGISTER(\.ID)?|EXEC|RTD|DDE|IMAGE)\s*\(", re.IGNORECASE | re.DOTALL
)


def book_fault(data: bytes) -> str:
    """What keeps a workbook out: it is none, macros, objects, outside links, a bomb, damage. A
    code, or where the office's own reader refuses it, its Spanish sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = set(packed.namelist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return "broken_book"
    if not {CONTENTS, BOOK} <= names:
        return "no_book"
    try:
        workbook_check(data)
    except SpreadsheetError as error:
        return str(error)
    return _parts_fault(data)


def _parts_fault(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        try:
            for name in packed.namelist():
                fault = _part_fault(name, packed)
                if fault:
                    return fault
        except (ElementTree.ParseError, zipfile.BadZipFile, RuntimeError, OSError):
            return "broken_book"
    return ""


def _part_fault(name: str, packed: zipfile.ZipFile) -> str:
    lower = name.lower()
    if lower.endswith(".rels") or name == CONTENTS:
        return _first(_kinds_faults(packed, name))
    if lower.endswith(".xml"):
        return _formulas_fault(packed, name)
    return ""


def _first(faults: Iterator[str]) -> str:
    return next((fault for fault in faults if fault), "")


def _kinds_faults(packed: zipfile.ZipFile, name: str) -> Iterator[str]:
    """The faults of the kinds that a list of contents or of relations names."""
    with packed.open(name) as source:
        for _, element in ElementTree.iterparse(source):  # noqa: S314
            said = element.get("ContentType") or element.get("Type") or ""
            kind = said.lower().rpartition("/")[2]
            yield next((fault for mark, fault in FAULTS.items() if mark in kind), "")
            yield "objects" if kind == EMBEDDED else ""
            outside = (element.get("TargetMode") or "").lower() == "external"
            yield "links" if outside and kind != LINK else ""


def _formulas_fault(packed: zipfile.ZipFile, name: str) -> str:
    with packed.open(name) as source:
        for _, element in ElementTree.iterparse(source):  # noqa: S314
            tag = element.tag.rpartition("}")[2]
            if tag in {"f", "definedName"} and REACHES_OUT.search(element.text or ""):
                return "links"
            if tag in {"row", "si"}:
                element.clear()
    return ""
