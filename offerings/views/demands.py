"""The demand of a stage: its pictures and tables, and each table as a file."""

import tempfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_GET

from offerings.models import Stage
from offerings.selectors.demand import (
    OfClass,
    Span,
    daily_demand,
    demand_by_class,
    weekly_demand,
)
from office.access import may
from office.charts import Bar, area_chart, bar_chart, bar_unit, chart_unit, column_chart
from office.dates import bogota_day
from office.exports import file_given, table_into
from office.lists import KINDS, Column
from office.roles import Capability
from office.xlsx import Table, Value

SHARES, HUNDREDTHS = "acciones", "%"


def _tenths(value: Fraction) -> Decimal:
    """A figure with one decimal, half up, as the page shows it."""
    return Decimal(floor(value * 10 + Fraction(1, 2))).scaleb(-1)


COUNTED = (
    Column("Aceptaciones", lambda row: row.acceptances),
    Column("Demanda tras el límite", lambda row: row.shares, SHARES),
    Column("Acumulado", lambda row: row.accumulated, SHARES),
    Column("De la oferta", lambda row: _tenths(row.share_of_supply), HUNDREDTHS),
)
TABLES: dict[str, tuple[str, Callable[[Stage], list[Any]], tuple[Column, ...]]] = {
    "semana": (
        "Demanda por semana",
        lambda stage: weekly_demand(stage, bogota_day(timezone.now())),
        (Column("Semana que termina", lambda row: row.ends), *COUNTED),
    ),
    "dia": (
        "Demanda por día de recibo",
        daily_demand,
        (Column("Día de recibo", lambda row: row.ends), *COUNTED),
    ),
    "clase": (
        "Demanda por clase",
        demand_by_class,
        (
            Column("Clase", lambda row: row.label),
            Column("Aceptaciones", lambda row: row.acceptances),
            Column("Solicitado", lambda row: row.requested, SHARES),
            Column("Tras el límite", lambda row: row.admitted, SHARES),
            Column("De la oferta", lambda row: _tenths(row.share_of_supply), HUNDREDTHS),
        ),
    ),
}


def demand_context(stage: Stage) -> dict[str, Any]:
    """The pictures and tables of a stage's demand, by week, by class and by day."""
    weeks = weekly_demand(stage, bogota_day(timezone.now()))
    highest = max([week.accumulated for week in weeks] + [stage.supply or 0])
    return {
        "weeks": weeks,
        "weeks_total": sum(week.acceptances for week in weeks),
        "chart": _growth(stage, weeks),
        "chart_unit": chart_unit(highest),
        **_class_context(demand_by_class(stage) if weeks else []),
        **_day_context(daily_demand(stage) if weeks else []),
    }


def _growth(stage: Stage, weeks: list[Span]) -> Any:
    if not weeks or stage.opened_at is None:
        return None
    first = bogota_day(stage.opened_at)
    points = [(f"{first:%d/%m}", 0)]
    points += [(f"{week.ends:%d/%m}", week.accumulated) for week in weeks if week.ends > first]
    return area_chart(points, stage.supply)


def _class_context(classes: list[OfClass]) -> dict[str, Any]:
    bars = [Bar(row.label, row.requested, row.admitted) for row in classes]
    return {
        "classes": classes,
        "class_chart": bar_chart(bars, name="clases", title="Demanda por clase") if bars else "",
        "class_unit": bar_unit(bars),
    }


def _day_context(days: list[Span]) -> dict[str, Any]:
    points = [(f"{day.ends:%d/%m}", day.shares) for day in days]
    return {
        "days": days,
        "day_chart": column_chart(points) if points else "",
        "day_unit": chart_unit(max((day.shares for day in days), default=0)),
    }


def _about(stage: Stage, title: str) -> list[tuple[str, Value]]:
    """Of which stage the table is, and of when."""
    return [
        ("Contenido", title),
        ("Programa", stage.programme.name),
        ("Etapa", stage.number),
        ("Fecha y hora de Bogotá", timezone.now()),
    ]


@require_GET
@may(Capability.READ)
def demand_file(
    request: HttpRequest, slug: str, number: int, by: str, kind: str
) -> HttpResponseBase:
    """One of the tables as a file."""
    stages = Stage.objects.select_related("programme", "rules")
    stage = get_object_or_404(stages, programme__slug=slug, number=number)
    if by not in TABLES or kind not in KINDS:
        raise Http404
    title, rows_of, columns = TABLES[by]
    rows = [[column.value(row) for column in columns] for row in rows_of(stage)]
    target = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    table = Table(title, [column.heading for column in columns], rows)
    table_into(target, kind, table, _about(stage, title))
    return file_given(target, f"{title} {slug} etapa {number}", kind)
