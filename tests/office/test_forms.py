"""Form fields: they read as files do, and lose nothing that was typed."""

from datetime import date, time
from decimal import Decimal

import pytest
from django import forms

from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    IdentityNumberField,
    QuantityField,
    TimeTextField,
    clean_identity,
)


class SampleForm(forms.Form):
    quantity = QuantityField(min_value=1)
    minimum = QuantityField(required=False)
    amount = AmountField()
    day = DateTextField()
    hour = TimeTextField()
    identity_type = forms.ChoiceField(choices=[("CC", "C.C."), ("NIT", "NIT")])
    identity_number = IdentityNumberField()
    name = CleanTextField(max_length=20)
    reason = CleanTextField(multiline=True, required=False)

    def clean(self):
        self.identity = clean_identity(self)


TYPED = {
    "quantity": "600.000",
    "minimum": "",
    "amount": "10.000.000",
    "day": "15/09/1995",
    "hour": "10:42",
    "identity_type": "CC",
    "identity_number": "51.000.123",
    "name": " María  Ejemplo ",
    "reason": "uno\r\ndos",
}


def test_form_gives_plain_values_when_all_is_right():
    form = SampleForm(TYPED)
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {
        "quantity": 600_000,
        "minimum": None,
        "amount": Decimal(10_000_000),
        "day": date(1995, 9, 15),
        "hour": time(10, 42),
        "identity_type": "CC",
        "identity_number": "51.000.123",
        "name": "María Ejemplo",
        "reason": "uno\ndos",
    }
    assert str(form.identity) == "C.C. 51.000.123"


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        (
            "quantity",
            "600,000",
            "«600,000» no se puede leer. Escriba 600.000 si son seiscientas mil.",
        ),
        ("quantity", "9223372036854775808", "es demasiado grande"),
        ("quantity", "0", "0 es menos que el mínimo, 1."),
        ("quantity", "1\x00", "no se puede leer"),
        ("quantity", "  ", "Escriba la cantidad, por ejemplo 1.234."),
        ("amount", "1,234.50", "Separadores cambiados. Escriba 1.234,50."),
        ("amount", "", "Escriba el valor, por ejemplo 1.234,50."),
        ("day", "31/02/1995", "31/02/1995 no existe: febrero de 1995 tiene 28 días."),
        ("day", "", "Escriba la fecha como dd/mm/aaaa"),
        ("hour", "25:00", "Escriba la hora de 0:00 a 23:59"),
        ("identity_number", "12", "Escriba la cédula de ciudadanía con sus 3 a 10 cifras"),
        ("identity_number", "51\u202e000123", "U+202E"),
        ("name", "Ana\x00", "U+0000"),
        ("name", "A" * 21, "20"),
        ("reason", "x\u2066y", "U+2066"),
    ],
)
def test_field_says_what_is_wrong_and_shows_what_was_typed_when_refused(field, typed, message):
    form = SampleForm({**TYPED, field: typed})
    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert message in form.errors[field][0]
    assert form[field].value() == typed


def test_nit_error_says_the_right_digit_at_the_number_when_wrong():
    form = SampleForm({**TYPED, "identity_type": "NIT", "identity_number": "860530751-1"})
    assert not form.is_valid()
    assert "debe ser 7" in form.errors["identity_number"][0]
    assert form.identity is None


def test_field_is_shown_as_colombians_type_it_when_it_has_an_initial_value():
    initial = {
        "quantity": 600_000,
        "amount": Decimal("1234.5"),
        "day": date(1995, 9, 5),
        "hour": time(9, 5),
    }
    form = SampleForm(initial=initial)
    shown = {name: form[name].value() for name in initial}
    assert shown == {
        "quantity": "600.000",
        "amount": "1.234,50",
        "day": "05/09/1995",
        "hour": "09:05",
    }
    assert 'value="600.000"' in str(form["quantity"])
    assert 'inputmode="numeric"' in str(form["quantity"])


def test_form_has_not_changed_when_the_same_value_is_typed_another_way():
    initial = {"quantity": 600_000, "amount": Decimal("10000000.00"), "day": date(1995, 9, 15)}
    form = SampleForm({**TYPED, "quantity": "600000"}, initial=initial)
    assert not {"quantity", "amount", "day"} & set(form.changed_data)


def test_bounds_hold_from_both_sides_when_a_field_has_them():
    quantity = QuantityField(min_value=2, max_value=3)
    assert [quantity.clean(text) for text in ("2", "3")] == [2, 3]
    amount = AmountField(max_value=Decimal("60.60"))
    assert amount.clean("60,6") == Decimal("60.60")
    with pytest.raises(forms.ValidationError, match="4 es más que el máximo, 3"):
        quantity.clean("4")
    with pytest.raises(forms.ValidationError, match=r"\$60,61 es más que el máximo, \$60,60"):
        amount.clean("60,61")


def test_amount_takes_the_decimals_of_its_column():
    field = AmountField(decimals=6, digits=12)
    assert field.clean("26,524713") == Decimal("26.524713")
    assert field.prepare_value(Decimal("26.5")) == "26,500000"


def test_required_message_yields_when_a_form_brings_its_own():
    field = QuantityField(error_messages={"required": "¿Cuántas acciones pide?"})
    with pytest.raises(forms.ValidationError, match="Cuántas acciones"):
        field.clean("")
