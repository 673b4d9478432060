"""Figures as a step's detail writes them, in Colombian Spanish: 1.234 and 60,60."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

_SWAP = str.maketrans(",.", ".,")
MINUS = "−"
TEN_THOUSANDTHS = 100 * 100
MILLIONTHS = 100 * 100 * 100
MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
)


def write_quantity(number: int) -> str:
    """Whole number with points between thousands: 5.234.634.742."""
    return f"{number:,}".translate(_SWAP)


def write_money(amount: Decimal | Fraction | int) -> str:
    """Amount in pesos with two decimals, half up: $10.000.000,00."""
    centavos = Fraction(amount) * 100
    whole = (2 * centavos.numerator + centavos.denominator) // (2 * centavos.denominator)
    sign = "-" if whole < 0 else ""
    pesos, rest = divmod(abs(whole), 100)
    return f"{sign}${write_quantity(pesos)},{rest:02d}"


def write_number(number: Decimal | Fraction | int) -> str:
    """A figure inside a sentence: no decimals where it is whole, else two: 30.000.000, 60,60."""
    if Fraction(number).denominator == 1:
        return write_quantity(int(number))
    return write_money(number).replace("$", "")


def write_fraction(number: Fraction) -> str:
    """An exact quotient cut, not rounded, at two decimals (495.049,50…)."""
    hundredths = number.numerator * 100 // number.denominator
    whole, rest = divmod(hundredths, 100)
    more = "" if number * 100 == hundredths else "…"
    return f"{write_quantity(whole)},{rest:02d}{more}"


def write_exactly(number: Decimal | int) -> str:
    """A figure with the decimals that it has, no more: 26,52; 8,3; 100; −1,5."""
    text = format(abs(Decimal(number)), ",f").translate(_SWAP)
    if "," in text:
        text = text.rstrip("0").rstrip(",")
    return f"{MINUS}{text}" if number < 0 else text


def write_cut(number: Fraction, parts: int) -> str:
    """An exact quotient in decimals of `parts` (100 = hundredths), cut and not rounded.

    "…" says that more follows; where none does, the zeros at the end are left out.
    """
    cut, more = divmod(abs(number) * parts, 1)
    whole, rest = divmod(cut, parts)
    decimals = str(parts + rest)[1:]
    if not more:
        decimals = decimals.rstrip("0")
    sign = MINUS if number < 0 else ""
    comma = "," if decimals else ""
    return f"{sign}{write_quantity(whole)}{comma}{decimals}{'…' if more else ''}"


def write_pesos_exactly(amount: Decimal | Fraction | int) -> str:
    """Pesos on the way to a total: to the centavo where that is exact, else cut with "…"."""
    exact = Fraction(amount)
    sign = MINUS if exact < 0 else ""
    if (exact * 100).denominator == 1:
        return f"{sign}{write_money(abs(exact))}"
    return f"{sign}${write_cut(abs(exact), TEN_THOUSANDTHS)}"


def write_price(price: Decimal | Fraction | int) -> str:
    """Pesos inside a working, without their sign: 60,60; 80,00."""
    return write_pesos_exactly(price).replace("$", "")


def write_date(day: date) -> str:
    """Day as dd/mm/aaaa."""
    return f"{day.day:02d}/{day.month:02d}/{day.year}"


def write_list(words: tuple[str, ...]) -> str:
    """Words in a sentence: "a, b y c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} y {words[-1]}"
