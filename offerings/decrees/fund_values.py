"""What the Fund enters where a decree leaves it open: the keys, their types, how each is merged.

A form, a model and the go-live checklist build on FUND_KEYS; nothing else lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from buyers.enums import BuyerClass, BuyerKind, DocumentKind
from offerings.decrees.codec import DecreeError
from offerings.rules.terms import (
    AdjudicationTerms,
    AuthorisationTerms,
    Base,
    Cited,
    ClassGroup,
    DocumentTerm,
    Limb,
    PaymentTerms,
    PledgeRank,
    Reading,
    Scope,
    Terms,
)


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
    FundKey(
        "minimum_validity_days", FundType.COUNT, "Vigencia mínima de las aceptaciones", unit="días"
    ),
    FundKey("withdrawal_allowed", FundType.YES_NO, "Se puede retirar una aceptación"),
    FundKey("pledge_rank", FundType.CHOICE, "Grado de la prenda", choices=_RANKS),
    FundKey("signatory_name", FundType.TEXT, "Nombre de quien firma por el Fondo"),
    FundKey("signatory_title", FundType.TEXT, "Cargo de quien firma por el Fondo"),
    FundKey(
        "organisation_limit",
        FundType.CHOICE,
        "Límite de compra de las organizaciones",
        choices=_ORGANISATION_LIMITS,
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

# Readings by name: every value that a rule knows. A decree lists those that its text admits.
READINGS: dict[str, tuple[str, ...]] = {
    "over_limit": ("cut", "reject"),
    "executive_limit": ("added", "instead_of_income"),
    "readmit_left_out": ("no", "yes"),
}
READING_LABELS: dict[str, str] = {
    "over_limit": "Aceptación que pasa el límite",
    "executive_limit": "Límite por remuneración de los directivos",
    "readmit_left_out": "Quien no admite reducción vuelve a entrar si quedan acciones",
}
READING_VALUE_LABELS: dict[str, dict[str, str]] = {
    "over_limit": {"cut": "Se recorta al máximo", "reject": "Se rechaza"},
    "executive_limit": {
        "added": "Se suma al límite por ingresos",
        "instead_of_income": "Reemplaza al límite por ingresos",
    },
    "readmit_left_out": {"no": "No", "yes": "Sí, por orden de recibo"},
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
        value: FundRaw = _READERS.get(FUND_KEYS[key].type, lambda raw: raw)(data)
    except (ArithmeticError, TypeError, ValueError):
        raise DecreeError(f"{FUND_KEYS[key].label}: «{data}» no es un valor posible.") from None
    check_fund_value(key, value)
    return value


def merge(terms: Terms, values: Mapping[str, FundValue]) -> Terms:
    """Terms with the Fund's values put in, each citing its source.

    Raises DecreeError for a key that this decree does not leave to the Fund, a value without
    its source, a value that is not possible, a reading that the text does not admit.
    """
    asked = {ask.key for ask in terms.asks}
    for key, value in values.items():
        if not value.source.strip():
            raise DecreeError(f"«{key}»: falta la fuente (el acto del Fondo).")
        if key in READINGS:
            terms = _with_reading(terms, key, value)
            continue
        if key not in asked:
            raise DecreeError(f"«{key}»: {terms.decree.value} no lo deja al Fondo.")
        check_fund_value(key, value.value)
        terms = _APPLY[key](terms, value)
    return terms


def readings_of(terms: Terms) -> dict[str, Reading]:
    """The programme's readings by name."""
    found: dict[str, Reading] = {"over_limit": terms.limits.over_limit}
    if terms.limits.executive_limit:
        found["executive_limit"] = terms.limits.executive_limit
    if terms.adjudication:
        found["readmit_left_out"] = terms.adjudication.readmit_left_out
    return found


def _with_reading(terms: Terms, name: str, value: FundValue) -> Terms:
    reading = readings_of(terms).get(name)
    if reading is None or value.value not in reading.alternatives:
        raise DecreeError(f"«{name}»: {terms.decree.value} no admite la lectura «{value.value}».")
    chosen = replace(reading, value=str(value.value), cite=f"{reading.cite}; {value.source}")
    if name == "readmit_left_out" and terms.adjudication:
        return replace(
            terms, adjudication=replace(terms.adjudication, readmit_left_out=chosen)
        )
    if name == "executive_limit":
        return replace(terms, limits=replace(terms.limits, executive_limit=chosen))
    return replace(terms, limits=replace(terms.limits, over_limit=chosen))


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
_READERS: dict[FundType, Callable[[Any], FundRaw]] = {
    FundType.AMOUNT: Decimal,
    FundType.PERCENT: Decimal,
    FundType.DATE: date.fromisoformat,
    FundType.TEXTS: tuple,
    FundType.CLASSES: tuple,
}


