"""Reading and writing numbers as Colombia writes them.

A dot groups thousands and a comma parts decimals, always and everywhere: 1.234 is one thousand
two hundred and thirty-four. What could be taken two ways is refused, and the message says how to
write it.
"""

import re
from decimal import Decimal
from fractions import Fraction

from office.text import quoted
from office.words import MINUS, Exact, figures, quantity_words

MAX_QUANTITY = 9_223_372_036_854_775_807  # bigint

_BLANKS = " \t\r\n\u00a0"
# No number that fits a column, grouped and with its decimals, is longer.
_LONGEST = 60
_WHOLE = r"(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)"
_WHOLE_NUMBER = re.compile(_WHOLE)
_CURRENCY = re.compile(r"\$[ \u00a0]?")
_COMMA_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_SWAPPED = re.compile(r"([0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)\.([0-9]+)")
_DIGITS_AND_DOTS = re.compile(r"[1-9][0-9]*(?:\.[0-9]+)+")
_HOW_TO_QUANTITY = "Escriba solo cifras, con un punto cada tres, por ejemplo 1.234 o 1234."
_HOW_TO_AMOUNT = "Escriba puntos para los miles y coma para los decimales, por ejemplo 1.234,50."


class NumberError(ValueError):
    """A number that cannot be read; its message is Spanish and says how to write it."""


def read_quantity(text: str, *, feminine: bool = True) -> int:
    """Return a whole number, 0 or more, that fits a bigint: "1.234" and "1234" are 1234.

    ``feminine`` is the gender of what is counted, for the words of the message.
    """
    trimmed = text.strip(_BLANKS)
    if not trimmed:
        raise NumberError(f"Falta la cantidad. {_HOW_TO_QUANTITY}")
    if len(trimmed) > _LONGEST or not _WHOLE_NUMBER.fullmatch(trimmed):
        raise NumberError(_quantity_message(trimmed, feminine))
    number = _digits(trimmed)
    if number > MAX_QUANTITY:
        raise NumberError(
            f"{quoted(trimmed)} es demasiado grande: el máximo es {figures(MAX_QUANTITY)}."
        )
    return number


def read_amount(text: str, decimals: int = 2, *, digits: int = 24) -> Decimal:
    """Return an amount, 0 or more, with exactly ``decimals`` places: "$1.234,5" is 1234.50.

    ``digits`` and ``decimals`` are those of its numeric column: pesos are numeric(24,2).
    """
    trimmed = text.strip(_BLANKS)
    if not trimmed:
        raise NumberError(f"Falta el valor. {_HOW_TO_AMOUNT}")
    bare = _CURRENCY.sub("", trimmed, count=1) if trimmed.startswith("$") else trimmed
    pattern = rf"{_WHOLE}(?:,[0-9]{{1,{decimals}}})?" if decimals else _WHOLE
    if len(bare) > _LONGEST or not re.fullmatch(pattern, bare):
        raise NumberError(_amount_message(trimmed, bare, decimals))
    amount = Decimal(bare.replace(".", "").replace(",", "."))
    if amount >= 10 ** (digits - decimals):
        raise NumberError(
            f"{quoted(trimmed)} es demasiado grande: caben {digits - decimals} cifras enteras."
        )
    return amount.quantize(Decimal(1).scaleb(-decimals))


def write_quantity(number: int) -> str:
    """Return a whole number in figures: "5.234.634.742"."""
    return figures(number)


def write_count(number: int, one: str, many: str) -> str:
    """Return a whole number in figures with its noun: "1 acción", "495.049 acciones"."""
    return f"{figures(number)} {one if number == 1 else many}"


def write_shares(number: int) -> str:
    """Return a number of shares in figures with their noun: "1 acción", "495.049 acciones"."""
    return write_count(number, "acción", "acciones")


def write_amount(amount: Exact) -> str:
    """Return pesos in figures: "$60,60", "$317.218.865.365,20"; half up to the centavo."""
    written = figures(amount, 2)
    sign = MINUS if written.startswith(MINUS) else ""
    return f"{sign}${written.removeprefix(MINUS)}"


def write_decimal(value: Exact, places: int | None = None) -> str:
    """Return a number with ``places`` decimals: "0,822512661"; without, with those it has."""
    return figures(value, _own_places(value) if places is None else places)


def write_index(value: Exact) -> str:
    """Return an index with the decimals that it has, two at least: "66,50", "12,345678"."""
    return write_decimal(value, max(2, _own_places(value)))


def write_percent(value: Exact, places: int | None = None) -> str:
    """Return percentage points, 8.3 as "8,3 %", with a blank that never breaks."""
    return f"{write_decimal(value, places)}\u00a0%"


def _digits(text: str) -> int:
    return int(text.replace(".", "").replace(",", ""))


def _own_places(value: Exact) -> int:
    if isinstance(value, Fraction):
        raise TypeError("A fraction has no decimals of its own: say how many to write.")
    exponent = Decimal(value).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _quantity_message(text: str, feminine: bool) -> str:
    opening = f"{quoted(text)} no se puede leer."
    if len(text) > _LONGEST:
        return f"{opening} {_HOW_TO_QUANTITY}"
    if _COMMA_GROUPS.fullmatch(text):
        return f"{opening} {_thousands_hint(_digits(text), feminine)}."
    if re.fullmatch(rf"{_WHOLE},[0-9]+", text):
        return f"{opening} La cantidad es un número entero: escríbala sin decimales."
    if _wrong_groups(text):
        return _groups_message(text)
    if re.fullmatch(rf"[-\u2212]{_WHOLE}", text):
        return f"{opening} La cantidad no puede ser negativa."
    return f"{opening} {_HOW_TO_QUANTITY}"


def _amount_message(text: str, bare: str, decimals: int) -> str:
    opening = f"{quoted(text)} no se puede leer."
    if len(bare) > _LONGEST:
        return f"{opening} {_HOW_TO_AMOUNT}"
    if _COMMA_GROUPS.fullmatch(bare):
        return f"{opening} {_thousands_hint(_digits(bare), False)}."
    swapped = _SWAPPED.fullmatch(bare)
    if swapped and len(swapped[2]) <= decimals:
        return f"Separadores cambiados. Escriba {figures(_digits(swapped[1]))},{swapped[2]}."
    if _wrong_groups(bare):
        return _groups_message(bare)
    if re.fullmatch(rf"{_WHOLE},[0-9]+", bare):
        return f"{opening} Escriba a lo sumo {decimals} decimales."
    if re.fullmatch(rf"[-\u2212]{_WHOLE}(?:,[0-9]+)?", bare):
        return f"{opening} El valor no puede ser negativo."
    return f"{opening} {_HOW_TO_AMOUNT}"


def _thousands_hint(number: int, feminine: bool) -> str:
    verb = "es" if number == 1 else "son"
    return f"Escriba {figures(number)} si {verb} {quantity_words(number, feminine)}"


def _wrong_groups(text: str) -> bool:
    """Digits and dots that are not in threes, though some group after a dot is long enough."""
    groups = text.split(".")
    return bool(_DIGITS_AND_DOTS.fullmatch(text)) and max(map(len, groups[1:])) >= 3


def _groups_message(text: str) -> str:
    number = _digits(text)
    return f"Agrupación incorrecta. Escriba {figures(number)} o {number}."
