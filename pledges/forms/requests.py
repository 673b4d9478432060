"""The shapes of a request of an early exit, of a breach, and of what ends or reopens one."""

from datetime import datetime
from typing import Any

from django import forms

from buyers.services.uploads import ACCEPTED, MAX_MEGABYTES
from office.dates import bogota_moment
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    QuantityField,
    TimeTextField,
)
from office.words import amount_words, quantity_phrase
from pledges.enums import TransferKind
from pledges.services.requests import SaleEntry

LONGEST_REASON = 300
# Shares that pass to heirs go with their pledge: that is no early exit.
TITLES = [choice for choice in TransferKind.choices if choice[0] != TransferKind.INHERITANCE]
SALE = ("title", "sold_on", "sale_price", "sale_proof")


class FiledForm(forms.Form):
    """How many shares, under which number, when."""

    shares = QuantityField(min_value=1, label="Acciones")
    filing_number = CleanTextField(
        label="Radicado",
        max_length=80,
        widget=forms.TextInput(attrs={"class": "w-identity", "autocomplete": "off"}),
        error_messages={"required": "Escriba el número con que se radicó."},
    )
    filed_on = DateTextField(label="Fecha en que se presentó", help_text="dd/mm/aaaa.")
    filed_time = TimeTextField(label="Hora", help_text="Hora legal de Bogotá, de 0:00 a 23:59.")
    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["shares"].unit_after = "acciones"
        self.fields["shares"].words = quantity_phrase

    def filed_at(self) -> datetime:
        """The moment that was typed."""
        return bogota_moment(self.cleaned_data["filed_on"], self.cleaned_data["filed_time"])

    def sale(self) -> SaleEntry:
        """What was typed of the sale."""
        return SaleEntry()


class SaleFields(forms.Form):
    """A transfer: by which title, when, at what price, and in what it is proved."""

    title = forms.ChoiceField(
        label="Título",
        choices=TITLES,
        widget=forms.RadioSelect,
        error_messages={"required": "Elija por qué título se enajenan."},
    )
    sold_on = DateTextField(label="Fecha de la enajenación", help_text="dd/mm/aaaa.")
    sale_price = AmountField(label="Precio por acción")
    sale_proof = CleanTextField(
        label="En qué consta",
        max_length=300,
        help_text="El papel que lo prueba, con su número y fecha.",
        error_messages={"required": "Escriba en qué consta."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["title"].column = True
        self.fields["sale_price"].unit_before = "$"
        self.fields["sale_price"].words = amount_words

    def sale(self) -> SaleEntry:
        """What was typed of the sale."""
        data = self.cleaned_data
        return SaleEntry(
            title=data["title"],
            sold_on=data["sold_on"],
            sale_price=data["sale_price"],
            sale_proof=data["sale_proof"],
        )

    def let_be(self, *names: str) -> None:
        """Make these fields optional."""
        for name in names:
            self.fields[name].required = False
            self.fields[name].label += " (opcional)"


class RequestForm(FiledForm):
    """A holder's request, where its sale has no part in the penalty."""


class SaleRequestForm(SaleFields, FiledForm):
    """A holder's request where the fine goes by the sale: what is known of it is stated."""

    field_order = ("shares", "filing_number", "filed_on", "filed_time", *SALE)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.let_be(*SALE)
        self.fields["sold_on"].help_text = "dd/mm/aaaa. En blanco si todavía no se ha vendido."
        self.fields["sale_price"].help_text = "El de la venta, o el que se acordó."


class BreachForm(SaleFields, FiledForm):
    """A transfer within the term that the Fund found out."""

    evidence = CleanTextField(
        label="Cómo se comprobó",
        multiline=True,
        max_length=2000,
        help_text="Qué papel lo prueba y de dónde llegó.",
        error_messages={"required": "Escriba cómo se comprobó el incumplimiento."},
    )

    field_order = (
        "shares", "filing_number", "filed_on", "filed_time", "evidence", *SALE,
    )  # fmt: skip

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["filing_number"].label = "Número del expediente"
        self.fields["filed_on"].label = "Fecha en que se comprobó"
        self.let_be("sale_price")


class SaleForm(SaleFields):
    """A request's transfer, stated or stated better, with the paper's file."""

    file = forms.FileField(
        label="Archivo (opcional)",
        required=False,
        help_text=f"{ACCEPTED}, de hasta {MAX_MEGABYTES} MB.",
        error_messages={"empty": "El archivo está vacío. Elija el documento de nuevo."},
    )

    def __init__(self, *args: Any, breach: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["file"].widget.attrs["accept"] = ".pdf,.png,.jpg,.jpeg,.tif,.tiff,.xlsx"
        self.let_be("sale_price", *(() if breach else ("title", "sold_on")))


class WithdrawForm(forms.Form):
    withdrawn_on = DateTextField(label="Fecha en que desistió", help_text="dd/mm/aaaa.")
    reason = CleanTextField(
        label="En qué consta",
        max_length=LONGEST_REASON,
        help_text="La carta en que el titular desiste, con su número.",
        error_messages={"required": "Escriba en qué consta que desiste."},
    )


class ReopenForm(forms.Form):
    reason = CleanTextField(
        label="Por qué se reabre",
        multiline=True,
        max_length=2000,
        error_messages={"required": "Escriba por qué se reabre."},
    )


class ClosingForm(forms.Form):
    cause = CleanTextField(
        label="Por qué se cierra",
        multiline=True,
        max_length=2000,
        help_text="Qué estaba mal en la solicitud, y en qué papel consta.",
        error_messages={"required": "Escriba por qué se cierra: queda en la historia."},
    )
