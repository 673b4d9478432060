"""What the annulment of an adjudication does, or did: lines, shares, money, certificates."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q, Sum

from offerings.enums import DefaultMeasure
from offerings.models import (
    Adjudication,
    AdjudicationAnnulment,
    AwardDefault,
    Payment,
    Refund,
    Stage,
)
from offerings.selectors.certificates import ALLOTMENT, NOTICE
from office.models import Certificate, CertificateState
from office.review import ReviewState

NOTHING = Decimal("0.00")


@dataclass(frozen=True)
class AnnulmentEffects:
    """In lines, shares and pesos, without what an act had left without effect before.

    received: what was paid; to_return: of it, what has not been given back. The papers: those in
    force, or once it is annulled those annulled with it."""

    lines: int
    shares: int
    due: Decimal
    payers: int
    received: Decimal
    to_return: Decimal
    notices: int
    certificates: int
    records: int

    @property
    def papers(self) -> int:
        return self.notices + self.certificates + self.records


def annulment_effects(run: Adjudication) -> AnnulmentEffects:
    """What an annulment of `run` would leave without effect; once annulled, what it left."""
    undone = AwardDefault.objects.filter(
        award=OuterRef("pk"), measure=DefaultMeasure.UNDO, review_state=ReviewState.APPROVED
    )
    standing = run.awards.filter(~Exists(undone), awarded__gt=0)
    got = standing.aggregate(lines=Count("pk"), shares=Sum("awarded", default=0))
    paid = Payment.objects.filter(award__adjudication=run).aggregate(
        payers=Count("award", distinct=True), received=Sum("amount", default=NOTHING)
    )
    returned = Refund.objects.filter(award__adjudication=run).aggregate(
        total=Sum("amount", default=NOTHING)
    )
    shares = int(got["shares"])
    return AnnulmentEffects(
        lines=got["lines"],
        shares=shares,
        due=shares * run.stage.price,
        payers=paid["payers"],
        received=paid["received"],
        to_return=paid["received"] - returned["total"],
        **_papers(run),
    )


def _papers(run: Adjudication) -> dict[str, int]:
    of_run = Q(issued_for__award__adjudication=run) | Q(record__adjudication=run)
    found = Certificate.objects.filter(of_run)
    if run.annulled_at is None:
        found = found.exclude(state=CertificateState.ANNULLED)
    else:  # those that were annulled by themselves before are not its doing
        found = found.filter(annulled_at__gte=run.annulled_at)
    counted = dict(found.order_by().values_list("series__kind").annotate(count=Count("pk")))
    notices, certificates = counted.pop(NOTICE, 0), counted.pop(ALLOTMENT, 0)
    return {
        "notices": notices, "certificates": certificates, "records": sum(counted.values()),
    }  # fmt: skip


def annulment_pending(run: Adjudication) -> AdjudicationAnnulment | None:
    """The one that waits for its review."""
    return _acts(run, ReviewState.PENDING)


def annulment_approved(run: Adjudication) -> AdjudicationAnnulment | None:
    """The act by which it was annulled."""
    return _acts(run, ReviewState.APPROVED)


def _acts(run: Adjudication, state: ReviewState) -> AdjudicationAnnulment | None:
    acts = run.annulments.filter(review_state=state)
    return acts.select_related("prepared_by", "reviewed_by").first()


def adjudication_annulled(stage: Stage) -> Adjudication | None:
    """The last run of a stage that was annulled, where no other is under way or approved."""
    live = (ReviewState.DRAFT, ReviewState.PENDING, ReviewState.APPROVED)
    if stage.adjudications.filter(review_state__in=live, annulled_at=None).exists():
        return None
    return stage.adjudications.filter(annulled_at__isnull=False).order_by("-version").first()


def adjudication_that_followed(run: Adjudication) -> Adjudication | None:
    """The newest version that was run after `run`."""
    later = run.stage.adjudications.filter(version__gt=run.version)
    return later.order_by("-version").first()
