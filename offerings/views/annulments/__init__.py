"""Screens of annulments, of certificates and of adjudications."""

from offerings.views.annulments.adjudications import (
    adjudication_annul_view,
    adjudication_annulment_decision,
    run_annulment_context,
)
from offerings.views.annulments.certificates import (
    annulment_context,
    certificate_annul_view,
    certificate_annulment_decision,
)
from offerings.views.annulments.deciding import OUTCOMES

__all__ = [
    "OUTCOMES",
    "adjudication_annul_view",
    "adjudication_annulment_decision",
    "annulment_context",
    "certificate_annul_view",
    "certificate_annulment_decision",
    "run_annulment_context",
]
