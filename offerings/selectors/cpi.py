"""The consumer price index as it is in force: one value a month, of the one base in use."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from django.db.models import QuerySet

from offerings.enums import FigureState, ImportState
from offerings.models import CpiBase, CpiImport, CpiIndex

Months = dict[tuple[int, int], Decimal]


def base_in_force() -> CpiBase | None:
    """The base whose series every calculation uses; None before the first index."""
    return CpiBase.objects.filter(in_force=True).first()


def cpi_by_month() -> Months:
    """The index of each month that is loaded, by (year, month), all of one base."""
    in_use = indices_listed().filter(state=FigureState.IN_FORCE, base__in_force=True)
    return {
        (month.year, month.month): value for month, value in in_use.values_list("month", "value")
    }


def indices_in_force(base: CpiBase | None) -> dict[date, CpiIndex]:
    """The index in force of each month of a base, by the month's first day."""
    if base is None:
        return {}
    rows = base.indices.filter(state=FigureState.IN_FORCE).select_related("recorded_by")
    return {row.month: row for row in rows}


def indices_listed() -> QuerySet[CpiIndex]:
    """Every index that was ever entered, the newest month first."""
    rows = CpiIndex.objects.select_related("base", "recorded_by", "closed_by", "corrects")
    return rows.order_by("-month", "-pk")


def index_versions(index: CpiIndex) -> list[CpiIndex]:
    """What was ever entered for the month of an index, in its base, oldest first."""
    rows = indices_listed().filter(base=index.base, month=index.month)
    return list(rows.select_related("loaded_with").order_by("pk"))


def imports_listed() -> QuerySet[CpiImport]:
    """Every file of the index, newest first."""
    return CpiImport.objects.select_related("file", "uploaded_by", "confirmed_by")


def imports_waiting() -> int:
    """How many files were read and wait to be confirmed."""
    return CpiImport.objects.filter(state=ImportState.REVIEWED).count()


def months_missing(months: Iterable[date]) -> list[date]:
    """The months without an index between the first and the last that have one."""
    known = set(months)
    if not known:
        return []
    first, last = min(known), max(known)
    every = (month_after(first, step) for step in range(months_between(first, last)))
    return [month for month in every if month not in known]


def month_after(month: date, count: int = 1) -> date:
    """The first day of the month that comes `count` months after."""
    years, rest = divmod(month.month - 1 + count, 12)
    return date(month.year + years, rest + 1, 1)


def months_between(first: date, last: date) -> int:
    """How many months lie from one to the other."""
    return (last.year - first.year) * 12 + last.month - first.month
