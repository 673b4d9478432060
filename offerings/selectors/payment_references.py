"""The award that a payment's reference names."""

from offerings.models import Award
from offerings.rules.payment_reference import payment_reference, payment_reference_award

SHOWN = ("acceptance", "adjudication__stage")


def award_referred_to(reference: str) -> Award | None:
    """The award whose payment reference this is, written whole; None for any other number.

    The number of a cheque may happen to have a right check digit too, so zeros in front count.
    """
    named = payment_reference_award(reference)
    if named is None or "".join(filter(str.isdigit, reference)) != payment_reference(named):
        return None
    return Award.objects.filter(pk=named).select_related(*SHOWN).first()
