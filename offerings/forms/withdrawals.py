"""The withdrawal of an acceptance, as its paper says it."""

from datetime import datetime

from django import forms

from office.dates import bogota_moment
from office.forms import CleanTextField, DateTextField, TimeTextField


class WithdrawalForm(forms.Form):
    """When it was asked, by whom and in what paper."""

    asked_on = DateTextField(
        label="Fecha en que se pidió", help_text="dd/mm/aaaa, hora de Bogotá."
    )
    asked_time = TimeTextField(label="Hora en que se pidió")
    reason = CleanTextField(
        label="Motivo",
        help_text="Quién lo pidió y en qué papel consta.",
        multiline=True,
        max_length=500,
        error_messages={"required": "Escriba quién pidió el retiro y en qué papel consta."},
    )

    def moment(self) -> datetime:
        """The legal date and time of the withdrawal."""
        return bogota_moment(self.cleaned_data["asked_on"], self.cleaned_data["asked_time"])
