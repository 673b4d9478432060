"""Who presents: staff for anybody, a broker's person for its own broker alone."""

from buyers.models import Broker, brokers_of
from office.models import User
from office.refusals import Refused
from office.roles import Capability


def presenting_broker(user: User, named: Broker | None = None) -> Broker | None:
    """The broker in whose name `user` registers: None for staff, who register for any.

    Refuses whoever may not present, a broker's person without an active broker, and one who
    `named` another.
    """
    if user.may(Capability.PREPARE):
        return None
    if not user.may(Capability.PRESENT):
        raise Refused(
            "Solo un analista o un supervisor, o un comisionista con lo suyo, puede hacer este "
            "registro."
        )
    own = brokers_of(user).filter(is_active=True).first()
    if own is None:
        raise Refused(
            "Su usuario no tiene una sociedad comisionista activa: pida al administrador que se "
            "la asigne."
        )
    if named not in (None, own):
        raise Refused("Usted presenta solo por su sociedad comisionista.", "broker")
    return own


def differs_from_register() -> Refused:
    """What a broker is told where it says otherwise than the register: nothing of it."""
    return Refused(
        "Los datos no coinciden con el registro: verifique el documento o pida al Fondo que lo "
        "revise."
    )
