"""Form fields for what Colombians type: numbers, amounts, dates, hours, identities, plain text.

They read with the same functions as files do, show an initial value the way it would be typed,
and show again what was typed, as it was typed, when it cannot be read.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from office.dates import (
    DateError,
    bogota_day,
    read_date,
    read_month,
    read_time,
    write_date,
    write_month,
    write_time,
)
from office.identities import Identity, IdentityError, read_identity
from office.numbers import (
    NumberError,
    read_amount,
    read_quantity,
    write_amount,
    write_decimal,
    write_quantity,
)
from office.text import TextError, clean_text, quoted

_UNREADABLE = (NumberError, DateError, TextError, IdentityError)


class TypedField(forms.Field, ABC):
    """A text field whose value is read by ``read`` and shown by ``write``."""

    widget = forms.TextInput
    inputmode = "text"
    required_message = "Escriba este dato."

    def __init__(self, **options: Any) -> None:
        """Take the options of Django's fields; the message for a missing value is our own."""
        messages = {
            "required": self.required_message,
            **(options.pop("error_messages", None) or {}),
        }
        super().__init__(error_messages=messages, **options)

    @abstractmethod
    def read(self, text: str) -> Any:
        """Return the value of what was typed, or raise one of office's errors."""

    @abstractmethod
    def write(self, value: Any) -> str:
        """Return a value as it would be typed."""

    def to_python(self, value: Any) -> Any:
        """Return the value, None where nothing was typed."""
        if value in self.empty_values:
            return None
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return self.read(value)
        except _UNREADABLE as error:
            raise ValidationError(str(error), code="invalid") from error

    def prepare_value(self, value: Any) -> Any:
        """Return what the field shows: text as typed, a value in Colombian form."""
        if value is None or isinstance(value, str):
            return value
        return self.write(value)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Ask for the right keyboard, and for no suggestions of what others typed."""
        return {"inputmode": self.inputmode, "autocomplete": "off", "spellcheck": "false"}


class QuantityField(TypedField):
    """A whole number of shares, members …: an int. ``feminine`` is the gender of the counted."""

    inputmode = "numeric"
    required_message = "Escriba la cantidad, por ejemplo 1.234."

    def __init__(
        self,
        *,
        min_value: int = 0,
        max_value: int | None = None,
        feminine: bool = True,
        **options: Any,
    ) -> None:
        """Bound the quantity from both sides, the bounds included."""
        self.min_value, self.max_value, self.feminine = min_value, max_value, feminine
        super().__init__(**options)

    def read(self, text: str) -> int:
        """Return the quantity, as read by ``read_quantity``."""
        return read_quantity(text, feminine=self.feminine)

    def write(self, value: int) -> str:
        """Return "1.234"."""
        return write_quantity(value)

    def validate(self, value: int | None) -> None:
        """Refuse a quantity out of bounds."""
        super().validate(value)
        _check_bounds(value, self.min_value, self.max_value, write_quantity)


class YearField(QuantityField):
    """A year: four figures without a dot, so that 1.994 is refused and 1994 is read."""

    required_message = "Escriba el año, por ejemplo 1994."

    def __init__(self, **options: Any) -> None:
        """Bound the year to those that papers of these programmes can bear."""
        options.setdefault("widget", forms.TextInput(attrs={"class": "w-year"}))
        super().__init__(min_value=1900, max_value=2100, feminine=False, **options)

    def read(self, text: str) -> int:
        """Return the year."""
        if not (text.strip().isascii() and text.strip().isdecimal()):
            raise NumberError(f"{quoted(text)} no es un año. Escríbalo así: 1994.")
        return read_quantity(text)

    def write(self, value: int) -> str:
        """Return "1994"."""
        return str(value)


class AmountField(TypedField):
    """Pesos, or another decimal number: a Decimal with exactly ``decimals`` places."""

    inputmode = "decimal"
    required_message = "Escriba el valor, por ejemplo 1.234,50."

    def __init__(
        self,
        *,
        decimals: int = 2,
        digits: int = 24,
        min_value: Decimal = Decimal(0),
        max_value: Decimal | None = None,
        **options: Any,
    ) -> None:
        """Take the digits and decimals of the numeric column, and bounds, themselves allowed."""
        self.decimals, self.digits = decimals, digits
        self.min_value, self.max_value = min_value, max_value
        super().__init__(**options)

    def read(self, text: str) -> Decimal:
        """Return the amount, as read by ``read_amount``."""
        return read_amount(text, self.decimals, digits=self.digits)

    def write(self, value: Decimal) -> str:
        """Return "1.234,50"."""
        return write_decimal(value, self.decimals)

    def validate(self, value: Decimal | None) -> None:
        """Refuse an amount out of bounds."""
        super().validate(value)
        shown = write_amount if self.decimals == 2 else self.write
        _check_bounds(value, self.min_value, self.max_value, shown)


class DateTextField(TypedField):
    """A day typed as dd/mm/aaaa: a date."""

    inputmode = "text"
    required_message = "Escriba la fecha como dd/mm/aaaa, por ejemplo 15/09/1995."

    def read(self, text: str) -> date:
        """Return the day, as read by ``read_date``."""
        return read_date(text)

    def write(self, value: date) -> str:
        """Return "15/09/1995"."""
        return write_date(value)


class MonthTextField(TypedField):
    """A month typed as mm/aaaa: the date of its first day."""

    required_message = "Escriba el mes como mm/aaaa, por ejemplo 09/1995."

    def read(self, text: str) -> date:
        """Return the month's first day, as read by ``read_month``."""
        return read_month(text)

    def write(self, value: date) -> str:
        """Return "09/1995"."""
        return write_month(value)


