"""The environment, read in one place.

Nothing here fails at import: `check_cases` and the linters need neither services nor secrets.
What is missing is refused where it is used, with a sentence that names the variable.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from psycopg.conninfo import conninfo_to_dict

ENGINE = "django.db.backends.postgresql"
CONNECTION_KEYS = ("host", "port", "user", "password", "dbname")
# Each row's trigger asks which triggers to ignore. Where nobody has said, the question fails, is
# caught, and undoing it goes through all that the transaction has still to check at its end: to
# write many rows would cost their square. So every connection says: none.
IGNORE_NO_TRIGGER = "-c pgtrigger.ignore={}"


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str) -> bool:
    return text(name).lower() in {"1", "true", "yes", "on"}


def count(name: str) -> int:
    """A whole number, 0 without one; another text is refused at the start."""
    given = text(name, "0")
    if not given.isdecimal():
        raise ValueError(f"{name}: expected a whole number, not {given!r}.")
    return int(given)


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    return Path(text(name) or default)


def database(url: str) -> dict[str, Any]:
    """Django's settings for a libpq address; without one, the connection itself is refused."""
    given = conninfo_to_dict(url) if url else {}
    return {
        "ENGINE": ENGINE,
        "NAME": given.get("dbname") or "DATABASE_URL-is-not-set",
        "USER": given.get("user") or "",
        "PASSWORD": given.get("password") or "",
        "HOST": given.get("host") or "",
        "PORT": given.get("port") or "",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {key: value for key, value in given.items() if key not in CONNECTION_KEYS}
        | {"options": f"{given.get('options', '')} {IGNORE_NO_TRIGGER}".strip()},
    }


def celery_broker(redis_url: str) -> str:
    """Celery's form of a redis-py address: each library refuses the other's socket form."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"
