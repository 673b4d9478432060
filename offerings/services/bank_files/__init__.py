"""A bank's file of payments in two jobs: reviewed and shown, and recorded once somebody has
confirmed; each row then becomes a payment by the one service that records payments."""

from offerings.services.bank_files.columns import BY_NAME, COLUMNS, template_csv
from offerings.services.bank_files.load import bank_file_load
from offerings.services.bank_files.opening import (
    BankFileAlreadyUploaded,
    bank_file_columns,
    bank_file_confirm,
    bank_file_discard,
    bank_file_open,
)
from offerings.services.bank_files.report import errors_file
from offerings.services.bank_files.review import bank_file_review

__all__ = [
    "BY_NAME",
    "COLUMNS",
    "BankFileAlreadyUploaded",
    "bank_file_columns",
    "bank_file_confirm",
    "bank_file_discard",
    "bank_file_load",
    "bank_file_open",
    "bank_file_review",
    "errors_file",
    "template_csv",
]
