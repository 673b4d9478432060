"""A buyer's part in a programme: its documents there, and its data."""

from typing import Any

from django import forms

from buyers.enums import BuyerClass
from offerings.models import Participation
from offerings.rules.terms import Terms
from offerings.services.participations import PartGiven
from office.forms import CleanTextField, QuantityField, YearField

YES_NO = [("si", "Sí"), ("no", "No"), ("", "Sin dato")]
ANSWERS = {"si": True, "no": False, "": None}


class DocumentsForm(forms.Form):
    """Which of the buyer's current documents count in the programme."""

    documents = forms.MultipleChoiceField(
        label="Documentos que se hacen valer",
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": "Ese documento ya no está vigente: elija de nuevo."},
    )

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **options: Any):
        super().__init__(*args, **options)
        self.fields["documents"].choices = choices
        self.fields["documents"].column = True

    def chosen(self) -> list[int]:
        """The ids of the documents that were ticked."""
        return [int(pk) for pk in self.cleaned_data["documents"]]


class PartForm(forms.Form):
    """The data of the part, and why they are corrected."""

    buyer_class = forms.ChoiceField(label="Clase que demuestra")
    is_executive = forms.BooleanField(label="Ocupa un cargo de nivel directivo", required=False)
    files_tax_return = forms.ChoiceField(
        label="Obligada a declarar renta",
        choices=YES_NO,
        widget=forms.RadioSelect,
        required=False,
    )
    last_year_filed = YearField(label="Último año que ya declaró (opcional)", required=False)
    present_holding = QuantityField(label="Acciones que ya tiene", required=False)
    held_through_others = QuantityField(label="Acciones por interpuesta persona", required=False)
    reason = CleanTextField(
        label="Motivo",
        help_text="Por qué se corrige y en qué papel consta.",
        multiline=True,
        max_length=500,
        error_messages={"required": "Escriba por qué se corrige: queda en la historia."},
    )

    def __init__(self, *args: Any, terms: Terms, **options: Any):
        super().__init__(*args, **options)
        codes = [code for group in terms.classes.groups for code in group.codes]
        self.fields["buyer_class"].choices = [
            (code.value, BuyerClass(code).label) for code in codes
        ]
        for name in ("present_holding", "held_through_others"):
            self.fields[name].unit_after = "acciones"

    def part(self) -> PartGiven:
        """The part as it should be."""
        data = self.cleaned_data
        return PartGiven(
            buyer_class=BuyerClass(data["buyer_class"]),
            is_executive=data["is_executive"],
            files_tax_return=ANSWERS[data["files_tax_return"]],
            last_year_filed=data["last_year_filed"],
            present_holding=data["present_holding"] or 0,
            held_through_others=data["held_through_others"] or 0,
        )


def part_initial(participation: Participation) -> dict[str, Any]:
    """What the part says now, as its form shows it."""
    says = {value: answer for answer, value in ANSWERS.items()}
    return {
        "buyer_class": participation.buyer_class,
        "is_executive": participation.is_executive,
        "files_tax_return": says[participation.files_tax_return],
        "last_year_filed": participation.last_year_filed,
        "present_holding": participation.present_holding,
        "held_through_others": participation.held_through_others,
    }
