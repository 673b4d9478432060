"""The reglamento's form: its fields are what the decree leaves to the Fund."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BoundField

from buyers.enums import BuyerClass
from offerings.decrees.fund_values import (
    FUND_KEYS,
    READING_LABELS,
    READING_VALUE_LABELS,
    FundKey,
    FundRaw,
    FundType,
)
from offerings.decrees.fund_values import FundValue as Given
from offerings.decrees.reader import asks_of
from offerings.rules.terms import Ask, Reading
from offerings.selectors.fund_rules import open_readings
from office.dates import bogota_moment
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    QuantityField,
    TimeTextField,
)
from office.numbers import write_decimal
from office.refusals import Refused
from office.words import amount_words, quantity_phrase

LONGEST_SOURCE, LONGEST_TEXT = 300, 200
MOST_DAYS = 9_999
YES_NO = [("si", "Sí"), ("no", "No")]
SOURCE = "_source"


class PercentField(AmountField):
    """Percentage points, shown with the decimals that they have."""

    def write(self, value: Decimal) -> str:
        return write_decimal(value)


@dataclass(frozen=True)
class Row:
    """One value of the form: its field, that of its source, why it is asked, the clause."""

    value: BoundField
    source: BoundField
    why: str
    cite: str


class FundRulesForm(forms.Form):
    """Values and readings, each with its source; a draft may leave any of them for later."""

    common_source = CleanTextField(
        label="Acto del Fondo (opcional)",
        required=False,
        max_length=LONGEST_SOURCE,
        help_text="Vale como fuente de los datos cuya fuente deje en blanco.",
    )

    def __init__(self, *args: Any, slug: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.asks = asks_of(slug)
        self.readings = open_readings(slug)
        for ask in self.asks:
            self._add(ask.key, _field(FUND_KEYS[ask.key], ask))
        for name, reading in self.readings.items():
            self._add(name, _reading_field(name, reading))

    def _add(self, key: str, field: forms.Field) -> None:
        self.fields[key] = field
        self.fields[key + SOURCE] = CleanTextField(
            label="Fuente",
            required=False,
            max_length=LONGEST_SOURCE,
            widget=forms.TextInput(attrs={"aria-label": f"Fuente de «{field.label}»"}),
        )

    def value_rows(self) -> list[Row]:
        """The rows of the values that the decree leaves to the Fund."""
        return [Row(self[ask.key], self[ask.key + SOURCE], ask.why, ask.cite) for ask in self.asks]

    def reading_rows(self) -> list[Row]:
        """The rows of the readings to confirm."""
        return [
            Row(self[name], self[name + SOURCE], reading.note, reading.cite)
            for name, reading in self.readings.items()
        ]

    def clean(self) -> dict[str, Any]:
        """A value goes with its source, and a source with its value."""
        data = super().clean()
        common = data.get("common_source", "")
        for key in self._keys():
            if key in self.errors or key + SOURCE in self.errors:
                continue
            empty, source = _is_empty(data.get(key)), data.get(key + SOURCE)
            if empty and source:
                self.add_error(key, "Escriba el dato, o borre su fuente.")
            elif not empty and not (source or common):
                self.add_error(key + SOURCE, "Escriba la fuente: el acto que fija el dato.")
        return data

    def tell(self, faults: Iterable[Refused]) -> bool:
        """Say each fault at its field, or over the form; whether there was one."""
        told = False
        for fault in faults:
            self.add_error(fault.field if fault.field in self.fields else None, fault.message)
            told = True
        return told

    def given(self) -> dict[str, Given]:
        """What was typed, by key."""
        data = self.cleaned_data
        common = data.get("common_source", "")
        return {
            key: Given(_raw(key, data[key]), data[key + SOURCE] or common)
            for key in self._keys()
            if not _is_empty(data.get(key))
        }

    def _keys(self) -> list[str]:
        return [*(ask.key for ask in self.asks), *self.readings]


class LegalMomentForm(forms.Form):
    """The legal date and time of an act; both left out, it is the moment of recording."""

    legal_on = DateTextField(
        label="Fecha del acto",
        required=False,
        help_text="dd/mm/aaaa: la del acto, no la de este registro. Nunca posterior a ahora.",
    )
    legal_time = TimeTextField(
        label="Hora", required=False, help_text="Hora legal de Bogotá, de 0:00 a 23:59."
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a day without its hour and an hour without its day."""
        found = super().clean() or self.cleaned_data
        for name, other in (("legal_on", "legal_time"), ("legal_time", "legal_on")):
            if found.get(other) is not None and found.get(name) is None and not self.errors:
                self.add_error(name, "Escriba la fecha y la hora del acto, o deje vacías las dos.")
        return found

    def moment(self) -> datetime | None:
        """The legal moment that was typed; None where it is now."""
        day, hour = self.cleaned_data.get("legal_on"), self.cleaned_data.get("legal_time")
        return bogota_moment(day, hour) if day and hour is not None else None


