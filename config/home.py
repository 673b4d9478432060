"""Home: the work queue; and what the frame of every page shows."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from office.roles import LABELS, Capability

# Label, URL name, what it asks for; the first part of an address tells which one is current.
NAVIGATION = [
    ("Inicio", "home", None),
    ("Programas", "programmes", Capability.OWN),
    ("Compradores", "buyers", Capability.OWN),
    ("Aceptaciones", "acceptances", Capability.OWN),
    ("Adjudicación", "adjudications", Capability.READ),
    ("Pagos", "payments", Capability.READ),
    ("Certificados", "certificates", Capability.OWN),
    ("Procesos", "jobs", Capability.OWN),
]


def workspace(request: HttpRequest) -> dict[str, Any]:
    """What the frame needs: the navigation that the person may use, its roles, the hour."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"bogota_now": timezone.localtime()}
    return {
        "nav_items": [
            {"label": label, "url": reverse(name), "current": _is_current(request, name)}
            for label, name, needs in NAVIGATION
            if needs is None or user.may(needs)
        ],
        "role_label": ", ".join(sorted(LABELS[role] for role in user.roles)) or "sin rol",
        "bogota_now": timezone.localtime(),
        "may_prepare": user.may(Capability.PREPARE),
        "may_approve": user.may(Capability.APPROVE),
        "may_read": user.may(Capability.READ),
        "may_reference": user.is_staff,
    }


def _is_current(request: HttpRequest, name: str) -> bool:
    address = reverse(name)
    if address == "/":
        return request.path == "/"
    return request.path.startswith(address)


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """What waits for the person who asks."""
    return render(request, "home/home.html", {})


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Buyers and acceptances found by name, identity or number."""
    return render(request, "home/search.html", {})
