"""An act that cannot be done: one kind of exception, with a sentence for the person."""

from datetime import date, datetime

from django.utils import timezone

from office.dates import bogota_day, write_date, write_datetime


class Refused(Exception):
    """The act is refused and nothing was saved.

    `message` says in Spanish what is wrong and how to put it right; `field` names the form's
    field that it is about, or is empty.
    """

    def __init__(self, message: str, field: str = "") -> None:
        """Keep the sentence and the field apart."""
        super().__init__(message)
        self.message = message
        self.field = field


def check_not_future(moment: datetime, field: str = "") -> None:
    """Refuse a legal date and time that has not come yet: no act can bear it."""
    if moment > timezone.now():
        raise Refused(
            f"{write_datetime(moment)} está en el futuro: escriba cuándo ocurrió.", field
        )


def check_day_not_future(day: date, field: str = "") -> None:
    """Refuse a legal day that has not come yet in Bogotá; told without an hour."""
    if day > bogota_day(timezone.now()):
        raise Refused(f"{write_date(day)} está en el futuro: escriba cuándo ocurrió.", field)
