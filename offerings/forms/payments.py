"""The shapes of a payment, of money given back and of what is done about an unpaid award."""

from django import forms

from offerings.enums import DefaultMeasure, PaymentMeans
from offerings.forms.adjudications import DecisionForm
from offerings.forms.annulments import NumberTypedField
from office.forms import AmountField, CleanTextField, DateTextField
from office.words import amount_words

NOT_ASKED = ("", "False", None)


class MoneyForm(forms.Form):
    """Money that goes one way or the other: by which means, under which reference, when."""

    means = forms.ChoiceField(
        label="Medio de pago",
        choices=PaymentMeans.choices,
        widget=forms.RadioSelect,
        help_text="No se admite otro medio.",
        error_messages={"required": "Elija el medio de pago."},
    )
    reference = CleanTextField(
        label="Referencia",
        max_length=80,
        help_text="El número de la consignación o del cheque.",
        widget=forms.TextInput(attrs={"class": "w-identity", "autocomplete": "off"}),
        error_messages={"required": "Escriba la referencia del banco o el número del cheque."},
    )
    paid_on = DateTextField(
        label="Fecha de pago",
        help_text="dd/mm/aaaa",
    )
    amount = AmountField(
        label="Valor pagado",
        help_text="Puede ser una parte del saldo.",
    )
    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.fields["amount"].unit_before = "$"
        self.fields["amount"].words = amount_words


class PaymentForm(MoneyForm):
    """A payment of an award; that what passes the balance goes back is asked where it does."""

    gives_back = forms.BooleanField(
        label="Recibir y devolver lo que sobra",
        help_text="Lo que pasa del saldo no cuenta como pagado: queda por devolver al comprador.",
        required=False,
    )

    field_order = ("means", "reference", "paid_on", "amount", "gives_back")

    def __init__(self, *args, offers_return=False, **options):
        super().__init__(*args, **options)
        said = self.data if self.is_bound else self.initial
        if not offers_return and said.get("gives_back") in NOT_ASKED:
            self.fields["gives_back"].widget = forms.HiddenInput()

    def offer_return(self):
        """Ask whether what passes the balance is to be given back."""
        self.fields["gives_back"].widget = forms.CheckboxInput()


class RefundForm(MoneyForm):
    """Money that goes back to a buyer."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.fields["means"].label = "Medio de la devolución"
        self.fields["means"].help_text = ""
        self.fields["reference"].help_text = "El número del cheque o del comprobante de egreso."
        self.fields["paid_on"].label = "Fecha de la devolución"
        self.fields["amount"].label = "Valor devuelto"
        self.fields["amount"].help_text = "Puede ser una parte de lo que se debe devolver."


class DefaultForm(forms.Form):
    """What the Fund does about an award that was not paid in time."""

    measure = forms.ChoiceField(
        label="Qué se hace",
        choices=DefaultMeasure.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Elija qué se hace."},
    )
    decided_on = DateTextField(
        label="Fecha del acto", help_text="dd/mm/aaaa. Después del último día de pago."
    )
    cause = CleanTextField(
        label="Por qué",
        help_text="Qué consta del incumplimiento, y en qué papel.",
        multiline=True,
        max_length=2000,
        error_messages={"required": "Escriba por qué."},
    )


class DefaultDecisionForm(DecisionForm):
    """The decision about an unpaid award; to leave it without effect asks for its number."""

    def __init__(self, *args, number="", approves=False, **options):
        """`number`: of the award that it would leave without effect, "" for any other measure."""
        super().__init__(*args, needs_reason=options.pop("needs_reason", not approves), **options)
        if number:
            self.fields["number"] = NumberTypedField(
                expected=number,
                required=approves,
                label="Para aprobar, escriba el número de la que queda sin efecto",
                back="vuelva sin aprobar",
            )
