"""Text that people type: what is let in, and how it is compared when searched."""

import re
import unicodedata

# Characters that show nothing, or that turn the direction of what follows, make two names that
# look alike differ, or a name read as another: they are refused, not dropped in silence.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
_BLANKS = re.compile(
    r"[ \t\r\n\f\v\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
_INLINE_BLANKS = re.compile(r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘ʼ´`′"))
_QUOTED_LENGTH = 40


class TextError(ValueError):
    """A text that cannot be taken in; its message is Spanish and meant for the person typing."""


def clean_text(text: str, *, multiline: bool = False) -> str:
    """Return the text in NFC with its blanks collapsed and its ends trimmed.

    With ``multiline`` the line ends stay; otherwise they count as blanks.
    Raises TextError for NUL and other control characters, for marks that turn the direction of
    writing and for any other character that cannot be seen.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    if multiline:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        tidy = "\n".join(_INLINE_BLANKS.sub(" ", line).strip(" ") for line in lines).strip("\n")
    else:
        tidy = _BLANKS.sub(" ", text).strip(" ")
    if not tidy.isprintable():
        _check_seen(tidy)
    return unicodedata.normalize("NFC", tidy)


def fold(text: str) -> str:
    """Return the text as it is compared in searches: "Ñáñez" and "nanez" fold to the same.

    No accents, no capitals, no dots, no apostrophes, single blanks, and nothing unseen:
    a NUL that somebody searches for never reaches the database, which refuses it.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.translate(_APOSTROPHES).lower().replace(".", "").split())
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).casefold()
    # Once more after NFKD, which makes apostrophes of its own.
    letters = "".join(mark for mark in plain if not unicodedata.combining(mark))
    letters = letters.translate(_APOSTROPHES)
    single = _BLANKS.sub(" ", letters.replace(".", ""))
    seen = "".join(mark for mark in single if not _is_unseen(mark))
    return _BLANKS.sub(" ", seen).strip(" ")


def exchange_words(name: str) -> str:
    """Return an exchange's name with its article: "la Bolsa de Bogotá", "la bolsa «Mercantil»".

    One whose name does not begin with the noun gets it, so the sentence is right for any name.
    """
    return f"la {name}" if fold(name).startswith("bolsa ") else f"la bolsa «{name}»"


def quoted(text: str) -> str:
    """Return the text between « and », fit to stand in an error message.

    Unseen characters show as "�" and a long text is cut, so that a message never carries what
    it complains about.
    """
    shown = text[: _QUOTED_LENGTH + 1]
    if not shown.isprintable():
        shown = "".join(_visible(character) for character in shown)
    if len(text) > _QUOTED_LENGTH:
        shown = shown[:_QUOTED_LENGTH] + "…"
    return f"«{shown}»"


def _check_seen(text: str) -> None:
    for place, character in enumerate(text, start=1):
        if character != "\n" and _is_unseen(character):
            raise TextError(_unseen_message(character, place))


def _visible(character: str) -> str:
    if character == "\u00a0" or character.isspace():
        return " "
    return "�" if _is_unseen(character) else character


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN_CATEGORIES


def _unseen_message(character: str, place: int) -> str:
    return (
        f"Contiene un carácter que no se ve (U+{ord(character):04X}, posición {place}). "
        "Bórrelo y escriba el texto de nuevo, sin copiarlo."
    )
