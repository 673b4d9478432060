"""What the environment says, and what is derived from it."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from config import env


@pytest.mark.parametrize(
    ("given", "broker"),
    [
        ("redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/0"),
        ("rediss://u:p@host/1", "rediss://u:p@host/1"),
        ("unix:///run/x/redis.sock?db=3", "redis+socket:///run/x/redis.sock?virtual_host=3"),
        ("unix:///run/x/redis.sock", "redis+socket:///run/x/redis.sock?virtual_host=0"),
    ],
)
def test_redis_address_is_given_to_celery_in_its_own_form(given, broker):
    assert env.celery_broker(given) == broker


def test_database_address_is_read_with_its_socket():
    read = env.database("postgresql://ana@/venta?host=/run/x&port=5433&sslmode=disable")
    assert (read["NAME"], read["USER"], read["HOST"]) == ("venta", "ana", "/run/x")
    assert read["PORT"] == "5433"
    assert read["OPTIONS"] == {"sslmode": "disable", "options": "-c pgtrigger.ignore={}"}
    assert read["ENGINE"] == "django.db.backends.postgresql"


def test_database_without_an_address_is_named_so_that_the_refusal_tells():
    assert env.database("")["NAME"] == "DATABASE_URL-is-not-set"


@pytest.mark.parametrize("word", ["1", "true", "YES", " on "])
def test_flag_is_read_in_its_usual_words(monkeypatch, word):
    monkeypatch.setenv("DEBUG", word)
    assert env.flag("DEBUG")


@pytest.mark.parametrize("word", ["", "0", "no", "false"])
def test_flag_is_off_otherwise(monkeypatch, word):
    monkeypatch.setenv("DEBUG", word)
    assert not env.flag("DEBUG")


def test_list_is_read_word_by_word(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example,,")
    assert env.words("ALLOWED_HOSTS") == ["a.example", "b.example"]


def deploy_check(**variables):
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=settings.BASE_DIR,
        env={"PATH": "/usr/bin:/bin", **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_check_for_production_is_clean():
    ran = deploy_check(
        SECRET_KEY="9f1c7b52e0a84d6fb3c5a7e1d20964f8-Zq7Lw2Xs8Vt4Rn6Ym1Kp3Hj5",
        SITE_URL="https://fondo.example",
        ALLOWED_HOSTS="fondo.example",
        DATABASE_URL="postgresql:///nada",
    )
    assert ran.returncode == 0, ran.stderr


def test_check_of_cases_needs_no_secret_and_no_service():
    ran = subprocess.run(
        [sys.executable, "manage.py", "check_cases", "tests/cases/terms.toml"],
        cwd=settings.BASE_DIR,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.rstrip().endswith("0 failed")


def test_what_the_address_sets_for_its_connections_stays():
    read = env.database("postgresql://u@h/d?options=-c%20statement_timeout%3D9s")
    assert read["OPTIONS"]["options"] == "-c statement_timeout=9s -c pgtrigger.ignore={}"


def test_a_trigger_is_told_to_ignore_nothing_and_so_none_fails_to_ask(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('pgtrigger.ignore')::text[]")
        assert cursor.fetchone() == ([],)
