"""Screens that open pledges: that of one award, those of all that is paid in a programme."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from offerings.decrees.reader import terms_from_data
from offerings.models import Programme
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.terms import Terms
from offerings.selectors.payments import awards_charged
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.jobs import job_enqueue
from office.models import Job
from office.numbers import write_amount, write_count, write_shares
from office.refusals import Refused
from office.roles import Capability
from office.words import shares_words
from pledges.enums import Rank
from pledges.forms.pledges import OpeningForm
from pledges.models import Pledge
from pledges.selectors.opening import awards_to_pledge, ranks_admitted, run_to_pledge
from pledges.services.openings import pledges_job_open
from pledges.services.pledges import (
    PledgeEntry,
    opening_check,
    pledge_article,
    pledge_open,
    pledged_check,
)
from pledges.views.entries import under_pledges


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def pledge_new(request: HttpRequest, award_pk: int) -> HttpResponse:
    """Open the pledge of one award; where there is one already, that is shown."""
    award = get_object_or_404(awards_charged(), pk=award_pk)
    known = Pledge.objects.filter(award=award, inherited_from=None).first()
    if known:
        return redirect("pledge", pk=known.pk)
    back = reverse("payment_award", args=[award.pk])
    try:
        terms = opening_check(award)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect(back)
    binding = BindingAct(
        form=partial(OpeningForm, ranks=ranks_admitted(terms)),
        act=lambda form: pledge_open(award_id=award.pk, user=request.user, entry=_entry(form)),
        shown=lambda form, pledge: _shown(form, pledge),
        done=lambda pledge: _opened(request, pledge),
        page={
            "list_url": reverse("payments"),
            "list_label": "Pagos",
            "back_label": award.acceptance.code,
            "back_url": back,
            "heading": "Constituir la prenda",
            "short": f"Prenda de {award.acceptance.code}",
            "verb": "Constituir la prenda",
            "why": f"{award.acceptance.participation.buyer.name} pagó en su totalidad "
            f"{write_shares(award.awarded)}: quedan en prenda a favor del Fondo "
            f"({pledge_article(terms)}).",
        },
    )
    return act_response(request, binding)


def _entry(form: OpeningForm) -> PledgeEntry:
    data = form.cleaned_data
    return PledgeEntry(rank=Rank(data["rank"]), lender=data["lender"])


def _shown(form: OpeningForm, pledge: Pledge) -> dict[str, Any]:
    return {
        "answers": [
            {"label": "Titular", "value": pledge.holder.name, "detail": pledge.holder.identity},
            {
                "label": "Acciones en prenda",
                "value": write_shares(pledge.shares),
                "words": shares_words(pledge.shares),
                "detail": f"compradas a {write_amount(pledge.price)} cada una",
                "big": True,
            },
            *_rank_lines(form),
            {
                "label": "Desde",
                "value": write_date_long(pledge.opened_on),
                "detail": "el día de su último pago",
            },
            {
                "label": "Último día",
                "value": write_date_long(pledge.last_day),
                "detail": f"desde la compra, el {write_date_long(pledge.purchased_on)}",
            },
        ],
        "consequence": f"Al constituirla, hasta la medianoche del "
        f"{write_date_long(pledge.last_day)} ninguna de esas acciones sale de la prenda sin su "
        "levantamiento.",
    }


def _rank_lines(form: OpeningForm) -> list[dict[str, Any]]:
    entry = _entry(form)
    lines = [{"label": "Grado", "value": entry.rank.label, "field": "rank"}]
    if entry.lender:
        label = "Acreedor del crédito"
        lines.append({"label": label, "value": entry.lender, "field": "lender"})
    return lines


def _opened(request: HttpRequest, pledge: Pledge) -> HttpResponse:
    messages.success(request, f"Se constituyó la prenda {pledge.code}.")
    return redirect("pledge", pk=pledge.pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def pledges_open_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the pledges of all that is paid in a programme, as a job."""
    programme = get_object_or_404(Programme, slug=slug)
    back = f"{reverse('pledges')}?programa={slug}"
    run = run_to_pledge(programme)
    if run is None:
        messages.error(request, _why_none(programme))
        return redirect(back)
    terms = terms_from_data(run.terms)
    count = awards_to_pledge(programme).count()
    if not count and request.method == "GET":
        messages.info(request, f"{programme}: todo lo pagado tiene ya su prenda.")
        return redirect(back)
    counted = write_count(count, "adjudicación pagada", "adjudicaciones pagadas")
    binding = BindingAct(
        form=partial(OpeningForm, ranks=ranks_admitted(terms)),
        act=lambda form: _job(request, programme, form),
        shown=lambda form, _: _many_shown(form, programme, count, run.session_on, terms),
        done=lambda job: redirect("job", pk=job.pk),
        page={
            **under_pledges(programme.short_name, back),
            "heading": "Constituir las prendas de lo pagado",
            "short": "Constituir prendas",
            "verb": "Constituir",
            "why": f"{programme}: {counted} sin prenda ({pledge_article(terms)}).",
        },
    )
    return act_response(request, binding)


def _why_none(programme: Programme) -> str:
    """Why nothing of a programme is pledged: its rules, or that nothing is adjudicated yet."""
    run = programme.stages.get(number=1).adjudications.in_force().first()
    if run is None:
        return f"{programme}: todavía no hay una adjudicación aprobada, y la prenda nace del pago."
    try:
        pledged_check(terms_from_data(run.terms))
    except Refused as refusal:
        return f"{programme}: {refusal.message}"
    return ""


@transaction.atomic
def _job(request: HttpRequest, programme: Programme, form: OpeningForm) -> Job:
    job = pledges_job_open(programme_id=programme.pk, user=request.user, entry=_entry(form))
    job.link = f"{reverse('pledges')}?programa={programme.slug}"
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job


def _many_shown(
    form: OpeningForm, programme: Programme, count: int, session_on: Any, terms: Terms
) -> dict[str, Any]:
    counted = write_count(count, "prenda", "prendas")
    last_day = lock_up_end(LockUpFacts(purchased=session_on), terms).value
    return {
        "answers": [
            {"label": "Se constituyen", "value": counted, "big": True},
            {"label": "Programa", "value": programme},
            *_rank_lines(form),
            {"label": "Último día", "value": write_date_long(last_day)},
        ],
        "consequence": "Cada adjudicación pagada en su totalidad y sin prenda tendrá la suya, "
        "desde el día de su último pago. Las constituye un proceso, que puede seguir; lo que "
        "se pague después se constituye aparte.",
        "verb": f"Constituir {counted}",
    }
