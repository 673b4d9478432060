"""A bank's files and what came of their rows."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, Value, When

from offerings.enums import BankRowOutcome
from offerings.models import BankFile, BankFileRow

VIEWS = {
    "errores": Q(outcome=BankRowOutcome.ERROR),
    "sin-adjudicacion": Q(outcome=BankRowOutcome.UNMATCHED),
    "ya-registrados": Q(outcome=BankRowOutcome.ALREADY),
}
LABELS = {
    "errores": "Con errores",
    "sin-adjudicacion": "Sin adjudicación",
    "ya-registrados": "Ya registrados",
}


@dataclass(frozen=True)
class BankFileCounts:
    """The rows of a file by what came of them; `to_record` and `recorded` in pesos: of those to be
    recorded and of those that were. `excess`: what of the recorded is to be given back."""

    rows: int
    ready: int
    errors: int
    unmatched: int
    already: int
    loaded: int
    to_record: Decimal
    recorded: Decimal
    excess: Decimal


def bank_files_listed() -> QuerySet[BankFile]:
    """Every file, newest first, with what a list shows of it."""
    return BankFile.objects.select_related(
        "programme", "file", "job__progress", "uploaded_by", "confirmed_by"
    ).defer("headings")


def bank_file_counts(source: BankFile) -> BankFileCounts:
    """The counts of a reviewed or recorded file, in one query."""
    of = {outcome: Q(outcome=outcome) for outcome in BankRowOutcome}
    found: dict[str, Any] = source.lines.aggregate(
        rows=Count("pk"),
        ready=Count("pk", filter=of[BankRowOutcome.READY]),
        errors=Count("pk", filter=of[BankRowOutcome.ERROR]),
        unmatched=Count("pk", filter=of[BankRowOutcome.UNMATCHED]),
        already=Count("pk", filter=of[BankRowOutcome.ALREADY]),
        loaded=Count("pk", filter=of[BankRowOutcome.LOADED]),
        to_record=Sum("amount", filter=of[BankRowOutcome.READY], default=Decimal("0.00")),
        recorded=Sum("amount", filter=of[BankRowOutcome.LOADED], default=Decimal("0.00")),
        excess=Sum("payment__excess", default=Decimal("0.00")),
    )
    return BankFileCounts(**found)


def bank_file_lines(source: BankFile, view: str = "") -> QuerySet[BankFileRow]:
    """The rows of a file, those that say something first; `view` is one of VIEWS."""
    wrong = Q(outcome__in=(BankRowOutcome.ERROR, BankRowOutcome.UNMATCHED))
    said = Case(
        When(wrong, then=Value(0)),
        When(messages=[], then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    lines = (
        source.lines.select_related("award__acceptance__participation__buyer", "payment")
        .annotate(said=said)
        .order_by("said", "number")
    )
    return lines.filter(VIEWS[view]) if view in VIEWS else lines


def bank_mapping_before(source: BankFile) -> dict[str, str]:
    """What was last said in the programme of the columns of a file with headings of its own."""
    told = BankFile.objects.filter(programme=source.programme_id).exclude(mapping={})
    last = told.exclude(pk=source.pk).order_by("-pk").values_list("mapping", flat=True).first()
    return dict(last or {})
