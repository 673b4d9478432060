"""The terms by which a pledge's early exit is worked out."""

from dataclasses import replace

from offerings.decrees.reader import release_terms, terms_from_data
from offerings.rules.terms import Terms
from offerings.selectors.programmes import programme_terms
from pledges.models import Pledge


def pledge_terms(pledge: Pledge) -> Terms:
    """Those that its adjudication kept. What they were kept without, because it was not known yet
    then, comes from the decree's file and from the reglamento in force."""
    kept = release_terms(terms_from_data(pledge.award.adjudication.terms))
    programme = pledge.award.acceptance.stage.programme
    return replace(kept, outstanding=kept.outstanding or programme_terms(programme).outstanding)
