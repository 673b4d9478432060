"""The annulment of an adjudication, as its pledges meet it: in the same transaction they are left
without effect, or it is refused with what has to be undone first."""

from datetime import time

from offerings.models import Adjudication, AdjudicationAnnulment
from offerings.services.annulments import Dependant
from office.dates import bogota_moment, write_date
from office.decisions import decision_draft
from office.models import Decision, User
from office.numbers import write_count
from office.refusals import Refused
from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.selectors.run_annulments import (
    pledges_of_run,
    run_pledges_block,
    run_pledges_told,
)

CHUNK = 2_000


def run_pledges_annul(run: Adjudication, annulment: AdjudicationAnnulment, user: User) -> str:
    """Leave all of an adjudication's pledges without effect, heirs' too; how many, in words.

    Inside the annulment's transaction, which holds the adjudication and its lines. Raises Refused
    where something has to be undone first.
    """
    _hold(run)
    block = run_pledges_block(run)
    if block:
        raise Refused(block)
    annulled = list(pledges_of_run(run).exclude(state=PledgeState.ANNULLED).order_by("pk"))
    for start in range(0, len(annulled), CHUNK):
        some = annulled[start : start + CHUNK]
        Pledge.objects.filter(pk__in=[one.pk for one in some]).update(state=PledgeState.ANNULLED)
        Decision.objects.bulk_create(_told(one, run, annulment, user) for one in some)
    if not annulled:
        return ""
    counted = write_count(len(annulled), "prenda", "prendas")
    return f"{'quedó' if len(annulled) == 1 else 'quedaron'} sin efecto {counted}"


def _hold(run: Adjudication) -> None:
    """Hold every pledge of the run, by their ids; an act that was waited for may have made
    heirs', which are held then, until there are no more."""
    held: set[int] = set()
    while True:
        rows = pledges_of_run(run).select_for_update(of=["self"]).order_by("pk")
        found = set(rows.values_list("pk", flat=True))
        if found == held:
            return
        held = found


def _told(
    pledge: Pledge, run: Adjudication, annulment: AdjudicationAnnulment, user: User
) -> Decision:
    return decision_draft(
        act="pledge_annulled_with_run",
        sentence=f"Dejó sin efecto {pledge.code}: se anuló {run.code} por {annulment.act}, del "
        f"{write_date(annulment.act_on)}.",
        reason=annulment.cause,
        actor=user,
        subject=pledge,
        legal_at=bogota_moment(annulment.act_on, time()),
    )


RUN_PLEDGES = Dependant(block=run_pledges_block, told=run_pledges_told, unwind=run_pledges_annul)
