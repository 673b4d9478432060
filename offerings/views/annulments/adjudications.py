"""Screens of an adjudication's annulment: asking for it, and deciding on it."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from offerings.forms.annulments import AdjudicationAnnulmentForm
from offerings.models import Adjudication, AdjudicationAnnulment
from offerings.selectors import annulments as selectors
from offerings.selectors.adjudications import adjudication_under_way, adjudications_listed
from offerings.services.annulments import (
    DEPENDANTS,
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from offerings.views.annulments.deciding import (
    Decision,
    asked,
    asked_lines,
    decided,
    decision_buttons,
)
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date
from office.models import User
from office.numbers import write_amount, write_count, write_shares
from office.review import ReviewState, review_block
from office.roles import Capability
from office.words import amount_words, shares_words


def run_annulment_context(run: Adjudication, user: User) -> dict[str, Any]:
    """What an adjudication's page shows of its annulment, asked for or done."""
    pending = selectors.annulment_pending(run)
    approved = selectors.annulment_approved(run) if run.annulled_at else None
    followed = selectors.adjudication_that_followed(run)
    shown = pending or approved
    return {
        "annulment": pending,
        "annulled_by": approved,
        "effects": selectors.annulment_effects(run) if shown else None,
        "also": _also(run) if shown else [],
        "annulment_buttons": decision_buttons("adjudication_annulment", pending, user),
        "waits_for": review_block(pending, user) if pending else "",
        "followed_by": followed if approved else None,
        "may_run_again": bool(approved) and adjudication_under_way(run.stage) is None,
    }


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def adjudication_annul_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for an adjudication's annulment: the act that orders it, its number typed."""
    run = get_object_or_404(adjudications_listed(), pk=pk)
    address = reverse("adjudication", args=[pk])
    if request.method == "GET" and not run.is_in_force:
        messages.error(request, f"{run.code} no está vigente: no hay qué anular.")
        return redirect(address)
    binding = BindingAct(
        form=partial(AdjudicationAnnulmentForm, number=run.code),
        act=lambda form: adjudication_annulment_prepare(
            adjudication_id=pk,
            user=request.user,
            **{name: form.cleaned_data[name] for name in ("ordered_by", "act", "act_on", "cause")},
        ),
        shown=lambda form, _: _run_shown(form, run),
        done=lambda _: asked(request, run.code, address),
        page={
            "list_url": reverse("adjudications"),
            "list_label": "Adjudicación",
            "back_label": run.code,
            "heading": f"Anular la adjudicación {run.code}",
            "short": "Anular",
            "verb": "Pedir la anulación",
            "danger": True,
            "why": "Una adjudicación aprobada no cambia: solo se anula completa, con el acto de "
            "la bolsa o de un juez, y la aprueba un supervisor que no sea usted.",
            "back_url": address,
        },
    )
    return act_response(request, binding)


def _run_shown(form: AdjudicationAnnulmentForm, run: Adjudication) -> dict[str, Any]:
    data = form.cleaned_data
    return {
        "answers": [
            {"label": "Se anula", "value": run.code, "detail": str(run.stage), "big": True},
            *_effect_lines(run),
            {"label": "La ordena", "value": data["ordered_by"], "field": "ordered_by"},
            {
                "label": "Acto",
                "value": f"{data['act']}, del {write_date(data['act_on'])}",
                "field": "act",
            },
            {"label": "Por qué", "value": data["cause"], "field": "cause"},
        ],
        "consequence": "Al pedirla nada cambia hasta que otra persona, supervisora, la apruebe. "
        f"{_run_consequence(run)}",
    }


def _run_consequence(run: Adjudication) -> str:
    return (
        f"Aprobada, {run.code} queda sin efecto: no se debe nada por ella, lo pagado queda por "
        "devolver, sus constancias, sus certificados y su acta se anulan, y todo se conserva. La "
        "etapa puede adjudicarse de nuevo, como otra versión. No se puede deshacer."
    )


def _effect_lines(run: Adjudication) -> list[dict[str, Any]]:
    effects = selectors.annulment_effects(run)
    papers = [
        write_count(count, one, many)
        for count, one, many in (
            (effects.notices, "constancia", "constancias"),
            (effects.certificates, "certificado de adjudicación", "certificados de adjudicación"),
            (effects.records, "acta", "actas"),
        )
        if count
    ]
    return [
        {
            "label": "Quedan sin efecto",
            "value": write_shares(effects.shares),
            "words": shares_words(effects.shares),
            "detail": "de "
            f"{write_count(effects.lines, 'aceptación adjudicada', 'aceptaciones adjudicadas')}, "
            f"por {write_amount(effects.due)}",
            "big": True,
        },
        {
            "label": "Queda por devolver",
            "value": write_amount(effects.to_return),
            "words": amount_words(effects.to_return),
            "detail": f"pagado por {write_count(effects.payers, 'comprador', 'compradores')}"
            if effects.payers
            else "nadie ha pagado",
            "big": True,
        },
        {
            "label": "Se anulan",
            "value": "; ".join(papers) or "nada: no se ha expedido ningún documento",
        },
        *({"label": "También queda sin efecto", "value": words} for words in _also(run)),
        *({"label": "Antes hay que deshacer", "value": words} for words in _blocks(run)),
    ]


def _also(run: Adjudication) -> list[str]:
    """What stands on the adjudication and goes with it."""
    return list(filter(None, (dependant.told(run) for dependant in DEPENDANTS)))


def _blocks(run: Adjudication) -> list[str]:
    """What is in the way of the annulment."""
    return list(filter(None, (dependant.block(run) for dependant in DEPENDANTS)))


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def adjudication_annulment_decision(
    request: HttpRequest, pk: int, outcome: ReviewState
) -> HttpResponse:
    """Approve, send back or reject an adjudication's annulment that another asked for."""
    acts = AdjudicationAnnulment.objects.select_related(
        "adjudication__stage__programme", "prepared_by"
    )
    annulment = get_object_or_404(acts, pk=pk)
    run = annulment.adjudication
    return decided(
        request,
        Decision(
            act=annulment,
            number=run.code,
            decide=adjudication_annulment_decide,
            lines=[
                {"label": "Se anula", "value": run.code, "detail": str(run.stage), "big": True},
                *_effect_lines(run),
                {"label": "La ordena", "value": annulment.ordered_by},
                {"label": "Acto", "value": f"{annulment.act}, {write_date(annulment.act_on)}"},
                *asked_lines(annulment),
            ],
            approved=_run_consequence(run),
            crumbs=[("Adjudicación", reverse("adjudications"))],
            address=reverse("adjudication", args=[run.pk]),
        ),
        outcome,
    )
