"""Numbers in Spanish words and in Colombian figures, as certificates state them.

Long scale ("mil millones" is 10^9, "un billón" 10^12). Feminine agreement reaches the units and
the hundreds that count the noun, also before "mil" ("doscientas noventa y un mil acciones"); it
does not pass a "millón", which is a masculine noun of its own ("doscientos millones").
"""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from office.dates import MONTHS

Exact = int | Decimal | Fraction

_GROUP = 10**6
_SCALE = (
    ("", ""),
    ("millón", "millones"),
    ("billón", "billones"),
    ("trillón", "trillones"),
    ("cuatrillón", "cuatrillones"),
    ("quintillón", "quintillones"),
)
_LIMIT = _GROUP ** len(_SCALE)

# fmt: off
_BELOW_THIRTY = [
    "cero", "uno", "dos", "tres", "cuatro", "cinco",
    "seis", "siete", "ocho", "nueve", "diez", "once",
    "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete",
    "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés",
    "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
]
_TENS = [
    "", "", "", "treinta", "cuarenta", "cincuenta",
    "sesenta", "setenta", "ochenta", "noventa",
]
_HUNDREDS = [
    "", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos",
    "seiscientos", "setecientos", "ochocientos", "novecientos",
]
# fmt: on

MINUS = "\u2212"


def figures(value: Exact, places: int = 0) -> str:
    """Return a number in figures as Colombia writes them: 1234.5 with two places is "1.234,50".

    Rounded half up (away from zero) to ``places`` decimals, from the exact value.
    """
    scaled = _half_up(Fraction(value) * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    sign = MINUS if scaled < 0 else ""
    decimals = f",{rest:0{places}d}" if places else ""
    return sign + f"{whole:,}".replace(",", ".") + decimals


def quantity_words(number: int, feminine: bool = True, *, before_noun: bool = False) -> str:
    """Return a whole number, 0 or more and under 10^36, in words.

    Feminine by default, since it counts *acciones*: 21 is "veintiuna". A masculine number
    standing alone ends in "uno"; with ``before_noun`` it is shortened: "veintiún" (pesos).
    """
    if not 0 <= number < _LIMIT:
        raise ValueError("Solo se escriben en letras los números de 0 a 10^36.")
    if number == 0:
        return _BELOW_THIRTY[0]
    parts: list[str] = []
    for power in reversed(range(1, len(_SCALE))):
        count = number // _GROUP**power % _GROUP
        if count:
            parts.append(f"{_group_words(count, 'un', False)} {_SCALE[power][count > 1]}")
    if number % _GROUP:
        one = "una" if feminine else "un" if before_noun else "uno"
        parts.append(_group_words(number % _GROUP, one, feminine))
    return " ".join(parts)


def counted(number: int, one: str, many: str, *, feminine: bool) -> str:
    """Return the words of a number with its noun: "un peso", "dos acciones".

    With the "de" that a closing "millón", "billón" … asks for: "un millón de pesos".
    """
    words = quantity_words(number, feminine, before_noun=True)
    return f"{words} {_of(number)}{one if number == 1 else many}"


def shares_words(number: int) -> str:
    """A number of shares in words: "seiscientas mil acciones", "un millón de acciones"."""
    return counted(number, "acción", "acciones", feminine=True)


def quantity_phrase(number: int) -> str:
    """Return shares in words and figures: "seiscientas mil (600.000) acciones"."""
    noun = "acción" if number == 1 else "acciones"
    return f"{quantity_words(number)} ({figures(number)}) {_of(number)}{noun}"


def amount_words(amount: Decimal) -> str:
    """Return pesos in words: "sesenta pesos con sesenta centavos", "un millón de pesos".

    The amount is 0 or more and has no fraction of a centavo: words never round.
    """
    centavos = Fraction(amount) * 100
    if centavos.denominator != 1 or centavos < 0:
        raise ValueError("Solo se escriben en letras valores no negativos en centavos enteros.")
    whole, rest = divmod(centavos.numerator, 100)
    if not rest:
        return counted(whole, "peso", "pesos", feminine=False)
    cents = counted(rest, "centavo", "centavos", feminine=False)
    if not whole:
        return cents
    return f"{counted(whole, 'peso', 'pesos', feminine=False)} con {cents}"


def amount_phrase(amount: Decimal) -> str:
    """Return pesos in words and figures: "sesenta pesos con sesenta centavos ($60,60)"."""
    return f"{amount_words(amount)} (${figures(amount, 2)})"


def issue_sentence(day: date) -> str:
    """Return the closing date of a certificate, to follow "Se expide en Bogotá, D. C.,".

    "a los quince (15) días del mes de septiembre de mil novecientos noventa y cinco (1995)"; on
    day one "al primer (1er) día del mes de …".
    """
    days = quantity_words(day.day, feminine=False, before_noun=True)
    opening = "al primer (1er) día" if day.day == 1 else f"a los {days} ({day.day}) días"
    year = quantity_words(day.year, feminine=False)
    return f"{opening} del mes de {MONTHS[day.month - 1]} de {year} ({day.year})"


def _of(number: int) -> str:
    return "de " if number and number % _GROUP == 0 else ""


def _group_words(number: int, one: str, feminine: bool) -> str:
    """Words of 1 … 999.999; ``one`` is how a closing 1 ends: "un", "uno" or "una"."""
    thousands, units = divmod(number, 1000)
    parts: list[str] = []
    if thousands > 1:
        parts.append(_hundreds_words(thousands, "un", feminine))
    if thousands:
        parts.append("mil")
    if units:
        parts.append(_hundreds_words(units, one, feminine))
    return " ".join(parts)


def _hundreds_words(number: int, one: str, feminine: bool) -> str:
    if number == 100:
        return "cien"
    hundreds, rest = divmod(number, 100)
    parts: list[str] = []
    if hundreds:
        word = _HUNDREDS[hundreds]
        parts.append(word[:-2] + "as" if feminine and hundreds > 1 else word)
    if rest:
        parts.append(_tens_words(rest, one))
    return " ".join(parts)


def _tens_words(number: int, one: str) -> str:
    if number == 21 and one == "un":
        return "veintiún"
    if number < 30:
        word = _BELOW_THIRTY[number]
        return word[:-3] + one if word.endswith("uno") else word
    tens, unit = divmod(number, 10)
    if not unit:
        return _TENS[tens]
    return f"{_TENS[tens]} y {one if unit == 1 else _BELOW_THIRTY[unit]}"


def _half_up(value: Fraction) -> int:
    magnitude = (abs(value) * 2 + 1) // 2
    return magnitude if value >= 0 else -magnitude
