"""The tags and filters that the partials are made with; no screen writes its own HTML for them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.core.exceptions import ValidationError
from django.forms import BoundField, Select
from django.forms.forms import BaseForm
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

GREEN, BLUE, OCHRE, RED, GREY, PLAIN = "green", "blue", "ochre", "red", "grey", "plain"

# The one vocabulary of states. A state that is missing here gets its word here first, or it would
# be shown in a colour that somebody guessed.
TAG_COLOURS: dict[str, str] = {
    "Completa": GREEN,
    "Cumple": GREEN,
    "Cuenta": GREEN,
    "Aprobada": GREEN,
    "Adjudicada": GREEN,
    "Pagada": GREEN,
    "Vigente": GREEN,
    "Liberada": GREEN,
    "Cumplida": BLUE,
    "Levantada": GREEN,
    "Fijada": GREEN,
    "En trámite": BLUE,
    "Liquidada": BLUE,
    "Por levantar": BLUE,
    "En curso": BLUE,
    "Abierta": BLUE,
    "Presentada": BLUE,
    "Por confirmar": BLUE,
    "Registrada": GREEN,
    "Registrado": GREEN,
    "Espera revisión": BLUE,
    "Incompleta": OCHRE,
    "Devuelta": OCHRE,
    "Recortada al límite": OCHRE,
    "No admite reducción": OCHRE,
    "Con aviso": OCHRE,
    "Por decidir": OCHRE,
    "Columnas por emparejar": OCHRE,
    "Sin cupo en el límite": OCHRE,
    "El prorrateo no le da acciones": OCHRE,
    "Pago parcial": OCHRE,
    "Interrumpida": OCHRE,
    "Detenida": OCHRE,
    "Rechazada": RED,
    "Clase falsa": RED,
    "No se levantó": OCHRE,
    "Por anotar": OCHRE,
    "Anulada": RED,
    "Anulado": RED,
    "Vencida": RED,
    "Sin efecto": RED,
    "Reclamada": OCHRE,
    "Por devolver": OCHRE,
    "Sin adjudicación": RED,
    "Con error": RED,
    "Embargada": RED,
    "Borrador": GREY,
    "Descartada": GREY,
    "Corregida": GREY,
    "Ya registrada": GREY,
    "Ya registrado": GREY,
    "Queda fuera": GREY,
    "En cola": GREY,
    "Cerrada": GREY,
    "Retirada": GREY,
    "Transmitida": GREY,
    "Desistida": GREY,
    "Cerrada sin salida": GREY,
    "Reemplazada": GREY,
    "No cuenta": GREY,
    "Sin pago": GREY,
    "Sin acciones": GREY,
    "Sin empezar": GREY,
    "Propuesta": GREY,
    "Por generar": GREY,
    "No puede empezar todavía": PLAIN,
    "Prorrateada": PLAIN,
    "Se cargará": PLAIN,
    "Se registrará": PLAIN,
    "Adjudicada en su totalidad": PLAIN,
}


# The width of a control says how long its answer is; css/forms.css has the measures.
CONTROL_WIDTHS: dict[str, str] = {
    "QuantityField": "w-number",
    "AmountField": "w-amount",
    "DateTextField": "w-date",
    "MonthTextField": "w-date",
    "ToldDayField": "w-date",
    "TimeTextField": "w-time",
    "IdentityNumberField": "w-identity",
}

WHY_PARTS = ("steps", "eyebrow", "title", "tag", "words", "outcome", "cite", "open", "heading_id")


class UnknownTagError(LookupError):
    """A status word that is not in the vocabulary."""


@register.simple_tag
def tag(word: str) -> SafeString:
    """Write a status word in its colour; a word outside the vocabulary is an error."""
    if word not in TAG_COLOURS:
        raise UnknownTagError(f"«{word}» is not in the vocabulary of tags (TAG_COLOURS).")
    colour = TAG_COLOURS[word]
    if colour == PLAIN:
        return format_html('<span class="tag-plain">{}</span>', word)
    return format_html('<span class="tag tag-{}">{}</span>', colour, word)


@register.filter
def control_class(field: BoundField) -> str:
    """Give the classes of a field's control: Bootstrap's, the width of its kind, its fault."""
    kind = "form-select" if isinstance(field.field.widget, Select) else "form-control"
    width = CONTROL_WIDTHS.get(type(field.field).__name__, "")
    return " ".join(filter(None, (kind, width, "is-invalid" if field.errors else "")))


@register.filter
def in_words(field: BoundField) -> str | None:
    """Say a field's value by the ``words`` function that its form gave it; None without one."""
    words = getattr(field.field, "words", None)
    if not callable(words):
        return None
    try:
        value = field.field.clean(field.value())
    except ValidationError:
        return ""
    return "" if value is None else str(words(value))


@register.inclusion_tag("partials/error_summary.html")
def error_summary(*forms: BaseForm) -> dict[str, Any]:
    """Gather what must be put right in the forms of a page, each line linked to its field."""
    entries = [entry for form in forms for entry in _form_errors(form)]
    return {"entries": entries, "single": len(entries) == 1}


def _form_errors(form: BaseForm) -> Iterable[dict[str, str]]:
    for message in form.non_field_errors():
        yield {"target": "", "text": _without_stop(str(message))}
    for field in form:
        for message in field.errors:
            name = str(field.label or "").removesuffix(" (opcional)")
            label = f"{name}: " if name else ""
            target = field.id_for_label or f"{field.auto_id}_0"
            yield {"target": target, "text": _without_stop(f"{label}{message}")}


def _without_stop(message: str) -> str:
    return message.removesuffix(".")


@register.inclusion_tag("partials/why.html")
def why(source: Any, **words: Any) -> dict[str, Any]:
    """Show how a figure came about: ``{% why ruling title="Por qué 495.049 acciones" %}``.

    ``source`` is a Ruling, or a mapping with the same names as it was stored. What the partial
    needs beyond its steps (eyebrow, title, tag, words, outcome, cite, open, heading_id) stands in
    ``source`` or is given here; what is given here wins.
    """
    return {"panel": why_panel(source, **words)}


@register.inclusion_tag("partials/why_row.html")
def why_row(source: Any, columns: int, row_id: str = "", **words: Any) -> dict[str, Any]:
    """Show the same steps as a row of a table, under the row that they explain."""
    return {"panel": why_panel(source, **words), "columns": columns, "row_id": row_id}


def why_panel(source: Any, **words: Any) -> dict[str, Any]:
    """Gather what the Why panel shows; a Ruling's conclusion is its outcome."""
    known = {name: _part(source, name) for name in WHY_PARTS} | words
    known["outcome"] = known["outcome"] or _part(source, "conclusion")
    known["readings"] = _part(source, "readings") or ()
    return known


def _part(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


@register.inclusion_tag("partials/sort_heading.html")
def sort_heading(
    shown: Mapping[str, Any], name: str, label: str, unit: str = "", *, css: str = ""
) -> dict[str, Any]:
    """Write the heading of a column that sorts the list: ``{% sort_heading list "recibida" … %}``.

    ``name`` is one of the list's orders; a second click turns the order round.
    """
    return {"order": shown["orders"][name], "label": label, "unit": unit, "css": css}
