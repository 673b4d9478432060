"""The shapes of quotes, of the Fund's decision, of another day's figure, of the readings."""

from decimal import Decimal
from typing import Any

from django import forms

from offerings.models import Programme
from office.forms import AmountField, CleanTextField, DateTextField, QuantityField
from office.numbers import write_shares
from office.words import amount_words, quantity_phrase
from pledges.selectors.penalty_readings import alternatives, reading_label, readings_open

LONGEST_ACT = 200


def act_field() -> CleanTextField:
    """The act of the Fund that something rests on."""
    return CleanTextField(
        label="Acto del Fondo",
        max_length=LONGEST_ACT,
        help_text="Clase y número, por ejemplo «Acta 41».",
        error_messages={"required": "Escriba el acto del Fondo, con su número."},
    )


class QuoteForm(forms.Form):
    valid_until = DateTextField(
        label="Vigente hasta",
        help_text="dd/mm/aaaa. Hasta ese día puede aceptarse y empezar a pagarse.",
    )


class AcceptForm(forms.Form):
    accepted_on = DateTextField(
        label="Fecha en que se acepta",
        help_text="dd/mm/aaaa. Desde ese día la cifra queda fija y se debe.",
    )


class WhatIfForm(forms.Form):
    """So many shares that would leave on a day; where the fine goes by the sale, its price."""

    shares = QuantityField(min_value=1, label="Acciones")
    asked = DateTextField(label="Si se pide el (dd/mm/aaaa)")
    sale_price = AmountField(
        label="Precio de venta por acción", min_value=Decimal("0.01"), required=False
    )

    def __init__(self, *args: Any, by_sale: bool, most: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self.most = most
        self.fields["shares"].unit_after = "acciones"
        self.fields["shares"].words = quantity_phrase
        self.fields["sale_price"].unit_before = "$"
        self.fields["sale_price"].words = amount_words
        if not by_sale:
            del self.fields["sale_price"]

    def clean_shares(self) -> int:
        shares: int = self.cleaned_data["shares"]
        if shares > self.most:
            raise forms.ValidationError(
                f"Quedan {write_shares(self.most)} en prenda: escriba esa cantidad o menos."
            )
        return shares


class FundDecisionForm(forms.Form):
    amount = AmountField(label="Valor que se paga", help_text="Puede ser $0,00.")
    act = act_field()
    act_on = DateTextField(label="Fecha del acto", help_text="dd/mm/aaaa.")
    reason = CleanTextField(
        label="Razones",
        multiline=True,
        max_length=4000,
        error_messages={"required": "Escriba las razones de la decisión."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["amount"].unit_before = "$"
        self.fields["amount"].words = amount_words


class ReadingsForm(forms.Form):
    """How each point that the decree leaves open is read, and the Fund's act."""

    def __init__(self, *args: Any, programme: Programme, **options: Any) -> None:
        super().__init__(*args, **options)
        self.names = []
        for name, reading in readings_open(programme).items():
            self.names.append(name)
            label = reading_label(name)
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=[
                    (one.value, f"{one.words} (propuesta)" if one.proposed else one.words)
                    for one in alternatives(name, reading)
                ],
                widget=forms.RadioSelect,
                help_text=f"{reading.note} ({reading.cite})",
                error_messages={"required": "Elija cómo se lee."},
            )
            self.fields[name].column = True
        self.fields["act"] = act_field()
        self.fields["act_on"] = DateTextField(label="Fecha del acto", help_text="dd/mm/aaaa.")

    def readings(self) -> dict[str, str]:
        """By name, what was chosen."""
        return {name: self.cleaned_data[name] for name in self.names}
