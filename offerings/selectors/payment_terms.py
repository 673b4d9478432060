"""By when what was adjudicated is paid, under the terms that each adjudication keeps."""

from collections.abc import Iterable
from datetime import date

from offerings.decrees.reader import terms_from_data
from offerings.models import Adjudication
from offerings.rules.payments import payment_last_day
from offerings.rules.ruling import NotCovered, Ruling


def payment_term(adjudication: Adjudication) -> Ruling[date] | None:
    """By when its awards are paid, under the terms that it keeps; None if they are silent."""
    try:
        return payment_last_day(adjudication.session_on, terms_from_data(adjudication.terms))
    except NotCovered:
        return None


def last_days(adjudications: Iterable[Adjudication]) -> dict[int, date | None]:
    """The last day to pay by adjudication: its terms are read once, not once an award."""
    found: dict[int, date | None] = {}
    for adjudication in adjudications:
        if adjudication.pk not in found:
            term = payment_term(adjudication)
            found[adjudication.pk] = term.value if term else None
    return found


def runs_past_term(on: date) -> list[int]:
    """The adjudications in force whose last day to pay was before `on`."""
    days = last_days(Adjudication.objects.in_force())
    return [pk for pk, last in days.items() if last is not None and last < on]
