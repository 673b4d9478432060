"""What the Fund certifies: of an award, what is due and that it was paid; of a run, its act."""

from offerings.certificates.allotments import (
    allotment_check,
    allotment_facts,
    certificate_allotment_issue,
)
from offerings.certificates.annexes import annex_pages_write, annex_workbook_write
from offerings.certificates.batches import (
    BATCHES,
    JOB_KIND,
    certificates_count,
    certificates_issue,
    certificates_job_open,
)
from offerings.certificates.issuing import AwardPaper
from offerings.certificates.notices import award_notice_check, award_notice_issue, notice_facts
from offerings.certificates.record_facts import record_facts
from offerings.certificates.records import (
    RECORD_JOB,
    record_draft_pdf,
    record_issue,
    record_job_open,
)
from offerings.certificates.statement import APPROVER, FUND, heading_facts, programme_title

__all__ = [
    "APPROVER",
    "BATCHES",
    "FUND",
    "JOB_KIND",
    "RECORD_JOB",
    "AwardPaper",
    "allotment_check",
    "allotment_facts",
    "annex_pages_write",
    "annex_workbook_write",
    "award_notice_check",
    "award_notice_issue",
    "certificate_allotment_issue",
    "certificates_count",
    "certificates_issue",
    "certificates_job_open",
    "heading_facts",
    "notice_facts",
    "programme_title",
    "record_draft_pdf",
    "record_facts",
    "record_issue",
    "record_job_open",
]
