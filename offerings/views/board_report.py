"""The board's report on a stage as it stood at the end of a day, in the certificates' hand."""

from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.template.loader import render_to_string

from offerings.certificates import heading_facts
from offerings.models import Adjudication, Stage
from offerings.selectors import board
from offerings.selectors.adjudications import (
    key_figures,
    lines_outcomes,
    run_coverage,
    shares_by_broker,
    shares_by_class,
    shares_total,
)
from offerings.selectors.demand import Span, weekly_demand
from offerings.selectors.programmes import stage_terms
from offerings.selectors.standing import run_standing
from office.certificates import DOCUMENT_STYLESHEET
from office.charts import Bar, area_chart, bar_chart, bar_unit, chart_unit
from office.dates import bogota_day, write_datetime
from office.models import User
from office.numbers import write_decimal, write_percent
from office.pdf import render_pdf

TEMPLATE = "certificates/documents/board.html"
TITLE = "Informe a la Junta Directiva"


@dataclass(frozen=True)
class _Heading:
    """What a document's template reads of a certificate: a report is none."""

    title: str
    issued_at: datetime
    label: str = ""


def board_pdf(stage: Stage, *, day: date, user: User, now: datetime) -> bytes:
    """Draw the report; `now` and `user` are told at its foot. Raises PdfError."""
    html = render_to_string(TEMPLATE, _context(stage, day) | _drawn_by(user, now))
    return render_pdf(html, stylesheet=DOCUMENT_STYLESHEET, one_page=False)


def _drawn_by(user: User, now: datetime) -> dict[str, Any]:
    return {
        "certificate": _Heading(TITLE, now),
        "drawn": f"Lo generó {user} el {write_datetime(now)}, hora de Bogotá",
    }


def _context(stage: Stage, day: date) -> dict[str, Any]:
    terms = stage_terms(stage)
    weeks = weekly_demand(stage, day)
    context = {
        "facts": heading_facts(terms),
        "stage": stage,
        "day": day,
        "weeks": weeks,
        "weeks_total": _weeks_total(weeks),
        "demand": _demand_chart(stage, weeks),
        "demand_unit": chart_unit(max([week.accumulated for week in weeks] + [stage.supply])),
        "run": None,
    }
    run = run_standing(stage, day)
    context["returns"] = board.money_to_return(stage, day)
    if run is None:
        return context
    return context | _result(run) | _money(run, day)


def _weeks_total(weeks: list[Span]) -> dict[str, Any] | None:
    """The last row of the weeks: what the last one came to."""
    if not weeks:
        return None
    return {
        "acceptances": sum(week.acceptances for week in weeks),
        "shares": sum(week.shares for week in weeks),
        "accumulated": weeks[-1].accumulated,
        "share_of_supply": weeks[-1].share_of_supply,
    }


def _demand_chart(stage: Stage, weeks: list[Span]) -> str:
    if not weeks:
        return ""
    first = bogota_day(stage.opened_at)
    points = [(f"{first:%d/%m}", 0)]
    points += [(f"{week.ends:%d/%m}", week.accumulated) for week in weeks if week.ends > first]
    return area_chart(points, stage.supply, name="junta-demanda")


def _result(run: Adjudication) -> dict[str, Any]:
    outcomes, received, _ = lines_outcomes(run)
    classes = shares_by_class(run)
    return {
        "run": run,
        "shares": int(run.awarded),
        "winners": run.awards.filter(awarded__gt=0).count(),
        "total": int(run.awarded) * run.stage.price,
        "figures": key_figures(run),
        "coverage": run_coverage(run),
        "outcomes": outcomes,
        "received": received,
        "parts": [
            _part("Clase", "Resultado por clase", "junta-clase", classes),
            _part(
                "Comisionista",
                "Resultado por comisionista",
                "junta-comisionista",
                shares_by_broker(run),
            ),
        ],
    }


def _part(heading: str, title: str, name: str, shares: list) -> dict[str, Any]:
    bars = [Bar(row.label, row.admitted, row.awarded) for row in shares]
    return {
        "heading": heading,
        "title": title,
        "chart": bar_chart(bars, name=name, title=title) if bars else "",
        "unit": bar_unit(bars) if bars else "",
        "rows": [_row(share) for share in shares],
        "total": _row(shares_total(shares)),
    }


def _row(share) -> dict[str, Any]:
    return {
        "label": share.label,
        "acceptances": share.acceptances,
        "admitted": share.admitted,
        "awarded": share.awarded,
        "percent": write_decimal(share.of_supply, 2),
    }


def _money(run: Adjudication, day: date) -> dict[str, Any]:
    rows = board.money_by_class(run, day)
    total = board.money_total(rows)
    bars = [Bar(row.label, int(row.due), int(row.paid)) for row in rows]
    paid = board.paid_in_full(run, day)
    percent = Fraction(total.paid) * 100 / Fraction(total.due) if total.due else Fraction(0)
    return {
        "money": rows,
        "money_total": total,
        "money_percent": write_percent(percent, 2),
        "money_chart": bar_chart(bars, name="junta-pagos", title="Pagos por clase", noun="pesos")
        if bars
        else "",
        "money_unit": bar_unit(bars, "pesos") if bars else "",
        "paid_awards": paid,
        "unpaid_awards": total.awards - paid,
        "undone": board.left_without_effect(run, day),
        "papers": board.papers_issued(run, day, paid=paid),
    }
