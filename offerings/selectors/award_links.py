"""Where an award leads that offerings does not know of: whoever stands on it adds its own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from offerings.models import Award
from office.models import User


@dataclass(frozen=True)
class AwardLink:
    """A button on the pages of an award: its words, and where it leads."""

    label: str
    url: str


LINKERS: list[Callable[[Award, User], Iterable[AwardLink]]] = []


def award_links(award: Award, user: User) -> list[AwardLink]:
    """All that an award leads to, as far as `user` may go there."""
    return [link for links in LINKERS for link in links(award, user)]
