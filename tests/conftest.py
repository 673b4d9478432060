"""People and places that many tests share. All of them are made up."""

import os
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from hypothesis import settings as hypothesis_settings

# A slow machine is no fault of the law; where many run it, the same examples each time.
hypothesis_settings.register_profile("desk", deadline=None)
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "desk")

BOGOTA = ZoneInfo("America/Bogota")
OPENED = datetime(1995, 7, 14, 9, 0, tzinfo=BOGOTA)
CLOSED = datetime(1995, 9, 14, 17, 0, tzinfo=BOGOTA)


@pytest.fixture(autouse=True)
def _test_settings(settings, tmp_path):
    settings.STORAGES = {
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "files", "base_url": None},
        },
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_ROOT = tmp_path / "static"  # WhiteNoise wants the folder to be there
    settings.STATIC_ROOT.mkdir()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "https://fondo.example"
    settings.SECURE_SSL_REDIRECT = False


def make_user(username, role, first_name, last_name, **fields):
    from office.models import User

    user = User.objects.create_user(
        username,
        password="clave-de-prueba-1",
        first_name=first_name,
        last_name=last_name,
        **fields,
    )
    if role:
        group, _ = Group.objects.get_or_create(name=role)
        user.groups.add(group)
    return user


@pytest.fixture
def ana(db):
    return make_user("ana", "supervisor", "Ana", "Ficticia Rey")


@pytest.fixture
def tomas(db):
    return make_user("tomas", "supervisor", "Tomás", "Inventado Sáenz")


@pytest.fixture
def irene(db):
    return make_user("irene", "analista", "Irene", "Ejemplo Ñáñez")


@pytest.fixture
def mateo(db):
    return make_user("mateo", "analista", "Mateo", "Quiñones Prueba")


@pytest.fixture
def aura(db):
    return make_user("aura", "auditor", "Aura", "Supuesta Vélez")


@pytest.fixture
def adela(db):
    return make_user("adela", "administrador", "Adela", "Muestra Gil", is_staff=True)


@pytest.fixture
def root(db):
    return make_user("root", None, "Raúl", "Raíz Prueba", is_staff=True, is_superuser=True)


@pytest.fixture
def exchange(db):
    from buyers.models import Exchange

    return Exchange.objects.create(name="Bolsa de Prueba")


@pytest.fixture
def broker(db):
    from buyers.models import Broker

    return Broker.objects.create(name="Valores Ficticios S. A.", nit="800197268-4")


@pytest.fixture
def other_broker(db):
    from buyers.models import Broker

    return Broker.objects.create(name="Comisionistas de Muestra S. A.", nit="890903938-8")


@pytest.fixture
def bruno(db, broker):
    """Works for `broker`."""
    from buyers.models import BrokerUser

    user = make_user("bruno", "comisionista", "Bruno", "Corredor Prueba")
    BrokerUser.objects.create(user=user, broker=broker)
    return user


@pytest.fixture
def olga(db, other_broker):
    """Works for `other_broker`."""
    from buyers.models import BrokerUser

    user = make_user("olga", "comisionista", "Olga", "Corredora Muestra")
    BrokerUser.objects.create(user=user, broker=other_broker)
    return user
