"""Banks' files for tests, written cell by cell."""

from offerings.rules.payment_reference import payment_reference
from offerings.services.bank_files import (
    COLUMNS,
    bank_file_confirm,
    bank_file_load,
    bank_file_open,
    bank_file_review,
)

HEADER = tuple(column.name for column in COLUMNS)


def bank_row(reference, valor="1,00", fecha="02/10/1995", medio="cheque", numero=""):
    """A row with a payment reference, or that of an award."""
    written = reference if isinstance(reference, str) else payment_reference(reference.pk)
    return [written, fecha, valor, medio, numero]


def bank_csv(*rows, header=HEADER, separator=";", encoding="utf-8"):
    return "\r\n".join(separator.join(line) for line in [header, *rows]).encode(encoding)


def opened(programme, user, data, means="", name="banco.csv"):
    return bank_file_open(programme=programme, data=data, name=name, means=means, user=user)


def bank_reviewed(programme, user, data, means="", name="banco.csv"):
    """A file after its first job."""
    source = opened(programme, user, data, means, name)
    bank_file_review(bank_file_id=source.pk, report=lambda *told: None)
    source.refresh_from_db()
    return source


def bank_loaded(programme, user, data, means="", name="banco.csv"):
    """A file after both jobs."""
    source = bank_reviewed(programme, user, data, means, name)
    bank_file_confirm(bank_file_id=source.pk, user=user)
    bank_file_load(bank_file_id=source.pk, report=lambda *told: None)
    source.refresh_from_db()
    return source
