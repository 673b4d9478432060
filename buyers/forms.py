"""The shape of what is typed of a buyer and of its papers; what holds is for the services."""

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Fieldset, Layout
from django import forms
from django.core.validators import RegexValidator

from buyers.enums import BuyerKind, DocumentKind, IdentityType
from buyers.models import Exchange
from buyers.services.stated import FIGURES
from buyers.services.uploads import ACCEPTED, MAX_MEGABYTES
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    IdentityNumberField,
    QuantityField,
)
from office.words import amount_words

PERSON_TYPES = [choice for choice in IdentityType.choices() if choice[0] != IdentityType.NIT]
YEAR = RegexValidator(r"^[0-9]{4}$", "Escriba el año con cuatro cifras, por ejemplo 1994.")
PART = "section"
# What a refusal leads to, between the summary of errors and the first field.
NOTES = HTML('{% include "buyers/form_notes.html" %}')


class BuyerForm(forms.Form):
    kind = forms.ChoiceField(
        label="Quién compra",
        choices=BuyerKind.choices(),
        widget=forms.RadioSelect,
        error_messages={"required": "Diga si es persona natural u organización."},
    )
    identity_type = forms.ChoiceField(
        label="Tipo de documento",
        choices=[("", "Elija…"), *IdentityType.choices()],
        error_messages={"required": "Elija el tipo de documento."},
    )
    identity_number = IdentityNumberField(
        label="Número",
        help_text="La cédula, con puntos o sin ellos; el NIT, con guion y dígito de verificación.",
    )
    name = CleanTextField(
        label="Nombre o razón social",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="Como está en el documento.",
        error_messages={"required": "Escriba el nombre o la razón social."},
    )
    representative_name = CleanTextField(
        label="Nombre del representante",
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    representative_identity_type = forms.ChoiceField(
        label="Tipo de documento del representante",
        choices=[("", "Elija…"), *PERSON_TYPES],
        required=False,
    )
    representative_identity_number = IdentityNumberField(
        label="Número del representante",
        required=False,
    )
    attorney_name = CleanTextField(
        label="Nombre del apoderado (opcional)",
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="Si alguien compra en su nombre con un poder.",
    )
    attorney_identity_type = forms.ChoiceField(
        label="Tipo de documento del apoderado",
        choices=[("", "Elija…"), *PERSON_TYPES],
        required=False,
    )
    attorney_identity_number = IdentityNumberField(label="Número del apoderado", required=False)
    submission_key = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(NOTES, *self.parts(), "submission_key")

    def parts(self) -> list[Any]:
        return [
            Fieldset(
                "Quién es",
                "kind",
                Div("identity_type", "identity_number", css_class="fields fields-2"),
                "name",
                css_class=PART,
            ),
            Fieldset(
                "Quién la representa",
                "representative_name",
                Div(
                    "representative_identity_type",
                    "representative_identity_number",
                    css_class="fields fields-2",
                ),
                css_class=PART,
            ),
            Fieldset(
                "Quién actúa con su poder",
                "attorney_name",
                Div(
                    "attorney_identity_type",
                    "attorney_identity_number",
                    css_class="fields fields-2",
                ),
                css_class=PART,
            ),
        ]

    @property
    def said(self) -> dict[str, str]:
        """What the services take, without what belongs to the form alone."""
        own = {"submission_key", "seen", "reason"}
        return {name: value or "" for name, value in self.cleaned_data.items() if name not in own}


class BuyerChangeForm(BuyerForm):
    reason = CleanTextField(
        label="Por qué se corrige",
        max_length=1000,
        multiline=True,
        help_text="Queda en la historia del comprador.",
        error_messages={"required": "Escriba por qué se corrige: queda en la historia."},
    )
    seen = forms.CharField(widget=forms.HiddenInput)

    def parts(self) -> list[Any]:
        return [*super().parts(), Fieldset("Motivo", "reason", css_class=PART), "seen"]


class DossierForm(forms.Form):
    reason = CleanTextField(
        label="Quién lo pide y para qué",
        max_length=1000,
        multiline=True,
        help_text="Queda en la historia del comprador con su nombre y la hora.",
        error_messages={"required": "Escriba quién lo pide y para qué: queda en la historia."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(Fieldset("Motivo", "reason", css_class=PART))


class DocumentForm(forms.Form):
    kind = forms.ChoiceField(
        label="Documento",
        choices=[("", "Elija…"), *DocumentKind.choices()],
        error_messages={"required": "Elija el tipo de documento."},
    )
    label = CleanTextField(
        label="Nombre en el reglamento",
        max_length=200,
        required=False,
        help_text="Obligatorio en «Otro documento»: como lo llama el reglamento del Fondo.",
    )
    year = forms.CharField(
        label="Año gravable",
        required=False,
        validators=[YEAR],
        widget=forms.TextInput(
            attrs={"class": "w-year", "inputmode": "numeric", "autocomplete": "off"}
        ),
        help_text="Obligatorio en declaraciones de renta y certificados de ingresos.",
    )
    issued_on = DateTextField(
        label="Fecha del documento (opcional)", required=False, help_text="dd/mm/aaaa"
    )
    gross_equity = AmountField(label="Patrimonio bruto", required=False)
    net_equity = AmountField(label="Patrimonio líquido", required=False)
    annual_income = AmountField(label="Ingresos del año", required=False)
    annual_remuneration = AmountField(label="Remuneración anual", required=False)
    statutory_limit = AmountField(label="Límite de sus normas", required=False)
    members = QuantityField(label="Afiliados", required=False, feminine=False)
    norm = CleanTextField(
        label="Norma",
        max_length=200,
        required=False,
        help_text="Solo si declara que la ley no le fija límite: la norma y su artículo.",
    )
    file = forms.FileField(
        label="Archivo",
        required=False,
        help_text=f"{ACCEPTED}, de hasta {MAX_MEGABYTES} MB.",
        error_messages={
            "empty": "El archivo está vacío. Elija el documento de nuevo.",
            "max_length": "El nombre del archivo es demasiado largo. Acórtelo.",
        },
    )
    exchange = forms.ModelChoiceField(
        label="Bolsa que lo conserva",
        queryset=Exchange.objects.filter(is_active=True),
        required=False,
        empty_label="Ninguna",
    )
    exchange_reference = CleanTextField(
        label="Referencia en la bolsa",
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in FIGURES:
            self.fields[name].unit_before = "$"
            self.fields[name].words = amount_words
        self.fields["members"].unit_after = "personas"
        self.fields["file"].widget.attrs["accept"] = ".pdf,.png,.jpg,.jpeg,.tif,.tiff,.xlsx"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(NOTES, *self.parts(), "submission_key")

    def parts(self) -> list[Any]:
        return [
            Fieldset(
                "Qué documento es",
                "kind",
                "label",
                Div("year", "issued_on", css_class="fields fields-2"),
                css_class=PART,
            ),
            Fieldset(
                "Cifras que prueba",
                Div("gross_equity", "net_equity", css_class="fields fields-2"),
                Div("annual_income", "annual_remuneration", css_class="fields fields-2"),
                Div("statutory_limit", "members", css_class="fields fields-2"),
                "norm",
                css_class=PART,
            ),
            Fieldset(
                "Dónde está",
                "file",
                Div("exchange", "exchange_reference", css_class="fields fields-2"),
                css_class=PART,
            ),
        ]

    def clean_year(self) -> int | None:
        return int(self.cleaned_data["year"]) if self.cleaned_data["year"] else None

    @property
    def paper(self) -> dict[str, Any]:
        """What the services take: the figures apart, the file and the key too."""
        own = {*FIGURES, "reason"}
        said = {name: value for name, value in self.cleaned_data.items() if name not in own}
        said["figures"] = {
            name: self.cleaned_data[name]
            for name in FIGURES
            if self.cleaned_data.get(name) is not None
        }
        return said


class DocumentReplaceForm(DocumentForm):
    reason = CleanTextField(
        label="Por qué se reemplaza",
        max_length=1000,
        multiline=True,
        help_text="Queda en la historia del comprador.",
        error_messages={"required": "Escriba por qué se reemplaza: queda en la historia."},
    )

    def __init__(self, *args: Any, kind: str, **options: Any) -> None:
        super().__init__(*args, **options)
        # It takes the place of one of its own kind.
        self.fields["kind"].choices = [
            choice for choice in DocumentKind.choices() if choice[0] == kind
        ]

    def parts(self) -> list[Any]:
        return [*super().parts(), Fieldset("Motivo", "reason", css_class=PART)]
