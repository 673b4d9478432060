"""Pledges for tests, opened as the house opens them: from awards that are wholly paid."""

from pledges.enums import Rank
from pledges.services.pledges import PledgeEntry, pledge_open
from tests.offerings.paid import make_awards, pay_in_full
from tests.offerings.rows import SLUG, make_acceptances, make_stage


def make_pledges(
    preparer, reviewer, quantities=(10_000,), *, rank=Rank.FIRST, lender="", slug=SLUG
):
    """Pledges of the 1995 programme, one for each quantity: bought on 15/09/1995 at $60,60, paid
    on 02/10/1995, in order of receipt; by the terms of the decree of `slug`."""
    stage = make_stage(preparer, reviewer, supply=sum(quantities), closed=True)
    awards = make_awards(make_acceptances(stage, list(quantities)), preparer, reviewer, slug=slug)
    for award in awards:
        pay_in_full(award, preparer)
    entry = PledgeEntry(rank=rank, lender=lender)
    return [pledge_open(award_id=award.pk, user=preparer, entry=entry) for award in awards]


def make_pledge(preparer, reviewer, shares=10_000, **said):
    """One pledge of the 1995 programme."""
    return make_pledges(preparer, reviewer, (shares,), **said)[0]
