"""What the Fund enters where a decree leaves it open: the keys, their types, their checks.

A form, a model and the go-live checklist build on FUND_KEYS; nothing else lists them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from buyers.enums import BuyerClass
from offerings.decrees.codec import DecreeError
from offerings.rules.terms import PledgeRank


class FundType(StrEnum):
    """How a value is typed in and stored."""

    QUANTITY = "quantity"  # int, shares, 1 or more
    COUNT = "count"  # int, days or months, 1 or more
    AMOUNT = "amount"  # Decimal, pesos, two decimals, above 0
    PERCENT = "percent"  # Decimal, above 0 and up to 100
    DATE = "date"  # date
    TEXT = "text"  # str, not blank
    TEXTS = "texts"  # tuple[str, ...], one a line
    YES_NO = "yes_no"  # bool
    CHOICE = "choice"  # str, one of the key's choices
    CLASSES = "classes"  # tuple[str, ...] of BuyerClass codes


FundRaw = int | Decimal | date | str | bool | tuple[str, ...]


@dataclass(frozen=True)
class FundValue:
    """A value that the Fund entered. source: the Fund's act, which becomes its cite."""

    value: FundRaw
    source: str


@dataclass(frozen=True)
class FundKey:
    """One key: its type, what staff read, the unit, and the choices (code, label)."""

    key: str
    type: FundType
    label: str
    help: str = ""
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()


_RANKS = (
    (PledgeRank.FIRST.value, "Primer grado"),
    (PledgeRank.SECOND.value, "Segundo grado"),
    (PledgeRank.NONE.value, "Sin prenda"),
)
_ORGANISATION_LIMITS = (
    ("statutory_limit", "Hasta el límite legal de cada entidad"),
    ("none", "Sin límite"),
)
_ADJUDICATION_RULES = (
    ("pro_rata", "Completa si alcanza; si no, a prorrata, con restos mayores y consentimiento"),
)

_KEYS = (
    FundKey("published", FundType.DATE, "Fecha de publicación del decreto"),
    FundKey("seller", FundType.TEXT, "Enajenante"),
    FundKey("shares", FundType.QUANTITY, "Acciones ofrecidas", unit="acciones"),
    FundKey("price", FundType.AMOUNT, "Precio fijo por acción", unit="pesos"),
    FundKey(
        "outstanding",
        FundType.QUANTITY,
        "Acciones en circulación del emisor",
        "Todas las del emisor, no solo las que se ofrecen.",
        "acciones",
    ),
    FundKey("stage_months", FundType.COUNT, "Duración de la etapa 1", unit="meses"),
    FundKey(
        "credit_line",
        FundType.YES_NO,
        "La etapa 1 se abre solo cuando hay una línea de crédito",
    ),
    FundKey(
        "authorisation_percent",
        FundType.PERCENT,
        "Porcentaje desde el que se pide autorización",
        "De las acciones del emisor.",
        "%",
    ),
    FundKey(
        "adjudication_rule",
        FundType.CHOICE,
        "Regla de adjudicación de la etapa 1",
        choices=_ADJUDICATION_RULES,
    ),
    FundKey(
        "payment_term_days",
        FundType.COUNT,
        "Plazo de pago",
        "Días calendario desde el día siguiente a la adjudicación.",
        "días",
    ),
    FundKey("payment_guarantee", FundType.YES_NO, "El pago a plazo lleva garantía"),
    FundKey(
        "minimum_validity_days", FundType.COUNT, "Vigencia mínima de las aceptaciones", unit="días"
    ),
    FundKey("withdrawal_allowed", FundType.YES_NO, "Se puede retirar una aceptación"),
    FundKey("pledge_rank", FundType.CHOICE, "Grado de la prenda", choices=_RANKS),
    FundKey("pledge_terms", FundType.TEXT, "Condiciones de la prenda"),
    FundKey("signatory_name", FundType.TEXT, "Nombre de quien firma por el Fondo"),
    FundKey("signatory_title", FundType.TEXT, "Cargo de quien firma por el Fondo"),
    FundKey(
        "organisation_limit",
        FundType.CHOICE,
        "Límite de compra de las organizaciones",
        choices=_ORGANISATION_LIMITS,
    ),
    FundKey(
        "organisation_equity_multiple",
        FundType.COUNT,
        "Además, hasta cuántas veces el patrimonio bruto de la organización",
        "Solo si también se dice el límite de las organizaciones.",
        "veces",
    ),
    FundKey(
        "organisation_share_cap",
        FundType.QUANTITY,
        "Además, tope de acciones por organización",
        "Solo si también se dice el límite de las organizaciones.",
        "acciones",
    ),
    FundKey(
        "organisation_documents",
        FundType.TEXTS,
        "Documentos que trae una organización",
        "Uno por línea.",
    ),
    FundKey("extra_classes", FundType.CLASSES, "Otras clases de destinatarios"),
    FundKey("extra_documents", FundType.TEXTS, "Otros documentos", "Uno por línea."),
)
FUND_KEYS: dict[str, FundKey] = {key.key: key for key in _KEYS}
# What may still change while the stage is open or after it: nobody presented anything under it.
CHANGEABLE = ("signatory_name", "signatory_title")
# What may be corrected until the stage closes: every acceptance is then worked out anew.
CORRECTABLE = ("price",)
# A value that says nothing without another one, by key.
NEEDS: dict[str, str] = {
    "payment_guarantee": "payment_term_days",
    "organisation_equity_multiple": "organisation_limit",
    "organisation_share_cap": "organisation_limit",
}

