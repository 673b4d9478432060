"""What a broker may know of a buyer whom others presented too: its own things, and the quantity
that comes of all of them; never the others' quantities, numbers, papers or brokers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from buyers.models import Buyer, brokers_of
from offerings.enums import AcceptanceState
from offerings.models import Acceptance, Participation, ParticipationDocument, Stage
from offerings.selectors.acceptances import loading_acts
from offerings.selectors.on_file import fund_has_on_file
from office.decisions import decision_event, decisions_on
from office.models import User
from office.roles import Capability

OTHERS_STEP = {
    "label": "Otras suyas en esta etapa",
    "detail": "hay otras recibidas antes, bajo el mismo límite",
    "shown": "–",
    "cite": "",
}


@dataclass(frozen=True)
class Foreign:
    """What in a buyer's part is not of the broker who looks. any: acceptances or papers of others.
    before: acceptances of others that were received before the one looked at."""

    any: bool = False
    before: bool = False


def foreign_part(
    *, buyer: Buyer, stage: Stage, user: User, acceptance: Acceptance | None = None
) -> Foreign:
    """What of `buyer` in `stage` is not for `user` to see; nothing for staff. `acceptance`: the
    one looked at; None = one that comes after all that are there."""
    if user.may(Capability.READ):
        return Foreign()
    own = brokers_of(user)
    others = Acceptance.objects.filter(participation__buyer=buyer, stage=stage).exclude(
        broker__in=own
    )
    papers = ParticipationDocument.objects.filter(
        participation__buyer=buyer, participation__programme=stage.programme_id
    ).exclude(document__presented_by__in=own)
    earlier = others.filter(_before(acceptance), state=AcceptanceState.PRESENTED)
    # What is being typed will rest on the Fund's own papers, which are not invoked yet.
    unseen = papers.exists() or (acceptance is None and fund_has_on_file(buyer))
    return Foreign(any=others.exists() or unseen, before=earlier.exists())


def _before(acceptance: Acceptance | None) -> Q:
    if acceptance is None:
        return Q()
    received, serial = acceptance.received_at, acceptance.serial
    return Q(received_at__lt=received) | Q(received_at=received, serial__lt=serial)


def ruling_told(
    ruling: Mapping[str, Any], missing: Iterable[Mapping[str, str]], foreign: Foreign
) -> dict[str, Any]:
    """The stored why of an acceptance, without the figures that stand on what others presented."""
    if not foreign.any:
        return dict(ruling)
    lacking = [f"Falta: {gap['label'][:1].lower()}{gap['label'][1:]}" for gap in missing]
    conclusion = ". ".join(lacking) or ruling.get("conclusion", "")
    return {
        **ruling,
        "steps": [*([OTHERS_STEP] if foreign.before else []), *ruling.get("steps", [])[-1:]],
        "conclusion": conclusion,
    }


def part_events(participation: Participation, user: User) -> list[dict[str, Any]]:
    """What `user` may know of what happened to a buyer's part, which several brokers may share:
    all of it, with the acceptances that made it; for a broker what its own people did, without
    what that did to others."""
    if user.may(Capability.READ):
        presented = list(participation.acceptances.select_related("source_import"))
        loaded = [act for one in presented for act in loading_acts(one)]
        acts = [*decisions_on([participation, *presented]), *loaded]
        return [decision_event(act) for act in sorted(acts, key=lambda act: act.pk)]
    acts = decisions_on([participation]).filter(actor__broker_user__broker__in=brokers_of(user))
    return [decision_event(act, alone=True) for act in acts]
