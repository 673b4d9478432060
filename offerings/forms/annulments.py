"""Asking for an annulment, and deciding on it; both with the number of what is annulled."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from office.annulments import LONGEST_CAUSE
from office.forms import CleanTextField, DateTextField

HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


class NumberTypedField(CleanTextField):
    """The number of a dangerous act, typed again: it says that this very one is meant."""

    def __init__(self, *, expected: str, **options: Any) -> None:
        self.expected = expected
        back = options.pop("back", "vuelva sin anular")
        self.other = f"es otro número: escriba {expected}, o {back}."
        options.setdefault("label", "Escriba el número de lo que se anula")
        options.setdefault("help_text", f"{expected}, tal como aparece aquí.")
        options.setdefault(
            "widget",
            forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )
        options.setdefault(
            "error_messages", {"required": f"Escriba {expected}: así se sabe que es este."}
        )
        super().__init__(max_length=40, **options)

    def clean(self, value: Any) -> Any:
        """Refuse every other number, where one is required."""
        typed = super().clean(value)
        if self.required and _bare(typed) != _bare(self.expected):
            raise ValidationError(f"«{typed}» {self.other}", code="other")
        return typed


def _bare(number: str) -> str:
    return number.translate(HYPHENS).replace(" ", "").casefold()


class CertificateAnnulmentForm(forms.Form):
    annulled_on = DateTextField(
        label="Fecha de la anulación",
        help_text="dd/mm/aaaa. Desde ese día ya no certifica nada; lo que se expida en su lugar "
        "no puede ser anterior.",
    )
    cause = CleanTextField(
        label="Por qué se anula",
        help_text="Queda en la historia y en su página; no en la consulta pública.",
        multiline=True,
        max_length=LONGEST_CAUSE,
        error_messages={"required": "Escriba por qué se anula: queda en la historia."},
    )

    def __init__(self, *args: Any, number: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["number"] = NumberTypedField(expected=number)


class AdjudicationAnnulmentForm(forms.Form):
    """The act of the exchange or of a court that orders it."""

    ordered_by = CleanTextField(
        label="Quién la ordena",
        help_text="La bolsa, o el juez o tribunal.",
        max_length=200,
        error_messages={"required": "Escriba qué bolsa o qué juez la ordena."},
    )
    act = CleanTextField(
        label="Acto que la ordena",
        help_text="Clase y número, por ejemplo «Acta 7» o «Sentencia C-123».",
        max_length=200,
        error_messages={"required": "Escriba el acto que la ordena, con su número."},
    )
    act_on = DateTextField(label="Fecha del acto", help_text="dd/mm/aaaa.")
    cause = CleanTextField(
        label="Por qué se anula",
        multiline=True,
        max_length=LONGEST_CAUSE,
        error_messages={"required": "Escriba por qué se anula: queda en la historia."},
    )

    def __init__(self, *args: Any, number: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["number"] = NumberTypedField(expected=number)


class AnnulmentDecisionForm(forms.Form):
    """Approving needs the number typed; sending back or rejecting, the reason."""

    reason = CleanTextField(
        label="Motivo",
        multiline=True,
        max_length=2000,
        error_messages={"required": "Escriba el motivo: quien la pidió debe saber qué corregir."},
    )

    def __init__(self, *args: Any, approves: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        if approves:
            self.fields["reason"].required = False
            self.fields["reason"].label = "Observaciones (opcional)"
            self.fields["number"] = NumberTypedField(expected=approves)
