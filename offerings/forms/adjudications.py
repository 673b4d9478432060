"""The shape of an adjudication's opening, of its review and of the search in its lines."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from buyers.models import Exchange
from offerings.selectors.awards import class_choices, result_choices
from office.forms import CleanTextField, DateTextField

ANY = ("", "Todas")


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

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)


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


class LineFilterForm(forms.Form):
    clase = forms.ChoiceField(
        label="Clase", required=False, choices=lambda: [ANY, *class_choices()]
    )
    resultado = forms.ChoiceField(
        label="Resultado", required=False, choices=lambda: [ANY, *result_choices()]
    )
    q = CleanTextField(label="Comprador, documento o aceptación", required=False, max_length=100)
