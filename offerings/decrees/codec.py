"""Terms from plain data (TOML or stored JSON) and back: strict, typed, every value cited."""

import dataclasses
import types
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints


class DecreeError(ValueError):
    """A decree's data that cannot be read; the message is Spanish and says where."""


def encode(value: object) -> Any:
    """Plain JSON data for frozen terms; Decimals and dates become text, None stays None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: encode(getattr(value, field.name)) for field in fields}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return value.isoformat()
    return value


def decode(kind: Any, data: Any, where: str) -> Any:
    """Read `data` as `kind`; raises DecreeError on anything unknown, missing or uncited."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _optional(kind, data, where)
    if origin is tuple:
        return _items(get_args(kind)[0], data, where)
    if dataclasses.is_dataclass(origin or kind):
        return _record(kind, data, where)
    return _scalar(kind, data, where)


def _optional(kind: Any, data: Any, where: str) -> Any:
    if data is None:
        return None
    inner = next(arg for arg in get_args(kind) if arg is not type(None))
    return decode(inner, data, where)


def _items(kind: Any, data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise DecreeError(f"{where}: se espera una lista.")
    return tuple(decode(kind, item, f"{where}[{place}]") for place, item in enumerate(data))


def _record(kind: Any, data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise DecreeError(f"{where}: se espera una tabla con su valor y su «cite».")
    cls = get_origin(kind) or kind
    hints = _hints(cls, get_args(kind))
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise DecreeError(f"{where}: clave desconocida «{unknown[0]}».")
    _check_required(cls, data, where)
    values = {name: decode(hints[name], data[name], f"{where}.{name}") for name in data}
    return cls(**values)


def _hints(cls: type, args: tuple[Any, ...]) -> dict[str, Any]:
    """Field types of a record, with the type argument of Cited[...] put in."""
    hints = get_type_hints(cls)
    if not args:
        return hints
    return {name: args[0] if isinstance(hint, TypeVar) else hint for name, hint in hints.items()}


def _check_required(cls: type, data: Mapping[str, Any], where: str) -> None:
    for field in dataclasses.fields(cls):
        absent = field.name not in data
        if absent and field.default is dataclasses.MISSING:
            what = "no cita su artículo" if _is_cite(field.name) else f"falta «{field.name}»"
            raise DecreeError(f"{where}: {what}.")
        if not absent and _is_cite(field.name) and not str(data[field.name]).strip():
            raise DecreeError(f"{where}: no cita su artículo.")


def _is_cite(name: str) -> bool:
    return name == "cite" or name.endswith("_cite")


def _scalar(kind: Any, data: Any, where: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _code(kind, data, where)
    if kind is Decimal:
        return _decimal(data, where)
    if kind is date:
        return _date(data, where)
    if type(data) is not kind:
        raise DecreeError(f"{where}: «{data}» no es del tipo que se espera ({kind.__name__}).")
    return data


def _code(kind: type[StrEnum], data: Any, where: str) -> StrEnum:
    try:
        return kind(data)
    except ValueError:
        raise DecreeError(f"{where}: «{data}» no se conoce ({kind.__name__}).") from None


def _decimal(data: Any, where: str) -> Decimal:
    if isinstance(data, bool) or not isinstance(data, int | str | Decimal):
        raise DecreeError(f"{where}: «{data}» no es un número exacto.")
    try:
        number = Decimal(data)
    except InvalidOperation:
        raise DecreeError(f"{where}: «{data}» no es un número exacto.") from None
    if not number.is_finite():
        raise DecreeError(f"{where}: «{data}» no es un número exacto.")
    return number


def _date(data: Any, where: str) -> date:
    if type(data) is date:
        return data
    try:
        return date.fromisoformat(data)
    except (TypeError, ValueError):
        raise DecreeError(f"{where}: «{data}» no es una fecha.") from None
