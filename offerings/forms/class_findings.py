"""The finding of a false class, and its lifting, as their papers say them."""

from datetime import datetime

from django import forms

from office.dates import bogota_moment
from office.forms import CleanTextField, DateTextField, TimeTextField


class FindingForm(forms.Form):
    """When it was found, in what it stands and why."""

    found_on = DateTextField(
        label="Fecha en que se comprobó", help_text="dd/mm/aaaa, hora de Bogotá."
    )
    found_time = TimeTextField(label="Hora en que se comprobó")
    evidence = CleanTextField(
        label="En qué consta",
        help_text="El papel que lo prueba y dónde está. Lo lee solo el Fondo.",
        multiline=True,
        max_length=1000,
        error_messages={"required": "Escriba en qué papel consta."},
    )
    reason = CleanTextField(
        label="Motivo",
        help_text="Por qué la clase no es la que tiene.",
        multiline=True,
        max_length=500,
        error_messages={"required": "Escriba por qué la clase no es la que tiene."},
    )

    def moment(self) -> datetime:
        """The legal date and time of the finding."""
        return bogota_moment(self.cleaned_data["found_on"], self.cleaned_data["found_time"])


class LiftForm(forms.Form):
    """Why the finding was a mistake."""

    reason = CleanTextField(
        label="Motivo",
        help_text="Por qué fue un error y en qué papel consta.",
        multiline=True,
        max_length=500,
        error_messages={"required": "Escriba por qué fue un error y en qué papel consta."},
    )
