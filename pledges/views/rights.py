"""Screens of the Fund in the shareholder's place, and of the lender told of an early exit."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.roles import Capability
from pledges.forms.measures import (
    LenderNoticeForm,
    RightsEndForm,
    RightsForm,
)
from pledges.models import (
    LenderNotice,
    ReleaseRequest,
    ShareholderRights,
)
from pledges.services.rights import (
    RightsEntry,
    lender_clause,
    lender_notice_record,
    rights_begin,
    rights_clause,
    rights_end,
)
from pledges.views.acts import act_done, act_page, holder_line, line, pledge_of


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def rights_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that the Fund exercises the shareholder's rights of a pledge."""
    pledge = pledge_of(pk)
    clause = rights_clause(pledge)
    binding = BindingAct(
        form=partial(RightsForm, pledge=pledge),
        act=lambda form: rights_begin(
            pledge_id=pk,
            user=request.user,
            entry=RightsEntry(
                detail=form.cleaned_data["detail"],
                since=form.cleaned_data["since"],
                attachment=form.cleaned_data["attachment"],
            ),
            submission_key=form.cleaned_data["submission_key"],
        ),
        shown=lambda form, made: {
            "answers": [
                holder_line(pledge),
                line("Causa", _cause(made), "attachment"),
                line("Desde", write_date_long(made.since), "since"),
                line("En qué consta", made.detail, "detail"),
            ],
            "consequence": f"Al registrarlo, consta que el Fondo ejerce los derechos de "
            f"accionista de {pledge.code} desde ese día.",
        },
        done=lambda made: act_done(
            request, pk, "Consta que el Fondo ejerce los derechos de accionista."
        ),
        page=act_page(
            pledge,
            "Ejercer los derechos de accionista",
            f"{clause.value} ({clause.cite})."
            if clause
            else "El decreto de este programa no da al Fondo los derechos de accionista.",
        ),
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def rights_end_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Record until when the Fund exercised them."""
    rights = get_object_or_404(ShareholderRights, pk=pk)
    if rights.until is not None and request.method == "GET":
        return redirect("pledge", pk=rights.pledge_id)
    pledge = pledge_of(rights.pledge_id)
    binding = BindingAct(
        form=RightsEndForm,
        act=lambda form: rights_end(rights_id=pk, user=request.user, **form.cleaned_data),
        shown=lambda form, made: {
            "answers": [
                holder_line(pledge),
                line("Causa", _cause(rights)),
                line("Desde", write_date_long(rights.since)),
                line("Hasta", write_date_long(made.until), "until"),
                line("Por qué termina", made.ended_why, "why"),
            ],
            "consequence": "Al registrarlo, los derechos vuelven al titular desde el día "
            "siguiente.",
        },
        done=lambda made: act_done(request, pledge.pk, "Consta que el Fondo dejó de ejercerlos."),
        page=act_page(
            pledge,
            "Terminar el ejercicio de derechos",
            f"El Fondo los ejerce desde el {write_date_long(rights.since)}.",
        ),
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def lender_notice_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that the lender was told of an early exit."""
    asked = get_object_or_404(ReleaseRequest, pk=pk)
    pledge = pledge_of(asked.pledge_id)
    clause = lender_clause(pledge)
    binding = BindingAct(
        form=LenderNoticeForm,
        act=lambda form: lender_notice_record(
            request_id=pk, user=request.user, **form.cleaned_data
        ),
        shown=lambda form, made: {
            "answers": [
                holder_line(pledge),
                line("Solicitud", asked.code),
                line("Entidad", made.lender, "lender"),
                line("Fecha del aviso", write_date_long(made.notified_on), "notified_on"),
                line("Comunicación", made.reference, "reference"),
            ],
            "consequence": "Al registrarlo, consta el aviso; no se puede editar.",
        },
        done=lambda made: _told(request, made),
        page=act_page(
            pledge,
            "Registrar el aviso al acreedor",
            f"{clause.value} ({clause.cite})."
            if clause
            else "El decreto de este programa no habla del aviso al acreedor.",
        ),
        initial={"lender": pledge.lender},
    )
    return act_response(request, binding)


def _told(request: HttpRequest, made: LenderNotice) -> HttpResponse:
    messages.success(request, f"Consta el aviso a {made.lender}.")
    return redirect("release_request", pk=made.request_id)


def _cause(rights: ShareholderRights) -> str:
    if rights.attachment:
        return f"{rights.attachment}, de {rights.attachment.authority}"
    return rights.get_cause_display()
