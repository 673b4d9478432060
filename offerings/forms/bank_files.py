"""The shapes of a bank's file: its upload and its columns."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from offerings.enums import PaymentMeans
from offerings.forms.imports import ColumnsForm, ImportForm
from offerings.models import Programme
from offerings.services.bank_files import BY_NAME


class BankFileForm(ImportForm):
    """The file, the programme whose payments it holds, and the means where it says none."""

    programme = forms.ModelChoiceField(
        label="Programa",
        queryset=Programme.objects.order_by("short_name"),
        empty_label="Elija el programa",
        error_messages={
            "required": "Elija el programa.",
            "invalid_choice": "Elija uno de los programas.",
        },
    )
    means = forms.ChoiceField(
        label="Medio de los pagos sin la columna «medio»",
        choices=[("", "Cada fila dice el suyo"), *PaymentMeans.choices],
        required=False,
        error_messages={"invalid_choice": "Elija dinero efectivo o cheque."},
    )

    field_order = ("programme", "file", "means")

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.fields["file"].label = "Archivo del banco"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(*self.fields)


class BankColumnsForm(ColumnsForm):
    """The column that each heading of a bank's file stands for."""

    known = BY_NAME
    other_names = {
        "referencia_de_pago": "referencia",
        "referencia_1": "referencia",
        "codigo": "referencia",
        "fecha_de_pago": "fecha",
        "fecha_movimiento": "fecha",
        "fecha_de_consignacion": "fecha",
        "monto": "valor",
        "importe": "valor",
        "credito": "valor",
        "valor_pagado": "valor",
        "forma_de_pago": "medio",
        "medio_de_pago": "medio",
        "consignacion": "numero",
        "comprobante": "numero",
        "cheque": "numero",
        "documento": "numero",
    }
