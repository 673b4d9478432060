"""The background work of offerings, one module a subject; Celery finds it through this list."""

from offerings.tasks.adjudications import adjudication_run_task
from offerings.tasks.bank_files import bank_file_load_task, bank_file_review_task
from offerings.tasks.certificates import certificates_issue_paid_task
from offerings.tasks.imports import import_load_task, import_review_task
from offerings.tasks.records import record_draw_task

__all__ = [
    "adjudication_run_task",
    "bank_file_load_task",
    "bank_file_review_task",
    "certificates_issue_paid_task",
    "import_load_task",
    "import_review_task",
    "record_draw_task",
]
