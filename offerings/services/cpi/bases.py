"""The base that every calculation uses, and whoever may enter an index."""

from datetime import date

from django.db import IntegrityError, transaction
from django.utils import timezone

from offerings.models import CpiBase
from offerings.selectors.cpi import month_after
from office.dates import bogota_day, write_month
from office.models import User
from office.refusals import Refused
from office.roles import Capability


def may_enter(user: User) -> None:
    """Refuse who enters no index."""
    if not user.may(Capability.INDICES):
        raise Refused("Solo analistas, supervisores y administradores ingresan el IPC.")


def base_held() -> CpiBase | None:
    """The base in use, all bases held: one person at a time adds to the series."""
    bases = list(CpiBase.objects.select_for_update().order_by("pk"))
    return next((base for base in bases if base.in_force), None)


def base_made(month: date, user: User) -> CpiBase:
    """The base of that month, made if nobody has yet; not in use by that."""
    return CpiBase.objects.get_or_create(month=month, defaults={"recorded_by": user})[0]


def base_put_in_use(base: CpiBase) -> None:
    """Have every calculation use this base from now on; the others' series stay."""
    if base.in_force:
        return
    try:
        with transaction.atomic():
            for other in CpiBase.objects.filter(in_force=True):
                other.in_force = False
                other.save(update_fields=["in_force"])
            base.in_force = True
            base.save(update_fields=["in_force"])
    except IntegrityError as error:
        raise Refused("Otra persona eligió la base hace un instante: empiece de nuevo.") from error


def check_month_over(month: date, field: str = "") -> None:
    """Refuse the index of a month that has not ended: nobody knows it."""
    if month_after(month) > bogota_day(timezone.now()):
        raise Refused(
            f"El IPC de {write_month(month)} no se conoce todavía: el mes no ha terminado.", field
        )
