"""Adjudications: the runs, the checks of a result, its parts, and how it differs from another."""

from offerings.selectors.adjudications.checks import Check, adjudication_checks, reviewer_check
from offerings.selectors.adjudications.differences import (
    Differences,
    lines_changed,
    run_before,
    run_differences,
)
from offerings.selectors.adjudications.outcomes import Outcome, lines_causes, lines_outcomes
from offerings.selectors.adjudications.runs import (
    ENTERING,
    FACTOR_PLACES,
    FIRST_STAGE,
    UNDER_WAY,
    adjudication_approved,
    adjudication_under_way,
    adjudications_listed,
    key_figures,
    run_coverage,
    run_factor,
    runs_without_act,
    stage_demand,
    stages_waiting,
    write_cut,
)
from offerings.selectors.adjudications.shares import (
    DIRECT,
    DIRECT_WORDS,
    Share,
    shares_by_broker,
    shares_by_class,
    shares_by_exchange,
    shares_total,
)

__all__ = [
    "DIRECT",
    "DIRECT_WORDS",
    "ENTERING",
    "FACTOR_PLACES",
    "FIRST_STAGE",
    "UNDER_WAY",
    "Check",
    "Differences",
    "Outcome",
    "Share",
    "adjudication_approved",
    "adjudication_checks",
    "adjudication_under_way",
    "adjudications_listed",
    "key_figures",
    "lines_causes",
    "lines_changed",
    "lines_outcomes",
    "reviewer_check",
    "run_before",
    "run_coverage",
    "run_differences",
    "run_factor",
    "runs_without_act",
    "shares_by_broker",
    "shares_by_class",
    "shares_by_exchange",
    "shares_total",
    "stage_demand",
    "stages_waiting",
    "write_cut",
]
