"""Identity documents: how they are read, compared and shown.

The dots or blanks that group a number by threes do not matter, elsewhere they are a slip that may
have cost a figure; its type does: C.C. 123456 and C.E. 123456 are two people. A NIT is always
given with its check digit.
"""

import re
from dataclasses import dataclass

from stdnum.co import nit

from office.text import quoted
from office.words import figures

ABBREVIATIONS = {"CC": "C.C.", "CE": "C.E.", "PA": "Pasaporte", "NIT": "NIT"}
LONG_NAMES = {
    "CC": "cédula de ciudadanía",
    "CE": "cédula de extranjería",
    "PA": "pasaporte",
    "NIT": "NIT",
}

_MARKS = re.compile(r"[. \t\u00a0]")
_TRIMMED = " \t\r\n\u00a0"
# Groups of three, all parted alike, or none; of a NIT, before its hyphen.
_GROUPED = re.compile(r"[0-9]+|[0-9]{1,3}([. \t\u00a0])[0-9]{3}(?:\1[0-9]{3})*")
_BEFORE_DIGIT = re.compile(r"[ \t\u00a0]*-[ \t\u00a0]*[0-9]\Z")
# A passport has no groups of its own; "51000123.0" is a number that a spreadsheet mangled.
_PARTED = re.compile(r"[A-Za-z0-9]+(?:([. \t\u00a0])[A-Za-z0-9]+(?:\1[A-Za-z0-9]+)*)?")
_DECIMALS = re.compile(r"\.[0-9]{1,2}(?![0-9.])")
_CC = re.compile(r"[1-9][0-9]{2,9}")
_CE = re.compile(r"[0-9]{3,10}")
_PASSPORT = re.compile(r"[A-Z0-9]{5,15}")
_NIT = re.compile(r"([1-9][0-9]{5,9})-([0-9])")
_NIT_WITHOUT_DIGIT = re.compile(r"[0-9]{6,11}")
_SCIENTIFIC = re.compile(r"([0-9])(?:[.,]([0-9]+))?[eE]\+?([0-9]{1,2})")
_WHOLE_WITH_ZEROS = re.compile(r"([0-9]+)[.,]0{1,2}")
_HOW_TO = {
    "CC": "Escriba la cédula de ciudadanía con sus 3 a 10 cifras, por ejemplo 51.000.123.",
    "CE": "Escriba la cédula de extranjería con sus 3 a 10 cifras, por ejemplo 234567.",
    "PA": "Escriba el pasaporte con sus 5 a 15 letras y cifras, por ejemplo AB123456.",
    "NIT": "Escriba el NIT con guion y dígito de verificación, por ejemplo 860.530.751-7.",
}
_HOW_TO_GROUP = (
    "Escríbalo de corrido, o sepárelo de tres en tres cifras, solo con puntos o solo con espacios."
)


class IdentityError(ValueError):
    """An identity that cannot be read; its message is Spanish and says how to write it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity in the one form in which it is stored and compared.

    ``type`` is CC, CE, PA or NIT; ``number`` has neither dots nor blanks; ``check_digit`` is
    empty but for a NIT.
    """

    type: str
    number: str
    check_digit: str = ""

    def __str__(self) -> str:
        """Show the identity as people write it."""
        return write_identity(self.type, self.number, self.check_digit)


def read_type(text: str) -> str:
    """Return the type code (CC, CE, PA or NIT) of "C.C.", "cc", "Pasaporte" and so on."""
    letters = _MARKS.sub("", text).upper()
    code = {"PASAPORTE": "PA"}.get(letters, letters)
    if code not in ABBREVIATIONS:
        raise IdentityError(f"{quoted(text)} no se acepta. Use C.C., C.E., Pasaporte o NIT.")
    return code


def read_identity(identity_type: str, text: str) -> Identity:
    """Return the identity of that type written in the text, or raise IdentityError.

    The leading zeros of a C.C. go, since a cédula is a number; those of a C.E. or of a passport
    stay. A NIT comes with its check digit after a hyphen, and the digit must be right.
    """
    if identity_type not in ABBREVIATIONS:
        raise IdentityError(
            f"{quoted(identity_type)} no se acepta. Use C.C., C.E., Pasaporte o NIT."
        )
    trimmed = text.strip(_TRIMMED)
    bare = _MARKS.sub("", trimmed)
    if not bare:
        raise IdentityError(f"Falta el número. {_HOW_TO[identity_type]}")
    # isascii first: upper() turns "ß" into "SS".
    identity = _read_bare(identity_type, trimmed, bare.upper() if bare.isascii() else bare)
    if not _is_well_parted(identity_type, trimmed):
        raise _badly_parted(identity_type, trimmed)
    return identity


