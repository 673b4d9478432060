"""What an act on one acceptance did to its buyer's others, as a review shows it."""

from typing import Any

from offerings.enums import Standing
from offerings.models import Acceptance
from office.decisions import decisions_on
from office.models import User
from office.numbers import write_quantity, write_shares
from office.roles import Capability

CHANGE_ACT = "acceptance_change"


def change_lines(acceptance: Acceptance, user: User) -> list[dict[str, Any]]:
    """The acceptances that the acts on this one have changed, of those that `user` may see, each
    with its figures after and before. Read inside the rehearsal of the act."""
    others = {
        one.pk: one
        for one in Acceptance.objects.visible_to(user)
        .filter(participation=acceptance.participation_id, stage=acceptance.stage_id)
        .exclude(pk=acceptance.pk)
        .select_related("stage__programme")
    }
    acts = decisions_on(others.values()).filter(act=CHANGE_ACT, data__by=acceptance.pk)
    last = {act.subject_id: act.data for act in acts}
    lines = [_line(others[pk], data) for pk, data in last.items()]
    if lines or not user.may(Capability.READ):  # of others' it is not told that none changes
        return lines
    return [{"label": "Otras aceptaciones que cambian", "value": "Ninguna"}]


def _line(acceptance: Acceptance, data: dict[str, Any]) -> dict[str, Any]:
    before, after = data["before"], data["after"]
    return {
        "label": f"Cambia {acceptance.code}",
        "value": write_shares(after["admitted"]),
        "detail": f"{Standing(after['standing']).label}; tenía "
        f"{write_quantity(before['admitted'])} ({Standing(before['standing']).label.lower()})",
        "big": True,
    }
