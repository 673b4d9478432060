"""What the page of a programme shows that offerings knows nothing of: whoever stands on it adds
its own part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from offerings.models import Programme
from office.models import User


@dataclass(frozen=True)
class ProgrammePart:
    """A section of the page: its template, and what that finds under the name `shown`."""

    template: str
    shown: dict[str, Any]


PARTS: list[Callable[[Programme, User], ProgrammePart | None]] = []


def programme_parts(programme: Programme, user: User) -> list[ProgrammePart]:
    """The parts that have something to show to `user`."""
    return [part for part in (show(programme, user) for show in PARTS) if part]
