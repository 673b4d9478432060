"""What others have to tell on a buyer's page: whoever stands on buyers adds its own teller."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from buyers.models import Buyer
from office.models import User


@dataclass(frozen=True)
class Notice:
    """A warning on a buyer's page: its first words, the rest, and where to read on."""

    title: str
    text: str
    url: str
    link: str


TELLERS: list[Callable[[Buyer, User], Iterable[Notice]]] = []


def buyer_notices(buyer: Buyer, user: User) -> list[Notice]:
    """All that there is to warn of, as far as `user` may know it."""
    return [notice for tell in TELLERS for notice in tell(buyer, user)]
