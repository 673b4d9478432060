"""How each kind of cell is read. A reader gives the value or raises CellError, whose message
says in Spanish what is wrong and how to write it; no reader is given an empty cell."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

from buyers.enums import BuyerClass, DeclarationKind, IdentityType
from office.dates import FIRST_YEAR, DateError, date_from_cell, datetime_from_cell
from office.identities import IdentityError, identity_from_cell, read_type
from office.numbers import NumberError, read_amount, read_quantity, write_quantity
from office.text import TextError, fold, quoted

MOST_DAYS = 32_767  # what their columns hold
MOST_MEMBERS = 2_147_483_647
MOST_REFERENCE = 80
_LAST_YEAR = 2100
_ANSWERS = {"si": True, "s": True, "no": False, "n": False}
_CLASSES = {fold(one.label): one for one in BuyerClass} | {one.value: one for one in BuyerClass}
CLASS_NAMES = "; ".join(f"{one.label} ({one.value})" for one in BuyerClass)
# How each declaration is named in a file; its code and its whole sentence are taken, too.
_DECLARATION_NAMES = {
    DeclarationKind.NO_TRANSFER: "no_transferir",
    DeclarationKind.NO_BENEFICIAL_OWNER: "sin_beneficiario_real",
    DeclarationKind.NO_GIVING_IN_PAYMENT: "no_dar_en_pago",
    DeclarationKind.NO_SUBROGATION: "no_subrogar",
    DeclarationKind.TERMS_OF_OFFER: "condiciones_de_la_oferta",
    DeclarationKind.CONTINGENCY_COVER: "cobertura_de_contingencias",
    DeclarationKind.NOT_DISQUALIFIED: "no_inhabilitado",
}
DECLARATION_NAMES = ", ".join(_DECLARATION_NAMES.values())
_DECLARATIONS = {
    said: one
    for one, name in _DECLARATION_NAMES.items()
    for said in (name, one.value, fold(one.label))
}
_BETWEEN = re.compile("[|,;]")


class CellError(ValueError):
    """A cell that cannot be read."""


UNREADABLE = (CellError, DateError, IdentityError, NumberError, TextError)


def text(cell: str) -> str:
    """The text as it is; what cannot be seen in it was refused before."""
    return cell


def text_up_to(limit: int) -> Callable[[str], str]:
    """A reader of text of at most `limit` characters."""

    def read(cell: str) -> str:
        if len(cell) > limit:
            raise CellError(f"Tiene {len(cell)} caracteres: escriba a lo sumo {limit}.")
        return cell

    return read


def identity_type(cell: str) -> IdentityType:
    return IdentityType(read_type(cell))


def buyer_class(cell: str) -> BuyerClass:
    found = _CLASSES.get(fold(cell)) or _CLASSES.get(cell.lower())
    if found is None:
        raise CellError(
            f"{quoted(cell)} no es una clase. Escriba una de las que lista la página de carga, "
            f"por ejemplo «{BuyerClass.WORKER.label}»."
        )
    return found


def yes_no(cell: str) -> bool:
    answer = _ANSWERS.get(fold(cell))
    if answer is None:
        raise CellError(f"{quoted(cell)} no se puede leer. Escriba «sí» o «no».")
    return answer


def year(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) == 4):
        raise CellError(f"{quoted(cell)} no es un año. Escriba sus cuatro cifras, como 1994.")
    if not FIRST_YEAR <= int(cell) <= _LAST_YEAR:
        raise CellError(f"El año debe estar entre {FIRST_YEAR} y {_LAST_YEAR}, como 1994.")
    return int(cell)


def amount(cell: str) -> Decimal:
    return read_amount(cell)


def quantity(cell: str) -> int:
    return read_quantity(cell)


def members(cell: str) -> int:
    return _bounded(read_quantity(cell, feminine=False), MOST_MEMBERS)


def days(cell: str) -> int:
    return _bounded(read_quantity(cell, feminine=False), MOST_DAYS)


def _bounded(number: int, most: int) -> int:
    if number > most:
        raise CellError(
            f"{write_quantity(number)} es demasiado grande: el máximo es {write_quantity(most)}."
        )
    return number


def nit(cell: str) -> str:
    """A broker's NIT as it is kept: "800197268-4"."""
    found = identity_from_cell(IdentityType.NIT, cell)
    return f"{found.number}-{found.check_digit}"


def day(cell: str) -> date:
    """A day; a workbook may give it with an hour, midnight."""
    return date_from_cell(cell.removesuffix(" 00:00"))


def moment(cell: str) -> datetime:
    return datetime_from_cell(cell)


def other_documents(cell: str) -> tuple[tuple[str, str], ...]:
    """Names and references: "Formulario 7 = B-0130 | Carta = B-0131"."""
    pairs = [part.rpartition("=") for part in cell.split("|")]
    found = tuple((name.strip(), reference.strip()) for name, _, reference in pairs)
    if not all(name and reference for name, reference in found):
        raise CellError(
            "Escriba de cada uno su nombre en el reglamento, «=» y su referencia, y entre uno y "
            "otro «|»: Formulario 7 = B-0130 | Carta = B-0131."
        )
    return tuple((name, _short(reference)) for name, reference in found)


def _short(reference: str) -> str:
    return text_up_to(MOST_REFERENCE)(reference)


def declarations(cell: str) -> frozenset[DeclarationKind]:
    """Names with a blank between them, or whole sentences with «|» between them."""
    parts = [fold(part) for part in _BETWEEN.split(cell)]
    said = [one for part in parts for one in ([part] if part in _DECLARATIONS else part.split())]
    unknown = [one for one in said if one not in _DECLARATIONS]
    if unknown:
        raise CellError(
            f"{quoted(unknown[0])} no es una declaración. Escriba las que consten, con un espacio "
            f"entre ellas, de estas: {DECLARATION_NAMES}."
        )
    return frozenset(_DECLARATIONS[one] for one in said)
