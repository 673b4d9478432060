"""A transfer of pledged shares, and an inheritance, as their papers say."""

from decimal import Decimal
from typing import Any

from django import forms

from buyers.enums import IdentityType
from buyers.models import Buyer
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    IdentityNumberField,
    QuantityField,
    clean_identity,
)
from pledges.enums import TransferKind
from pledges.forms.measures import CHOOSE, SubmissionForm
from pledges.models import ReleaseRequest

CENTAVO = Decimal("0.01")
TYPE, NUMBER = "heir_identity_type", "heir_identity_number"


class TransferForm(SubmissionForm):
    """A sale or another title, and the request that settled its penalty."""

    kind = forms.ChoiceField(
        label="Título",
        choices=[
            *CHOOSE,
            *[one for one in TransferKind.choices if one[0] != TransferKind.INHERITANCE],
        ],
    )
    request = forms.ModelChoiceField(
        label="Solicitud que liquidó su sanción",
        queryset=ReleaseRequest.objects.none(),
        required=False,
        empty_label="Ninguna",
        help_text="Sin su sanción liquidada, una transferencia no se registra.",
    )
    transferred_on = DateTextField(label="Fecha", help_text="dd/mm/aaaa.")
    shares = QuantityField(label="Acciones", min_value=1)
    price = AmountField(
        label="Precio por acción (opcional)",
        help_text="Pesos. En blanco si no lo hubo.",
        required=False,
        min_value=CENTAVO,
    )
    to_name = CleanTextField(label="A favor de", max_length=200)
    proof = CleanTextField(label="En qué consta", max_length=300)

    def __init__(self, *args: Any, requests: list[ReleaseRequest], **options: Any) -> None:
        """Offer the requests whose quote is settled."""
        super().__init__(*args, **options)
        self.fields["request"].queryset = ReleaseRequest.objects.filter(
            pk__in=[one.pk for one in requests]
        )


class InheritanceForm(SubmissionForm):
    """Who inherits, how many shares and by what paper."""

    heir_identity_type = forms.ChoiceField(
        label="Tipo de documento de quien hereda", choices=[*CHOOSE, *IdentityType.choices()]
    )
    heir_identity_number = IdentityNumberField(
        label="Número", help_text="Quien hereda debe estar registrado en Compradores."
    )
    transferred_on = DateTextField(
        label="Fecha de la adjudicación en la sucesión", help_text="dd/mm/aaaa."
    )
    shares = QuantityField(label="Acciones que recibe", min_value=1)
    proof = CleanTextField(
        label="En qué consta", help_text="La escritura o la sentencia.", max_length=300
    )
    heir: Buyer | None = None

    def clean(self) -> dict[str, Any]:
        """Find the heir by its identity."""
        data = super().clean() or {}
        identity = clean_identity(self, TYPE, NUMBER)
        if identity is None:
            return data
        found = Buyer.objects.filter(
            identity_type=identity.type, identity_number=identity.number
        ).first()
        self.heir = found and found.kept
        if self.heir is None:
            self.add_error(
                NUMBER, "Nadie está registrado con ese documento: regístrelo antes en Compradores."
            )
        return data
