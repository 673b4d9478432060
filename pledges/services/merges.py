"""What a merge of two buyers does to the pledges of the one that is not used any more."""

from buyers.services.merges import Merging, Moved
from offerings.models import Award
from office.decisions import decision_draft
from office.models import Decision
from office.numbers import write_quantity
from pledges.models import Pledge

MERGE_ACT = "pledge_holder_merged"


def awards_hold(buyer_ids: tuple[int, int]) -> None:
    """Hold the awards of both: a pledge that is being opened of one is there first, and is moved
    too."""
    of_theirs = Award.objects.filter(acceptance__participation__buyer__in=buyer_ids)
    rows = of_theirs.select_for_update(of=["self"], no_key=True).order_by("pk")
    list(rows.values_list("pk", flat=True))


def pledges_merge(merging: Merging) -> list[Moved]:
    """The merged buyer's pledges are the kept one's. To whom shares passed stays as it was
    recorded: the row that it names leads to the kept one."""
    theirs = Pledge.objects.select_for_update(of=["self"]).filter(holder=merging.merged)
    pledges = list(theirs.order_by("pk"))
    if not pledges:
        return []
    for pledge in pledges:
        pledge.holder = merging.kept
        pledge.save(update_fields=["holder"])
    Decision.objects.bulk_create(
        decision_draft(
            act=MERGE_ACT,
            sentence=f"Pasó {pledge.code} al registro al que se unió su titular.",
            actor=merging.user,
            subject=pledge,
            data={"from": merging.merged.pk},
        )
        for pledge in pledges
    )
    shares = sum(pledge.pledged for pledge in pledges)
    codes = ", ".join(pledge.code for pledge in pledges)
    return [Moved("Prendas que pasan", codes, f"{write_quantity(shares)} acciones en prenda")]
