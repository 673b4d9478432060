"""The day of which the board's report tells."""

from django import forms

from office.forms import ToldDayField


class BoardForm(forms.Form):
    al = ToldDayField(
        label="Al final del día",
        help_text="dd/mm/aaaa, no posterior a hoy. Fecha legal: cuenta lo pagado y lo expedido "
        "hasta ese día.",
    )