class ReviewForm(LegalMomentForm):
    """The reason of a review, needed unless it approves; and its legal moment."""

    reason = CleanTextField(
        label="Motivo (opcional)",
        required=False,
        multiline=True,
        max_length=2000,
        help_text="Necesario para devolver o rechazar: quien lo preparó debe saber qué corregir.",
    )


def form_initial(given: dict[str, Given]) -> dict[str, Any]:
    """What the form shows of values entered before."""
    initial: dict[str, Any] = {}
    for key, value in given.items():
        initial[key] = _typed(key, value.value)
        initial[key + SOURCE] = value.source
    return initial


def _typed(key: str, value: FundRaw) -> Any:
    kind = FUND_KEYS[key].type if key in FUND_KEYS else FundType.CHOICE
    if kind == FundType.TEXTS:
        return "\n".join(value)
    if kind == FundType.YES_NO:
        return "si" if value else "no"
    return list(value) if kind == FundType.CLASSES else value


def _raw(key: str, value: Any) -> FundRaw:
    kind = FUND_KEYS[key].type if key in FUND_KEYS else FundType.CHOICE
    if kind == FundType.TEXTS:
        return tuple(line.strip() for line in value.splitlines() if line.strip())
    if kind == FundType.YES_NO:
        return value == "si"
    return tuple(value) if kind == FundType.CLASSES else value


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or value == []


def _field(key: FundKey, ask: Ask) -> forms.Field:
    field = _FIELDS[key.type](key, ask)
    field.required = False
    field.label = key.label if ask.required else f"{key.label} (opcional)"
    field.help_text = key.help
    return field


def _quantity(key: FundKey, ask: Ask) -> forms.Field:
    field = QuantityField(min_value=1)
    field.unit_after, field.words = key.unit, quantity_phrase
    return field


def _count(key: FundKey, ask: Ask) -> forms.Field:
    field = QuantityField(min_value=1, max_value=MOST_DAYS, feminine=False)
    field.unit_after = key.unit
    return field


def _amount(key: FundKey, ask: Ask) -> forms.Field:
    field = AmountField(min_value=Decimal("0.01"))
    field.unit_before, field.words = "$", amount_words
    return field


def _percent(key: FundKey, ask: Ask) -> forms.Field:
    width = forms.TextInput(attrs={"class": "w-year"})
    field = PercentField(decimals=6, digits=9, max_value=Decimal(100), widget=width)
    field.unit_after = key.unit
    return field


def _choice(key: FundKey, ask: Ask) -> forms.Field:
    admitted = ask.choices or [code for code, _ in key.choices]
    choices = [(code, label) for code, label in key.choices if code in admitted]
    if not ask.required:  # what was chosen by mistake can be taken back
        choices.insert(0, ("", "El Fondo no lo dice"))
    return _radio(choices)


def _classes(key: FundKey, ask: Ask) -> forms.Field:
    field = forms.MultipleChoiceField(
        choices=BuyerClass.choices(), widget=forms.CheckboxSelectMultiple
    )
    field.column = True
    return field


def _radio(choices: list[tuple[str, str]]) -> forms.Field:
    field = forms.ChoiceField(choices=choices, widget=forms.RadioSelect)
    field.column = True
    return field


def _reading_field(name: str, reading: Reading) -> forms.Field:
    labels = READING_VALUE_LABELS[name]
    field = _radio(
        [
            (value, f"{labels[value]} (propuesta)" if value == reading.value else labels[value])
            for value in reading.alternatives
        ]
    )
    field.required = False
    field.label = READING_LABELS[name]
    return field


_FIELDS: dict[FundType, Callable[[FundKey, Ask], forms.Field]] = {
    FundType.QUANTITY: _quantity,
    FundType.COUNT: _count,
    FundType.AMOUNT: _amount,
    FundType.PERCENT: _percent,
    FundType.DATE: lambda key, ask: DateTextField(),
    FundType.TEXT: lambda key, ask: CleanTextField(max_length=LONGEST_TEXT),
    FundType.TEXTS: lambda key, ask: CleanTextField(multiline=True, max_length=4000),
    FundType.YES_NO: lambda key, ask: forms.ChoiceField(choices=YES_NO, widget=forms.RadioSelect),
    FundType.CHOICE: _choice,
    FundType.CLASSES: _classes,
}
