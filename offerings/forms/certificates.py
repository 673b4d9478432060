"""The day on which certificates are issued."""

from django import forms

from office.forms import DateTextField


class IssueForm(forms.Form):
    legal_date = DateTextField(
        label="Fecha de expedición",
        help_text="dd/mm/aaaa. El número del certificado lleva su año.",
    )
