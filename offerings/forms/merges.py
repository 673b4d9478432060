"""The form that makes one of two records of a buyer."""

from django import forms

from office.forms import CleanTextField, IdentityNumberField


class MergeForm(forms.Form):
    kept = CleanTextField(
        label="Registro que se conserva",
        help_text="Nombre o documento del otro registro de la misma persona u organización.",
        max_length=250,
        error_messages={"required": "Escriba el nombre o el documento del que se conserva."},
    )
    reason = CleanTextField(
        label="En qué consta que son la misma",
        max_length=1000,
        multiline=True,
        help_text="Queda en la historia de los dos.",
        error_messages={"required": "Escriba en qué consta: queda en la historia de los dos."},
    )
    typed = IdentityNumberField(
        label="Número del registro que deja de usarse",
        help_text="Escríbalo de nuevo, como está en el título: unirlos no se puede deshacer.",
    )
