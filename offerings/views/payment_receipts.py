"""The receipt of a payment: its page, and the same on paper, drawn when it is asked for."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from offerings.certificates import FUND, programme_title
from offerings.selectors.payment_receipts import payment_receipt, payments_shown
from offerings.selectors.programmes import stage_terms
from office.access import may
from office.pdf import PdfError, render_pdf
from office.roles import Capability

STYLESHEET = "receipt.css"


@require_GET
@may(Capability.OWN)
def payment_receipt_page(request: HttpRequest, pk: int) -> HttpResponse:
    """What was received, what it paid and what was left."""
    payment = get_object_or_404(payments_shown(request.user), pk=pk)
    context = {
        "payment": payment,
        "award": payment.award,
        "buyer": payment.award.acceptance.participation.buyer,
        "receipt": payment_receipt(payment),
    }
    return render(request, "offerings/payments/receipt.html", context)


@require_GET
@may(Capability.OWN)
def payment_receipt_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The receipt as PDF, for whoever may see the payment."""
    payment = get_object_or_404(payments_shown(request.user), pk=pk)
    stage = payment.award.acceptance.stage
    terms = stage_terms(stage)
    context = {
        "fund": FUND,
        "programme": programme_title(terms),
        "payment": payment,
        "award": payment.award,
        "stage": stage,
        "decree": terms.decree.value,
        "buyer": payment.award.acceptance.participation.buyer,
        "receipt": payment_receipt(payment),
    }
    html = render_to_string("certificates/payment_receipt.html", context)
    try:
        data = render_pdf(html, stylesheet=STYLESHEET, one_page=False)
    except PdfError as error:
        messages.error(request, f"No se pudo generar el recibo. {error}")
        return redirect("payment_receipt", pk=payment.pk)
    response = HttpResponse(data, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="recibo-{payment.receipt}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