def read_identity_shown(identity_type: str, text: str) -> Identity:
    """Return the identity of that type, its type written before it or not: "C.C. 51.000.123"."""
    trimmed = text.strip(_TRIMMED)
    word, _, number = trimmed.partition(" ")
    before = {ABBREVIATIONS.get(identity_type, "").casefold(), identity_type.casefold()}
    return read_identity(identity_type, number if word.casefold() in before else trimmed)


def identity_from_cell(identity_type: str, value: object) -> Identity:
    """Return the identity in a file's cell, where a spreadsheet may have made it a number.

    1020304050.0 and 1.02030405E+9 are 1020304050; a number that lost digits on its way is an
    error, never a guess.
    """
    if isinstance(value, str):
        return read_identity(identity_type, _mended(identity_type, value.strip(_TRIMMED)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unreadable(identity_type, str(value))
    # From 10^15 on a float no longer holds every whole number that a spreadsheet shows.
    if value != value or value % 1 != 0 or not 0 < value < 10**15:
        raise _unreadable(identity_type, str(value))
    return read_identity(identity_type, str(int(value)))


def check_digit(number: str) -> str:
    """Return the check digit of a NIT given without it."""
    return str(nit.calc_check_digit(number))


def write_identity(identity_type: str, number: str, digit: str = "") -> str:
    """Return "C.C. 51.000.123" or "NIT 860.530.751-7"; the check digit is worked out if absent."""
    return f"{ABBREVIATIONS[identity_type]} {write_number(identity_type, number, digit)}"


def write_identity_long(identity_type: str, number: str, digit: str = "") -> str:
    """Return the identity as certificates state it: "cédula de ciudadanía 51.000.123"."""
    return f"{LONG_NAMES[identity_type]} {write_number(identity_type, number, digit)}"


def write_number(identity_type: str, number: str, digit: str = "") -> str:
    """Return the number alone, grouped: "51.000.123", "860.530.751-7", "AB123456"."""
    if identity_type == "PA" or number.startswith("0"):
        return number
    grouped = figures(int(number))
    return f"{grouped}-{digit or check_digit(number)}" if identity_type == "NIT" else grouped


def _read_bare(identity_type: str, text: str, bare: str) -> Identity:
    if identity_type == "NIT":
        return _read_nit(text, bare)
    if identity_type == "CC":
        return _matched(identity_type, text, _CC, bare.lstrip("0"))
    return _matched(identity_type, text, _CE if identity_type == "CE" else _PASSPORT, bare)


def _is_well_parted(identity_type: str, text: str) -> bool:
    if identity_type == "PA":
        return bool(_PARTED.fullmatch(text)) and not _DECIMALS.search(text)
    number = _BEFORE_DIGIT.sub("", text) if identity_type == "NIT" else text
    return bool(_GROUPED.fullmatch(number))


def _badly_parted(identity_type: str, text: str) -> IdentityError:
    if identity_type == "PA":
        return _unreadable(identity_type, text)
    return IdentityError(
        f"{quoted(text)} tiene puntos o espacios fuera de lugar. {_HOW_TO_GROUP} "
        f"{_HOW_TO[identity_type]}"
    )


def _read_nit(text: str, bare: str) -> Identity:
    found = _NIT.fullmatch(bare)
    if not found:
        if _NIT_WITHOUT_DIGIT.fullmatch(bare):
            raise IdentityError(f"Falta el dígito de verificación. {_HOW_TO['NIT']}")
        raise _unreadable("NIT", text)
    number, digit = found.groups()
    right = check_digit(number)
    if digit != right:
        raise IdentityError(
            f"El dígito de verificación de {quoted(text)} debe ser {right}. "
            "Revise el número y el dígito."
        )
    return Identity("NIT", number, digit)


def _matched(identity_type: str, text: str, pattern: re.Pattern[str], number: str) -> Identity:
    if not pattern.fullmatch(number):
        raise _unreadable(identity_type, text)
    return Identity(identity_type, number)


def _mended(identity_type: str, text: str) -> str:
    if identity_type == "PA":
        return text
    whole = _WHOLE_WITH_ZEROS.fullmatch(text)
    if whole:
        return whole[1]
    scientific = _SCIENTIFIC.fullmatch(text)
    if not scientific:
        return text
    first, decimals, exponent = scientific[1], scientific[2] or "", int(scientific[3])
    # A closing zero is all that scientific notation leaves out when nothing was rounded away.
    if not exponent - 1 <= len(decimals) <= exponent:
        raise IdentityError(
            f"{quoted(text)} perdió cifras en la hoja de cálculo. Dé a la columna formato de "
            "texto y escriba de nuevo el número."
        )
    return (first + decimals).ljust(exponent + 1, "0")


def _unreadable(identity_type: str, text: str) -> IdentityError:
    return IdentityError(f"{quoted(text)} no se puede leer. {_HOW_TO[identity_type]}")
