"""What is said of a pledge: its rank and lender when it is opened, then where it is entered."""

from collections.abc import Sequence
from typing import Any

from django import forms

from office.forms import CleanTextField, DateTextField
from pledges.enums import Rank

LONGEST_NAME, LONGEST_REFERENCE = 200, 120


class OpeningForm(forms.Form):
    """The rank of the Fund's pledge, among those that the programme admits."""

    rank = forms.ChoiceField(
        label="Grado",
        choices=Rank.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Elija el grado de la prenda."},
    )
    lender = CleanTextField(
        label="Acreedor del crédito de compra",
        help_text="Quién tiene el primer grado. Solo en segundo grado es necesario.",
        max_length=LONGEST_NAME,
        required=False,
    )

    def __init__(self, *args: Any, ranks: Sequence[Rank], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["rank"].choices = [(rank.value, rank.label) for rank in ranks]
        if len(ranks) == 1:
            self.fields["rank"].initial = ranks[0].value


class EntryForm(forms.Form):
    """Where the pledge is entered, under which reference and since when."""

    kept_by = CleanTextField(
        label="Registro o depósito",
        help_text="El libro de registro de acciones del emisor, o el depósito de valores.",
        max_length=LONGEST_NAME,
        error_messages={"required": "Escriba dónde se anotó la prenda."},
    )
    reference = CleanTextField(
        label="Anotación",
        help_text="Su número o folio.",
        max_length=LONGEST_REFERENCE,
        error_messages={"required": "Escriba el número o folio de la anotación."},
    )
    entered_on = DateTextField(label="Fecha de la anotación", help_text="dd/mm/aaaa")