class ToldDayField(DateTextField):
    """A day of which something is told: nobody knows how things will stand on one to come."""

    def read(self, text: str) -> date:
        """Return the day, as read by ``read_date``; one that has not come yet is refused."""
        day = read_date(text)
        if day > bogota_day(timezone.now()):
            raise DateError(
                f"{write_date(day)} está en el futuro: escriba un día que no sea posterior a hoy."
            )
        return day


class TimeTextField(TypedField):
    """An hour typed as hh:mm on the 24-hour clock: a time."""

    required_message = "Escriba la hora, por ejemplo 10:42 o 15:30."

    def read(self, text: str) -> time:
        """Return the hour, as read by ``read_time``."""
        return read_time(text)

    def write(self, value: time | datetime) -> str:
        """Return "10:42"."""
        return write_time(value)


class IdentityNumberField(TypedField):
    """The number of an identity, as text: what is right in it depends on its type.

    The type stands in another field, so a form reads the pair in ``clean`` through
    ``clean_identity``.
    """

    required_message = "Escriba el número del documento."

    def read(self, text: str) -> str:
        """Return the text without unseen characters."""
        return clean_text(text)

    def write(self, value: object) -> str:
        """Return the number as text."""
        return str(value)


class CleanTextField(forms.CharField):
    """Text in NFC, single-spaced, without characters that cannot be seen."""

    def __init__(self, *, multiline: bool = False, **options: Any) -> None:
        """Take ``multiline`` for reasons and notes, where line ends stay."""
        self.multiline = multiline
        if multiline:
            options.setdefault("widget", forms.Textarea(attrs={"rows": 4}))
        super().__init__(**options)

    def to_python(self, value: Any) -> Any:
        """Return the clean text; the empty value where nothing was typed."""
        if value in self.empty_values:
            return self.empty_value
        try:
            return super().to_python(clean_text(str(value), multiline=self.multiline))
        except TextError as error:
            raise ValidationError(str(error), code="invalid") from error


class SavedViewForm(forms.Form):
    """The name of a view that a person keeps; the list and its filter come along unseen."""

    label = CleanTextField(
        label="Nombre de la vista",
        max_length=60,
        help_text="Con él la verá en una pestaña sobre la lista. Solo usted la ve.",
        error_messages={"required": "Escriba un nombre para la vista."},
    )
    lista = forms.CharField(widget=forms.HiddenInput, max_length=300, required=False)
    filtro = forms.CharField(widget=forms.HiddenInput, max_length=1000, required=False)


def clean_identity(
    form: forms.BaseForm,
    type_field: str = "identity_type",
    number_field: str = "identity_number",
) -> Identity | None:
    """Return the identity in two cleaned fields; call it from the form's ``clean``.

    What is wrong becomes an error of the number's field and the answer is None, as it is where
    one of the two is missing.
    """
    data: Mapping[str, Any] = form.cleaned_data
    identity_type, number = data.get(type_field), data.get(number_field)
    if not identity_type or not number:
        return None
    try:
        return read_identity(str(identity_type), number)
    except IdentityError as error:
        form.add_error(number_field, str(error))
        return None


def _check_bounds(value: Any, low: Any, high: Any, write: Any) -> None:
    if value is None:
        return
    if value < low:
        raise ValidationError(f"{write(value)} es menos que el mínimo, {write(low)}.", code="min")
    if high is not None and value > high:
        raise ValidationError(f"{write(value)} es más que el máximo, {write(high)}.", code="max")
