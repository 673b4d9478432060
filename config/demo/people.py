"""Who works in the demonstration: seven accounts, the brokers and the exchanges, all made up."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pghistory
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.db import transaction

from buyers.models import Broker, BrokerUser, Buyer, Exchange
from offerings.models import Programme
from office.models import User
from office.roles import LABELS, Role


class Account(NamedTuple):
    """An account as it is made; its name is plainly made up."""

    username: str
    role: Role
    first_name: str
    last_name: str


ACCOUNTS = (
    Account("irene", Role.ANALYST, "Irene", "Ejemplo Ñáñez"),
    Account("mateo", Role.ANALYST, "Mateo", "Quiñones Prueba"),
    Account("ana", Role.SUPERVISOR, "Ana", "Ficticia Rey"),
    Account("tomas", Role.SUPERVISOR, "Tomás", "Inventado Sáenz"),
    Account("aura", Role.AUDITOR, "Aura", "Supuesta Vélez"),
    Account("adela", Role.ADMINISTRATOR, "Adela", "Muestra Gil"),
    Account("bruno", Role.BROKER, "Bruno", "Corredor Prueba"),
)
# The exchange that adjudicates comes first; the broker for which bruno works, too.
EXCHANGES = (
    "Bolsa Ficticia de Bogotá",
    "Bolsa Ficticia de Medellín",
    "Bolsa Ficticia de Occidente",
)
BROKERS = {
    "999000101-0": "Valores Ficticios S. A.",
    "999000202-6": "Corredores de Ejemplo S. A.",
    "999000303-1": "Bursátil de Muestra S. A.",
    "999000404-7": "Acciones Imaginarias S. A.",
    "999000505-2": "Inversiones de Prueba S. A.",
    "999000606-8": "Comisionistas Supuestos S. A.",
    "999000707-3": "Títulos Inventados S. A.",
    "999000808-9": "Mesa Hipotética S. A.",
}


def is_empty() -> bool:
    """Whether nobody has worked in this database yet."""
    tables = (User, Programme, Buyer, Broker, Exchange)
    return not any(table.objects.exists() for table in tables)


def is_demo() -> bool:
    """Whether the data are the demonstration's: its first account is there, by its full name."""
    first = ACCOUNTS[0]
    return User.objects.filter(username=first.username, last_name=first.last_name).exists()


@transaction.atomic
def people_ready() -> None:
    """Make the accounts, the brokers and the exchanges, once, all of them or none."""
    if is_demo():
        return
    password = make_password(password_of_the_place())
    for account in ACCOUNTS:
        _account_make(account, password)
    for name in EXCHANGES:
        Exchange.objects.create(name=name)
    for nit, name in BROKERS.items():
        Broker.objects.create(name=name, nit=nit)
    BrokerUser.objects.create(
        user=person("bruno"), broker=Broker.objects.get(nit=next(iter(BROKERS)))
    )


def _account_make(account: Account, password: str) -> None:
    user = User.objects.create(
        username=account.username,
        password=password,
        first_name=account.first_name,
        last_name=account.last_name,
        is_staff=account.role != Role.BROKER,
    )
    user.groups.add(Group.objects.get(name=account.role.value))


def person(username: str) -> User:
    """One of the accounts."""
    return User.objects.get(username=username)


@contextmanager
def acting(username: str) -> Iterator[User]:
    """Let one of the accounts act: the history of the rows says who it was, as on the screens.

    Never inside another context: pghistory makes one of the two, with the last one's user.
    """
    user = person(username)
    with pghistory.context(user=user.pk, command="demo"):
        yield user


def exchange_that_adjudicates() -> Exchange:
    return Exchange.objects.get(name=EXCHANGES[0])


def password_of_the_place() -> str:
    """The accounts' one password: made at random at the first start, kept beside the data."""
    path = _password_path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"clave-ficticia-{secrets.token_hex(3)}")
    return path.read_text().strip()


def accounts_told() -> list[str]:
    """The accounts, one a line, with their password where it is known here."""
    lines = [
        f"{account.username:<8}{LABELS[account.role]:<15}{account.first_name} {account.last_name}"
        for account in ACCOUNTS
    ]
    if _password_path().exists():
        return [*lines, f"La clave de todas: {password_of_the_place()}"]
    return [*lines, "La clave de todas es la que se mostró donde se crearon."]


def _password_path() -> Path:
    return Path(settings.STATE_DIR) / "clave-de-la-demostracion"
