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
from offerings.selectors.changes import change_lines
from offerings.services.withdrawals import acceptance_withdraw
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.dates import write_datetime
from office.models import User
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
        act=lambda form: _withdrawn(form, pk, request.user),
        shown=lambda form, changes: _shown(form, acceptance, changes),
        done=lambda _: _done(request, acceptance),
        page=_page(acceptance),
        initial={"asked_on": now.date(), "asked_time": now.time()},
    )
    return act_response(request, binding)


def _withdrawn(form: WithdrawalForm, pk: int, user: User) -> list[dict[str, Any]]:
    """Withdraw it; the lines of what changes with it, read before a rehearsal is undone."""
    withdrawn = acceptance_withdraw(
        acceptance_id=pk,
        asked_at=form.moment(),
        reason=form.cleaned_data["reason"],
        user=user,
    )
    return change_lines(withdrawn, user)


def _page(acceptance: Acceptance) -> dict[str, Any]:
    return {
        "programme": acceptance.stage.programme,
        "heading": f"Retirar la aceptación {acceptance.code}",
        "short": f"Retirar {acceptance.code}",
        "verb": "Retirar la aceptación",
        "why": "Solo se retira si el reglamento del Fondo lo permite.",
        "back_url": reverse("acceptance", args=[acceptance.pk]),
    }


def _shown(
    form: WithdrawalForm, acceptance: Acceptance, changes: list[dict[str, Any]]
) -> dict[str, Any]:
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
            *changes,
        ],
        "consequence": "Al retirarla, la aceptación deja de contar y las demás del comprador "
        "quedan como se muestra. El retiro no se puede deshacer.",
    }


def _done(request: HttpRequest, acceptance: Acceptance) -> HttpResponse:
    messages.success(request, f"Se retiró {acceptance.code}.")
    return redirect("acceptance", acceptance.pk)
