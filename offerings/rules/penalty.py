"""What a holder owes who wants to leave early: the law of pledge and penalty.

The names that a service needs are here; the workings are in offerings.rules.penalties.
"""

from dataclasses import replace

from offerings.rules.penalties.auction import auction_difference
from offerings.rules.penalties.facts import (
    KNOWN_LATE,
    check_facts,
    known_late,
    matured,
    timing,
)
from offerings.rules.penalties.facts import (
    Basis as Basis,
)
from offerings.rules.penalties.facts import (
    DecisionNeeded as DecisionNeeded,
)
from offerings.rules.penalties.facts import (
    ReleaseFacts as ReleaseFacts,
)
from offerings.rules.penalties.facts import (
    ReleasePenalty as ReleasePenalty,
)
from offerings.rules.penalties.facts import (
    Trade as Trade,
)
from offerings.rules.penalties.indexed import indexed_difference
from offerings.rules.penalties.reduction import Wait as Wait
from offerings.rules.penalties.reduction import waiting as waiting
from offerings.rules.penalties.semesters import semester_penalty
from offerings.rules.penalties.trades import qualifying_trades as qualifying_trades
from offerings.rules.penalties.trades import threshold_shares as threshold_shares
from offerings.rules.penalty_terms import PenaltyRegime
from offerings.rules.ruling import Ruling
from offerings.rules.terms import Terms


def release_penalty(facts: ReleaseFacts, terms: Terms) -> Ruling[ReleasePenalty]:
    """What is owed for letting pledged shares go, by the regime of the programme's decree.

    Raises FactError for facts that cannot be (a request before the purchase, no sale price where
    it is needed), CpiMissing for a month that is needed, DecisionNeeded where no rule answers
    and the Fund decides, NotCovered where a value of the Fund is missing.
    """
    check_facts(facts)
    late = known_late(facts, terms)
    if late is None:
        return _by_regime(facts, terms)
    ruling = _by_regime(late, terms)
    return replace(ruling, readings=(KNOWN_LATE, *ruling.readings))


def _by_regime(facts: ReleaseFacts, terms: Terms) -> Ruling[ReleasePenalty]:
    when = timing(facts, terms)
    if when.over:
        return matured(facts, when, terms)
    penalty = terms.penalty
    if penalty is None:
        raise DecisionNeeded(
            programme=terms.slug,
            message=f"{terms.name.value}: el texto que tenemos no trae la sanción por salir antes "
            "de tiempo. La decide el Fondo, con su motivo y la aprobación de otra persona.",
            month=when.month,
            last_day=when.last_day,
        )
    if penalty.semesters is not None:
        return semester_penalty(facts, penalty.semesters, terms, when)
    if penalty.regime == PenaltyRegime.AUCTION_DIFFERENCE:
        return auction_difference(facts, terms, when)
    return indexed_difference(facts, terms, when)
