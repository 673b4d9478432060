"""Screens of the entry of pledges in the share register or depository: of one, of many."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.models import Programme
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date_long
from office.jobs import job_enqueue
from office.models import Job
from office.numbers import write_count, write_shares
from office.roles import Capability
from pledges.forms.pledges import EntryForm
from pledges.models import Pledge
from pledges.selectors.pledges import pledges_shown
from pledges.services.entries import ListEntered, pledges_enter_job_open, pledges_to_enter
from pledges.services.pledges import pledge_enter


def under_pledges(label: str, url: str) -> dict[str, str]:
    """The way to an act that hangs on the list of pledges."""
    return {
        "list_url": reverse("pledges"), "list_label": "Prendas", "back_label": label,
        "back_url": url,
    }  # fmt: skip


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def pledge_enter_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a pledge's entry in the share register or depository, or correct it."""
    pledge = get_object_or_404(pledges_shown(request.user), pk=pk)
    address = reverse("pledge", args=[pk])
    if request.method == "GET" and not pledge.pledged:
        messages.error(request, f"{pledge.code} está «{pledge.get_state_display()}»: no se anota.")
        return redirect(address)
    binding = BindingAct(
        form=EntryForm,
        act=lambda form: pledge_enter(pledge_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, _: _entry_shown(form, pledge),
        done=lambda entered: _entered(request, entered),
        page={
            **under_pledges(pledge.code, address),
            "heading": f"Anotación de la prenda {pledge.code}",
            "short": "Anotación",
            "verb": "Registrar la anotación",
            "why": f"{write_shares(pledge.pledged)} de {pledge.holder.name}.",
        },
        initial=_entry_known(pledge),
    )
    return act_response(request, binding)


def _entry_known(pledge: Pledge) -> dict[str, Any]:
    return {
        "kept_by": pledge.kept_by,
        "reference": pledge.entry_reference,
        "entered_on": pledge.entered_on or bogota_day(timezone.now()),
    }


def _entry_shown(form: EntryForm, pledge: Pledge) -> dict[str, Any]:
    instead = (
        f"Toma el lugar de la anotación {pledge.entry_reference}, que queda en la historia."
        if pledge.entry_reference
        else "Desde entonces consta la prenda ante el emisor y ante terceros."
    )
    return {
        "answers": [
            {"label": "Prenda", "value": pledge.code, "detail": pledge.holder.name},
            *_entry_lines(form),
        ],
        "consequence": instead,
    }


def _entry_lines(form: EntryForm) -> list[dict[str, Any]]:
    data = form.cleaned_data
    return [
        {"label": "Registro o depósito", "value": data["kept_by"], "field": "kept_by"},
        {"label": "Anotación", "value": data["reference"], "field": "reference"},
        {
            "label": "Fecha de la anotación",
            "value": write_date_long(data["entered_on"]),
            "field": "entered_on",
        },
    ]


def _entered(request: HttpRequest, pledge: Pledge) -> HttpResponse:
    messages.success(request, f"Se registró la anotación de {pledge.code}.")
    return redirect("pledge", pk=pledge.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def pledges_enter_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter all of a programme's pledges that are not in the register, as a job."""
    programme = get_object_or_404(Programme, slug=slug)
    back = f"{reverse('pledges')}?programa={slug}"
    count = pledges_to_enter(programme).count()
    if not count and request.method == "GET":
        messages.info(request, f"{programme}: todas sus prendas están anotadas.")
        return redirect(back)
    counted = write_count(count, "prenda", "prendas")
    binding = BindingAct(
        form=EntryForm,
        act=lambda form: _job(request, programme, form),
        shown=lambda form, _: {
            "answers": [
                {"label": "Se anotan", "value": counted, "detail": str(programme), "big": True},
                *_entry_lines(form),
            ],
            "consequence": "Todas quedan con la misma anotación; las que ya la tienen, con la "
            "suya. Las registra un proceso, que puede seguir.",
            "verb": f"Anotar {counted}",
        },
        done=lambda job: redirect("job", pk=job.pk),
        page={
            **under_pledges(programme.short_name, back),
            "heading": "Anotar las prendas por anotar",
            "short": "Anotación",
            "verb": "Anotar",
            "why": f"{programme}: {counted} por anotar. Si la lista entera se anotó bajo un "
            "mismo número, se registra aquí de una vez.",
        },
        initial={"entered_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


@transaction.atomic
def _job(request: HttpRequest, programme: Programme, form: EntryForm) -> Job:
    job = pledges_enter_job_open(
        programme_id=programme.pk, user=request.user, entry=ListEntered(**form.cleaned_data)
    )
    job.link = f"{reverse('pledges')}?programa={programme.slug}"
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job
