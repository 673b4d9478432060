"""What the screens of the acts on a pledge have in common."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from office.numbers import write_quantity
from office.words import quantity_words
from pledges.models import Pledge

PLEDGES = "Prendas"


def pledge_of(pk: int) -> Pledge:
    """The pledge with what its acts show of it, or 404."""
    found = Pledge.objects.select_related(
        "holder", "award__adjudication", "award__acceptance__stage__programme"
    )
    return get_object_or_404(found, pk=pk)


def act_page(pledge: Pledge, heading: str, why: str) -> dict[str, Any]:
    """The page of an act on a pledge: form and review (see offerings.views.binding)."""
    return {
        "list_label": PLEDGES,
        "list_url": reverse("pledges"),
        "back_label": pledge.code,
        "heading": heading,
        "short": heading,
        "verb": heading,
        "why": why,
        "back_url": reverse("pledge", args=[pledge.pk]),
    }


def holder_line(pledge: Pledge) -> dict[str, Any]:
    """Whose shares they are."""
    return {"label": "Titular", "value": pledge.holder.name, "detail": pledge.holder.identity}


def line(label: str, value: str, field: str = "", detail: str = "") -> dict[str, Any]:
    """A line of check-your-answers."""
    return {"label": label, "value": value, "field": field, "detail": detail}


def shares_line(label: str, shares: int) -> dict[str, Any]:
    """A number of shares, in figures and words."""
    return {
        "label": label,
        "value": write_quantity(shares),
        "words": quantity_words(shares),
        "big": True,
        "field": "shares",
    }


def act_done(request: HttpRequest, pk: int, message: str) -> HttpResponse:
    """Back to the pledge, with a sentence on what was done."""
    messages.success(request, message)
    return redirect("pledge", pk=pk)
