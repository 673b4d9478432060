"""The screen that issues many certificates or notices: what, check-your-answers, a job."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.certificates import BATCHES, certificates_job_open
from offerings.forms.certificates import BatchForm
from offerings.models import Programme
from offerings.selectors.certificates import ALLOTMENT, NOTICE, Scope
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_date_long
from office.jobs import job_enqueue
from office.models import Job
from office.numbers import write_count
from office.roles import Capability

CONSEQUENCES = {
    NOTICE: "Al expedir, cada aceptación adjudicada que no tiene constancia recibe la suya, con "
    "lo que se debe, hasta cuándo y la referencia con que se paga.",
    ALLOTMENT: "Al expedir, cada aceptación adjudicada y pagada en su totalidad hasta ese día "
    "recibe su certificado.",
}
NUMBERS = (
    " Cada documento lleva un número que no se vuelve a usar y sus datos congelados. Primero se "
    "dan los números; los PDF se generan después, en un proceso que puede seguir."
)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def certificates_issue(request: HttpRequest) -> HttpResponse:
    """All that is lacking of a kind, in a programme, of a broker, or of both."""
    binding = BindingAct(
        form=BatchForm,
        act=lambda form: _opened(request, form),
        shown=lambda form, _: _shown(form),
        done=lambda job: redirect("job", pk=job.pk),
        page={
            "back_label": "Certificados",
            "heading": "Expedir constancias o certificados",
            "short": "Expedir",
            "verb": "Expedir",
            "why": "Elija un programa, un comisionista o los dos: se expide lo que falte.",
            "back_url": reverse("certificates"),
        },
        initial={
            "kind": ALLOTMENT,
            "programme": _only_programme(),
            "legal_date": timezone.localdate(),
        },
    )
    return act_response(request, binding)


def _only_programme() -> int | None:
    programmes = list(Programme.objects.values_list("pk", flat=True)[:2])
    return programmes[0] if len(programmes) == 1 else None


@transaction.atomic
def _opened(request: HttpRequest, form: BatchForm) -> Job:
    scope, data = form.scope(), form.cleaned_data
    job = certificates_job_open(
        kind=data["kind"], scope=scope, user=request.user, legal_date=data["legal_date"]
    )
    job.link = f"{reverse('certificates')}?clase={data['kind']}{_link(scope)}"
    job.save(update_fields=["link"])
    job_enqueue(job)
    return job


def _link(scope: Scope) -> str:
    programme = f"&programa={scope.programme.slug}" if scope.programme else ""
    return programme + (f"&comisionista={scope.broker_id}" if scope.broker_id else "")


def _shown(form: BatchForm) -> dict[str, Any]:
    scope, data = form.scope(), form.cleaned_data
    batch = BATCHES[data["kind"]]
    count = batch.lacking(scope, by=data["legal_date"]).count()
    every = "Todos"
    counted = write_count(count, batch.one, batch.many)
    return {
        "answers": [
            {"label": "Se expiden", "value": counted, "big": True, "field": "kind"},
            {"label": "Programa", "value": scope.programme or every, "field": "programme"},
            {"label": "Comisionista", "value": scope.broker or every, "field": "broker"},
            {
                "label": "Fecha de expedición",
                "value": write_date_long(data["legal_date"]),
                "field": "legal_date",
            },
        ],
        "consequence": CONSEQUENCES[data["kind"]] + NUMBERS,
        "verb": f"Expedir {counted}",
    }
