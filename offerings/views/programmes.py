"""Programmes: their page, the decree with its notes, a new one, its references."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from offerings.decrees.reader import decree_slugs, terms_of
from offerings.forms.programmes import CreditLineForm, NoticeForm
from offerings.models import CreditLine, Programme, PublicNotice
from offerings.selectors.gaps import gaps
from offerings.selectors.programmes import programme_terms
from offerings.services.programmes import credit_line_record, notice_record, programme_open
from offerings.views.binding import BindingAct, act_response
from offerings.views.decree_panels import decree_sections
from offerings.views.programme_panels import (
    exclusions,
    known_figures,
    programme_context,
)
from office.access import may
from office.dates import write_date_long
from office.refusals import Refused
from office.roles import Capability


@require_GET
@may(Capability.OWN)
def programme_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Where a programme stands: steps, figures, demand, and what is still to be done."""
    programme = get_object_or_404(Programme, slug=slug)
    context = programme_context(programme, request.user)
    return render(request, "offerings/programmes/detail.html", context)


@require_GET
@may(Capability.OWN)
def programme_decree(request: HttpRequest, slug: str) -> HttpResponse:
    """Every value of the decree with its clause and its notes, and what it does not say."""
    programme = get_object_or_404(Programme, slug=slug)
    terms = terms_of(slug)
    context = {
        "programme": programme,
        "terms": terms,
        "sections": decree_sections(terms),
        "gaps": gaps(terms),
    }
    return render(request, "offerings/programmes/decree.html", context)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def programme_new(request: HttpRequest) -> HttpResponse:
    """The decrees that can be opened; one of them chosen, its review; confirmed, its page."""
    slug = request.POST.get("slug", "") or request.GET.get("decreto", "")
    if request.method == "POST":
        return _opened(request, slug)
    waiting = _decrees_waiting()
    if slug in waiting:
        terms = waiting[slug]
        context = {"terms": terms, "gaps": gaps(terms), "figures": known_figures(terms)}
        return render(request, "offerings/programmes/new_review.html", context)
    return _new_page(request, waiting)


def _opened(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        programme = programme_open(slug=slug, user=request.user)
    except Refused as refusal:
        return _new_page(request, _decrees_waiting(), message=refusal.message)
    messages.success(request, f"Se abrió el programa {programme}.")
    return redirect("programme", slug)


def _decrees_waiting() -> dict[str, Any]:
    opened = set(Programme.objects.values_list("slug", flat=True))
    return {slug: terms_of(slug) for slug in decree_slugs() if slug not in opened}


def _new_page(request: HttpRequest, waiting: dict[str, Any], message: str = "") -> HttpResponse:
    decrees = [
        {"terms": terms, "gaps": gaps(terms), "figures": known_figures(terms)}
        for terms in waiting.values()
    ]
    return render(
        request,
        "offerings/programmes/new.html",
        {"decrees": decrees, "message": message},
        status=422 if message else 200,
    )


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def notice_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Record a public notice by its reference."""
    programme = get_object_or_404(Programme, slug=slug)
    asked = programme_terms(programme).stage.public_notice
    binding = BindingAct(
        form=NoticeForm,
        act=lambda form: notice_record(
            programme=programme, user=request.user, **form.cleaned_data
        ),
        shown=_notice_shown,
        done=lambda notice: _back(request, programme, "Aviso público registrado."),
        page={
            "programme": programme,
            "heading": "Registrar el aviso público",
            "short": "Aviso público",
            "verb": "Registrar el aviso",
            "why": "Una etapa se abre solo después de su aviso público"
            + (f" ({asked.cite}). " if asked else ". ")
            + _said_in_notice(programme),
            "back_url": reverse("programme", args=[slug]),
        },
    )
    return act_response(request, binding)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def credit_line_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Record a line of credit by its reference."""
    programme = get_object_or_404(Programme, slug=slug)
    asked = programme_terms(programme).stage.credit_line
    binding = BindingAct(
        form=CreditLineForm,
        act=lambda form: credit_line_record(
            programme=programme, user=request.user, **form.cleaned_data
        ),
        shown=_credit_line_shown,
        done=lambda line: _back(request, programme, "Línea de crédito registrada."),
        page={
            "programme": programme,
            "heading": "Registrar una línea de crédito",
            "short": "Línea de crédito",
            "verb": "Registrar la línea",
            "why": f"La etapa 1 se abre cuando hay una línea de crédito ({asked.cite})."
            if asked and asked.value
            else "No se pide una línea de crédito para abrir la etapa; se anota si la hay.",
            "back_url": reverse("programme", args=[slug]),
        },
    )
    return act_response(request, binding)


def _said_in_notice(programme: Programme) -> str:
    """What the notice must say too, with its article; "" where the decree says nothing of it."""
    found = exclusions(programme_terms(programme))
    return f"El aviso debe decir también: {' '.join(found)}" if found else ""


def _notice_shown(form: NoticeForm, notice: PublicNotice) -> dict[str, Any]:
    day = write_date_long(notice.published_on)
    return {
        "answers": [
            {"label": "Fecha de publicación", "value": day, "field": "published_on"},
            {"label": "Medio", "value": notice.medium, "field": "medium"},
            {"label": "Referencia", "value": notice.reference, "field": "reference"},
        ],
        "consequence": f"Al registrarlo, consta que el programa se hizo conocer el {day} en "
        f"{notice.medium}. Desde ese día se puede abrir la etapa, si lo demás está completo. "
        "El registro no se puede editar.",
    }


def _credit_line_shown(form: CreditLineForm, line: CreditLine) -> dict[str, Any]:
    day = write_date_long(line.opened_on)
    return {
        "answers": [
            {"label": "Entidad que presta", "value": line.lender, "field": "lender"},
            {"label": "Abierta desde", "value": day, "field": "opened_on"},
            {"label": "Referencia", "value": line.reference, "field": "reference"},
        ],
        "consequence": f"Al registrarla, consta que {line.lender} presta a los compradores de la "
        f"etapa 1 desde el {day}. El registro no se puede editar.",
    }


def _back(request: HttpRequest, programme: Programme, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect("programme", programme.slug)
