"""Adjudications with their figures, and the checks of a result by SQL alone."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum

from buyers.enums import BuyerClass
from offerings.enums import AcceptanceState, AwardReason, StageState, Standing
from offerings.models import Adjudication, Stage
from office.models import User
from office.numbers import write_decimal, write_quantity
from office.review import ReviewState
from office.roles import Capability

UNDER_WAY = (ReviewState.DRAFT, ReviewState.PENDING, ReviewState.APPROVED)
ENTERING = (Standing.COMPLETE, Standing.CUT)
FIRST_STAGE = 1  # the one that is adjudicated here; the exchanges run the auction
FACTOR_PLACES = 9
REVIEWED = "Revisa alguien distinto"
GOT_SHARES = Q(awarded__gt=0)


@dataclass(frozen=True)
class Check:
    """One thing that must hold of a result: what was looked at, and what was found."""

    label: str
    detail: str
    holds: bool
    failing_tag: str = "Con error"


@dataclass(frozen=True)
class ClassShare:
    """What a class asked for after the limit, and what it got."""

    label: str
    acceptances: int
    admitted: int
    awarded: int
    supply: int

    @property
    def of_supply(self) -> Fraction:
        """Its part of what is offered, in per cent."""
        return Fraction(self.awarded * 100, self.supply)


def adjudications_listed() -> QuerySet[Adjudication]:
    """All of them, newest first, with what a list shows."""
    return Adjudication.objects.select_related(
        "stage__programme", "exchange", "prepared_by", "reviewed_by", "job"
    )


def adjudication_under_way(stage: Stage) -> Adjudication | None:
    """The one that is a draft, waits for its review or is approved; there is one at most."""
    return stage.adjudications.filter(review_state__in=UNDER_WAY, annulled_at=None).first()


def adjudication_approved(stage: Stage) -> Adjudication | None:
    """The run that holds for the stage: awarded or not is read from it."""
    return stage.adjudications.in_force().first()


def shares_by_class(adjudication: Adjudication) -> list[ClassShare]:
    """What the lines that entered got, class by class, the largest demand first."""
    rows = (
        adjudication.awards.filter(admitted__gt=0)
        .values("acceptance__participation__buyer_class")
        .annotate(count=Count("pk"), asked=Sum("admitted"), got=Sum("awarded"))
        .order_by("-asked", "acceptance__participation__buyer_class")
    )
    return [
        ClassShare(
            label=BuyerClass(row["acceptance__participation__buyer_class"]).label,
            acceptances=row["count"],
            admitted=int(row["asked"]),
            awarded=int(row["got"]),
            supply=int(adjudication.supply),
        )
        for row in rows
    ]


def adjudication_checks(adjudication: Adjudication) -> list[Check]:
    """Whether the stored lines keep to article 9, added up by the database on its own."""
    found = _totals(adjudication) | {"over_limit": _over_limit(adjudication)}
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
    _left_over_to_largest,
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


def stages_waiting() -> QuerySet[Stage]:
    """Closed stages that have no adjudication under way or in force."""
    busy = Adjudication.objects.filter(
        stage=OuterRef("pk"), review_state__in=UNDER_WAY, annulled_at=None
    )
    closed = Stage.objects.filter(~Exists(busy), state=StageState.CLOSED, number=FIRST_STAGE)
    return closed.select_related("programme")


def stage_demand(stage: Stage) -> dict[str, int]:
    """What a closed stage would bring to the adjudication: how many enter, and their sum."""
    enters = Q(state=AcceptanceState.PRESENTED, standing__in=ENTERING, admitted__gt=0)
    found = stage.acceptances.aggregate(
        received=Count("pk"),
        entering=Count("pk", filter=enters),
        shares=Sum("admitted", filter=enters, default=0),
    )
    return {name: int(value) for name, value in found.items()}


def classes_total(classes: list[ClassShare]) -> ClassShare:
    """The last row of the table by class."""
    return ClassShare(
        label="Total",
        acceptances=sum(row.acceptances for row in classes),
        admitted=sum(row.admitted for row in classes),
        awarded=sum(row.awarded for row in classes),
        supply=classes[0].supply if classes else 1,
    )


def key_figures(run: Adjudication) -> list[dict[str, str]]:
    """The figures at the head of the review."""
    pro_rata = run.is_pro_rata
    demand = "Demanda que entra al prorrateo" if pro_rata else "Demanda que entra"
    factor = Fraction(int(run.supply), int(run.demand_kept)) if pro_rata else Fraction(1)
    return [
        {"label": "Oferta", "value": write_quantity(int(run.supply))},
        {"label": demand, "value": write_quantity(int(run.demand_kept))},
        {"label": "Factor de prorrateo", "value": write_cut(factor, FACTOR_PLACES)},
        {
            "label": "Acciones por residuo",
            "value": write_quantity(run.left_over_shares),
            "note": "una por línea" if run.left_over_shares else "",
        },
        {"label": "Queda para la etapa 2", "value": write_quantity(int(run.unsold))},
    ]


def write_cut(value: Fraction, places: int) -> str:
    """A factor cut and not rounded, so that it never promises more than it gives."""
    scale = 10**places
    return write_decimal(Fraction(value.numerator * scale // value.denominator, scale), places)
