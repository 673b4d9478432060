"""What the Fund certifies of an award: the notice of what is due, and that it was paid."""

from offerings.certificates.allotments import (
    allotment_check,
    allotment_facts,
    certificate_allotment_issue,
)
from offerings.certificates.batches import (
    BATCHES,
    JOB_KIND,
    certificates_count,
    certificates_issue,
    certificates_job_open,
)
from offerings.certificates.issuing import AwardPaper
from offerings.certificates.notices import award_notice_check, award_notice_issue, notice_facts
from offerings.certificates.statement import FUND

__all__ = [
    "BATCHES",
    "FUND",
    "JOB_KIND",
    "AwardPaper",
    "allotment_check",
    "allotment_facts",
    "award_notice_check",
    "award_notice_issue",
    "certificate_allotment_issue",
    "certificates_count",
    "certificates_issue",
    "certificates_job_open",
    "notice_facts",
]
