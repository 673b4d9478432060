"""The broker, the exchange and the authorisation on a form, asked for or left out as the decree
says."""

from collections.abc import Mapping
from typing import Any

from django import forms

from offerings.rules.ruling import Ruling
from offerings.rules.terms import Terms
from office.numbers import write_percent

HINTS = {"broker": "Responde ante el Fondo", "exchange": "Conserva los papeles"}
DIRECT_HINTS = {
    "broker": "En blanco: llegó directamente al Fondo.",
    "exchange": "En blanco: los conserva el Fondo.",
}
NOBODY = {"broker": "Ninguno", "exchange": "Ninguna"}
NOT_PAPERS = "papers_reference"
KEEPER_MISSING = (
    "Elija la bolsa que conserva los documentos cuyos datos escribió. Si llegaron directamente al "
    "Fondo, bórrelos aquí y registre cada documento con su archivo en la página del comprador."
)


def fit_intermediaries(form: forms.Form, required: Ruling[bool]) -> None:
    """Make broker and exchange required, or let them be left blank, and say what that means."""
    cites = "".join(f" ({cite})" for cite in required.cites)
    for name, hint in HINTS.items():
        field = form.fields[name]
        field.required = required.value
        field.help_text = f"{hint}{cites}." if required.value else DIRECT_HINTS[name]
        if not required.value:
            field.label, field.empty_label = f"{field.label} (opcional)", NOBODY[name]


def fit_authorisation(form: forms.Form, terms: Terms) -> None:
    """Say from which share of the issuer the authorisation is needed; without one in the decree
    or in the Fund's rules, it is not asked for."""
    asked = terms.authorisation
    if asked is None:
        del form.fields["authorisation_reference"]
        return
    share = f"{write_percent(asked.percent)} del emisor"
    form.fields["present_holding"].help_text = f"Cuentan para el {share}."
    form.fields[
        "authorisation_reference"
    ].help_text = f"Referencia en la bolsa. La necesita quien llegue al {share} ({asked.cite})."


def keeper_fault(data: Mapping[str, Any]) -> str:
    """What is wrong where something was typed of papers that an exchange keeps, and none was
    chosen; "" for nothing. `data`: the form's, where an exchange that cannot be read is absent."""
    if "exchange" not in data or data["exchange"] is not None:
        return ""
    papers = {
        name
        for name in data
        if name.startswith("paper") and name != NOT_PAPERS and not name.endswith("_kind")
    }
    typed = any(data[name] not in (None, "") for name in papers)
    return KEEPER_MISSING if typed or data.get("authorisation_reference") else ""
