"""Figures as a step's detail writes them, in Colombian Spanish: 1.234 and 60,60."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

_SWAP = str.maketrans(",.", ".,")


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


def write_date(day: date) -> str:
    """Day as dd/mm/aaaa."""
    return f"{day.day:02d}/{day.month:02d}/{day.year}"


def write_list(words: tuple[str, ...]) -> str:
    """Words in a sentence: "a, b y c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} y {words[-1]}"
