"""The withdrawal of an acceptance, through check-your-answers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from offerings.forms.withdrawals import WithdrawalForm
from offerings.models import Acceptance
from offerings.selectors.acceptances import acceptances_listed
from offerings.services.withdrawals import acceptance_withdraw
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_datetime
from office.numbers import write_shares
from office.roles import Capability


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def acceptance_withdraw_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw an acceptance, where the Fund's rules allow it."""
    acceptance = get_object_or_404(acceptances_listed(request.user), pk=pk)
    now = timezone.localtime()
    binding = BindingAct(
        form=WithdrawalForm,
        act=lambda form: acceptance_withdraw(
            acceptance_id=pk,
            asked_at=form.moment(),
            reason=form.cleaned_data["reason"],
            user=request.user,
        ),
        shown=lambda form, _: _shown(form, acceptance),
        done=lambda withdrawn: _done(request, withdrawn),
        page=_page(acceptance),
        initial={"asked_on": now.date(), "asked_time": now.time()},
    )
    return act_response(request, binding)


def _page(acceptance: Acceptance) -> dict[str, Any]:
    return {
        "programme": acceptance.stage.programme,
        "heading": f"Retirar la aceptación {acceptance.code}",
        "short": f"Retirar {acceptance.code}",
        "verb": "Retirar la aceptación",
        "why": "Solo se retira si el reglamento del Fondo lo permite.",
        "back_url": reverse("acceptance", args=[acceptance.pk]),
    }


def _shown(form: WithdrawalForm, acceptance: Acceptance) -> dict[str, Any]:
    return {
        "answers": [
            {
                "label": "Aceptación",
                "value": acceptance.code,
                "detail": str(acceptance.participation.buyer),
            },
            {
                "label": "Deja de contar",
                "value": write_shares(acceptance.admitted),
                "big": True,
            },
            {"label": "Se pidió", "value": write_datetime(form.moment()), "field": "asked_on"},
            {"label": "Motivo", "value": form.cleaned_data["reason"], "field": "reason"},
        ],
        "consequence": "Al retirarla, la aceptación deja de contar y las demás del comprador se "
        "calculan de nuevo. El retiro no se puede deshacer.",
    }


def _done(request: HttpRequest, acceptance: Acceptance) -> HttpResponse:
    messages.success(request, f"Se retiró {acceptance.code}.")
    return redirect("acceptance", acceptance.pk)
