"""What whoever verifies a document reads off its paper; nothing that is noted is shown."""

from typing import Any

from django import forms

from buyers.models import Document
from buyers.services.stated import FIGURES, figures_stated, stated_label
from buyers.services.verification import REASON_LENGTH
from office.forms import AmountField, CleanTextField, DateTextField, QuantityField, YearField
from office.text import exchange_words
from office.words import amount_words

ABOUT_IT = {"looked", "reason"}  # what is said of the second look, and not read off the paper


class VerificationForm(forms.Form):
    """A blank field for each figure that the document has noted, and that it was looked at;
    `differed`: whoever verifies read something else before, and says why it agrees now."""

    def __init__(
        self, *args: Any, document: Document, differed: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        for name in figures_stated(document):
            self.fields[name] = _field(name)
        if document.norm:
            self.fields["norm"] = forms.BooleanField(
                label=f"El papel cita esta norma: {document.norm}.", required=False
            )
        if differed:
            self.fields["reason"] = _reason()
        self.fields["looked"] = forms.BooleanField(
            label=_looked(document),
            error_messages={"required": "Marque que lo miró: sin mirarlo no se verifica."},
        )

    def read(self) -> dict[str, Any]:
        """What the paper says, by the names of the figures."""
        return {name: value for name, value in self.cleaned_data.items() if name not in ABOUT_IT}


class DifferenceForm(forms.Form):
    """What whoever registered the document should look at."""

    note = CleanTextField(
        label="Qué debe revisar",
        max_length=REASON_LENGTH,
        multiline=True,
        help_text="Le llega a quien lo registró, con los dos valores.",
        error_messages={"required": "Escriba qué debe revisar quien lo registró."},
    )


def _field(name: str) -> forms.Field:
    label = stated_label(name).capitalize()
    if name == "year":
        return YearField(label=label)
    if name == "issued_on":
        return DateTextField(label=label, help_text="dd/mm/aaaa")
    if name == "members":
        return QuantityField(label=label, feminine=False)
    assert name in FIGURES
    field = AmountField(label=label)
    field.unit_before, field.words = "$", amount_words
    return field


def _reason() -> forms.Field:
    return CleanTextField(
        label="Por qué ahora coincide",
        max_length=REASON_LENGTH,
        multiline=True,
        required=False,  # not where it differs again; the service asks for it otherwise
        help_text="Usted escribió otra cosa y vio lo que consta: para verificarlo diga en qué se "
        "equivocó. También puede verificarlo otra persona. Queda en la historia.",
    )


def _looked(document: Document) -> str:
    paper = "el archivo"
    if not document.file_id:
        paper = f"el papel, en {exchange_words(document.exchange.name)}"
    buyer = document.buyer
    return (
        f"Miré {paper}: es «{document.kind_words}», de {buyer.name}, {buyer.identity}, y está "
        "completo y legible."
    )
