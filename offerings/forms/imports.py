"""The shape of an upload."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.core.exceptions import ValidationError

from offerings.services.imports import MAX_BYTES, MAX_MEGABYTES


class ImportForm(forms.Form):
    file = forms.FileField(
        label="Archivo de aceptaciones",
        help_text=f"CSV con los títulos del modelo, de hasta {MAX_MEGABYTES} MB.",
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        error_messages={
            "required": "Elija el archivo.",
            "empty": "El archivo está vacío. Elija uno con títulos y al menos una fila.",
            "max_length": "El nombre del archivo es demasiado largo. Acórtelo.",
        },
    )

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)

    def clean_file(self):
        """Refuse by its size what should not even be read."""
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise ValidationError(
                f"El archivo pesa más de {MAX_MEGABYTES} MB. Divídalo en varios."
            )
        return file