# Readings by name: every value that a rule knows. A decree lists those that its text admits.
READINGS: dict[str, tuple[str, ...]] = {
    "over_limit": ("cut", "reject"),
    "executive_limit": ("added", "instead_of_income"),
    "readmit_left_out": ("no", "yes"),
    "cpi_factor": ("decree_window", "lagged"),
    "trade_index_from": ("purchase", "trade"),
    "reduction_month": ("running", "completed"),
    "month_fraction": ("thirty", "actual"),
    "reduction_on_monthly": ("no", "yes"),
    "on_negative": ("none", "monthly"),
    "trade_threshold_of": ("outstanding", "offered"),
    "trades_before_auction": ("no", "yes"),
}
READING_LABELS: dict[str, str] = {
    "over_limit": "Aceptación que pasa el límite",
    "executive_limit": "Límite por remuneración de los directivos",
    "readmit_left_out": "Quien no admite reducción vuelve a entrar si quedan acciones",
    "cpi_factor": "Meses del IPC",
    "trade_index_from": "Ajuste de la operación de referencia",
    "reduction_month": "Mes de la reducción",
    "month_fraction": "Parte de un mes",
    "reduction_on_monthly": "La reducción rebaja también lo que se paga por mes",
    "on_negative": "Diferencia negativa",
    "trade_threshold_of": "Umbral de la operación de referencia",
    "trades_before_auction": "Operaciones anteriores al martillo",
}
READING_VALUE_LABELS: dict[str, dict[str, str]] = {
    "over_limit": {"cut": "Se recorta al máximo", "reject": "Se rechaza"},
    "executive_limit": {
        "added": "Se suma al límite por ingresos",
        "instead_of_income": "Reemplaza al límite por ingresos",
    },
    "readmit_left_out": {"no": "No", "yes": "Sí, por orden de recibo"},
    "cpi_factor": {
        "decree_window": "Mes anterior a la solicitud ÷ mes de la compra",
        "lagged": "Mes anterior a la solicitud ÷ mes anterior a la compra",
    },
    "trade_index_from": {
        "purchase": "Desde la compra, como el precio de compra",
        "trade": "Desde el mes de la operación",
    },
    "reduction_month": {
        "running": "El mes que corre, con su aniversario incluido",
        "completed": "El mes cumplido, desde su aniversario",
    },
    "month_fraction": {
        "thirty": "Días sobre treinta",
        "actual": "Días sobre los que van de un aniversario al siguiente",
    },
    "reduction_on_monthly": {"no": "No", "yes": "Sí"},
    "on_negative": {
        "none": "No causa sanción",
        "monthly": "Se paga por cada mes que falta",
    },
    "trade_threshold_of": {
        "outstanding": "Sobre las acciones en circulación",
        "offered": "Sobre las acciones ofrecidas",
    },
    "trades_before_auction": {"no": "No cuentan", "yes": "Cuentan"},
}


