"""Screens of what is done about an award that was not paid in time: the proposal, its review."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from offerings.enums import DefaultMeasure
from offerings.forms.payments import DefaultDecisionForm, DefaultForm
from offerings.models import Award, AwardDefault
from offerings.selectors import payments as selectors
from offerings.selectors.payment_terms import payment_term
from offerings.services.defaults import award_default_decide, award_default_prepare
from offerings.services.payments import nothing_due
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import bogota_day, write_date, write_date_long
from office.decisions import timeline
from office.numbers import write_amount
from office.refusals import Refused
from office.review import ReviewState, review_block
from office.roles import Capability
from office.text import exchange_words
from office.words import amount_phrase, amount_words

OUTCOMES = {
    "aprobar": ReviewState.APPROVED,
    "devolver": ReviewState.RETURNED,
    "rechazar": ReviewState.REJECTED,
}
DONE = {
    ReviewState.APPROVED: "Aprobado. {}",
    ReviewState.RETURNED: "Se devolvió a quien lo preparó. {}",
    ReviewState.REJECTED: "Rechazado. {}",
}


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def default_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """Propose to claim what is unpaid, or to leave the award without effect."""
    award = get_object_or_404(selectors.awards_charged(), pk=award_pk)
    ended = nothing_due(award)
    if ended and request.method == "GET":
        messages.error(request, ended)
        return redirect("payment_award", award_pk=award.pk)
    binding = BindingAct(
        form=DefaultForm,
        act=lambda form: award_default_prepare(
            award_id=award.pk,
            measure=DefaultMeasure(form.cleaned_data["measure"]),
            decided_on=form.cleaned_data["decided_on"],
            cause=form.cleaned_data["cause"],
            user=request.user,
        ),
        shown=lambda form, proposed: _shown(award, proposed),
        done=lambda proposed: _proposed(request, proposed),
        page=_page(award),
        initial={"decided_on": bogota_day(timezone.now())},
    )
    return act_response(request, binding)


def _page(award: Award) -> dict[str, Any]:
    back = reverse("payment_award", args=[award.pk])
    term = payment_term(award.adjudication)
    until = f"; el último día para pagar era el {write_date_long(term.value)}" if term else ""
    buyer = award.acceptance.participation.buyer
    return {
        "list_label": "Pagos",
        "list_url": reverse("payments"),
        "back_label": award.acceptance.code,
        "heading": "Proponer qué se hace con lo no pagado",
        "short": f"Falta de pago de {award.acceptance.code}",
        "verb": "Enviar a revisión",
        "why": f"{buyer.name} debe {write_amount(award.balance)}{until}. La adjudicación no se "
        "cae por sí sola: decide el Fondo, con la aprobación de un supervisor.",
        "back_url": back,
    }


def _shown(award: Award, proposed: AwardDefault) -> dict[str, Any]:
    buyer = award.acceptance.participation.buyer
    return {
        "answers": [
            {"label": "Comprador", "value": buyer.name, "detail": buyer.identity},
            {
                "label": "Debe todavía",
                "value": write_amount(award.balance),
                "words": amount_words(award.balance),
                "big": True,
            },
            {
                "label": "Qué se hace",
                "value": proposed.get_measure_display(),
                "field": "measure",
            },
            {
                "label": "Fecha del acto",
                "value": write_date_long(proposed.decided_on),
                "field": "decided_on",
            },
            {"label": "Por qué", "value": proposed.cause, "field": "cause"},
        ],
        "consequence": "Queda a la espera de un supervisor que no sea usted. "
        f"{consequence(award, proposed.measure)}",
    }


def consequence(award: Award, measure: str) -> str:
    """What the act does once another approves it."""
    if measure == DefaultMeasure.CLAIM:
        acceptance = award.acceptance
        exchange = acceptance.exchange
        of_exchange = f" y a {exchange_words(exchange.name)}" if exchange else ""
        return (
            f"Si se aprueba, consta que el Fondo reclama {amount_phrase(award.balance)} a "
            f"{acceptance.broker}{of_exchange}. Lo adjudicado se sigue debiendo."
        )
    paid = (
        f"y se devuelven los {amount_phrase(award.paid)} ya pagados"
        if award.paid
        else "y no hay nada que devolver"
    )
    return (
        f"Si se aprueba, {award.acceptance.code} queda sin efecto para siempre: no se debe nada "
        f"por ella, no podrá tener certificado {paid}."
    )


def _proposed(request: HttpRequest, proposed: AwardDefault) -> HttpResponse:
    messages.success(request, "La propuesta espera la revisión de un supervisor.")
    return redirect("default", pk=proposed.pk)


@require_GET
@may(Capability.READ)
def default_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One proposal: what it does, who prepared and who reviewed it."""
    return _default_page(request, _default(pk), None)


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def default_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve, send back or reject what another proposed."""
    proposed = _default(pk)
    if request.method == "GET":
        form = DefaultDecisionForm(number=_number(proposed), needs_reason=False)
        return _default_page(request, proposed, form)
    outcome = OUTCOMES.get(request.POST.get("decision", ""))
    form = DefaultDecisionForm(
        request.POST, number=_number(proposed), approves=outcome == ReviewState.APPROVED
    )
    if outcome is None:
        form.add_error(None, "Elija si lo aprueba, lo devuelve o lo rechaza.")
    if not form.is_valid():
        return _default_page(request, proposed, form)
    try:
        award_default_decide(
            default_id=pk,
            user=request.user,
            outcome=outcome,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refusal:
        form.add_error(None, refusal.message)
        return _default_page(request, proposed, form)
    messages.success(request, DONE[outcome].format(_told(proposed, outcome)))
    return redirect("default", pk=pk)


def _number(proposed: AwardDefault) -> str:
    """What is typed to approve it: leaving an award without effect cannot be taken back."""
    return proposed.award.acceptance.code if proposed.measure == DefaultMeasure.UNDO else ""


def _told(proposed: AwardDefault, outcome: ReviewState) -> str:
    """What came of the award, of which alone it is."""
    code = proposed.award.acceptance.code
    if outcome != ReviewState.APPROVED:
        return f"Nada cambia para {code}."
    if proposed.measure == DefaultMeasure.CLAIM:
        return f"Se reclama al comisionista y a la bolsa lo que falta por pagar de {code}."
    return (
        f"Solo {code} queda sin efecto; lo demás de {proposed.award.adjudication.code} sigue en "
        "firme."
    )


def _default(pk: int) -> AwardDefault:
    found = AwardDefault.objects.select_related(
        "prepared_by", "reviewed_by", "award__acceptance", "award__adjudication"
    )
    return get_object_or_404(found, pk=pk)


def _default_page(
    request: HttpRequest, proposed: AwardDefault, form: DefaultDecisionForm | None
) -> HttpResponse:
    award = selectors.awards_charged().get(pk=proposed.award_id)
    term = payment_term(award.adjudication)
    pending = proposed.review_state == ReviewState.PENDING
    context = {
        "proposed": proposed,
        "award": award,
        "form": form,
        "term": term,
        "last_day": write_date(term.value) if term else "",
        "blocked": review_block(proposed, request.user) if form else "",
        "may_review": pending and not review_block(proposed, request.user),
        "consequence": consequence(award, proposed.measure) if pending else "",
        "events": timeline([award]),
        # Once undone nothing is due any more: what was, when it was decided, is the reason of it.
        "owed": award.total - selectors.payments_total(award, known_at=proposed.reviewed_at),
        "owed_label": "Debe" if pending else "Debía",
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "offerings/defaults/detail.html", context, status=status)
