"""What became of the acceptances of a run: how many and how many shares, result by result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, F, Q, Sum

from buyers.enums import DeclarationKind
from offerings.enums import AwardReason
from offerings.models import Adjudication
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.terms import Terms

CUT = "cut"
LABELS: Mapping[str, str] = {
    AwardReason.IN_FULL: "Adjudicadas en su totalidad",
    AwardReason.PRO_RATA: "Prorrateadas",
    AwardReason.READMITTED: "Atendidas con lo que quedaba",
    AwardReason.RATIO_GIVES_NOTHING: "El prorrateo no les da acciones",
    AwardReason.REFUSES_REDUCTION: "No admiten reducción",
    AwardReason.INCOMPLETE: "Incompletas",
    AwardReason.OVER_LIMIT: "Pasan del límite y se rechazan",
    AwardReason.NOTHING_LEFT: "Sin cupo en el límite",
    AwardReason.NOT_COUNTED: "No cuentan",
    AwardReason.REJECTED: "Rechazadas",
    AwardReason.WITHDRAWN: "Retiradas",
}
# Told also where there is none: whoever reviews looks for these.
ALWAYS = {
    AwardReason.REFUSES_REDUCTION, AwardReason.INCOMPLETE, AwardReason.OVER_LIMIT,
    AwardReason.REJECTED, AwardReason.WITHDRAWN,
}  # fmt: skip
ENTERED = {
    AwardReason.IN_FULL, AwardReason.PRO_RATA, AwardReason.READMITTED,
    AwardReason.RATIO_GIVES_NOTHING, AwardReason.REFUSES_REDUCTION,
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Lines with one result. code: what the list of lines is filtered by to see them."""

    code: str
    label: str
    lines: int = 0
    requested: int = 0
    admitted: int = 0
    awarded: int = 0

    @property
    def enters(self) -> bool:
        """Whether these were valid and complete, and so part of the demand."""
        return self.code in ENTERED

    @property
    def taken_off(self) -> int:
        """The shares by which the limit cut them."""
        return self.requested - self.admitted


def lines_outcomes(run: Adjudication) -> tuple[list[Outcome], Outcome, Outcome]:
    """The results, their total, and beside them the lines that the limit cut."""
    sums = {
        "lines": Count("pk"),
        "asked": Sum("requested", default=0),
        "entered": Sum("admitted", default=0),
        "got": Sum("awarded", default=0),
    }
    rows = run.awards.order_by().values("reason").annotate(**sums)
    found = {row["reason"]: _outcome(row["reason"], row) for row in rows}
    outcomes = [
        found.get(code, Outcome(code, LABELS[code]))
        for code in LABELS
        if code in found or code in ALWAYS
    ]
    cut = Q(admitted__gt=0, admitted__lt=F("requested"))
    return (
        outcomes,
        _outcome("", run.awards.aggregate(**sums)),
        _outcome(CUT, run.awards.filter(cut).aggregate(**sums)),
    )


def _outcome(code: str, row: Mapping[str, Any]) -> Outcome:
    labels = {**LABELS, CUT: "Recortadas al límite", "": "Recibidas"}
    return Outcome(
        code=code,
        label=labels[code],
        lines=row["lines"],
        requested=int(row["asked"]),
        admitted=int(row["entered"]),
        awarded=int(row["got"]),
    )


# Why those outside got nothing, as their papers or their limit left them

MISSING = """
    SELECT gap ->> 'code', gap ->> 'label', gap ->> 'cite', count(DISTINCT award.id)
    FROM offerings_award award
    JOIN offerings_acceptance acceptance ON acceptance.id = award.acceptance_id
    CROSS JOIN LATERAL jsonb_array_elements(acceptance.missing) gap
    WHERE award.adjudication_id = %s AND award.reason = 'incomplete'
    GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2, 3
"""


def lines_causes(run: Adjudication, terms: Terms) -> list[dict[str, Any]]:
    """Each cause for which acceptances got nothing: label, its clause, how many.

    What is missing is told thing by thing, so one acceptance may be counted in two of them.
    """
    rule = adjudication_terms(terms)
    over = terms.limits.over_limit.cite
    cites = {
        AwardReason.OVER_LIMIT: over,
        AwardReason.NOTHING_LEFT: over,
        AwardReason.REFUSES_REDUCTION: rule.consent_cite,
        AwardReason.RATIO_GIVES_NOTHING: rule.pro_rata_cite,
        AwardReason.NOT_COUNTED: rule.valid_cite,
        AwardReason.REJECTED: rule.valid_cite,
        AwardReason.WITHDRAWN: rule.valid_cite,
    }
    counted = run.awards.order_by().values("reason").annotate(count=Count("pk"))
    counts = {row["reason"]: row["count"] for row in counted}
    causes = [
        {"label": LABELS[reason], "cite": cite, "lines": counts[reason]}
        for reason, cite in cites.items()
        if counts.get(reason)
    ]
    return [*_missing(run, counts.get(AwardReason.INCOMPLETE, 0), rule.valid_cite), *causes]


def _missing(run: Adjudication, incomplete: int, cite: str) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(MISSING, [run.pk])
        rows = cursor.fetchall()
    if incomplete and not rows:
        return [{"label": LABELS[AwardReason.INCOMPLETE], "cite": cite, "lines": incomplete}]
    return [
        {"label": f"Incompleta: {_lacks(code, label)}", "cite": cited, "lines": count}
        for code, label, cited, count in rows
    ]


NO_FIGURE = "falta una cifra: "
# The article of the noun with which a document's name begins; another name stands in quotes.
ARTICLES = {
    "la": ("certificación", "constancia", "declaración", "autorización", "prueba", "última"),
    "el": ("certificado", "límite", "último"),
}


def _lacks(code: str, label: str) -> str:
    """What was missing after «Incompleta: »; a figure that was missing says so itself."""
    words = _lower_first(label)
    if words.startswith(NO_FIGURE):
        return f"falta la cifra de {words.removeprefix(NO_FIGURE)}"
    if words.startswith("falta "):
        return words
    if code in set(DeclarationKind):
        return f"falta la declaración de {words}"
    first = words.partition(" ")[0]
    for article, nouns in ARTICLES.items():
        if first in nouns:
            return f"falta {article} {words}"
    return f"falta «{label}»"


def _lower_first(label: str) -> str:
    bare = label.removesuffix(".")
    return bare[:1].lower() + bare[1:]
