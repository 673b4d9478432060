"""What an act does to acceptances that it was not about, written in each one's own history."""

from collections.abc import Iterable
from dataclasses import dataclass

from offerings.enums import Standing
from offerings.models import Acceptance
from offerings.selectors.changes import CHANGE_ACT
from office.decisions import ALONE, UNNAMED, decision_draft
from office.models import Decision, User
from office.numbers import write_shares

CHUNK = 20_000


@dataclass(frozen=True)
class Cause:
    """What made a buyer's acceptances be worked out anew. told: as it goes on from who did it, «al
    registrar A-000002». own: the acceptance whose act it is, which tells it itself."""

    user: User
    told: str
    own: Acceptance | None = None


@dataclass(frozen=True)
class Figures:
    """How an acceptance stands: under which word, and for how many shares."""

    standing: str
    admitted: int

    def words(self) -> str:
        """As a history tells them."""
        return f"{write_shares(self.admitted)} ({Standing(self.standing).label.lower()})"


@dataclass(frozen=True)
class Change:
    """An acceptance worked out anew, and how it stood before."""

    acceptance: Acceptance
    before: Figures

    def words(self) -> str:
        """What it had and what it has."""
        after = figures_of(self.acceptance)
        return f"tenía {self.before.words()}; tiene {after.words()}"


def figures_of(acceptance: Acceptance) -> Figures:
    """How it stands now."""
    return Figures(acceptance.standing, acceptance.admitted)


def changes_record(changes: Iterable[Change], cause: Cause) -> None:
    """Write down, in one query for all, those that count otherwise than before."""
    own = cause.own and cause.own.pk
    told = (
        _decision(change, cause)
        for change in changes
        if change.acceptance.pk != own and change.before != figures_of(change.acceptance)
    )
    Decision.objects.bulk_create(told, batch_size=CHUNK)


def _decision(change: Change, cause: Cause) -> Decision:
    one, words = change.acceptance, change.words()
    after = figures_of(one)
    return decision_draft(
        act=CHANGE_ACT,
        sentence=f"Hizo cambiar {one.code} {cause.told}: {words}.",
        article=", ".join(one.ruling.get("cites", [])[:2]),
        actor=cause.user,
        subject=one,
        data={
            # Its broker reads what it came to, not through whose act.
            ALONE: f"Cambió {one.code}: {words}.",
            UNNAMED: True,
            "by": cause.own and cause.own.pk,
            "before": vars(change.before),
            "after": vars(after),
        },
    )
