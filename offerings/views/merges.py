"""The merge of two records of one buyer, through check-your-answers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from buyers.models import Buyer
from buyers.services import Merge, buyer_merge
from offerings.forms.merges import MergeForm
from offerings.selectors.acceptances import buyer_named
from offerings.views.binding import BindingAct, act_response
from office.access import may
from office.models import User
from office.refusals import Refused
from office.roles import Capability


@require_http_methods(["GET", "POST"])
@may(Capability.APPROVE)
def buyer_merge_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Make one of this record and another of the same buyer, which is kept."""
    buyer = get_object_or_404(Buyer.objects.visible_to(request.user), pk=pk)
    if buyer.merged_into_id is not None and request.method == "GET":
        return redirect("buyer", pk=pk)
    binding = BindingAct(
        form=MergeForm,
        act=lambda form: buyer_merge(
            user=request.user,
            merged_id=pk,
            kept_id=_kept(form.cleaned_data["kept"], request.user).pk,
            typed=form.cleaned_data["typed"],
            reason=form.cleaned_data["reason"],
        ),
        shown=_shown,
        done=lambda merge: _done(request, merge),
        page=_page(buyer),
    )
    return act_response(request, binding)


def _kept(text: str, user: User) -> Buyer:
    try:
        return buyer_named(text, user)
    except Refused as refusal:
        raise Refused(refusal.message, "kept") from refusal


def _page(buyer: Buyer) -> dict[str, Any]:
    return {
        "heading": f"Unir {buyer.identity} a otro registro",
        "short": "Unir a otro registro",
        "verb": "Unir los dos registros",
        "why": f"{buyer.name}. Si está registrado dos veces, todo lo suyo pasa al registro que "
        "se conserva; este deja de usarse.",
        "list_url": reverse("buyers"),
        "list_label": "Compradores",
        "back_url": reverse("buyer", args=[buyer.pk]),
        "back_label": buyer.identity,
    }


def _shown(form: MergeForm, merge: Merge) -> dict[str, Any]:
    merged, kept = merge.merged, merge.kept
    lines = [
        {"label": line.label, "value": line.value, "detail": line.detail} for line in merge.moved
    ]
    if not lines:
        lines = [{"label": "Lo que pasa", "value": "Nada: no tiene documentos ni aceptaciones"}]
    return {
        "answers": [
            {"label": "Deja de usarse", "value": merged.name, "detail": merged.identity},
            {
                "label": "Se conserva",
                "value": kept.name,
                "detail": kept.identity,
                "field": "kept",
            },
            *lines,
            {
                "label": "En qué consta",
                "value": form.cleaned_data["reason"],
                "field": "reason",
            },
        ],
        "consequence": f"Al unirlos, {merged.identity} deja de estar en listas, búsquedas y "
        f"aceptaciones nuevas, y todo lo suyo queda en {kept.identity}. No se puede deshacer.",
    }


def _done(request: HttpRequest, merge: Merge) -> HttpResponse:
    messages.success(request, f"{merge.merged.identity} se unió a {merge.kept.identity}.")
    return redirect("buyer", merge.kept.pk)