def check_fund_value(key: str, value: FundRaw) -> None:
    """Raise DecreeError (Spanish) unless `value` has the type of `key` and is possible."""
    if key not in FUND_KEYS:
        raise DecreeError(f"«{key}» no es un valor que el Fondo ingrese.")
    known = FUND_KEYS[key]
    if not _CHECKS[known.type](value, known):
        raise DecreeError(f"{known.label}: «{value}» no es un valor posible.")


def fund_value_as_data(value: FundRaw) -> Any:
    """The value as JSON can hold it."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, bool | int | str):
        return value
    return value.isoformat() if isinstance(value, date) else format(value, "f")


def fund_value_from_data(key: str, data: Any) -> FundRaw:
    """The value that `fund_value_as_data` stored; raises DecreeError if it does not fit."""
    if key not in FUND_KEYS:
        raise DecreeError(f"«{key}» no es un valor que el Fondo ingrese.")
    try:
        value: FundRaw = _READERS.get(FUND_KEYS[key].type, _as_is)(data)
    except (ArithmeticError, TypeError, ValueError):
        raise DecreeError(f"{FUND_KEYS[key].label}: «{data}» no es un valor posible.") from None
    check_fund_value(key, value)
    return value


def _is_count(value: FundRaw, key: FundKey) -> bool:
    return type(value) is int and 0 < value < 2**63


def _is_amount(value: FundRaw, key: FundKey) -> bool:
    if not isinstance(value, Decimal) or not value.is_finite():
        return False
    return 0 < value < 10**22 and value == round(value, 2)


def _is_percent(value: FundRaw, key: FundKey) -> bool:
    return isinstance(value, Decimal) and value.is_finite() and 0 < value <= 100


def _is_date(value: FundRaw, key: FundKey) -> bool:
    return type(value) is date


def _is_text(value: FundRaw, key: FundKey) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: FundRaw, key: FundKey) -> bool:
    return isinstance(value, tuple) and all(_is_text(item, key) for item in value)


def _is_yes_no(value: FundRaw, key: FundKey) -> bool:
    return isinstance(value, bool)


def _is_choice(value: FundRaw, key: FundKey) -> bool:
    return value in [code for code, _ in key.choices]


def _is_classes(value: FundRaw, key: FundKey) -> bool:
    return isinstance(value, tuple) and all(code in list(BuyerClass) for code in value)


_CHECKS: dict[FundType, Callable[[FundRaw, FundKey], bool]] = {
    FundType.QUANTITY: _is_count,
    FundType.COUNT: _is_count,
    FundType.AMOUNT: _is_amount,
    FundType.PERCENT: _is_percent,
    FundType.DATE: _is_date,
    FundType.TEXT: _is_text,
    FundType.TEXTS: _is_texts,
    FundType.YES_NO: _is_yes_no,
    FundType.CHOICE: _is_choice,
    FundType.CLASSES: _is_classes,
}


def _as_is(data: Any) -> FundRaw:
    raw: FundRaw = data
    return raw


_READERS: dict[FundType, Callable[[Any], FundRaw]] = {
    FundType.AMOUNT: Decimal,
    FundType.PERCENT: Decimal,
    FundType.DATE: date.fromisoformat,
    FundType.TEXTS: tuple,
    FundType.CLASSES: tuple,
}
