"""The shape of a release, of its annulment, and of issuing its certificates."""

from typing import Any

from django import forms

from offerings.forms.annulments import NumberTypedField
from offerings.models import Programme
from office.annulments import LONGEST_CAUSE
from office.forms import CleanTextField, DateTextField


class ReleaseForm(forms.Form):
    released_on = DateTextField(
        label="Fecha del levantamiento",
        help_text="dd/mm/aaaa; no antes del último pago de la sanción.",
    )


class ReleaseBatchForm(forms.Form):
    """A programme's pledges whose term is over on a day."""

    programme = forms.ModelChoiceField(
        label="Programa",
        queryset=Programme.objects.all(),
        empty_label="Elija el programa",
        error_messages={
            "required": "Elija el programa cuyas prendas se levantan.",
            "invalid_choice": "Ese programa no existe: elija otro.",
        },
    )
    released_on = DateTextField(
        label="Fecha del levantamiento",
        help_text="dd/mm/aaaa. Entran las prendas cuyo último día es anterior.",
    )


class ReleaseCertificatesForm(forms.Form):
    """A programme's releases that lack their certificate, or those of one release."""

    programme = forms.ModelChoiceField(
        label="Programa",
        queryset=Programme.objects.all(),
        empty_label="Elija el programa",
        error_messages={
            "required": "Elija el programa.",
            "invalid_choice": "Ese programa no existe: elija otro.",
        },
    )
    release = forms.IntegerField(required=False, widget=forms.HiddenInput)
    legal_date = DateTextField(
        label="Fecha de expedición", help_text="dd/mm/aaaa. Los números llevan su año."
    )


class ReleaseAnnulmentForm(forms.Form):
    annulled_on = DateTextField(
        label="Fecha del acto", help_text="dd/mm/aaaa; no antes del levantamiento."
    )
    cause = CleanTextField(
        label="Por qué se anula",
        multiline=True,
        max_length=LONGEST_CAUSE,
        error_messages={"required": "Escriba por qué se anula: queda en la historia."},
    )

    def __init__(self, *args: Any, number: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["number"] = NumberTypedField(expected=number)
