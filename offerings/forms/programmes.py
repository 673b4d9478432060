"""The shape of the references of a programme and of the acts that open and close a stage."""

from datetime import datetime

from django import forms

from office.dates import bogota_moment
from office.forms import CleanTextField, DateTextField, TimeTextField


class NoticeForm(forms.Form):
    published_on = DateTextField(
        label="Fecha de publicación", help_text="dd/mm/aaaa, no posterior a hoy."
    )
    medium = CleanTextField(
        label="Medio",
        max_length=200,
        help_text="El periódico o el medio en que salió.",
        error_messages={"required": "Escriba en qué medio se publicó el aviso."},
    )
    reference = CleanTextField(
        label="Referencia",
        max_length=200,
        help_text="Página, número o dónde se guarda la copia.",
        error_messages={"required": "Escriba dónde se encuentra: página, número o archivo."},
    )


class CreditLineForm(forms.Form):
    lender = CleanTextField(
        label="Entidad que presta",
        max_length=200,
        error_messages={"required": "Escriba la institución financiera que abrió la línea."},
    )
    opened_on = DateTextField(label="Abierta desde", help_text="dd/mm/aaaa, no posterior a hoy.")
    reference = CleanTextField(
        label="Referencia",
        max_length=200,
        help_text="La carta o el acto con que la entidad la establece.",
        error_messages={"required": "Escriba la carta o el acto que la establece."},
    )


class StageOpenForm(forms.Form):
    opened_on = DateTextField(label="Fecha de apertura", help_text="dd/mm/aaaa")
    opened_time = TimeTextField(label="Hora", help_text="Hora legal de Bogotá, de 0:00 a 23:59.")

    def moment(self) -> datetime:
        """The legal date and time of the act."""
        return bogota_moment(self.cleaned_data["opened_on"], self.cleaned_data["opened_time"])


class StageCloseForm(forms.Form):
    closed_on = DateTextField(label="Fecha de cierre", help_text="dd/mm/aaaa")
    closed_time = TimeTextField(label="Hora", help_text="Hora legal de Bogotá, de 0:00 a 23:59.")

    def moment(self) -> datetime:
        """The legal date and time of the act."""
        return bogota_moment(self.cleaned_data["closed_on"], self.cleaned_data["closed_time"])
