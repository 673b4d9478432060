"""The tables of what is pledged."""

from pledges.models.measures import Attachment, LenderNotice, ShareholderRights
from pledges.models.pledges import Pledge
from pledges.models.quotes import FundDecision, PenaltyReadings, Quote
from pledges.models.releases import (
    DailyRun,
    Release,
    ReleaseAnnulment,
    ReleaseLine,
    Transfer,
)
from pledges.models.requests import (
    PenaltyPayment,
    PenaltyRefund,
    ReleaseRequest,
    RequestClosing,
)

__all__ = [
    "Attachment",
    "DailyRun",
    "FundDecision",
    "LenderNotice",
    "PenaltyPayment",
    "PenaltyReadings",
    "PenaltyRefund",
    "Pledge",
    "Quote",
    "Release",
    "ReleaseAnnulment",
    "ReleaseLine",
    "ReleaseRequest",
    "RequestClosing",
    "ShareholderRights",
    "Transfer",
]
