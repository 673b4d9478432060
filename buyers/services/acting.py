"""Who acts for a buyer: an organisation's representative, anybody's attorney. Both are written
beside the buyer; either may also be a buyer of its own, which is another record."""

from buyers.enums import IdentityType
from buyers.models import Buyer
from buyers.services.typed import identity_typed, read_text
from office.refusals import Refused


def representative_set(buyer: Buyer, name: str, identity_type: str, number: str) -> None:
    """Write down who represents an organisation, which somebody always does."""
    if not read_text(name, "representative_name"):
        raise Refused("Escriba quién la representa.", "representative_name")
    _set(buyer, "representative", name, identity_type, number)


def attorney_set(buyer: Buyer, name: str, identity_type: str, number: str) -> None:
    """Write down who buys in its name with a power of attorney, if anybody does."""
    if not read_text(name, "attorney_name"):
        if identity_type or number:
            raise Refused("Escriba el nombre del apoderado.", "attorney_name")
        return
    _set(buyer, "attorney", name, identity_type, number)
    own = (buyer.identity_type, buyer.identity_number)
    if (buyer.attorney_identity_type, buyer.attorney_identity_number) == own:
        raise Refused(
            "El apoderado es otra persona: si compra por sí mismo, déjelo en blanco.",
            "attorney_identity_number",
        )


def _set(buyer: Buyer, who: str, name: str, identity_type: str, number: str) -> None:
    words = {"representative": "El representante", "attorney": "El apoderado"}
    if identity_type == IdentityType.NIT:
        raise Refused(
            f"{words[who]} es una persona: use cédula o pasaporte.", f"{who}_identity_type"
        )
    identity = identity_typed(identity_type, number, f"{who}_identity")
    setattr(buyer, f"{who}_name", read_text(name, f"{who}_name"))
    setattr(buyer, f"{who}_identity_type", identity.type)
    setattr(buyer, f"{who}_identity_number", identity.number)
