"""The checks of a result: the stored lines against article 9, by the database on its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, F, Max, Min, Q, Sum

from offerings.enums import AcceptanceState, AwardReason
from offerings.models import Adjudication
from offerings.selectors.adjudications.runs import ENTERING
from office.models import User
from office.numbers import write_count, write_quantity
from office.review import ReviewState
from office.roles import Capability

REVIEWED = "Revisa alguien distinto"
GOT_SHARES = Q(awarded__gt=0)

# Quotient and remainder of every line again, in numeric, which has no bounds; and what each line
# must have got for its reason. A line whose reason is none of these got nothing.
PROPORTION = """
    SELECT count(*) FILTER (WHERE shared), count(*) FILTER (WHERE right_line IS NOT TRUE)
    FROM (
        SELECT reason IN ('pro_rata', 'ratio_gives_nothing') AS shared,
            CASE
                WHEN reason IN ('pro_rata', 'ratio_gives_nothing') THEN
                    %(pro_rata)s
                    AND quotient = div(admitted::numeric * %(supply)s, nullif(%(kept)s, 0))
                    AND remainder = mod(admitted::numeric * %(supply)s, nullif(%(kept)s, 0))
                    AND awarded = quotient + got_left_over::int
                    AND (awarded > 0) = (reason = 'pro_rata')
                WHEN reason IN ('in_full', 'readmitted') THEN
                    awarded = admitted AND quotient IS NULL AND NOT got_left_over
                    AND (reason = 'readmitted' OR NOT %(pro_rata)s)
                ELSE awarded = 0 AND quotient IS NULL AND NOT got_left_over
            END AS right_line
        FROM offerings_award WHERE adjudication_id = %(run)s
    ) AS told
"""

# What the run read, as services.adjudication_results writes it before it hashes it.
INPUT = """
    SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws('|',
        serial,
        to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS')
            || CASE WHEN to_char(at, 'US') = '000000' THEN '' ELSE to_char(at, '.US') END
            || '+00:00',
        requested, admitted, coalesce(minimum::text, 'None'), state, standing
    ) || chr(10), '' ORDER BY received_at, serial), ''), 'UTF8')), 'hex')
    FROM (SELECT *, received_at AT TIME ZONE 'UTC' AS at FROM offerings_acceptance
          WHERE stage_id = %(stage)s) AS read