def _plain(name: str) -> Callable[[Terms, FundValue], Terms]:
    """Put the value in the field of that name, cited."""

    def apply(terms: Terms, value: FundValue) -> Terms:
        cited: dict[str, Any] = {name: Cited(value.value, value.source)}
        return replace(terms, **cited)

    return apply


def _stage_months(terms: Terms, value: FundValue) -> Terms:
    months: Any = Cited(value.value, value.source)
    return replace(terms, stage=replace(terms.stage, months=months))


def _authorisation(terms: Terms, value: FundValue) -> Terms:
    return replace(
        terms, authorisation=AuthorisationTerms(Decimal(str(value.value)), value.source)
    )


def _adjudication(terms: Terms, value: FundValue) -> Terms:
    cite = value.source
    readmit = Reading("no", READINGS["readmit_left_out"], cite)
    return replace(terms, adjudication=AdjudicationTerms(cite, cite, cite, cite, readmit))


def _payment(terms: Terms, value: FundValue) -> Terms:
    days = int(str(value.value))
    if terms.payment and days > terms.payment.days:
        raise DecreeError(f"Plazo de pago: el decreto no permite más de {terms.payment.days} días.")
    guarantee = bool(terms.payment and terms.payment.guarantee)
    return replace(terms, payment=PaymentTerms(days, guarantee, value.source))


def _pledge_rank(terms: Terms, value: FundValue) -> Terms:
    rank = PledgeRank(str(value.value))
    return replace(terms, pledge_rank=Cited(rank, value.source))


def _organisation_limit(terms: Terms, value: FundValue) -> Terms:
    scope = Scope(BuyerKind.ORGANISATION, value.source)
    limits = replace(terms.limits, scopes=(*terms.limits.scopes, scope))
    if value.value == Base.STATUTORY_LIMIT:
        limits = replace(limits, limbs=(*_limbs_without_statutory(terms), _statutory(value)))
    return replace(terms, limits=limits)


def _limbs_without_statutory(terms: Terms) -> tuple[Limb, ...]:
    """One statutory limb for every organisation is enough: the Fund's covers the decree's."""
    return tuple(limb for limb in terms.limits.limbs if limb.base != Base.STATUTORY_LIMIT)


def _statutory(value: FundValue) -> Limb:
    return Limb(
        base=Base.STATUTORY_LIMIT,
        label="Límite legal de la entidad",
        cite=value.source,
        kind=BuyerKind.ORGANISATION,
        multiple=Decimal(1),
    )


def _organisation_documents(terms: Terms, value: FundValue) -> Terms:
    scope = Scope(BuyerKind.ORGANISATION, value.source)
    added = _documents(value, BuyerKind.ORGANISATION)
    documents = terms.documents
    return replace(
        terms,
        documents=replace(
            documents,
            scopes=(*documents.scopes, scope),
            required=(*documents.required, *added),
        ),
    )


def _extra_documents(terms: Terms, value: FundValue) -> Terms:
    required = (*terms.documents.required, *_documents(value, None))
    return replace(terms, documents=replace(terms.documents, required=required))


def _documents(value: FundValue, kind: BuyerKind | None) -> tuple[DocumentTerm, ...]:
    labels = value.value if isinstance(value.value, tuple) else ()
    return tuple(
        DocumentTerm((DocumentKind.OTHER,), label, value.source, kind=kind) for label in labels
    )


def _extra_classes(terms: Terms, value: FundValue) -> Terms:
    codes = value.value if isinstance(value.value, tuple) else ()
    group = ClassGroup(tuple(BuyerClass(code) for code in codes), value.source)
    return replace(
        terms, classes=replace(terms.classes, groups=(*terms.classes.groups, group))
    )


_APPLY: dict[str, Callable[[Terms, FundValue], Terms]] = {
    **{
        name: _plain(name)
        for name in (
            "published",
            "seller",
            "shares",
            "price",
            "outstanding",
            "withdrawal_allowed",
            "minimum_validity_days",
            "signatory_name",
            "signatory_title",
        )
    },
    "stage_months": _stage_months,
    "authorisation_percent": _authorisation,
    "adjudication_rule": _adjudication,
    "payment_term_days": _payment,
    "pledge_rank": _pledge_rank,
    "organisation_limit": _organisation_limit,
    "organisation_documents": _organisation_documents,
    "extra_documents": _extra_documents,
    "extra_classes": _extra_classes,
}
