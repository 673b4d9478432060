"""Files of acceptances and what came of them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, IntegerField, Max, Min, Q, QuerySet, Sum, Value, When

from offerings.enums import RowChoice, RowOutcome
from offerings.models import Acceptance, AcceptanceImport, ImportRow, Stage

READY = Q(outcome=RowOutcome.READY)
ERRORS = Q(outcome=RowOutcome.ERROR)
DIFFERING = READY & ~Q(differences=[])
UNDECIDED = DIFFERING & Q(choice="")
LEFT_OUT = READY & Q(choice=RowChoice.LEAVE_OUT)
TO_LOAD = READY & (Q(differences=[]) | Q(choice=RowChoice.KEEP))
WARNED = Q(messages__contains=[{"level": "warning"}])


def imports_listed() -> QuerySet[AcceptanceImport]:
    """Every file, newest first, with what a list shows of it."""
    return AcceptanceImport.objects.select_related(
        "stage__programme", "file", "job__progress", "uploaded_by", "confirmed_by"
    )


def imports_of(stage: Stage) -> QuerySet[AcceptanceImport]:
    """The files of one stage; their headings and columns are left where they are."""
    return imports_listed().filter(stage=stage).defer("headings", "mapping")


@dataclass(frozen=True)
class ImportCounts:
    """The rows of a file by what came of them. `ready`: to be loaded, of which `warned` with a
    warning; `requested`: their shares. `differing`: unlike the register, decided or not."""

    rows: int
    ready: int
    warned: int
    errors: int
    already: int
    loaded: int
    differing: int
    undecided: int
    left_out: int
    requested: int


def import_counts(source: AcceptanceImport) -> ImportCounts:
    """The counts of a reviewed or loaded file, in one query."""
    found: dict[str, Any] = source.lines.aggregate(
        rows=Count("pk"),
        ready=Count("pk", filter=TO_LOAD),
        warned=Count("pk", filter=TO_LOAD & WARNED),
        errors=Count("pk", filter=ERRORS),
        already=Count("pk", filter=Q(outcome=RowOutcome.ALREADY)),
        loaded=Count("pk", filter=Q(outcome=RowOutcome.LOADED)),
        differing=Count("pk", filter=DIFFERING),
        undecided=Count("pk", filter=UNDECIDED),
        left_out=Count("pk", filter=LEFT_OUT),
        requested=Sum("requested", filter=TO_LOAD, default=0),
    )
    return ImportCounts(**found)


VIEWS = {
    "errores": ERRORS,
    "avisos": WARNED & ~ERRORS & ~Q(outcome=RowOutcome.ALREADY),
    "diferencias": DIFFERING,
    "registradas": Q(outcome=RowOutcome.ALREADY),
}


def import_lines(source: AcceptanceImport) -> QuerySet[ImportRow]:
    """The rows of a file, those that say something first."""
    said = Case(
        When(ERRORS, then=Value(0)),
        When(UNDECIDED, then=Value(0)),
        When(messages=[], differences=[], then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    return source.lines.annotate(said=said).order_by("said", "number")


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


def mapping_before(source: AcceptanceImport) -> dict[str, str]:
    """What was last said in the stage of the columns of a file with headings of its own."""
    told = AcceptanceImport.objects.filter(stage=source.stage).exclude(mapping={})
    last = told.exclude(pk=source.pk).order_by("-pk").values_list("mapping", flat=True).first()
    return dict(last or {})
