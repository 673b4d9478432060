"""The shape of a payment."""

from django import forms

from offerings.enums import PaymentMeans
from office.forms import AmountField, CleanTextField, DateTextField
from office.words import amount_words


class PaymentForm(forms.Form):
    means = forms.ChoiceField(
        label="Medio de pago",
        choices=PaymentMeans.choices,
        widget=forms.RadioSelect,
        help_text="No se admite otro medio.",
        error_messages={"required": "Elija el medio de pago."},
    )
    reference = CleanTextField(
        label="Referencia",
        max_length=80,
        help_text="El número de la consignación o del cheque.",
        widget=forms.TextInput(attrs={"class": "w-identity", "autocomplete": "off"}),
        error_messages={"required": "Escriba la referencia del banco o el número del cheque."},
    )
    paid_on = DateTextField(
        label="Fecha de pago",
        help_text="dd/mm/aaaa",
    )
    amount = AmountField(
        label="Valor pagado",
        help_text="Puede ser una parte del saldo.",
    )
    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.fields["amount"].unit_before = "$"
        self.fields["amount"].words = amount_words
