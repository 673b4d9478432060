"""The day of a statement."""

from django import forms

from office.forms import ToldDayField


class StatementForm(forms.Form):
    al = ToldDayField(
        label="A la fecha", help_text="dd/mm/aaaa, no posterior a hoy.", required=False
    )
