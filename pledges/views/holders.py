"""The pledges of a holder on a day: on the tab of its page, and as its statement on paper."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_GET

from buyers.models import Buyer
from buyers.selectors import buyers_shown
from offerings.certificates import FUND
from offerings.forms.statements import StatementForm
from office.access import may
from office.dates import bogota_day
from office.identities import write_identity_long
from office.pdf import PdfError, render_pdf
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.selectors.positions import holder_position

STYLESHEET = "receipt.css"


@require_GET
@may(Capability.OWN)
def holder_position_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Where the holder's shares were on the day asked for, pledge by pledge, and in all."""
    buyer = _buyer(request, pk)
    today = bogota_day(timezone.now())
    form = StatementForm(request.GET if "al" in request.GET else None, initial={"al": today})
    as_of = _day(form)
    context = {
        "buyer": buyer,
        "form": form,
        "holding": holder_position(buyer, request.user, as_of),
        "query": f"?al={as_of:%d/%m/%Y}",
    }
    status = 422 if form.errors else 200
    return render(request, "pledges/holders/position.html", context, status=status)


@require_GET
@may(Capability.OWN)
def holder_statement_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The holder's statement of pledges, drawn when it is asked for."""
    buyer = _buyer(request, pk)
    as_of = _day(StatementForm(request.GET))
    context: dict[str, Any] = {
        "fund": FUND,
        "buyer": buyer,
        "identity": write_identity_long(
            buyer.identity_type, buyer.identity_number, buyer.check_digit
        ),
        "holding": holder_position(buyer, request.user, as_of),
        "is_part": not request.user.may(Capability.READ),
    }
    try:
        html = render_to_string("certificates/holder_statement.html", context)
        data = render_pdf(html, stylesheet=STYLESHEET, one_page=False)
    except PdfError as error:
        messages.error(request, f"No se pudo generar el estado de cuenta. {error}")
        return redirect("holder_position", pk=pk)
    response = HttpResponse(data, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="prendas-{pk}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response


def _buyer(request: HttpRequest, pk: int) -> Buyer:
    shown = buyers_shown(request.user).select_related("merged_into")
    return get_object_or_404(shown, pk=pk)


def _day(form: StatementForm) -> date:
    """The day asked for; today where none was, or none that has come or can be read."""
    today = bogota_day(timezone.now())
    asked = form.cleaned_data["al"] if form.is_valid() else None
    if asked is None:
        return today
    try:
        check_day_not_future(asked, "al")
    except Refused as refusal:
        form.add_error("al", refusal.message)
        return today
    return asked
