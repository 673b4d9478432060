"""Measures on pledged shares, the Fund's rights and the lender's notice, as their papers say."""

import uuid
from datetime import datetime
from typing import Any

from django import forms

from office.dates import bogota_moment
from office.forms import CleanTextField, DateTextField, QuantityField, TimeTextField
from pledges.enums import Measure
from pledges.models import Attachment

CHOOSE = [("", "Elija…")]


class SubmissionForm(forms.Form):
    """A form whose second sending makes nothing new."""

    submission_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)


class MeasureForm(SubmissionForm):
    """What an authority's order says."""

    measure = forms.ChoiceField(label="Medida", choices=[*CHOOSE, *Measure.choices])
    authority = CleanTextField(
        label="Autoridad", help_text="El juzgado o la entidad que la ordena.", max_length=200
    )
    number = CleanTextField(label="Número del oficio", max_length=80)
    ordered_on = DateTextField(label="Fecha del oficio", help_text="dd/mm/aaaa.")
    received_on = DateTextField(label="Fecha en que llegó al Fondo", help_text="dd/mm/aaaa.")
    received_time = TimeTextField(label="Hora en que llegó", help_text="Hora de Bogotá.")
    shares = QuantityField(label="Acciones sobre las que recae", min_value=1)
    detail = CleanTextField(
        label="Proceso (opcional)", help_text="De qué trata.", max_length=300, required=False
    )

    def received_at(self) -> datetime:
        """The legal moment of its receipt."""
        return bogota_moment(self.cleaned_data["received_on"], self.cleaned_data["received_time"])


class MeasureLiftForm(forms.Form):
    """The order that lifts a measure."""

    lifted_act = CleanTextField(
        label="Oficio que la levanta", help_text="Su número y la autoridad.", max_length=120
    )
    lifted_on = DateTextField(label="Fecha del oficio", help_text="dd/mm/aaaa.")


class RightsForm(SubmissionForm):
    """Since when and why the Fund exercises the shareholder's rights of `pledge`."""

    attachment = forms.ModelChoiceField(
        label="Causa",
        queryset=Attachment.objects.none(),
        required=False,
        empty_label="Incumplimiento del deudor o comprador",
    )
    since = DateTextField(label="Desde", help_text="dd/mm/aaaa.")
    detail = CleanTextField(
        label="En qué consta", help_text="El papel que lo prueba.", multiline=True, max_length=1000
    )

    def __init__(self, *args: Any, pledge: Any, **options: Any) -> None:
        """Offer the measures that stand."""
        super().__init__(*args, **options)
        self.fields["attachment"].queryset = pledge.attachments.filter(lifted_on=None)


class RightsEndForm(forms.Form):
    """Until when the Fund exercised them."""

    until = DateTextField(label="Hasta", help_text="dd/mm/aaaa.")
    why = CleanTextField(label="Por qué termina", max_length=300)


class LenderNoticeForm(SubmissionForm):
    """The letter to the lender of the purchase."""

    lender = CleanTextField(label="Entidad que prestó para la compra", max_length=200)
    notified_on = DateTextField(label="Fecha del aviso", help_text="dd/mm/aaaa.")
    reference = CleanTextField(label="Comunicación", help_text="Su número.", max_length=120)
