"""What of the pledges the walk of the addresses comes to (see tests/world.py)."""

from pledges.enums import Rank
from pledges.models import Pledge
from pledges.services.pledges import PledgeEntry, pledge_open
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


def of_holder(world: World) -> dict:
    return {"pk": pledges_of(world)["broker"].holder_id}
