"""The readings of a programme's penalty: one person prepares them with the Fund's act, a
supervisor who is another confirms them before the first quote."""

from collections.abc import Mapping
from datetime import date, time

from django.db import transaction

from offerings.models import Programme
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_decide
from office.roles import Capability
from pledges.models import PenaltyReadings
from pledges.selectors.penalty_readings import reading_label, readings_open, readings_waiting

VERBS = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def penalty_readings_prepare(
    *, programme_id: int, user: User, readings: Mapping[str, str], act: str, act_on: date
) -> PenaltyReadings:
    """Send to review a new version: how each point that the decree leaves open is read. What was
    settled under an earlier version does not change."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor prepara las lecturas.")
    programme = Programme.objects.select_for_update().get(pk=programme_id)
    if readings_waiting(programme):
        raise Refused("Ya hay unas lecturas que esperan revisión.")
    chosen = _checked(programme, readings)
    check_day_not_future(act_on, "act_on")
    if not act.strip():
        raise Refused("Escriba el acto del Fondo que las adopta.", "act")
    last = programme.penalty_readings.order_by("-version").first()
    version = PenaltyReadings(
        programme=programme,
        version=last.version + 1 if last else 1,
        readings=chosen,
        act=act.strip(),
        act_on=act_on,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    version.full_clean()
    version.save()
    said = f"Preparó las lecturas de la sanción, versión {version.version}"
    _record(version, "prepare", said, "", user)
    return version


@transaction.atomic
def penalty_readings_decide(
    *, readings_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> PenaltyReadings:
    """Approve, send back or reject the readings that another prepared."""
    version = PenaltyReadings.objects.select_for_update().get(pk=readings_id)
    review_decide(act=version, user=user, outcome=outcome, reason=reason)
    said = f"{VERBS[outcome]} las lecturas de la sanción, versión {version.version}"
    _record(version, outcome.value, said, reason, user)
    return version


def _checked(programme: Programme, readings: Mapping[str, str]) -> dict[str, str]:
    """One admitted value for each open point, and nothing else."""
    known = readings_open(programme)
    if not known:
        raise Refused("El decreto no deja abierto ningún punto de la sanción.")
    for name, reading in known.items():
        if readings.get(name) not in reading.alternatives:
            raise Refused(f"Elija cómo se lee: {reading_label(name).lower()}.", name)
    return {name: readings[name] for name in known}


def _record(version: PenaltyReadings, act: str, said: str, reason: str, user: User) -> None:
    decision_record(
        act=f"penalty_readings_{act}",
        sentence=f"{said} ({version.act}, del {write_date(version.act_on)}).",
        reason=reason.strip(),
        actor=user,
        subject=version.programme,
        legal_at=bogota_moment(version.act_on, time()) if act == "prepare" else None,
        data={"version": version.version, "readings": version.readings},
    )
