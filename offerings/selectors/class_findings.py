"""That a buyer's class was found to be false: where it is in force, and what is told of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from buyers.models import Buyer
from buyers.selectors.notices import Notice
from offerings.models import ClassFinding, Participation, Programme
from offerings.rules.terms import NoticeCode, Terms
from offerings.selectors.programmes import programme_terms
from office.dates import bogota_day, write_date
from office.models import User


@dataclass(frozen=True)
class FindingTold:
    """A finding with the sentence and the article under which the buyer answers for it; both ""
    where the text that we hold of the decree has none."""

    finding: ClassFinding
    liability: str
    cite: str


def findings_in_force() -> QuerySet[ClassFinding]:
    """Those that nobody has lifted."""
    return ClassFinding.objects.filter(lifted_at=None)


def false_class(participation: str = "participation") -> Exists:
    """For a queryset: whether the class of its part in the programme was found to be false.
    `participation`: the way from its rows to the part."""
    return Exists(findings_in_force().filter(participation=OuterRef(participation)))


def finding_told(participation: Participation, *, lifted: bool = False) -> FindingTold | None:
    """The finding in force on a part; with `lifted`, else the last one that was lifted."""
    findings = participation.class_findings.select_related("recorded_by", "lifted_by")
    found = findings.filter(lifted_at=None).first()
    if found is None and lifted:
        found = findings.order_by("-lifted_at").first()
    if found is None:
        return None
    liability, cite = false_class_notice(programme_terms(participation.programme))
    return FindingTold(found, liability, cite)


def false_class_notice(terms: Terms) -> tuple[str, str]:
    """What the decree says of who claims a class that it does not have, and where; "" for
    nothing."""
    for notice in terms.notices:
        if notice.code == NoticeCode.FALSE_CLASS:
            return notice.text, notice.cite
    return "", ""


def false_class_article(programme: Programme) -> str:
    """The article of the programme's decree on it, or ""."""
    return false_class_notice(programme_terms(programme))[1]


def false_class_notices(buyer: Buyer, user: User) -> Iterator[Notice]:
    """That a buyer's class is false, in each programme where `user` may see its part."""
    parts = Participation.objects.visible_to(user).filter(buyer=buyer)
    findings = findings_in_force().filter(participation__in=parts)
    for finding in findings.select_related("participation__programme").order_by("pk"):
        part = finding.participation
        cite = false_class_article(part.programme)
        yield Notice(
            title="Clase falsa.",
            text=f"En {part.programme} consta desde el "
            f"{write_date(bogota_day(finding.found_at))} que no tiene la clase que alegó"
            f"{f' ({cite})' if cite else ''}.",
            url=reverse("participation", args=[part.pk]),
            link="Ver su parte en el programa",
        )
