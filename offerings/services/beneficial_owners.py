"""For whom an acceptance buys, where that is not its buyer: a name with its identity."""

from collections.abc import Iterator

from buyers.models import Buyer
from office.identities import Identity
from office.refusals import Refused

NAME, NUMBER = "beneficial_owner", "beneficial_owner_identity_number"


def beneficial_owner_faults(
    buyer: Buyer, name: str, identity: Identity | None
) -> Iterator[Refused]:
    """What is wrong with a beneficial owner: half of it given, or the buyer itself."""
    if name and identity is None:
        yield Refused("Escriba el documento del beneficiario real, con su tipo.", NUMBER)
    if identity is not None and not name:
        yield Refused("Escriba el nombre del beneficiario real.", NAME)
    own = (buyer.identity_type, buyer.identity_number)
    if identity is not None and (identity.type, identity.number) == own:
        yield Refused(
            "Es el mismo comprador: si compra para sí, deje en blanco el beneficiario real.",
            NUMBER,
        )
