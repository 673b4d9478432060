"""How each cell that the review shows was understood, in the words of the register: a day that a
workbook gave as a number, a number that came in scientific notation."""

from collections.abc import Callable, Mapping
from typing import Any

from buyers.enums import BuyerClass
from office.dates import write_date, write_time
from office.identities import ABBREVIATIONS, Identity, write_number
from office.numbers import write_decimal, write_quantity
from office.text import fold

_NUMBER = "numero_documento"
_WORDS: dict[str, Callable[[Any], str]] = {
    "tipo_documento": lambda kind: ABBREVIATIONS[kind.value],
    "nombre": str,
    "clase": lambda buyer_class: BuyerClass(buyer_class).label,
    "cantidad": write_quantity,
    "patrimonio_bruto": lambda pesos: write_decimal(pesos, 2),
    "recibida": lambda at: f"{write_date(at)} {write_time(at)}",
}


def understood_words(values: Mapping[str, Any], identity: Identity | None) -> dict[str, str]:
    """By column, what was read in a row; a cell that is blank or cannot be read has none."""
    words = {
        name: write(values[name]) for name, write in _WORDS.items() if values.get(name) is not None
    }
    if identity is not None:
        words[_NUMBER] = write_number(identity.type, identity.number, identity.check_digit)
    return words


def says_otherwise(typed: str, understood: str) -> bool:
    """Whether more than dots, capitals and blanks tell what was typed from what was understood."""
    return fold(typed).replace(" ", "") != fold(understood).replace(" ", "")
