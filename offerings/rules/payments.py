"""By when an award is paid."""

from datetime import date, timedelta

from offerings.rules.ruling import NotCovered, Ruling, Step
from offerings.rules.terms import Terms
from offerings.rules.wording import write_date


def payment_last_day(session_on: date, terms: Terms) -> Ruling[date]:
    """The last day to pay what was adjudicated on `session_on`; days are calendar days.

    "Podrá también el precio de compra de las acciones pagarse a plazo no mayor de treinta (30)
    días comunes contados a partir del día siguiente a la fecha de adjudicación de las mismas"
    (Decreto 1118 de 1995, art. 13). Raises NotCovered where neither the decree nor the Fund
    sets a term.
    """
    payment = terms.payment
    if payment is None:
        raise NotCovered(
            rule="payment_last_day",
            programme=terms.slug,
            message=f"{terms.decree.value}: no consta el plazo de pago. Lo fija el reglamento "
            "del Fondo.",
            missing=("payment_term_days",),
        )
    last = session_on + timedelta(days=payment.days)
    return Ruling(
        last,
        (
            Step("Sesión de adjudicación", "el plazo cuenta desde el día siguiente", session_on),
            Step("Plazo", "días calendario", payment.days, "días", payment.cite),
            Step("Último día de pago", f"hasta la medianoche del {write_date(last)}", last),
        ),
    )
