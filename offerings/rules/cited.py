"""A value of a decree with its clause, and a reading adopted where its text admits more."""

from dataclasses import dataclass
from typing import Generic, TypeVar

V = TypeVar("V")


@dataclass(frozen=True)
class Cited(Generic[V]):
    """One value with the clause that gives it; the Fund's values cite the Fund's act."""

    value: V
    cite: str
    note: str = ""


@dataclass(frozen=True)
class Reading:
    """An adopted reading of a text: its value, what it could be instead, and the clause.

    One alternative alone = the text says so itself, and nobody needs to confirm it.
    """

    value: str
    alternatives: tuple[str, ...]
    cite: str
    note: str = ""

    @property
    def settled(self) -> bool:
        """Whether the text admits no other reading."""
        return len(self.alternatives) == 1
