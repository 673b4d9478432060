"""The picture of what is pledged by the month in which its term ends."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from offerings.models import Programme
from office.access import may
from office.roles import Capability
from pledges.selectors.maturities import maturities_shown
from pledges.selectors.pledges import pledges_shown


@require_GET
@may(Capability.OWN)
def pledges_by_month(request: HttpRequest) -> HttpResponse:
    """Shares still pledged by the month of their last day: of a programme, or of all."""
    programmes = list(Programme.objects.all())
    slug = request.GET.get("programa", "")
    programme = next((one for one in programmes if one.slug == slug), None)
    pledges = pledges_shown(request.user)
    if slug:
        pledges = pledges.filter(award__acceptance__stage__programme=programme)
    context: dict[str, Any] = {
        "programmes": programmes,
        "programme": programme,
        "asked": slug,
        "shown": maturities_shown(pledges, slug),
    }
    return render(request, "pledges/pledges/by_month.html", context)
