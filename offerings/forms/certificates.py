"""The day on which certificates are issued, alone or together."""

from typing import Any

from django import forms

from buyers.models import Broker
from offerings.models import Programme
from offerings.selectors.certificates import (
    ALLOTMENT,
    NOTICE,
    Scope,
)
from office.forms import DateTextField


class IssueForm(forms.Form):
    legal_date = DateTextField(
        label="Fecha de expedición",
        help_text="dd/mm/aaaa. El número lleva su año.",
    )


class BatchForm(forms.Form):
    """What is issued together."""

    kind = forms.ChoiceField(
        label="Qué se expide",
        choices=[
            (NOTICE, "Constancias de adjudicación, con lo que se debe"),
            (ALLOTMENT, "Certificados de adjudicación, de lo pagado en su totalidad"),
        ],
        error_messages={"invalid_choice": "Elija constancias o certificados."},
    )
    programme = forms.ModelChoiceField(
        label="Programa (opcional)",
        queryset=Programme.objects.all(),
        required=False,
        empty_label="Todos",
        error_messages={"invalid_choice": "Ese programa no existe: elija otro."},
    )
    broker = forms.ModelChoiceField(
        label="Comisionista (opcional)",
        queryset=Broker.objects.all(),
        required=False,
        empty_label="Todos",
        error_messages={"invalid_choice": "Ese comisionista no existe: elija otro."},
    )
    legal_date = DateTextField(
        label="Fecha de expedición", help_text="dd/mm/aaaa. Los números llevan su año."
    )

    def clean(self) -> dict[str, Any]:
        """A batch is of something: of everything there is none."""
        found = super().clean() or self.cleaned_data
        chosen = ("programme", "broker")
        if not self.errors and not any(found.get(name) for name in chosen):
            self.add_error("programme", "Elija un programa, un comisionista o los dos.")
        return found

    def scope(self) -> Scope:
        """Whose papers are issued."""
        return Scope(programme=self.cleaned_data["programme"], broker=self.cleaned_data["broker"])
