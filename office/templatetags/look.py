"""The tags and filters that the partials are made with; no screen writes its own HTML for them."""

import re
from collections.abc import Iterable
from typing import Any

from django import template
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.forms.forms import BaseForm
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

GREEN, BLUE, OCHRE, RED, GREY, PLAIN = "green", "blue", "ochre", "red", "grey", "plain"

# The one vocabulary of states. A state that is missing here gets its word here first, or it would
# be shown in a colour that somebody guessed.
TAG_COLOURS: dict[str, str] = {
    "Completa": GREEN,
    "Cumple": GREEN,
    "Aprobada": GREEN,
    "Pagada": GREEN,
    "Vigente": GREEN,
    "Liberada": GREEN,
    "En curso": BLUE,
    "Espera revisión": BLUE,
    "Incompleta": OCHRE,
    "Devuelta": OCHRE,
    "Recortada al límite": OCHRE,
    "No admite reducción": OCHRE,
    "Con aviso": OCHRE,
    "Rechazada": RED,
    "Anulada": RED,
    "Vencida": RED,
    "Con error": RED,
    "Embargada": RED,
    "Borrador": GREY,
    "Sin empezar": GREY,
    "Propuesta": GREY,
    "Por generar": GREY,
    "No puede empezar todavía": PLAIN,
}

ARTICLE_WORD = re.compile(r"\b(arts?\.|artículos?|numeral(?:es)?|parágrafos?) (?=\d)")


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
def nobreak(text: object) -> SafeString:
    """Keep an article with its number: "art. 6-1" never breaks over two lines."""
    escaped = str(conditional_escape("" if text is None else text))
    joined = ARTICLE_WORD.sub("\\1\u00a0", escaped)
    return mark_safe(re.sub(r"(?<=\u00a0)(\d+)-(\d+)\b", "\\1\u2011\\2", joined))  # noqa: S308


@register.filter
def in_words(field: BoundField) -> str:
    """Say a field's value in words by the field's own ``words`` function; "" if unreadable."""
    words = getattr(field.field, "words", None)
    value = field.value()
    if not callable(words) or value in (None, ""):
        return ""
    try:
        return str(words(field.field.clean(value)))
    except ValidationError:
        return ""


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
            label = f"{field.label}: " if field.label else ""
            target = field.id_for_label or f"{field.auto_id}_0"
            yield {"target": target, "text": _without_stop(f"{label}{message}")}


def _without_stop(message: str) -> str:
    return message.removesuffix(".")


@register.inclusion_tag("partials/why.html")
def why(panel: Any, heading_id: str = "") -> dict[str, Any]:
    """Show the steps that led to a figure as the panel beside it."""
    return {"panel": panel, "heading_id": heading_id}
