"""The consumer price index: month by month, or a file of the statistics office or the central
bank, reviewed first and loaded once somebody has confirmed."""

from offerings.services.cpi.files import (
    CpiFileAlreadyUploaded,
    cpi_import_confirm,
    cpi_import_discard,
    cpi_import_open,
)
from offerings.services.cpi.indices import IndexEntry, cpi_correct, cpi_record, cpi_withdraw

__all__ = [
    "CpiFileAlreadyUploaded",
    "IndexEntry",
    "cpi_correct",
    "cpi_import_confirm",
    "cpi_import_discard",
    "cpi_import_open",
    "cpi_record",
    "cpi_withdraw",
]
