"""The fields that say for whom an acceptance buys."""

from typing import Any

from django import forms

from buyers.enums import IdentityType
from office.forms import CleanTextField, IdentityNumberField, clean_identity
from office.identities import Identity

TYPE, NUMBER = "beneficial_owner_identity_type", "beneficial_owner_identity_number"


class BeneficialOwnerForm(forms.Form):
    """The part of the acceptance form on its beneficial owner."""

    beneficial_owner = CleanTextField(
        label="Beneficiario real (opcional)",
        help_text="En blanco: compra para sí.",
        max_length=200,
        required=False,
    )
    beneficial_owner_identity_type = forms.ChoiceField(
        label="Tipo de documento del beneficiario real",
        choices=[("", "Elija…"), *IdentityType.choices()],
        required=False,
    )
    beneficial_owner_identity_number = IdentityNumberField(
        label="Número del beneficiario real", required=False
    )
    owner_identity: Identity | None = None

    def clean(self) -> dict[str, Any]:
        """Read the identity; a name without it, or it without a name, is an error."""
        data = super().clean() or {}
        self.owner_identity = clean_identity(self, TYPE, NUMBER)
        asked = {
            "beneficial_owner": "Escriba el nombre del beneficiario real.",
            TYPE: "Elija el tipo de documento del beneficiario real.",
            NUMBER: "Escriba el número del documento del beneficiario real.",
        }
        if any(data.get(name) for name in asked):
            for name, words in asked.items():
                if not data.get(name) and name not in self.errors:
                    self.add_error(name, words)
        return data
