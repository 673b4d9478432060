"""The shape of an adjudication's opening and of its review."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from buyers.models import Exchange
from offerings.rules.ruling import Ruling
from office.forms import CleanTextField, DateTextField


class AdjudicationForm(forms.Form):
    exchange = forms.ModelChoiceField(
        label="Bolsa que adjudica",
        queryset=Exchange.objects.filter(is_active=True),
        empty_label="Elija la bolsa",
        error_messages={
            "required": "Elija la bolsa que adjudica.",
            "invalid_choice": "Esa bolsa ya no está activa: elija otra.",
        },
    )
    session_on = DateTextField(
        label="Fecha de la sesión",
        help_text="dd/mm/aaaa. Será la fecha de compra de todas las acciones adjudicadas.",
    )

    def __init__(self, *args, required: Ruling[bool], **options):
        """`required`: whether the decree asks for an exchange."""
        super().__init__(*args, **options)
        if not required.value:
            self._let_the_fund_adjudicate()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)

    def _let_the_fund_adjudicate(self) -> None:
        field = self.fields["exchange"]
        field.required, field.empty_label = False, "Ninguna"
        field.label = f"{field.label} (opcional)"
        field.help_text = "En blanco: adjudica el Fondo, en su sesión."


class DecisionForm(forms.Form):
    reason = CleanTextField(
        label="Motivo",
        multiline=True,
        max_length=2000,
        error_messages={
            "required": "Escriba el motivo: quien la preparó debe saber qué corregir."
        },
    )

    def __init__(self, *args, needs_reason=True, **options):
        super().__init__(*args, **options)
        self.fields["reason"].required = needs_reason
        if not needs_reason:
            self.fields["reason"].label = "Observaciones (opcional)"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)
