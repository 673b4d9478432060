"""What happened to a buyer, to its papers and to what it has in the programmes, in words."""

from collections.abc import Iterable, Iterator
from typing import Any

from buyers.models import Buyer, Document, brokers_of
from buyers.selectors import CHANGEABLE, REGISTER_ACT
from buyers.selectors.dossier import decisions_of, own_of, person_of
from office.dates import write_datetime
from office.decisions import decision_event, decisions_on, subject_kind
from office.models import Decision, Job, User
from office.roles import Capability


def buyer_timeline(
    buyer: Buyer, documents: Iterable[Document], user: User
) -> list[dict[str, Any]]:
    """What `user` may know of what happened: all of it, or for a broker what its people did."""
    if user.may(Capability.READ):
        return _whole_timeline(buyer, decisions_on([buyer, *documents]))
    acts = decisions_on([buyer, *documents]).filter(
        actor__broker_user__broker__in=brokers_of(user)
    )
    return [decision_event(decision, alone=True) | {"changes": []} for decision in acts]


def buyer_history(buyer: Buyer, user: User) -> list[dict[str, Any]]:
    """The same with what happened to its parts, acceptances, payments and certificates, and to
    the records that were merged into it; for a broker, no more than the timeline."""
    if not user.may(Capability.READ):
        documents = Document.objects.visible_to(user).filter(buyer=buyer)
        return buyer_timeline(buyer, documents, user)
    person = person_of(buyer)
    acts = list(decisions_of(own_of(person)))
    others = {one.pk: one.identity for one in person.buyers if one.pk != buyer.pk}
    for act in acts:
        if act.subject_kind == subject_kind(Buyer) and act.subject_id in others:
            act.sentence = f"{act.sentence.removesuffix('.')}, {others[act.subject_id]}."
    return _whole_timeline(buyer, acts)


def _whole_timeline(buyer: Buyer, acts: Iterable[Decision]) -> list[dict[str, Any]]:
    """What happened to a buyer, with these acts, oldest first, for `partials/timeline.html`.

    A buyer that came in a file has no act of its own: the job that brought it is told. So is a
    change that no act explains (another program, an administrator of the database).
    """
    changes = {event["pk"]: event for event in _changes(buyer)}
    decisions = list(acts)
    told = [(decision.recorded_at, _decision_told(decision, changes)) for decision in decisions]
    if not any(_registers(decision, buyer) for decision in decisions):
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


def _registers(act: Decision, buyer: Buyer) -> bool:
    return act.act == REGISTER_ACT and act.subject_id == buyer.pk


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
