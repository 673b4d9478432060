"""The tabs of a buyer's page that are about the programmes: parts and acceptances, payments."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from buyers.models import Buyer
from buyers.selectors import buyers_shown
from offerings.selectors import buyers as selectors
from office.access import may
from office.roles import Capability


@require_GET
@may(Capability.OWN)
def buyer_parts(request: HttpRequest, pk: int) -> HttpResponse:
    """Its part in each programme, with its acceptances there."""
    buyer = _shown(request, pk)
    context = {"buyer": buyer, "parts": selectors.buyer_parts(buyer, request.user)}
    return render(request, "offerings/buyers/parts.html", context)


@require_GET
@may(Capability.OWN)
def buyer_payments(request: HttpRequest, pk: int) -> HttpResponse:
    """What it was awarded, what of that is paid, and its certificates."""
    buyer = _shown(request, pk)
    context = {
        "buyer": buyer,
        "awards": selectors.buyer_awards(buyer, request.user),
        "certificates": selectors.buyer_certificates(buyer, request.user),
    }
    return render(request, "offerings/buyers/payments.html", context)


def _shown(request: HttpRequest, pk: int) -> Buyer:
    shown = buyers_shown(request.user).select_related("merged_into")
    return get_object_or_404(shown, pk=pk)
