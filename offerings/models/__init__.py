"""The tables of offerings, one module a subject."""

from offerings.models.acceptances import (
    Acceptance,
    AcceptanceDraft,
    ClassFinding,
    Participation,
    ParticipationDocument,
)
from offerings.models.adjudications import (
    Adjudication,
    AdjudicationAnnulment,
    AdjudicationRecord,
    AnnexFile,
    Award,
)
from offerings.models.bank_files import BankFile, BankFileRow
from offerings.models.certificates import AwardCertificate
from offerings.models.imports import AcceptanceImport, ImportRow
from offerings.models.payments import AwardDefault, Payment, Refund
from offerings.models.prices import (
    AuctionSession,
    CpiBase,
    CpiImport,
    CpiIndex,
    ReferenceTrade,
)
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
    "AdjudicationAnnulment",
    "AdjudicationRecord",
    "AnnexFile",
    "AuctionSession",
    "Award",
    "AwardCertificate",
    "AwardDefault",
    "BankFile",
    "BankFileRow",
    "ClassFinding",
    "CpiBase",
    "CpiImport",
    "CpiIndex",
    "CreditLine",
    "FundRules",
    "FundValue",
    "ImportRow",
    "Participation",
    "ParticipationDocument",
    "Payment",
    "Programme",
    "PublicNotice",
    "ReferenceTrade",
    "Refund",
    "Stage",
]
