"""Files of acceptances and what came of them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Min, QuerySet, Sum

from offerings.models import Acceptance, AcceptanceImport, Stage


def imports_listed() -> QuerySet[AcceptanceImport]:
    """Every file, newest first, with what a list shows of it."""
    return AcceptanceImport.objects.select_related(
        "stage__programme", "file", "job", "uploaded_by"
    )


def imports_of(stage: Stage) -> QuerySet[AcceptanceImport]:
    """The files of one stage; their faults, which may be many, are left where they are."""
    return imports_listed().filter(stage=stage).defer("errors")


@dataclass(frozen=True)
class ImportTotals:
    """What a loaded file brought. `requested` and `admitted` in shares."""

    acceptances: int
    buyers: int
    requested: int
    admitted: int
    first: str
    last: str


def import_totals(source: AcceptanceImport) -> ImportTotals:
    """The sums over the acceptances of the file, as they stand now."""
    sums: dict[str, Any] = Acceptance.objects.filter(source_import=source).aggregate(
        acceptances=Count("pk"),
        buyers=Count("participation", distinct=True),
        requested=Sum("requested", default=0),
        admitted=Sum("admitted", default=0),
        first=Min("serial"),
        last=Max("serial"),
    )
    ends = {name: f"A-{sums.pop(name) or 0:06d}" for name in ("first", "last")}
    return ImportTotals(**sums, **ends)


def import_standings(source: AcceptanceImport) -> list[tuple[str, int]]:
    """How many of its acceptances stand how: (code, count)."""
    found = Acceptance.objects.filter(source_import=source).values_list("standing")
    return list(found.annotate(count=Count("pk")).order_by("-count", "standing"))
