"""What screens and files show of buyers: who is found, their papers, what happened to them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value

from buyers.enums import BuyerKind, IdentityType
from buyers.models import BrokerUser, Buyer, Document, Presentation, brokers_of
from office.dates import write_datetime
from office.decisions import decision_event, decisions_on, subject_kind
from office.models import Decision, Job, User
from office.roles import Capability
from office.text import fold

LONGEST_SEARCH = 200
_TYPE_WORDS = re.compile(r"^(?:cc|ce|nit|pa|pasaporte)(?= ?[0-9])|^pasaporte ")
_NIT = re.compile(r"([0-9]{6,10})-[0-9]")
REGISTER_ACT, CHANGE_ACT = "buyer_register", "buyer_change"
# What a person may correct, and the history shows of it, in the order of the form.
CHANGEABLE = (
    "kind",
    "identity_type",
    "identity_number",
    "check_digit",
    "name",
    "representative_name",
    "representative_identity_type",
    "representative_identity_number",
    "attorney_name",
    "attorney_identity_type",
    "attorney_identity_number",
)


def buyers_found(
    user: User, *, text: str = "", kind: str = "", identity_type: str = ""
) -> QuerySet[Buyer]:
    """The buyers that `user` may see, by words of the name or by the identity's first figures;
    the one under the identity of a merged twin, too."""
    found = buyers_shown(user).filter(merged_into=None)
    if kind in {member.value for member in BuyerKind}:
        found = found.filter(kind=kind)
    if identity_type in {member.value for member in IdentityType}:
        found = found.filter(identity_type=identity_type)
    folded = fold(text[:LONGEST_SEARCH].replace("\x00", " "))
    return found.filter(_matches(folded, user)) if folded else found


def buyers_shown(user: User) -> QuerySet[Buyer]:
    """The buyers that `user` may see, each with what of it may be shown: `since`, the day"""
    visible = Buyer.objects.visible_to(user)
    if user.may(Capability.READ):
        return visible.annotate(since=F("registered_at"), shows_acting=Value(True))
    own = brokers_of(user)
    brought = Presentation.objects.filter(buyer=OuterRef("pk"), broker__in=own)
    typed = BrokerUser.objects.filter(user=OuterRef("registered_by"), broker__in=own)
    corrected = Decision.objects.filter(
        act=CHANGE_ACT, subject_kind=subject_kind(Buyer), subject_id=OuterRef("pk")
    )
    return visible.annotate(
        since=Subquery(brought.values("presented_at")[:1]),
        shows_acting=Exists(typed) & ~Exists(corrected),
    )


def buyer_documents(buyer: Buyer, user: User) -> QuerySet[Document]:
    """A buyer's papers that `user` may see, the current ones first, with what the page shows."""
    return (
        Document.objects.visible_to(user)
        .filter(buyer=buyer)
        .select_related("file", "exchange", "seen_by", "presented_by", "verified_by")
        .order_by("-replaced_at", "kind", "-year", "-pk")
    )


def buyer_timeline(
    buyer: Buyer, documents: Iterable[Document], user: User
) -> list[dict[str, Any]]:
    """What `user` may know of what happened: all of it, or for a broker what its people did."""
    if user.may(Capability.READ):
        return _whole_timeline(buyer, documents)
    acts = decisions_on([buyer, *documents]).filter(
        actor__broker_user__broker__in=brokers_of(user)
    )
    return [decision_event(decision, alone=True) | {"changes": []} for decision in acts]


def _whole_timeline(buyer: Buyer, documents: Iterable[Document]) -> list[dict[str, Any]]:
    """What happened to a buyer and its papers, oldest first, for `partials/timeline.html`.

    A buyer that came in a file has no act of its own: the job that brought it is told. So is a
    change that no act explains (another program, an administrator of the database).
    """
    changes = {event["pk"]: event for event in _changes(buyer)}
    decisions = list(decisions_on([buyer, *documents]))
    told = [(decision.recorded_at, _decision_told(decision, changes)) for decision in decisions]
    if not any(decision.act == REGISTER_ACT for decision in decisions):
        told.append((buyer.registered_at, _arrival_told(buyer)))
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
        for name in CHANGEABLE
        if getattr(before, name) != getattr(after, name)
    ]


def _matches(folded: str, user: User) -> Q:
    by_name = Q()
    for word in folded.split(" "):
        by_name &= Q(name_folded__contains=word)
    bare = re.sub(r"[^a-z0-9-]", "", _TYPE_WORDS.sub("", folded))
    nit = _NIT.fullmatch(bare)
    number = (nit[1] if nit else bare.replace("-", "")).upper()
    if not any(figure.isdigit() for figure in number):
        return by_name
    merged = Buyer.objects.visible_to(user).filter(
        merged_into__isnull=False, identity_number__startswith=number
    )
    twin = Q(pk__in=merged.values("merged_into"))
    return by_name | Q(identity_number__startswith=number) | twin


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
    return decision_event(decision) | {"changes": change["changes"] if change else []}


def _arrival_told(buyer: Buyer) -> dict[str, Any]:
    """Who brought the buyer in and with which job, as the history of its row says."""
    first = buyer.events.select_related("pgh_context").order_by("pk").first()
    known = first.pgh_context.metadata if first and first.pgh_context else {}
    job = Job.objects.filter(pk=known.get("job")).first()
    how = f", con el proceso {job.code} ({job.title})" if job else ""
    return {
        "when": write_datetime(buyer.registered_at),
        "sentence": f"{buyer.registered_by} registró el comprador{how}.",
        "changes": [],
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
