"""What the Fund certifies of a release: which shares are free of the pledge, and why."""

from pledges.certificates.batches import (
    JOB_KIND,
    release_certificates_count,
    release_certificates_issue,
    release_certificates_job_open,
)
from pledges.certificates.early import early_facts
from pledges.certificates.release import (
    TEMPLATE,
    release_certificate_check,
    release_certificate_issue,
    release_facts,
)

__all__ = [
    "JOB_KIND",
    "TEMPLATE",
    "early_facts",
    "release_certificate_check",
    "release_certificate_issue",
    "release_certificates_count",
    "release_certificates_issue",
    "release_certificates_job_open",
    "release_facts",
]
