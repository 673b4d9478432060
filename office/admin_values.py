"""What the admin shows of a row: names and values in Spanish, moments in Bogotá, and links only
where whoever looks may go.
"""

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from office.dates import write_date, write_datetime
from office.numbers import write_decimal, write_quantity
from office.templatetags.show import NOTHING

# Fields that their models name by their code alone: a name there would be a migration for each.
NAMES = {
    "acceptance": "aceptación",
    "accepted_by": "la fijó",
    "adjudication": "adjudicación",
    "arguments": "argumentos",
    "attachment": "medida",
    "award": "adjudicación de la aceptación",
    "base": "base",
    "buyer": "comprador",
    "certificate": "certificado",
    "confirmed": "lecturas confirmadas",
    "confirmed_by": "la confirmó",
    "created_at": "creado",
    "decision": "decisión del Fondo",
    "document": "documento",
    "done": "hecho",
    "ended_at": "terminó",
    "ended_by": "lo terminó",
    "entered_at": "ingresado",
    "entered_by": "lo ingresó",
    "evaluated_at": "evaluada",
    "group": "rol",
    "heir_pledge": "prenda de quien hereda",
    "holder": "titular",
    "id": "clave",
    "inherited_from": "viene por sucesión de",
    "input_sha256": "SHA-256 de lo que entró",
    "job": "proceso",
    "lifted_by": "la levantó",
    "line": "línea",
    "loaded_with": "archivo con el que se cargó",
    "metadata": "datos",
    "name_folded": "nombre como se busca",
    "opened_at": "abierto",
    "opened_by": "lo abrió",
    "owner": "dueño",
    "participation": "participación",
    "payment": "pago",
    "pledge": "prenda",
    "prepared_at": "preparado",
    "prepared_by": "lo preparó",
    "presented_at": "presentado",
    "programme": "programa",
    "ran_at": "se hizo",
    "record": "acta",
    "recorded_at": "registrado",
    "recorded_by": "lo registró",
    "registered_at": "registrado",
    "registered_by": "lo registró",
    "release": "levantamiento",
    "request": "solicitud",
    "requested_at": "pedido",
    "rules": "reglamento",
    "sale_file": "archivo de la enajenación",
    "sha256": "SHA-256",
    "source": "archivo del que viene",
    "source_import": "importación de la que viene",
    "stage": "etapa",
    "started_at": "empezó",
    "step": "paso",
    "steps": "pasos",
    "stored_at": "guardado",
    "stored_by": "lo guardó",
    "subject_id": "clave de lo que trata",
    "subject_kind": "de qué trata",
    "submission_key": "clave del envío",
    "task": "tarea",
    "template": "plantilla",
    "terms_sha256": "SHA-256 de los términos",
    "to_buyer": "comprador que las recibe",
    "total": "total",
    "unit": "unidad",
    "updated_at": "actualizado",
    "uploaded_at": "subido",
    "uploaded_by": "lo subió",
    "user": "usuario",
}


def name_of(field: models.Field) -> str:
    """The Spanish name of a field: its model's, or ours where the model gives none."""
    own = getattr(field, "_verbose_name", None)
    return str(own) if own else NAMES.get(field.name, str(field.verbose_name))


def value_shown(field: models.Field, row: models.Model) -> str:
    """A field's value in words: a choice by its label, figures and moments in our form."""
    value = getattr(row, field.attname)
    if value is None or value == "":
        return NOTHING
    if field.choices:
        return str(dict(field.flatchoices).get(value, value))
    if field.is_relation:
        return _related_words(field, row)
    return _plain(field, value)


def _plain(field: models.Field, value: Any) -> str:
    if isinstance(value, bool):
        return "Sí" if value else "No"
    if isinstance(value, datetime):
        return write_datetime(value)
    if isinstance(value, date):
        return write_date(value)
    if isinstance(field, models.DecimalField):
        return write_decimal(value, field.decimal_places)
    if isinstance(value, int) and not field.primary_key:
        return write_quantity(value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, indent=1) if value else NOTHING
    return str(value)


def _related_words(field: models.Field, row: models.Model) -> str:
    """The row that is pointed at in words; its key alone where it is gone."""
    related = _related(field, row)
    return str(related) if related is not None else f"clave {getattr(row, field.attname)}"


def _related(field: models.Field, row: models.Model) -> Any:
    try:
        return getattr(row, field.name)
    except models.ObjectDoesNotExist:
        return None


def field_column(field: models.Field, request: HttpRequest) -> Callable[[Any], Any]:
    """A read-only column of a page: the value in words, with a link where it leads to a row that
    whoever looks may see.
    """

    @admin.display(description=name_of(field))
    def shown(row: Any) -> str | SafeString:
        words = value_shown(field, row)
        related = _related(field, row) if field.is_relation else None
        address = row_address(related, request) if related is not None else ""
        if address:
            return format_html('<a href="{}">{}</a>', address, words)
        if "\n" in words:
            return format_html('<pre class="value">{}</pre>', words)
        return words

    shown.__name__ = f"{field.name}_shown"
    return shown


def row_address(row: models.Model, request: HttpRequest) -> str:
    """The page of a row in the admin; "" where there is none for whoever looks."""
    keeper = admin.site._registry.get(type(row))
    if keeper is None or not keeper.has_view_permission(request, row):
        return ""
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return reverse(name, args=[row.pk])
