"""A row in every table of pledges, for what looks at all of them."""

from datetime import date
from decimal import Decimal

from pledges.models import (
    DailyRun,
    FundDecision,
    LenderNotice,
    PenaltyReadings,
    PenaltyRefund,
    RequestClosing,
    ShareholderRights,
)
from tests.pledges.release_rows import (
    ask_annulment,
    attach,
    make_paid_request,
    release_early,
    sell,
)
from tests.pledges.world import pledges_of
from tests.world import World

DAY = date(1997, 2, 3)


def make_rows(world: World) -> None:
    """A row in every table of pledges, the broker's."""
    analyst, supervisor = world.people["analista"], world.people["supervisor"]
    pledge = pledges_of(world)["broker"]
    attach(pledge, analyst, 5)
    ShareholderRights.objects.create(
        pledge=pledge, cause="default", detail="Prueba", since=DAY, recorded_by=analyst
    )
    request = make_paid_request(pledge, analyst, 4)
    release = release_early(request, analyst, supervisor)
    ask_annulment(release.lines.get(), analyst)
    sell(request, analyst)
    LenderNotice.objects.create(
        request=request, lender="Banco de Prueba", notified_on=DAY, reference="C-1",
        recorded_by=analyst,
    )  # fmt: skip
    PenaltyRefund.objects.create(
        request=request, means="cheque", reference="C-2", paid_on=DAY, amount=Decimal("1.00"),
        recorded_by=analyst,
    )  # fmt: skip
    act = {"act": "Acta de prueba 3", "act_on": DAY, "prepared_by": analyst}
    RequestClosing.objects.create(request=request, cause="Prueba", prepared_by=analyst)
    FundDecision.objects.create(request=request, amount=Decimal("1.00"), reason="Prueba", **act)
    PenaltyReadings.objects.create(
        programme=pledge.award.acceptance.stage.programme, version=1, **act
    )
    DailyRun.objects.create(day=DAY)
