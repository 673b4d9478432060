"""Issuing a paper of an award, once: what a certificate and a notice have in common."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from offerings.models import Award, AwardCertificate
from offerings.services.payments import award_locked
from office.certificates import certificate_issue, check_follows
from office.dates import write_date
from office.models import Certificate, CertificateState, User
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability

MAY_NOT = "Solo un analista o un supervisor expide certificados."
MEANWHILE = "mientras tanto se anuló, o quedó sin efecto, lo que se certifica."
IN_FUTURE = "El {day} está en el futuro: escriba cuándo se expide."


CHUNK = 100


@dataclass(frozen=True)
class Issued:
    """What came of issuing many: how many were asked for, how many have their paper now, by this
    and by earlier starts, those issued now (ids), and why others could not be (how many of each).
    """

    asked: int
    done: int
    pks: list[int]
    refused: Counter[str]

    @property
    def cut_short(self) -> str:
        """That not all were issued, and why; "" where all were."""
        lacking = self.asked - self.done
        if lacking <= 0:
            return ""
        elsewhere = lacking - self.refused.total()
        told = [f"{write_quantity(count)}: {why}" for why, count in self.refused.most_common()]
        if elsewhere > 0:
            told.append(f"{write_quantity(elsewhere)}: {MEANWHILE}")
        return (
            f"Quedó incompleto: se pidieron {write_quantity(self.asked)} y se expidieron "
            f"{write_quantity(self.done)}. Sin expedir, {' '.join(told)}"
        )


@dataclass(frozen=True)
class AwardPaper:
    """A kind of paper that an award can have, one in force at a time.

    pointer: the award's field that holds the last one; check: refuses an award that cannot have
    it with that day of issue; facts: all that it states; article: the clause that it rests on.
    """

    kind: str
    title: str
    template: str
    pointer: str
    check: Callable[[Award, date], None]
    facts: Callable[[Award, date], dict[str, Any]]
    article: Callable[[Award], str] = lambda award: ""


@transaction.atomic
def paper_issue(*, paper: AwardPaper, award_id: int, user: User, legal_date: date) -> Certificate:
    """Issue it; asked again while it is in force, the answer is the same. Raises Refused.

    The award's row is locked first and the series last, here and in payments, so that two people
    at once wait for each other and get consecutive numbers.
    """
    award = award_locked(award_id)
    # Read after the lock: one joined to the waited-for row would be as it was before the wait.
    last = Certificate.objects.select_related("series").filter(
        pk=getattr(award, f"{paper.pointer}_id")
    )
    before = last.first()
    if before and before.state != CertificateState.ANNULLED:
        return before
    paper_check(paper=paper, award=award, user=user, legal_date=legal_date)
    certificate = certificate_issue(
        kind=paper.kind,
        title=paper.title,
        template=paper.template,
        facts=paper.facts(award, legal_date),
        legal_date=legal_date,
        user=user,
        article=paper.article(award),
        replaces=before,
    )
    setattr(award, paper.pointer, certificate)
    award.save(update_fields=[paper.pointer])
    AwardCertificate.objects.create(award=award, certificate=certificate)
    return certificate


def issue_each(
    wanted: Sequence[int],
    issue: Callable[[int], Certificate],
    report: Callable[[int, int], None],
    *,
    asked: int = 0,
    before: int = 0,
) -> Issued:
    """Issue for each of `wanted` (ids), each in a transaction of its own, and tell `report` how
    many of how many.

    Of a job that is started again: `asked`, for how many it was asked at first; `before`, how
    many of them it had issued by then. One that is refused is passed over and counted.
    """
    total = max(asked, before + len(wanted))
    pks: list[int] = []
    refused: Counter[str] = Counter()
    report(before, total)
    for number, pk in enumerate(wanted, start=1):
        try:
            pks.append(issue(pk).pk)
        except Refused as refusal:
            refused[refusal.message] += 1
        if number % CHUNK == 0:
            report(before + len(pks), total)
    report(before + len(pks), total)
    return Issued(asked=total, done=before + len(pks), pks=pks, refused=refused)


def paper_check(*, paper: AwardPaper, award: Award, user: User, legal_date: date) -> None:
    """Refuse who may not issue it, a day that has not come, and what the paper itself refuses."""
    may_issue(user, legal_date)
    paper.check(award, legal_date)
    check_follows(getattr(award, paper.pointer), legal_date)


def may_issue(user: User, legal_date: date) -> None:
    """Refuse who may not issue anything, and a day of issue that has not come."""
    if not user.may(Capability.PREPARE):
        raise Refused(MAY_NOT)
    if legal_date > timezone.localdate():
        raise Refused(IN_FUTURE.format(day=write_date(legal_date)), "legal_date")
