"""Handing out all that is held on one person."""

from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from buyers.forms import DossierForm
from buyers.models import Buyer
from buyers.selectors.dossier import KINDS, dossiers_before, person_of
from buyers.services.dossiers import dossier_export
from office.access import may
from office.dates import write_datetime
from office.refusals import Refused
from office.roles import Capability

INVALID = 422


@require_http_methods(["GET", "POST"])
@may(Capability.READ)
def buyer_dossier(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Why it is asked for; then the ZIP."""
    visible = Buyer.objects.visible_to(request.user).select_related("merged_into")
    buyer = get_object_or_404(visible, pk=pk)
    form = DossierForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _form_page(request, form, buyer)
    try:
        pieces = dossier_export(buyer=buyer, reason=form.cleaned_data["reason"], user=request.user)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, form, buyer)
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="comprador-{buyer.kept.pk}.zip"'
    response["Cache-Control"] = "private, no-store"
    return response


def _form_page(request: HttpRequest, form: DossierForm, buyer: Buyer) -> HttpResponseBase:
    person = person_of(buyer)
    context = {
        "form": form,
        "buyer": buyer.kept,
        "kinds": [kind.title for kind in KINDS],
        "before": [
            {
                "when": write_datetime(act.recorded_at),
                "sentence": str(act.actor),
                "reason": act.reason,
            }
            for act in dossiers_before(person)
        ],
    }
    status = INVALID if form.errors else 200
    return render(request, "buyers/dossier_form.html", context, status=status)
