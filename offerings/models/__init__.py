"""The tables of offerings, one module a subject."""

from offerings.models.acceptances import (
    Acceptance,
    AcceptanceDraft,
    ClassFinding,
    Participation,
    ParticipationDocument,
)
from offerings.models.adjudications import Adjudication, Award
from offerings.models.imports import AcceptanceImport, ImportRow
from offerings.models.payments import Payment
from offerings.models.programmes import (
    CreditLine,
    FundRules,
    FundValue,
    Programme,
    PublicNotice,
    Stage,
)

__all__ = [
    "Acceptance",
    "AcceptanceDraft",
    "AcceptanceImport",
    "Adjudication",
    "Award",
    "ClassFinding",
    "CreditLine",
    "FundRules",
    "FundValue",
    "ImportRow",
    "Participation",
    "ParticipationDocument",
    "Payment",
    "Programme",
    "PublicNotice",
    "Stage",
]
