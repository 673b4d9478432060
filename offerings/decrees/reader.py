"""Reads the decrees' TOML files into Terms, merges the Fund's values, stores and reads back."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from offerings.decrees.codec import DecreeError, decode, encode
from offerings.decrees.fund_values import FUND_KEYS, READINGS, FundValue
from offerings.decrees.merging import merge, readings_of
from offerings.decrees.penalties import penalty_faults, penalty_readings
from offerings.rules.terms import Ask, Terms

_SUFFIX = ".toml"


def decree_slugs() -> tuple[str, ...]:
    """The programmes whose decree is bundled, in alphabetical order."""
    names = (entry.name for entry in files("offerings.decrees").iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def terms_of(slug: str, fund_values: Mapping[str, FundValue] | None = None) -> Terms:
    """The terms of a programme: its decree, and the Fund's values on top.

    fund_values: by key of FUND_KEYS, or by name of a reading. Raises DecreeError (Spanish) for
    an unknown programme, a key that its decree does not leave open, or an impossible value.
    """
    return merge(_bundled(slug), fund_values or {})


def asks_of(slug: str) -> tuple[Ask, ...]:
    """What the decree leaves to the Fund; type, label and unit are in FUND_KEYS[ask.key]."""
    return _bundled(slug).asks


def repealing_slugs(slug: str) -> tuple[str, ...]:
    """The programmes whose decree repeals that of `slug`."""
    return tuple(
        other
        for other in decree_slugs()
        if any(repeal.programme == slug for repeal in _bundled(other).repeals)
    )


def terms_from_toml(slug: str, text: str) -> Terms:
    """Terms from a decree's TOML; numbers stay exact.

    Raises DecreeError, in Spanish and with the place, for an unknown key, a value without its
    clause, an unknown class, reading or key of the Fund.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise DecreeError(f"{slug}: el archivo no es TOML válido ({error}).") from None
    if "slug" in data:
        raise DecreeError(f"{slug}: clave desconocida «slug»; la da el nombre del archivo.")
    return _checked(decode(Terms, {"slug": slug, **data}, slug))


def terms_as_data(terms: Terms) -> dict[str, Any]:
    """Terms as JSON can hold them, to be stored beside a result."""
    data: dict[str, Any] = encode(terms)
    return data


def terms_from_data(data: Mapping[str, Any]) -> Terms:
    """The terms that `terms_as_data` gave; as strict as the reading of a decree."""
    return _checked(decode(Terms, data, str(data.get("slug", "términos"))))


def release_terms(terms: Terms) -> Terms:
    """The stored terms of an award, whole for a release.

    Those stored before their decree's file said what the pledge and leaving early are take these
    sections from it; nothing else of them moves.
    """
    if terms.pledge is not None or terms.slug not in decree_slugs():
        return terms
    decree = _bundled(terms.slug)
    return replace(
        terms, pledge=decree.pledge, penalty=decree.penalty, base_price=decree.base_price
    )


def terms_sha256(terms: Terms) -> str:
    """SHA-256 (hex) of the canonical JSON: keys sorted, no blanks, UTF-8."""
    text = json.dumps(
        terms_as_data(terms), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _bundled(slug: str) -> Terms:
    if slug not in decree_slugs():
        raise DecreeError(f"No hay un decreto «{slug}».")
    text = (files("offerings.decrees") / f"{slug}{_SUFFIX}").read_text(encoding="utf-8")
    return terms_from_toml(slug, text)


def _checked(terms: Terms) -> Terms:
    """What the types alone do not hold: readings, keys of the Fund, limbs, price, penalty."""
    for fault in (*_reading_faults(terms), *_value_faults(terms), *penalty_faults(terms)):
        raise DecreeError(f"{terms.slug}: {fault}")
    return terms


def _reading_faults(terms: Terms) -> Iterator[str]:
    for name, reading in {**readings_of(terms), **penalty_readings(terms)}.items():
        known = READINGS[name]
        listed = {reading.value, *reading.alternatives}
        if reading.value not in reading.alternatives or not listed <= set(known):
            yield f"lectura desconocida en «{name}»."


def _value_faults(terms: Terms) -> Iterator[str]:
    for ask in terms.asks:
        if ask.key not in FUND_KEYS:
            yield f"«{ask.key}» no es un valor que el Fondo ingrese."
    for limb in terms.limits.limbs:
        if (limb.multiple is None) == (limb.shares is None):
            yield f"«{limb.label}» lleva «multiple» o «shares», uno."
    if terms.price is not None and terms.price.value <= 0:
        yield "el precio debe ser mayor que cero."
