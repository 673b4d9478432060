"""The day on which an act of adjudication is issued."""

from django import forms

from office.forms import DateTextField


class RecordForm(forms.Form):
    legal_date = DateTextField(
        label="Fecha de expedición",
        help_text="dd/mm/aaaa. El número del acta lleva su año.",
    )
