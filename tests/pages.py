"""What an address asks for and answers: the words in which the tables of pages are written."""

from collections.abc import Callable
from dataclasses import dataclass

from office.roles import GRANTS, Capability, Role
from tests.world import World

READ, PREPARE, PRESENT, APPROVE, OWN, INDICES, INDICES_READ = (
    Capability.READ,
    Capability.PREPARE,
    Capability.PRESENT,
    Capability.APPROVE,
    Capability.OWN,
    Capability.INDICES,
    Capability.INDICES_READ,
)

# Who comes, and the roles that each has. `other` works for a broker whose things these are not;
# `root` is a superuser without a role, which opens nothing in the workspace.
PEOPLE: dict[str, frozenset[Role]] = {
    "analista": frozenset({Role.ANALYST}),
    "supervisor": frozenset({Role.SUPERVISOR}),
    "broker": frozenset({Role.BROKER}),
    "other": frozenset({Role.BROKER}),
    "auditor": frozenset({Role.AUDITOR}),
    "administrador": frozenset({Role.ADMINISTRATOR}),
    "root": frozenset(),
}
ANONYMOUS = "anonymous"
EVERYBODY, PUBLIC = "everybody", "public"
LOG_IN = "the log-in"


@dataclass(frozen=True)
class Page:
    """An address: what it asks for, and what it answers to those who have that.

    `get` and `post` are the statuses of an empty request by whoever may come; everybody else
    gets 403, the anonymous the log-in. `about` makes what the address names. `hidden` holds
    those who may come but not see this object: 404.
    """

    needs: Capability | str
    get: int = 200
    post: int = 405
    about: Callable[[World], dict] = lambda world: {}
    hidden: frozenset[str] = frozenset()

    def expected(self, person: str, method: str) -> int | str | set[int]:
        status = self.get if method == "get" else self.post
        if person == ANONYMOUS and self.needs != PUBLIC:
            return LOG_IN
        if self.needs in {EVERYBODY, PUBLIC}:
            return status
        if not GRANTS[Capability(self.needs)] & PEOPLE[person]:
            return {403, 405} if status == 405 else 403
        return 404 if person in self.hidden and status != 405 else status


def own(**fields) -> Page:
    """An object that staff and its own broker see; for the other broker it is not there."""
    return Page(OWN, hidden=frozenset({"other"}), **fields)


# A kept view is its owner's alone; the one that the table looks at is the broker's.
OTHERS = frozenset({"analista", "supervisor", "auditor", "other"})


def presented(**fields) -> Page:
    """An act on what staff and its own broker may touch; for the other broker it is not there."""
    return Page(PRESENT, hidden=frozenset({"other"}), **fields)


def own_draft(**fields) -> Page:
    """A draft is its owner's, and nobody else's, whatever their role."""
    others = frozenset({"supervisor", "broker", "other"})
    return Page(PRESENT, about=World.of_draft, hidden=others, **fields)


def a_file(about: Callable[[World], dict] = lambda world: {}) -> Callable[[World], dict]:
    """The arguments of a list's export: those of the list, and the kind of file."""
    return lambda world: about(world) | {"kind": "csv"}