"""


@dataclass(frozen=True)
class Check:
    """One thing that must hold of a result: what was looked at, and what was found."""

    label: str
    detail: str
    holds: bool
    failing_tag: str = "Con error"


def adjudication_checks(adjudication: Adjudication) -> list[Check]:
    """Whether the stored lines keep to article 9, added up by the database on its own."""
    found = _totals(adjudication) | {"over_limit": _over_limit(adjudication)}
    found |= _worked_again(adjudication)
    return [check(adjudication, found) for check in CHECKS]


def _totals(adjudication: Adjudication) -> dict[str, Any]:
    outside = ~Q(acceptance__state=AcceptanceState.PRESENTED, acceptance__standing__in=ENTERING)
    pro_rata = Q(quotient__isnull=False)
    totals = adjudication.awards.aggregate(
        written=Count("pk"),
        got=Sum("awarded", default=0),
        demand=Sum("admitted", default=0),
        readmitted=Sum("awarded", filter=Q(reason=AwardReason.READMITTED), default=0),
        refused=Count("pk", filter=Q(reason=AwardReason.REFUSES_REDUCTION)),
        refused_shares=Sum(
            "admitted",
            filter=Q(reason__in=(AwardReason.REFUSES_REDUCTION, AwardReason.READMITTED)),
            default=0,
        ),
        above_asked=Count("pk", filter=Q(awarded__gt=F("acceptance__requested"))),
        above_admitted=Count("pk", filter=Q(awarded__gt=F("acceptance__admitted"))),
        cut=Count("pk", filter=Q(admitted__gt=0, admitted__lt=F("requested"))),
        not_complete=Count("pk", filter=outside & GOT_SHARES),
        incomplete=Count("pk", filter=Q(reason=AwardReason.INCOMPLETE)),
        below_least=Count("pk", filter=GOT_SHARES & Q(awarded__lt=F("least"))),
        left_over=Count("pk", filter=Q(got_left_over=True)),
        least_winner=Min("remainder", filter=pro_rata & Q(got_left_over=True)),
        greatest_loser=Max("remainder", filter=pro_rata & Q(got_left_over=False)),
    )
    return totals | {"presented": adjudication.stage.acceptances.count()}


def _worked_again(adjudication: Adjudication) -> dict[str, Any]:
    """How many lines were shared out pro rata, how many lines are not what they must be, and
    the SHA-256 of the acceptances as they are now."""
    asked = {
        "run": adjudication.pk,
        "supply": adjudication.supply,
        "kept": adjudication.demand_kept,
        "pro_rata": adjudication.is_pro_rata,
        "stage": adjudication.stage_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(PROPORTION, asked)
        shared, wrong = cursor.fetchone()
        cursor.execute(INPUT, asked)
        (sha256,) = cursor.fetchone()
    return {"shared": shared, "wrong": wrong, "input_sha256": sha256}


def _over_limit(adjudication: Adjudication) -> int:
    """Buyers whose lines together pass the limit that their acceptances share."""
    return (
        adjudication.awards.filter(acceptance__limit_shares__isnull=False)
        .order_by()
        .values("acceptance__participation")
        .annotate(got=Sum("awarded"), limit=Max("acceptance__limit_shares"))
        .filter(got__gt=F("limit"))
        .count()
    )


def _sum_is_right(run: Adjudication, found: dict[str, Any]) -> Check:
    kept = found["demand"] - found["refused_shares"]
    wanted = min(run.supply, kept) + found["readmitted"]
    label = "La suma adjudicada es la oferta"
    if wanted < run.supply:
        label = "La suma adjudicada es la demanda que entra"
    detail = f"{write_quantity(int(found['got']))} = {write_quantity(int(wanted))}"
    return Check(label, detail, found["got"] == wanted == run.awarded)


def _none_above_asked(run: Adjudication, found: dict[str, Any]) -> Check:
    return Check("Nadie recibe más de lo que pidió", "", found["above_asked"] == 0)


def _none_above_limit(run: Adjudication, found: dict[str, Any]) -> Check:
    detail = f"{write_quantity(found['cut'])} recortadas ({_cite(run, 'limits', 'over_limit')})"
    holds = found["over_limit"] == 0 and found["above_admitted"] == 0
    return Check("Nadie pasa de su límite", detail, holds)


def _only_complete(run: Adjudication, found: dict[str, Any]) -> Check:
    detail = f"{write_quantity(found['incomplete'])} incompletas fuera, con su causa"
    holds = found["not_complete"] == 0 and found["written"] == found["presented"] == run.lines
    return Check("Solo aceptaciones completas", detail, holds)


def _minimums_kept(run: Adjudication, found: dict[str, Any]) -> Check:
    cite = run.terms["adjudication"]["consent_cite"]
    detail = f"{write_quantity(found['refused'])} no admiten reducción: reciben 0 ({cite})"
    return Check("Mínimos respetados", detail, found["below_least"] == 0)


def _left_over_to_largest(run: Adjudication, found: dict[str, Any]) -> Check:
    loser, winner = found["greatest_loser"], found["least_winner"]
    in_order = loser is None or winner is None or loser <= winner
    tied = f"{len(run.ties)} empate" if run.ties else "ningún empate"
    detail = f"{write_quantity(found['left_over'])} acciones; {tied}"
    holds = in_order and found["left_over"] == run.left_over_shares
    return Check("Residuos a los mayores restos", detail, holds)


def _in_proportion(run: Adjudication, found: dict[str, Any]) -> Check:
    if found["wrong"]:
        detail = write_count(found["wrong"], "línea no da", "líneas no dan")
    elif run.is_pro_rata:
        lines = write_count(found["shared"], "línea", "líneas")
        detail = f"{lines}: cociente y resto vueltos a calcular"
    else:
        detail = "sin prorrateo: todo lo que entra, completo"
    return Check("Cada línea en su proporción", detail, not found["wrong"])


def _same_input(run: Adjudication, found: dict[str, Any]) -> Check:
    holds = found["input_sha256"] == run.input_sha256
    digest = run.input_sha256
    detail = f"SHA-256 {digest[:4]}…{digest[-4:]}" if holds else "cambiaron después de la corrida"
    return Check("Las aceptaciones son las que se leyeron", detail, holds)


def _same_in_another_order(run: Adjudication, found: dict[str, Any]) -> Check:
    digest = run.summary["result_sha256"]
    detail = f"SHA-256 {digest[:4]}…{digest[-4:]}, dos corridas"
    return Check("Igual en otro orden de filas", detail, bool(digest))


CHECKS: tuple[Callable[[Adjudication, dict[str, Any]], Check], ...] = (
    _sum_is_right,
    _none_above_asked,
    _none_above_limit,
    _only_complete,
    _minimums_kept,
    _in_proportion,
    _left_over_to_largest,
    _same_input,
    _same_in_another_order,
)


def _cite(run: Adjudication, section: str, key: str) -> str:
    return run.terms[section][key]["cite"]


def reviewer_check(run: Adjudication, user: User) -> Check:
    """That who decides is not who prepared it: `user`, or whoever decided."""
    reviewer = run.reviewed_by or user
    another = reviewer.pk != run.prepared_by_id
    if run.reviewed_by or (another and user.may(Capability.APPROVE)):
        verb = "revisó" if run.reviewed_by else "revisa"
        return Check(REVIEWED, f"Preparó {run.prepared_by}; {verb} {reviewer}", another)
    detail = f"Preparó {run.prepared_by}; falta un supervisor que no sea quien la preparó"
    return Check(REVIEWED, detail, False, ReviewState.PENDING.label)
