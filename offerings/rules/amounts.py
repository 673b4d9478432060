"""Exact amounts brought to the centavo."""

from decimal import Decimal
from fractions import Fraction


def half_up(amount: Fraction) -> Decimal:
    """An amount of zero or more to the centavo, half up; once, at the end of a working."""
    centavos = (amount * 100 + Fraction(1, 2)).__floor__()
    pesos, rest = divmod(centavos, 100)
    return Decimal(f"{pesos}.{rest:02d}")
