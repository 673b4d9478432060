"""The receipt of an acceptance, drawn when it is asked for."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from offerings.certificates import FUND, programme_title
from offerings.selectors.acceptances import acceptances_shown
from offerings.selectors.programmes import stage_terms
from offerings.selectors.receipts import receipt_facts
from office.access import may
from office.pdf import PdfError, render_pdf
from office.roles import Capability

STYLESHEET = "receipt.css"


@require_GET
@may(Capability.OWN)
def acceptance_receipt(request: HttpRequest, pk: int) -> HttpResponse:
    """The PDF, for whoever may see the acceptance."""
    acceptance = get_object_or_404(acceptances_shown(request.user), pk=pk)
    context = {
        "fund": FUND,
        "programme": programme_title(stage_terms(acceptance.stage)),
        "acceptance": acceptance,
        "stage": acceptance.stage,
        "buyer": acceptance.participation.buyer,
        "facts": receipt_facts(acceptance),
    }
    html = render_to_string("certificates/receipt.html", context)
    try:
        data = render_pdf(html, stylesheet=STYLESHEET, one_page=False)
    except PdfError as error:
        messages.error(request, f"No se pudo generar el recibo. {error}")
        return redirect("acceptance", pk=acceptance.pk)
    response = HttpResponse(data, content_type="application/pdf")
    name = f"recibo-{acceptance.stage.programme.slug}-{acceptance.code}.pdf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
