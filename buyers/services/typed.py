"""Text and identities as people type them, read for the register or refused at their field."""

from buyers.enums import IdentityType
from buyers.models import Buyer
from office.identities import Identity, IdentityError, read_identity
from office.refusals import Refused
from office.text import TextError, clean_text

NAME_LENGTH = Buyer._meta.get_field("name").max_length


def read_text(text: str, field: str, limit: int = NAME_LENGTH) -> str:
    """The text as it is kept; what cannot be seen in it, or is too long, is refused."""
    try:
        clean = clean_text(text)
    except TextError as error:
        raise Refused(str(error), field) from error
    if len(clean) > limit:
        raise Refused(f"Tiene {len(clean)} caracteres: escriba a lo sumo {limit}.", field)
    return clean


def identity_typed(identity_type: str, number: str, field: str) -> Identity:
    """The identity whose type and number were typed in `field`_type and `field`_number."""
    if identity_type not in {member.value for member in IdentityType}:
        raise Refused("Elija el tipo de documento.", f"{field}_type")
    try:
        return read_identity(identity_type, number)
    except IdentityError as error:
        raise Refused(str(error), f"{field}_number") from error
