"""The runs of the stages, and the figures that hold for the whole of one."""

from fractions import Fraction

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from offerings.enums import AcceptanceState, StageState, Standing
from offerings.models import Adjudication, AdjudicationRecord, Stage
from offerings.rules.ruling import SHARES
from office.models import CertificateState
from office.numbers import write_decimal, write_percent, write_quantity
from office.review import ReviewState

UNDER_WAY = (ReviewState.DRAFT, ReviewState.PENDING, ReviewState.APPROVED)
ENTERING = (Standing.COMPLETE, Standing.CUT)
FIRST_STAGE = 1  # the one that is adjudicated here; the exchanges run the auction
FACTOR_PLACES = 9
COVERAGE_PLACES = 2


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


def runs_without_act() -> QuerySet[Adjudication]:
    """Those in force whose act was not issued, or was annulled and not issued anew."""
    stands = AdjudicationRecord.objects.filter(adjudication=OuterRef("pk")).exclude(
        certificate__state=CertificateState.ANNULLED
    )
    lacking = Adjudication.objects.in_force().filter(~Exists(stands))
    return lacking.select_related("stage__programme").order_by("session_on", "pk")


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


def key_figures(run: Adjudication) -> list[dict[str, str]]:
    """The figures at the head of the review."""
    demand = "Demanda que entra al prorrateo" if run.is_pro_rata else "Demanda que entra"
    return [
        {"label": "Oferta", "value": write_quantity(int(run.supply)), "unit": SHARES},
        {"label": demand, "value": write_quantity(int(run.demand_kept)), "unit": SHARES},
        {"label": "Factor de prorrateo", "value": _factor_words(run)},
        {
            "label": "Acciones por residuo",
            "value": write_quantity(run.left_over_shares),
            "unit": SHARES,
            "note": "una por línea" if run.left_over_shares else "",
        },
        {
            "label": "Queda para la etapa 2",
            "value": write_quantity(int(run.unsold)),
            "unit": SHARES,
        },
    ]


def _factor_words(run: Adjudication) -> str:
    """The factor; none where nobody gets anything."""
    return "–" if run.is_deserted else write_cut(run_factor(run), FACTOR_PLACES)


def run_factor(run: Adjudication) -> Fraction:
    """What each kept acceptance gets of its quantity: supply ÷ kept demand, at most 1."""
    if not run.is_pro_rata:
        return Fraction(1)
    return Fraction(int(run.supply), int(run.demand_kept))


def run_coverage(run: Adjudication) -> list[dict[str, str]]:
    """How far supply and demand meet, and the exact ratio, in words and figures."""
    supply, kept = int(run.supply), int(run.demand_kept)
    threshold = Fraction(run.summary.get("threshold") or 0)
    rows = [
        ("Adjudicado de la oferta", _of_supply(int(run.awarded), supply)),
        ("Demanda de la oferta", _of_supply(int(run.demand), supply)),
    ]
    if run.is_pro_rata:
        rows.append(("Razón exacta", f"{write_quantity(supply)} ÷ {write_quantity(kept)}"))
        rows.append(("Menor resto con acción", _least_winning(run)))
    if threshold and run.summary.get("left_out"):
        rows.append(("Mínimo más alto que se admite", _per_cent_of(threshold)))
    return [{"label": label, "value": value} for label, value in rows]


def _of_supply(shares: int, supply: int) -> str:
    return write_percent(Fraction(shares * 100, supply), COVERAGE_PLACES)


def _per_cent_of(ratio: Fraction) -> str:
    return f"{write_percent(ratio * 100, COVERAGE_PLACES)} de lo pedido"


def _least_winning(run: Adjudication) -> str:
    least = run.summary.get("least_winning")
    if least is None:
        return "ninguno: no sobraron acciones"
    return f"{write_quantity(int(least))} de {write_quantity(int(run.demand_kept))}"


def write_cut(value: Fraction, places: int) -> str:
    """A factor cut and not rounded, so that it never promises more than it gives."""
    scale = 10**places
    return write_decimal(Fraction(value.numerator * scale // value.denominator, scale), places)
