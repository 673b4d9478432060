"""The terms by which a pledge's early exit is worked out."""

from dataclasses import replace

from offerings.decrees.reader import terms_from_data, terms_of
from offerings.rules.terms import Terms
from offerings.selectors.programmes import programme_terms
from pledges.models import Pledge


def pledge_terms(pledge: Pledge) -> Terms:
    """Those that its adjudication kept. What they were kept without, because it was not known yet
    then, comes from the decree's file and from the reglamento in force."""
    kept = terms_from_data(pledge.award.adjudication.terms)
    decree = terms_of(kept.slug)
    programme = pledge.award.acceptance.stage.programme
    return replace(
        kept,
        pledge=kept.pledge or decree.pledge,
        penalty=kept.penalty or decree.penalty,
        outstanding=kept.outstanding or programme_terms(programme).outstanding,
    )
