"""Screens of an authority's measures on pledged shares."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long, write_datetime
from office.models import User
from office.numbers import write_shares
from office.roles import Capability
from pledges.enums import Measure
from pledges.forms.measures import (
    MeasureForm,
    MeasureLiftForm,
)
from pledges.models import (
    Attachment,
    Pledge,
)
from pledges.services.measures import MeasureEntry, attachment_lift, attachment_record
from pledges.services.rights import (
    rights_clause,
)
from pledges.views.acts import act_done, act_page, holder_line, line, pledge_of, shares_line


def measures_on_pledge(pledge: Pledge, user: User) -> dict[str, Any]:
    """What the page of a pledge shows of its measures and of who exercises its rights."""
    clause = rights_clause(pledge)
    return {
        "measures": pledge.attachments.order_by("pk"),
        "rights": pledge.rights.select_related("attachment").order_by("pk"),
        "rights_clause": clause,
        "may_measure": user.may(Capability.PREPARE) and bool(pledge.pledged),
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def attachment_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a measure on shares of a pledge."""
    pledge = pledge_of(pk)
    now = timezone.localtime()
    binding = BindingAct(
        form=MeasureForm,
        act=lambda form: attachment_record(
            pledge_id=pk,
            user=request.user,
            entry=_measure_entry(form),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, made: _measure_shown(pledge, made),
        done=lambda made: act_done(
            request, pk, f"Medida registrada sobre {write_shares(made.shares)}."
        ),
        page=act_page(
            pledge,
            "Registrar una medida",
            "Embargo, secuestro u otra medida preventiva de una autoridad: mientras esté vigente, "
            "esas acciones no se levantan. Sin otra medida quedan "
            f"{write_shares(pledge.pledged - pledge.attached)} en prenda.",
        ),
        initial={
            "received_on": now.date(),
            "received_time": now.time(),
            "shares": pledge.pledged - pledge.attached,
        },
    )
    return act_response(request, binding)


def _measure_entry(form: MeasureForm) -> MeasureEntry:
    said = form.cleaned_data
    return MeasureEntry(
        measure=Measure(said["measure"]),
        received_at=form.received_at(),
        **{name: said[name] for name in ("authority", "number", "ordered_on", "shares", "detail")},
    )


def _measure_shown(pledge: Pledge, made: Attachment) -> dict[str, Any]:
    return {
        "answers": [
            holder_line(pledge),
            line("Medida", made.get_measure_display(), "measure"),
            line("Autoridad", made.authority, "authority"),
            line("Oficio", made.number, "number"),
            line("Fecha del oficio", write_date_long(made.ordered_on), "ordered_on"),
            line("Llegó al Fondo", write_datetime(made.received_at), "received_on"),
            shares_line("Acciones", made.shares),
        ],
        "consequence": f"Al registrarla, {write_shares(made.shares)} de {pledge.code} no se "
        "levantan, ni al término ni antes, hasta que la autoridad la levante.",
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def attachment_lift_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that an authority lifted its measure."""
    measure = get_object_or_404(Attachment, pk=pk)
    if measure.lifted_on is not None and request.method == "GET":
        return redirect("pledge", pk=measure.pledge_id)
    pledge = pledge_of(measure.pledge_id)
    binding = BindingAct(
        form=MeasureLiftForm,
        act=lambda form: attachment_lift(attachment_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, made: {
            "answers": [
                holder_line(pledge),
                line("Medida", str(measure), detail=measure.authority),
                shares_line("Acciones", measure.shares),
                line("La levanta", made.lifted_act, "lifted_act"),
                line("Fecha", write_date_long(made.lifted_on), "lifted_on"),
            ],
            "consequence": f"Al registrarlo, {write_shares(measure.shares)} de {pledge.code} "
            "quedan sin esta medida. Si el Fondo ejercía por ella los derechos de accionista, "
            "deja de ejercerlos ese día.",
        },
        done=lambda made: act_done(request, pledge.pk, "Consta que la medida se levantó."),
        page=act_page(
            pledge,
            "Levantar la medida",
            f"{measure}, de {measure.authority}, sobre {write_shares(measure.shares)}.",
        ),
    )
    return act_response(request, binding)
