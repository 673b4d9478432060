"""What the review of an adjudication shows of its result, beside the lines themselves."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from offerings.models import Adjudication
from offerings.selectors import adjudications as selectors
from offerings.selectors.adjudications import Outcome, Share
from office.charts import Bar, bar_chart, bar_unit
from office.dates import write_date
from office.review import ReviewState, review_block

VERBS = {
    ReviewState.APPROVED: "Aprobar adjudicación",
    ReviewState.RETURNED: "Devolver con motivo",
    ReviewState.REJECTED: "Rechazar adjudicación",
}
CONSEQUENCE = (
    "y abre las constancias y los pagos, con fecha de compra {}. Después solo puede anularse "
    "completa, con el acto de la bolsa o de un juez."
)
DESERTED_CONSEQUENCE = (
    "y la etapa queda desierta: no hay constancias ni pagos, y todas las acciones quedan para la "
    "etapa 2. Después solo puede anularse completa, con el acto de la bolsa o de un juez."
)


def result_context(request: HttpRequest, run: Adjudication) -> dict[str, Any]:
    """All that the result says: figures, parts, what became of each, checks, decision."""
    checks = [
        *selectors.adjudication_checks(run),
        selectors.reviewer_check(run, request.user),
    ]
    outcomes, received, cut = selectors.lines_outcomes(run)
    before = selectors.run_before(run)
    return {
        "figures": selectors.key_figures(run),
        "coverage": selectors.run_coverage(run),
        "parts": _parts(run),
        "outcomes": [_counted(run, outcome) for outcome in outcomes],
        "received": received,
        "cut": _counted(run, cut),
        "differences": selectors.run_differences(run, before) if before else None,
        "checks": checks,
        "checks_held": sum(check.holds for check in checks),
        "buttons": _buttons(request, run),
        "consequence": DESERTED_CONSEQUENCE
        if run.is_deserted
        else CONSEQUENCE.format(write_date(run.session_on)),
    }


def _parts(run: Adjudication) -> list[dict[str, Any]]:
    """By class, by broker, by exchange: picture and table, each row linked to its lines."""
    return [
        _part(run, "clase", "Clase", "Reparto por clase", selectors.shares_by_class(run)),
        _part(
            run,
            "comisionista",
            "Comisionista",
            "Reparto por comisionista",
            selectors.shares_by_broker(run),
        ),
        _part(run, "bolsa", "Bolsa", "Reparto por bolsa", selectors.shares_by_exchange(run)),
    ]


def _part(
    run: Adjudication, name: str, heading: str, title: str, shares: Sequence[Share]
) -> dict[str, Any]:
    bars = [Bar(row.label, row.admitted, row.awarded) for row in shares]
    return {
        "name": name,
        "heading": heading,
        "title": title,
        "rows": [{"share": row, "url": lines_url(run, **{name: row.key})} for row in shares],
        "total": selectors.shares_total(shares),
        "chart": bar_chart(bars, name=name, title=title) if bars else "",
        "unit": bar_unit(bars) if bars else "",
    }


def _counted(run: Adjudication, outcome: Outcome) -> dict[str, Any]:
    return {"outcome": outcome, "url": lines_url(run, resultado=outcome.code)}


def lines_url(run: Adjudication, **wanted: str) -> str:
    """The lines of a run that answer to a filter, on its own page."""
    return f"{reverse('adjudication', args=[run.pk])}?{urlencode(wanted)}#lineas"


def _buttons(request: HttpRequest, run: Adjudication) -> list[dict[str, str]]:
    if review_block(run, request.user):
        return []
    return [
        {
            "label": "Rechazar",
            "kind": "danger",
            "url": reverse("adjudication_reject", args=[run.pk]),
        },
        {
            "label": VERBS[ReviewState.RETURNED],
            "kind": "secondary",
            "url": reverse("adjudication_return", args=[run.pk]),
        },
        {
            "label": VERBS[ReviewState.APPROVED],
            "kind": "primary",
            "url": reverse("adjudication_approve", args=[run.pk]),
        },
    ]
