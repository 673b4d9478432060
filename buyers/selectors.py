"""What screens and files show of buyers: who is found, their papers, what happened to them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q, QuerySet

from buyers.enums import BuyerKind, IdentityType
from buyers.models import Buyer, Document
from office.dates import write_datetime
from office.decisions import decisions_on
from office.models import Decision, User
from office.text import fold

LONGEST_SEARCH = 200
_TYPE_WORDS = re.compile(r"^(?:cc|ce|nit|pa|pasaporte)(?= ?[0-9])|^pasaporte ")
_NIT = re.compile(r"([0-9]{6,10})-[0-9]")
# What the history shows of a change, in the order of the form.
TOLD = (
    "kind",
    "identity_type",
    "identity_number",
    "check_digit",
    "name",
    "representative_name",
    "representative_identity_type",
    "representative_identity_number",
)


def buyers_found(
    user: User, *, text: str = "", kind: str = "", identity_type: str = ""
) -> QuerySet[Buyer]:
    """The buyers that `user` may see, by words of the name or by the identity's first figures."""
    found = Buyer.objects.visible_to(user)
    if kind in {member.value for member in BuyerKind}:
        found = found.filter(kind=kind)
    if identity_type in {member.value for member in IdentityType}:
        found = found.filter(identity_type=identity_type)
    folded = fold(text[:LONGEST_SEARCH].replace("\x00", " "))
    return found.filter(_matches(folded)) if folded else found


def buyer_documents(buyer: Buyer) -> QuerySet[Document]:
    """All of a buyer's papers, the current ones first, with what the page shows of them."""
    return buyer.documents.select_related("file", "exchange", "seen_by").order_by(
        "-replaced_at", "kind", "-year", "-pk"
    )


def documents_visible(user: User) -> QuerySet[Document]:
    """The papers of the buyers that `user` may see."""
    return Document.objects.filter(buyer__in=Buyer.objects.visible_to(user))


def buyer_timeline(buyer: Buyer, documents: Iterable[Document]) -> list[dict[str, Any]]:
    """What happened to a buyer and its papers, oldest first, for `partials/timeline.html`.

    A change that no act explains (another program, an administrator of the database) is told too.
    """
    changes = {event["pk"]: event for event in _changes(buyer)}
    told = [
        (decision.recorded_at, _decision_told(decision, changes))
        for decision in decisions_on([buyer, *documents])
    ]
    told += [(event["at"], _change_told(event)) for event in changes.values()]
    return [entry for _, entry in sorted(told, key=lambda pair: pair[0])]


def changed_fields(before: Any, after: Any) -> list[dict[str, str]]:
    """The fields in which two states of a buyer differ, with both values, in words."""
    return [
        {
            "field": str(Buyer._meta.get_field(name).verbose_name).capitalize(),
            "before": _shown(name, getattr(before, name)),
            "after": _shown(name, getattr(after, name)),
        }
        for name in TOLD
        if getattr(before, name) != getattr(after, name)
    ]


def _matches(folded: str) -> Q:
    by_name = Q()
    for word in folded.split(" "):
        by_name &= Q(name_folded__contains=word)
    bare = re.sub(r"[^a-z0-9-]", "", _TYPE_WORDS.sub("", folded))
    nit = _NIT.fullmatch(bare)
    number = (nit[1] if nit else bare.replace("-", "")).upper()
    if not any(figure.isdigit() for figure in number):
        return by_name
    return by_name | Q(identity_number__startswith=number)


def _changes(buyer: Buyer) -> Iterator[dict[str, Any]]:
    before = None
    for event in buyer.events.select_related("pgh_context").order_by("pk"):
        if before is not None:
            yield {
                "pk": event.pk,
                "at": event.pgh_created_at,
                "changes": changed_fields(before, event),
            }
        before = event


def _decision_told(decision: Decision, changes: dict[int, dict[str, Any]]) -> dict[str, Any]:
    change = changes.pop(decision.data.get("event"), None)
    return {
        "when": write_datetime(decision.recorded_at),
        "sentence": f"{decision.actor} {decision.sentence[:1].lower()}{decision.sentence[1:]}",
        "article": decision.article,
        "reason": decision.reason,
        "changes": change["changes"] if change else [],
    }


def _change_told(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "when": write_datetime(event["at"]),
        "sentence": "Los datos cambiaron sin un acto registrado.",
        "changes": event["changes"],
    }


def _shown(name: str, value: str) -> str:
    choices = dict(Buyer._meta.get_field(name).choices or ())
    return str(choices.get(value, value)) or "–"
