"""The day of which the board's report tells."""

from django import forms

from office.forms import DateTextField


class BoardForm(forms.Form):
    al = DateTextField(
        label="Al final del día",
        help_text="dd/mm/aaaa, fecha legal: cuenta lo pagado y lo expedido hasta ese día.",
    )
