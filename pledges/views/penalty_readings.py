"""Screens of a programme's readings of the penalty: their history, a new version, its review."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.decrees.reader import terms_of
from offerings.models import Programme
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date_long
from office.decisions import decision_event, decisions_on
from office.models import Decision
from office.review import review_block
from office.roles import Capability
from pledges.forms.quotes import ReadingsForm
from pledges.models import PenaltyReadings
from pledges.selectors.penalty_readings import (
    act_words,
    readings_in_force,
    readings_lines,
    readings_of,
    readings_waiting,
)
from pledges.services.penalty_readings import penalty_readings_decide, penalty_readings_prepare
from pledges.views.deciding import Reviewed, prepared_lines, review_response

NOTHING_MOVES = (
    "Lo que ya se fijó no cambia: cada liquidación guarda las lecturas con que se hizo."
)


@require_GET
@may(Capability.READ)
def readings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What the decree leaves open, how the Fund reads it, and every version of that."""
    programme = get_object_or_404(Programme, slug=slug)
    in_force, waiting = readings_in_force(programme), readings_waiting(programme)
    versions = list(readings_of(programme))
    for version in versions:
        version.lines = readings_lines(programme, version)
    context = {
        "programme": programme,
        "terms": terms_of(slug),
        "lines": readings_lines(programme, in_force),
        "in_force": in_force,
        "in_force_act": act_words(in_force) if in_force else "",
        "waiting": waiting,
        "may_review": waiting is not None and not review_block(waiting, request.user),
        "versions": versions,
        "events": [decision_event(act) for act in _acts(programme)],
    }
    return render(request, "pledges/readings/detail.html", context)


def _acts(programme: Programme) -> QuerySet[Decision]:
    """What was done about the programme's readings, oldest first."""
    return decisions_on([programme]).filter(act__startswith="penalty_readings_")


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def readings_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new version: how each open point is read, with the Fund's act."""
    programme = get_object_or_404(Programme, slug=slug)
    address = reverse("penalty_readings", args=[slug])
    waiting = readings_waiting(programme)
    if waiting:
        messages.info(
            request,
            f"La versión {waiting.version} ya espera revisión: es de {waiting.prepared_by}.",
        )
        return redirect(address)
    in_force = readings_in_force(programme)
    binding = BindingAct(
        form=partial(ReadingsForm, programme=programme),
        act=lambda form: penalty_readings_prepare(
            programme_id=programme.pk,
            user=request.user,
            readings=form.readings(),
            act=form.cleaned_data["act"],
            act_on=form.cleaned_data["act_on"],
        ),
        shown=lambda _, version: {
            "answers": _lines(programme, version),
            "consequence": "Espera la aprobación de un supervisor que no sea usted. Aprobada, "
            f"rige para lo que se liquide desde entonces. {NOTHING_MOVES}",
        },
        done=lambda version: _sent(request, version, address),
        page={
            "programme": programme,
            "heading": "Confirmar las lecturas de la sanción",
            "short": "Lecturas de la sanción",
            "verb": "Enviar a revisión",
            "back_url": address,
            "why": "El decreto deja estos puntos abiertos. El Fondo dice cómo los lee antes de la "
            f"primera liquidación. {NOTHING_MOVES}",
        },
        initial={
            **(in_force.readings if in_force else {}),
            "act_on": bogota_day(timezone.now()),
        },
    )
    return act_response(request, binding)


def _lines(programme: Programme, version: PenaltyReadings) -> list[dict[str, Any]]:
    return [
        *(
            {
                "label": line["label"],
                "value": line["words"],
                "detail": line["cite"],
                "field": f"{line['name']}_0",
            }
            for line in readings_lines(programme, version)
        ),
        {
            "label": "Acto del Fondo",
            "value": f"{version.act}, del {write_date_long(version.act_on)}",
            "field": "act",
        },
    ]


def _sent(request: HttpRequest, version: PenaltyReadings, address: str) -> HttpResponse:
    messages.success(
        request, f"La versión {version.version} espera la revisión de otro supervisor."
    )
    return redirect(address)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def readings_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve, send back or reject the readings that another prepared."""
    version = get_object_or_404(
        PenaltyReadings.objects.select_related("programme", "prepared_by"), pk=pk
    )
    programme = version.programme
    address = reverse("penalty_readings", args=[programme.slug])
    return review_response(
        request,
        Reviewed(
            act=version,
            what=f"Lecturas de la sanción, versión {version.version}",
            decide=partial(penalty_readings_decide, readings_id=pk),
            lines=[*_lines(programme, version), *prepared_lines(version)],
            approved=f"Aprobada, rige para lo que se liquide desde entonces. {NOTHING_MOVES}",
            crumbs=[
                ("Programas", reverse("programmes")),
                (programme.short_name, reverse("programme", args=[programme.slug])),
                ("Lecturas de la sanción", address),
            ],
            address=address,
        ),
    )
