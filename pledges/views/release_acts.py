"""Screens that prepare a release: of a paid request's shares, or of all at the end of a term."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.views.binding import CONFIRM, BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date, write_date_long
from office.numbers import write_amount, write_count, write_shares
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState
from office.roles import Capability
from office.words import amount_phrase, shares_words
from pledges.enums import QuoteState, RequestState
from pledges.forms.releases import ReleaseBatchForm, ReleaseForm
from pledges.models import Quote, Release, ReleaseRequest
from pledges.selectors import releases as selectors
from pledges.services.release_batches import releases_matured_prepare
from pledges.services.releases import release_first_day, release_prepare

WAITS = "El levantamiento {} espera a un supervisor que no sea usted."


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def release_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Prepare the release of a request's shares, once its penalty is paid."""
    asked = get_object_or_404(
        ReleaseRequest.objects.select_related("pledge__holder", "pledge__award"), pk=pk
    )
    back = reverse("pledge", args=[asked.pledge_id])
    if request.method == "GET" and asked.state != RequestState.PAID:
        messages.error(
            request,
            f"{asked.code} está «{asked.get_state_display()}»: se levanta cuando su sanción está "
            "pagada en su totalidad.",
        )
        return redirect(back)
    waiting = asked.releases.filter(review_state=ReviewState.PENDING).first()
    if waiting and request.method == "GET":
        messages.info(request, f"{waiting.code} ya espera revisión: es de {waiting.prepared_by}.")
        return redirect("release", pk=waiting.pk)
    binding = BindingAct(
        form=ReleaseForm,
        act=lambda form: release_prepare(
            request_id=pk, released_on=form.cleaned_data["released_on"], user=request.user
        ),
        shown=lambda form, release: _early_shown(asked, release),
        done=lambda release: _prepared(request, release),
        page={
            "list_url": reverse("pledges"),
            "list_label": "Prendas",
            "back_label": asked.pledge.code,
            "heading": f"Levantar la prenda de {write_shares(asked.shares)}",
            "short": "Levantar la prenda",
            "verb": "Enviar a revisión",
            "why": f"{asked.code} está pagada. Un supervisor que no sea usted aprueba el "
            "levantamiento, y las acciones quedan libres en ese momento.",
            "back_url": back,
        },
        initial={"released_on": release_first_day(asked)[0]},
    )
    return act_response(request, binding)


def _early_shown(asked: ReleaseRequest, release: Release) -> dict[str, Any]:
    pledge, quote = asked.pledge, asked.quotes.filter(state=QuoteState.ACCEPTED).first()
    left = pledge.pledged - asked.shares
    return {
        "answers": [
            {
                "label": "Prenda",
                "value": pledge.code,
                "detail": f"{pledge.holder.name}, {pledge.holder.identity}",
            },
            {
                "label": "Quedan libres",
                "value": write_shares(asked.shares),
                "words": shares_words(asked.shares),
                "big": True,
            },
            {
                "label": "Siguen en prenda",
                "value": write_shares(left),
                "words": shares_words(left),
            },
            {
                "label": "Solicitud",
                "value": asked.code,
                "detail": f"radicado {asked.filing_number}",
            },
            *([_quoted(quote)] if quote else []),
            {
                "label": "Fecha del levantamiento",
                "value": write_date_long(release.released_on),
                "field": "released_on",
            },
        ],
        "consequence": "Queda a la espera de un supervisor que no sea usted. Nada cambia hasta "
        "que lo apruebe.",
    }


def _quoted(quote: Quote) -> dict[str, Any]:
    return {
        "label": "Sanción",
        "value": write_amount(quote.amount),
        "words": amount_phrase(quote.amount),
        "detail": quote.code,
    }


def _prepared(request: HttpRequest, release: Release) -> HttpResponse:
    messages.success(request, WAITS.format(release.code))
    return redirect("release", pk=release.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def release_batch_new(request: HttpRequest) -> HttpResponse:
    """Prepare the release at term of a programme's pledges, all in one act."""
    binding = BindingAct(
        form=ReleaseBatchForm,
        act=lambda form: _batch(request, form),
        shown=lambda form, _: _batch_shown(form),
        done=lambda release: _prepared(request, release),
        page={
            "list_url": reverse("pledges"),
            "list_label": "Prendas",
            "back_label": "Levantamientos",
            "heading": "Levantar las prendas cumplidas",
            "short": "Prendas cumplidas",
            "verb": "Enviar a revisión",
            "why": "Entran las prendas del programa cuyo término venció antes de la fecha, con "
            "las acciones que nadie ha embargado ni pedido.",
            "back_url": reverse("releases"),
        },
        initial={"programme": _only_due(), "released_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _only_due() -> int | None:
    due = [one for one in selectors.programmes_due(bogota_day(timezone.now())) if one.count]
    return due[0].programme.pk if len(due) == 1 else None


def _batch(request: HttpRequest, form: ReleaseBatchForm) -> Release | None:
    """The act; before it is confirmed, its checks alone: to plan 100,000 lines and undo them
    would keep their rows held for nothing."""
    programme, day = form.cleaned_data["programme"], form.cleaned_data["released_on"]
    if request.POST.get("paso") == CONFIRM:
        return releases_matured_prepare(
            programme_id=programme.pk, released_on=day, user=request.user
        )
    check_day_not_future(day, "released_on")
    if not selectors.pledges_to_release(programme, day).exists():
        raise Refused(
            f"Al {write_date(day)} no hay prendas cumplidas con acciones por levantar en "
            f"{programme}.",
            "released_on",
        )
    return None


def _batch_shown(form: ReleaseBatchForm) -> dict[str, Any]:
    programme, day = form.cleaned_data["programme"], form.cleaned_data["released_on"]
    planned = selectors.planned_totals(programme, day)
    held = selectors.pledges_held_back(programme, day)
    return {
        "answers": [
            {"label": "Programa", "value": programme, "field": "programme"},
            {
                "label": "Se levantan",
                "value": write_count(planned.count, "prenda", "prendas"),
                "detail": f"el último día más antiguo es el {write_date(planned.first)}",
                "big": True,
            },
            {
                "label": "Quedan libres",
                "value": write_shares(planned.shares),
                "words": shares_words(planned.shares),
                "big": True,
            },
            *_held_lines(held),
            {
                "label": "Fecha del levantamiento",
                "value": write_date_long(day),
                "field": "released_on",
            },
        ],
        "consequence": "Queda a la espera de un supervisor que no sea usted; mientras tanto, "
        "esas acciones no pueden pedirse. Aprobado, un proceso las levanta por grupos.",
    }


def _held_lines(held: selectors.HeldBack) -> list[dict[str, Any]]:
    lines = []
    if held.attached:
        lines.append(
            {
                "label": "Quedan fuera, embargadas",
                "value": write_shares(held.attached_shares),
                "detail": write_count(held.attached, "prenda", "prendas"),
                "link_url": f"{reverse('pledges')}?condicion=embargadas",
                "link_label": "Verlas",
            }
        )
    if held.asked:
        lines.append(
            {
                "label": "Quedan fuera, pedidas en solicitudes",
                "value": write_shares(held.asked_shares),
                "detail": write_count(held.asked, "prenda", "prendas"),
                "link_url": f"{reverse('pledges')}?condicion=con-solicitud",
                "link_label": "Verlas",
            }
        )
    return lines
