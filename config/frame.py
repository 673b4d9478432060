"""What the frame of every page shows."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from office.dates import write_datetime
from office.models import User
from office.roles import LABELS, Capability

# Label, URL name, what it asks for. The address tells which one is current.
NAVIGATION: list[tuple[str, str, Capability | None]] = [
    ("Inicio", "home", None),
    ("Programas", "programmes", Capability.OWN),
    ("Compradores", "buyers", Capability.OWN),
    ("Aceptaciones", "acceptances", Capability.OWN),
    ("Adjudicación", "adjudications", Capability.READ),
    ("Pagos", "payments", Capability.READ),
    ("Prendas", "pledges", Capability.OWN),
    ("Índices y precios", "cpi", Capability.INDICES_READ),
    ("Certificados", "certificates", Capability.OWN),
    ("Procesos", "jobs", Capability.OWN),
]

# The pages of a section, by how their names begin.
SECTIONS: dict[str, tuple[str, ...]] = {
    "home": ("home",),
    "programmes": ("programme", "fund_rules", "stage", "notice", "credit_line", "report"),
    "buyers": ("buyer", "document", "holder"),
    "acceptances": ("acceptance", "import", "participation"),
    "adjudications": ("adjudication", "award"),
    "payments": ("payment", "refund", "default", "bank_file"),
    "pledges": (
        "pledge",
        "release",
        "quote",
        "penalty",
        "fund_decision",
        "attachment",
        "rights",
        "transfer",
        "lender",
    ),
    "cpi": ("cpi", "trade", "auction_session"),
    "certificates": ("certificate",),
    "jobs": ("job",),
}


def workspace(request: HttpRequest) -> dict[str, Any]:
    """What the frame needs: the navigation that the person may use, its roles, the hour."""
    frame: dict[str, Any] = {"bogota_now": write_datetime(timezone.now())}
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return frame
    return frame | {
        "nav_items": [
            {"label": label, "url": reverse(name), "current": _is_current(request, name)}
            for label, name, needs in NAVIGATION
            if needs is None or user.may(needs)
        ],
        "role_label": ", ".join(sorted(LABELS[role] for role in user.roles)) or "sin rol",
        "may_prepare": user.may(Capability.PREPARE),
        "may_present": user.may(Capability.PRESENT),
        "may_approve": user.may(Capability.APPROVE),
        "may_read": user.may(Capability.READ),
    }


def _is_current(request: HttpRequest, name: str) -> bool:
    """Whether the page belongs to a section: by the first words of its own name."""
    match = request.resolver_match
    return bool(match and match.url_name and match.url_name.startswith(SECTIONS[name]))
