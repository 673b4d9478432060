"""The day on which certificates are issued."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from office.forms import DateTextField


class IssueForm(forms.Form):
    legal_date = DateTextField(
        label="Fecha de expedición",
        help_text="dd/mm/aaaa. El número del certificado lleva su año.",
    )

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout("legal_date")
