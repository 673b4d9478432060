"""The day on which certificates are issued, and what a list of them is narrowed by."""

from typing import Any

from django import forms

from buyers.models import Broker
from offerings.models import Programme
from offerings.selectors.certificates import (
    ALLOTMENT,
    NOTICE,
    CertificateFilter,
    Scope,
    certificate_kinds,
    certificate_years,
)
from office.forms import CleanTextField, DateTextField

ANY = ("", "Todos")


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


class CertificateFilterForm(forms.Form):
    """In the address of the list; a broker has no choice among brokers."""

    clase = forms.ChoiceField(
        label="Clase", required=False, choices=lambda: [ANY, *certificate_kinds()]
    )
    programa = forms.ModelChoiceField(
        label="Programa",
        required=False,
        queryset=Programme.objects.all(),
        to_field_name="slug",
        empty_label="Todos",
    )
    comisionista = forms.ModelChoiceField(
        label="Comisionista",
        required=False,
        queryset=Broker.objects.all(),
        empty_label="Todos",
    )
    anio = forms.ChoiceField(
        label="Año",
        required=False,
        choices=lambda: [ANY, *((year, year) for year in certificate_years())],
    )
    q = CleanTextField(label="Titular, documento o número", required=False, max_length=100)

    def __init__(self, *args: Any, brokers: bool = True, **options: Any) -> None:
        super().__init__(*args, **options)
        if not brokers:
            del self.fields["comisionista"]

    def wanted(self) -> CertificateFilter:
        """The filter; what cannot be read lets all through, but a programme unknown has none."""
        self.is_valid()
        asked = self.cleaned_data
        broker = asked.get("comisionista")
        return CertificateFilter(
            kind=asked.get("clase", ""),
            programme="".join(filter(str.isprintable, self.data.get("programa", ""))),
            broker=str(broker.pk) if broker else "",
            year=asked.get("anio", ""),
            text=asked.get("q", ""),
        )
