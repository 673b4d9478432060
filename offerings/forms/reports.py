"""The day of which the board's report tells."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from office.forms import DateTextField


class BoardForm(forms.Form):
    al = DateTextField(
        label="Al final del día",
        help_text="dd/mm/aaaa, fecha legal: cuenta lo pagado y lo expedido hasta ese día.",
    )

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)
