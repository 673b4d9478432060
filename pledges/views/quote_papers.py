"""A quote on paper: the same steps as on its page, drawn when it is asked for."""

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from offerings.certificates import FUND, programme_title
from offerings.decrees.reader import terms_from_data
from office.access import may
from office.pdf import PdfError, render_pdf
from office.roles import Capability
from pledges.views.quotes import quote_cites, quote_or_404

STYLESHEET = "receipt.css"


@require_GET
@may(Capability.READ)
def quote_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The quote as PDF; one that is not settled says so at its foot."""
    quote = quote_or_404(pk)
    pledge = quote.request.pledge
    terms = terms_from_data(quote.terms)
    decree = terms.decree.value
    context = {
        "fund": FUND,
        "quote": quote,
        "found": quote.request,
        "pledge": pledge,
        "programme": programme_title(terms),
        "decree": decree,
        "source": f"{decree}, {quote_cites(quote)}",
        "asked": date.fromisoformat(quote.facts["asked"]),
        # One act confirms all the readings of a version.
        "confirmed": next((one["confirmed"] for one in quote.readings if one["confirmed"]), ""),
    }
    html = render_to_string("certificates/penalty_quote.html", context)
    try:
        data = render_pdf(html, stylesheet=STYLESHEET, one_page=False)
    except PdfError as error:
        messages.error(request, f"No se pudo generar la liquidación. {error}")
        return redirect("quote", pk=pk)
    response = HttpResponse(data, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="liquidacion-{quote.code}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
