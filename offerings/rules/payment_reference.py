"""The number by which a payment names what it pays."""

import re

from stdnum import luhn

SIGNS_BETWEEN = re.compile(r"[ .\-\u00a0]")
DIGITS = re.compile(r"[0-9]{2,20}")  # an award's number has nineteen at most


def payment_reference(award: int) -> str:
    """The reference to pay award number `award` with: ten digits or more, the last a check digit.

    Digits alone, since banks' forms take no letters; the check digit (Luhn) finds any one digit
    mistaken and nearly all neighbours swapped, so that no payment goes to another's award. A new
    version of an adjudication has new awards, and so new references.
    """
    if award < 1:
        raise ValueError(f"no award has the number {award}")
    digits = f"{award:09d}"
    return digits + luhn.calc_check_digit(digits)


def payment_reference_award(reference: str) -> int | None:
    """The number of the award that a reference names, or None where its check digit is wrong.

    Blanks, dots and hyphens between the digits do not matter, nor do zeros in front: a
    spreadsheet drops them.
    """
    digits = SIGNS_BETWEEN.sub("", reference)
    if not (DIGITS.fullmatch(digits) and luhn.is_valid(digits)):
        return None
    return int(digits[:-1]) or None
