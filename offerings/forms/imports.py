"""The shapes of an upload, of the columns that differ and of what is decided."""

import difflib

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.core.exceptions import ValidationError

from offerings.enums import ImportMode, RowChoice
from offerings.services.imports import BY_NAME, ERRORS_COLUMN, MAX_BYTES, MAX_MEGABYTES

ACCEPTED = ".csv,.xlsx,text/csv"
# What people write over a column, beside its own name.
_OTHER_NAMES = {
    "cedula": "numero_documento",
    "documento": "numero_documento",
    "identificacion": "numero_documento",
    "razon_social": "nombre",
    "comprador": "nombre",
    "acciones": "cantidad",
    "acciones_solicitadas": "cantidad",
    "fecha_de_recibo": "recibida",
    "fecha": "recibida",
    "patrimonio": "patrimonio_bruto",
    "ingresos": "ingresos_anuales",
    "sociedad_comisionista": "comisionista",
    "nit_comisionista": "comisionista",
    "bolsa_de_valores": "bolsa",
}


class ImportForm(forms.Form):
    file = forms.FileField(
        label="Archivo de aceptaciones",
        help_text=f"CSV o libro de Excel (.xlsx), de hasta {MAX_MEGABYTES} MB.",
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
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


class ColumnsForm(forms.Form):
    """One choice for each heading of the file: the column that it stands for, or none."""

    known = BY_NAME
    other_names = _OTHER_NAMES

    def __init__(self, *args, headings, mapping, **options):
        super().__init__(*args, **options)
        self.headings = [one for one in headings if one["key"] != ERRORS_COLUMN]
        suggested = self._suggested([one["key"] for one in self.headings]) | mapping
        names = [(name, name) for name in self.known]
        for place, one in enumerate(self.headings):
            self.fields[f"columna_{place}"] = forms.ChoiceField(
                label=one["heading"],
                choices=[("", "No usar"), *names],
                initial=suggested.get(one["key"], ""),
                required=False,
                widget=forms.Select(attrs={"class": "form-select"}),
                error_messages={"invalid_choice": "Elija una de las columnas del modelo."},
            )

    def rows(self):
        """Each field beside what stands under its heading, for the table."""
        return [
            {"field": self[f"columna_{place}"], "samples": [s for s in one["samples"] if s]}
            for place, one in enumerate(self.headings)
        ]

    def mapping(self):
        """The column of each heading, by the heading's key."""
        return {
            one["key"]: self.cleaned_data[f"columna_{place}"]
            for place, one in enumerate(self.headings)
        }

    def _suggested(self, keys):
        """What each heading probably stands for: its own name, a usual one, or the nearest."""
        suggested = {key: key for key in keys if key in self.known}
        for key in keys:
            left = [name for name in self.known if name not in suggested.values()]
            close = next(iter(difflib.get_close_matches(key, left, 1)), "")
            near = self.other_names.get(key) or close
            if key not in suggested and near in left:
                suggested[key] = near
        return suggested


class ChoiceForm(forms.Form):
    """What to do with a row that differs from the register; without its number, with all."""

    decision = forms.ChoiceField(choices=RowChoice.choices)
    fila = forms.IntegerField(required=False, min_value=1)


class ConfirmForm(forms.Form):
    modo = forms.ChoiceField(choices=ImportMode.choices)
