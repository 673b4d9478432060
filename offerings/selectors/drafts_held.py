"""Which half-typed acceptances name a person: what stands in them was never read, only kept."""

from collections.abc import Iterator

from django.db.models import QuerySet

from buyers.selectors.dossier import Person
from offerings.models import AcceptanceDraft
from offerings.selectors.acceptances import NAME_AND_IDENTITY
from office.identities import IdentityError, read_identity_shown

OWNER_TYPE, OWNER_NUMBER = "beneficial_owner_identity_type", "beneficial_owner_identity_number"


def drafts_of(person: Person) -> QuerySet[AcceptanceDraft]:
    """Everybody's drafts of an acceptance of the person, by the identity typed for the buyer."""
    typed = AcceptanceDraft.objects.values_list("pk", "content__buyer")
    return _among(pk for pk, buyer in typed if _names(person, _first(buyer)))


def drafts_naming_owner(person: Person) -> QuerySet[AcceptanceDraft]:
    """Everybody's drafts in which the person is the one for whom somebody buys."""
    typed = AcceptanceDraft.objects.values_list(
        "pk", f"content__{OWNER_TYPE}", f"content__{OWNER_NUMBER}"
    )
    return _among(pk for pk, kind, number in typed if _names(person, _first(number), _first(kind)))


def _among(ids: Iterator[int]) -> QuerySet[AcceptanceDraft]:
    return AcceptanceDraft.objects.filter(pk__in=list(ids)).select_related("stage__programme")


def _first(values: list[str] | None) -> str:
    """What was typed in a field, of which a draft keeps a list."""
    return values[0] if values else ""


def _names(person: Person, typed: str, only: str = "") -> bool:
    """Whether the text is the person's identity, alone or after a name; `only`: of that type."""
    identity = typed.rpartition(NAME_AND_IDENTITY)[2]
    return any(
        _is(kind, number, identity) for kind, number in person.identities if only in {"", kind}
    )


def _is(kind: str, number: str, typed: str) -> bool:
    try:
        return read_identity_shown(kind, typed).number == number
    except IdentityError:
        return False
