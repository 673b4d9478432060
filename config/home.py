"""Home: the work queue."""

from datetime import date

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from buyers.models import brokers_of
from buyers.selectors.documents import documents_differing
from config import presented, queue
from config.early_exits import exits_waiting
from config.money import money_waiting
from config.pledged import pledges_waiting
from offerings.enums import StageState
from offerings.models import Stage
from offerings.selectors.drafts import drafts_listed
from office.dates import bogota_day, write_date_long
from office.models import User
from office.roles import Capability, Role

# The sections of the home that can be looked at alone, whole; home itself shows their beginning.
SECTIONS = ("por-revisar", "devueltas", "vencidos", "vencen")
SHOWN_AT_FIRST = 10
WEEKDAY_NAMES = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """What waits for the person who asks; with `ver`, one section alone and whole."""
    user, today = request.user, bogota_day(timezone.now())
    only = request.GET.get("ver", "")
    alone = only in SECTIONS
    if not isinstance(user, User):
        raise PermissionDenied
    if Role.BROKER in user.roles and not user.may(Capability.READ):
        return _broker_home(request, user)
    dues = queue.dues(user)
    return render(
        request,
        "home/home.html",
        {
            "alone": alone,
            "sections": [only] if alone else SECTIONS,
            "slice": ":" if alone else f":{SHOWN_AT_FIRST}",
            "to_review": queue.acts_to_review(user),
            "returned": queue.acts_returned(user),
            "overdue": [row for row in dues if row["late"]],
            "dues": [row for row in dues if not row["late"]],
            "acts_to_issue": queue.acts_to_issue(user),
            "money": money_waiting(user),
            "pledged": [*pledges_waiting(user), *exits_waiting(user)],
            "jobs": queue.jobs_under_way(user),
            "drafts": drafts_listed(user).count(),
            "to_verify": queue.documents_waiting(user),
            "differing": documents_differing(user)[:SHOWN_AT_FIRST],
            "open_stages": Stage.objects.filter(state=StageState.OPEN).select_related("programme"),
            "today": _today(today),
        },
    )


def _broker_home(request: HttpRequest, user: User) -> HttpResponse:
    """How what its broker presented stands, what it lacks, and its certificates."""
    return render(
        request,
        "home/broker.html",
        {
            "counted": presented.standings_counted(user),
            "lacking": presented.acceptances_lacking(user),
            "differing": documents_differing(user)[:SHOWN_AT_FIRST],
            "certificates": presented.certificates_latest(user),
            "broker": brokers_of(user).first(),
            "drafts": drafts_listed(user).count(),
            "open_stages": Stage.objects.filter(state=StageState.OPEN).select_related("programme"),
            "today": _today(bogota_day(timezone.now())),
        },
    )


def _today(day: date) -> str:
    return f"{WEEKDAY_NAMES[day.weekday()]} {write_date_long(day)}"
