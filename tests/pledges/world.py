"""What of the pledges the walk of the addresses comes to (see tests/world.py)."""

from datetime import date

from office.review import ReviewState
from pledges.enums import Rank
from pledges.models import FundDecision, Pledge, ReleaseRequest, RequestClosing, ShareholderRights
from pledges.services.pledges import PledgeEntry, pledge_open
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from pledges.services.requests import SaleEntry, release_request_state_sale
from tests.pledges.early import (
    ASKED_ON,
    ask,
    confirm_readings,
    make_market,
    pay,
    pending_readings,
    programme_of,
    quoted,
    settled,
)
from tests.pledges.release_rows import (
    ask_annulment,
    make_paid_request,
    prepare_term,
    release_early,
)
from tests.pledges.test_measures import record
from tests.world import World

FIRST = PledgeEntry(rank=Rank.FIRST)


def pledges_of(world: World) -> dict[str, Pledge]:
    """Of what was paid in full, one of each broker."""
    analyst = world.people["analista"]
    assert world.certificates
    return {
        name: pledge_open(award_id=award.pk, user=analyst, entry=FIRST)
        for name, award in world.awards.items()
    }


def of_pledge(world: World) -> dict:
    return {"pk": pledges_of(world)["broker"].pk}


def of_paid_award(world: World) -> dict:
    """Wholly paid, without its pledge."""
    assert world.certificates
    return {"award_pk": world.awards["broker"].pk}


def of_pledged_programme(world: World) -> dict:
    """With what is paid and has no pledge."""
    assert world.certificates
    return {"slug": world.closed_stage.programme.slug}


def of_programme_to_enter(world: World) -> dict:
    """With pledges that are not in the register."""
    assert pledges_of(world)
    return {"slug": world.closed_stage.programme.slug}


def of_holder(world: World) -> dict:
    return {"pk": pledges_of(world)["broker"].holder_id}


# --- early exits: the analyst prepares them, the supervisor approves ---


def exit_pledge(world: World) -> Pledge:
    """With the market and the confirmed readings that its penalty is worked out from."""
    pledge = pledges_of(world)["broker"]
    make_market(programme_of(pledge), world.people["analista"])
    confirm_readings(programme_of(pledge), world.people["analista"], world.people["supervisor"])
    return pledge


def open_request(world: World) -> ReleaseRequest:
    return ask(exit_pledge(world), world.people["analista"], 10)


def of_request(world: World) -> dict:
    return {"pk": open_request(world).pk}


def of_sale_file(world: World) -> dict:
    request = open_request(world)
    release_request_state_sale(
        request_id=request.pk,
        user=world.people["analista"],
        sale=SaleEntry(sale_proof="Contrato de prueba"),
        file={"data": b"%PDF-1.7", "name": "contrato.pdf", "content_type": "application/pdf"},
    )
    return {"pk": request.pk}


def of_quote(world: World) -> dict:
    return {"pk": quoted(open_request(world), world.people["analista"]).pk}


def settled_request(world: World) -> ReleaseRequest:
    request = open_request(world)
    settled(request, world.people["analista"])
    request.refresh_from_db()
    return request


def of_settled_request(world: World) -> dict:
    return {"pk": settled_request(world).pk}


def of_closed_request(world: World) -> dict:
    """Of which a peso is to be given back."""
    request = settled_request(world)
    pay(request, world.people["analista"], 1)
    request_closing_decide(
        closing_id=_closing(world, request).pk,
        user=world.people["supervisor"],
        outcome=ReviewState.APPROVED,
    )
    return {"pk": request.pk}


def _closing(world: World, request: ReleaseRequest) -> RequestClosing:
    return request_closing_prepare(
        request_id=request.pk, user=world.people["analista"], cause="Era de otro."
    )


def of_closing(world: World) -> dict:
    return {"pk": _closing(world, open_request(world)).pk}


def of_fund_decision(world: World) -> dict:
    """Straight in the table: in this programme a rule answers."""
    decision = FundDecision.objects.create(
        request=open_request(world),
        amount=1,
        act="Acta 50",
        act_on=ASKED_ON,
        reason="Prueba",
        prepared_by=world.people["analista"],
        review_state=ReviewState.PENDING,
    )
    return {"pk": decision.pk}


def of_readings(world: World) -> dict:
    return {"pk": pending_readings(world.open_stage.programme, world.people["analista"]).pk}


def of_measure(world: World) -> dict:
    return {"pk": record(pledges_of(world)["broker"], world.people["analista"]).pk}


def of_rights(world: World) -> dict:
    rights = ShareholderRights.objects.create(
        pledge=pledges_of(world)["broker"],
        cause="default",
        detail="Carta 12",
        since=date(1996, 2, 6),
        recorded_by=world.people["analista"],
    )
    return {"pk": rights.pk}


def of_paid_request(world: World) -> dict:
    """Half of the broker's shares, asked for and paid."""
    return {"pk": paid_request(world).pk}


def paid_request(world: World):
    return make_paid_request(pledges_of(world)["broker"], world.people["analista"], 40)


def of_release(world: World) -> dict:
    """At term, that waits; the analyst prepared it."""
    pledge = pledges_of(world)["broker"]
    programme = pledge.award.adjudication.stage.programme
    return {"pk": prepare_term(programme, world.people["analista"]).pk}


def released_line(world: World):
    people = world.people
    release = release_early(paid_request(world), people["analista"], people["supervisor"])
    return release.lines.get()


def of_released_line(world: World) -> dict:
    """Of an early exit, done and without its certificate."""
    return {"pk": released_line(world).pk}


def of_release_annulment(world: World) -> dict:
    """That waits; the analyst asked for it."""
    return {"pk": ask_annulment(released_line(world), world.people["analista"]).pk}
