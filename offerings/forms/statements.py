"""The day of a statement."""

from django import forms

from office.forms import DateTextField


class StatementForm(forms.Form):
    al = DateTextField(label="A la fecha", help_text="dd/mm/aaaa", required=False)
