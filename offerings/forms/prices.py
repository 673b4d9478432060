"""The shapes of an index, of a file of them, of an auction and of a trade."""

from decimal import Decimal
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.core.exceptions import ValidationError

from buyers.models import Exchange
from offerings.forms.imports import ACCEPTED
from offerings.services.cpi.grids import MAX_BYTES, MAX_MEGABYTES
from offerings.services.trades import TradeEntry
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    MonthTextField,
    QuantityField,
)
from office.words import amount_words, shares_words

LEAST_INDEX = Decimal("0.000001")
LEAST_PRICE = Decimal("0.01")


def _source(help_text: str) -> CleanTextField:
    return CleanTextField(
        label="Fuente",
        max_length=300,
        help_text=help_text,
        error_messages={"required": "Escriba de dónde sale."},
    )


def _base() -> MonthTextField:
    return MonthTextField(
        label="Base: mes en que el índice vale 100",
        help_text="mm/aaaa. La dice el título de la serie: diciembre de 2018 es 12/2018.",
    )


class ReasonForm(forms.Form):
    """Why a figure is taken out of use."""

    reason = CleanTextField(
        label="Motivo",
        multiline=True,
        max_length=2000,
        error_messages={"required": "Escriba el motivo."},
    )


class IndexValueForm(forms.Form):
    value = AmountField(
        label="Índice",
        decimals=6,
        digits=12,
        min_value=LEAST_INDEX,
        help_text="El número índice, no la variación: 18,59.",
        error_messages={"required": "Escriba el índice, por ejemplo 18,59."},
    )
    source = _source("El boletín o anexo del DANE, o la serie del Banco de la República.")
    submission_key = forms.UUIDField(widget=forms.HiddenInput)


class IndexForm(IndexValueForm):
    month = MonthTextField(label="Mes", help_text="mm/aaaa, un mes que ya terminó.")
    base = _base()

    field_order = ("month", "value", "base", "source", "submission_key")


class IndexCorrectionForm(IndexValueForm, ReasonForm):
    field_order = ("value", "source", "reason", "submission_key")


class CpiFileForm(forms.Form):
    file = forms.FileField(
        label="Archivo del IPC",
        help_text=f"CSV o libro de Excel (.xlsx), de hasta {MAX_MEGABYTES} MB.",
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        error_messages={
            "required": "Elija el archivo.",
            "empty": "El archivo está vacío. Elija el archivo de nuevo.",
            "max_length": "El nombre del archivo es demasiado largo: acórtelo y súbalo de nuevo.",
        },
    )
    base_month = _base()
    source = _source("Quién la publica y cuándo: anexo del DANE de enero de 2026.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise ValidationError(f"El archivo pesa más de {MAX_MEGABYTES} MB: no es una serie.")
        return file


class SessionForm(forms.Form):
    held_on = DateTextField(
        label="Fecha del martillo", help_text="dd/mm/aaaa, el día en que se realizó."
    )
    exchange = forms.ModelChoiceField(
        label="Bolsa (opcional)",
        queryset=Exchange.objects.order_by("name"),
        required=False,
        empty_label="No se sabe, o fueron varias",
        error_messages={"invalid_choice": "Elija una de las bolsas de la lista."},
    )
    source = _source("El boletín o el acta de la bolsa.")
    submission_key = forms.UUIDField(widget=forms.HiddenInput)


class TradeForm(forms.Form):
    traded_on = DateTextField(label="Fecha de la operación", help_text="dd/mm/aaaa")
    in_auction = forms.TypedChoiceField(
        label="¿Fue en el martillo?",
        choices=[("yes", "Sí, en el martillo de ese día"), ("no", "No, fue una operación aparte")],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": "Diga si fue en el martillo."},
    )
    price = AmountField(label="Precio por acción", min_value=LEAST_PRICE)
    shares = QuantityField(
        label="Acciones", min_value=1, help_text="Las de esa sola operación, de un comprador."
    )
    venue = CleanTextField(
        label="Dónde se negoció",
        max_length=200,
        help_text="La bolsa o el mercado.",
        error_messages={"required": "Escriba dónde se negoció."},
    )
    buyer_reference = CleanTextField(
        label="Comprador o referencia (opcional)",
        max_length=200,
        required=False,
        help_text="Distingue dos operaciones iguales del mismo día.",
    )
    source = _source("El boletín de la bolsa o la certificación.")
    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["price"].unit_before = "$"
        self.fields["price"].words = amount_words
        self.fields["shares"].words = shares_words

    def entry(self) -> TradeEntry:
        """The trade as the service takes it."""
        names = TradeEntry.__dataclass_fields__
        return TradeEntry(**{name: self.cleaned_data[name] for name in names})


class TradeCorrectionForm(TradeForm, ReasonForm):
    field_order = (
        "traded_on",
        "in_auction",
        "price",
        "shares",
        "venue",
        "buyer_reference",
        "source",
        "reason",
        "submission_key",
    )
