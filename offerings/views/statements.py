"""The statement of a buyer: on a page, on paper, in a workbook."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_GET

from buyers.models import Buyer
from offerings.certificates import FUND
from offerings.forms.statements import StatementForm
from offerings.models import Payment, Refund
from offerings.selectors.statements import Statement, StatementLine, statement_of
from office.access import may
from office.dates import bogota_day
from office.identities import write_identity_long
from office.pdf import PdfError, render_pdf
from office.roles import Capability
from office.spreadsheets import Value, write_xlsx

STYLESHEET = "receipt.css"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = [
    "programa", "etapa", "aceptacion", "adjudicacion", "sesion", "acciones", "precio",
    "referencia_de_pago", "ultimo_dia", "situacion", "movimiento", "fecha", "recibo", "medio",
    "referencia", "valor", "sobra", "debe", "recibido", "devuelto", "saldo", "por_devolver",
]  # fmt: skip


@require_GET
@may(Capability.OWN)
def buyer_statement(request: HttpRequest, pk: int) -> HttpResponse:
    """What the buyer owes, paid and is owed, award by award, on the day asked for."""
    buyer = _buyer(request, pk)
    today = bogota_day(timezone.now())
    form = StatementForm(request.GET if "al" in request.GET else None, initial={"al": today})
    as_of = _day(form)
    context = {
        "buyer": buyer,
        "form": form,
        "statement": statement_of(buyer, request.user, as_of),
        "query": f"?al={as_of:%d/%m/%Y}",
    }
    status = 422 if form.errors else 200
    return render(request, "offerings/statements/detail.html", context, status=status)


@require_GET
@may(Capability.OWN)
def buyer_statement_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The same on paper, drawn when it is asked for."""
    buyer = _buyer(request, pk)
    statement = statement_of(buyer, request.user, _asked(request))
    context: dict[str, Any] = {
        "fund": FUND,
        "buyer": buyer,
        "identity": write_identity_long(
            buyer.identity_type, buyer.identity_number, buyer.check_digit
        ),
        "statement": statement,
        "is_part": not request.user.may(Capability.READ),
    }
    try:
        html = render_to_string("certificates/statement.html", context)
        data = render_pdf(html, stylesheet=STYLESHEET, one_page=False)
    except PdfError as error:
        messages.error(request, f"No se pudo generar el estado de cuenta. {error}")
        return redirect("buyer_statement", pk=pk)
    return _file(data, "application/pdf", f"estado-de-cuenta-{pk}.pdf")


@require_GET
@may(Capability.OWN)
def buyer_statement_xlsx(request: HttpRequest, pk: int) -> HttpResponse:
    """The same in a workbook: a row for each award, payment and refund."""
    buyer = _buyer(request, pk)
    statement = statement_of(buyer, request.user, _asked(request))
    data = write_xlsx(COLUMNS, _rows(statement), "Estado de cuenta")
    return _file(data, XLSX, f"estado-de-cuenta-{pk}.xlsx")


def _buyer(request: HttpRequest, pk: int) -> Buyer:
    return get_object_or_404(Buyer.objects.visible_to(request.user), pk=pk)


def _asked(request: HttpRequest) -> date:
    return _day(StatementForm(request.GET))


def _day(form: StatementForm) -> date:
    """The day asked for; today where none was, or none that can be read."""
    return (form.is_valid() and form.cleaned_data["al"]) or bogota_day(timezone.now())


def _file(data: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _rows(statement: Statement) -> Iterator[list[Value]]:
    for line in statement.lines:
        sums = [line.due, line.received, line.returned, line.balance, line.to_return]
        yield [*_award_cells(line), "Adjudicación", *[None] * 6, *sums]
        for payment in line.payments:
            yield [*_award_cells(line), *_payment_cells(payment), *[None] * 5]
        for refund in line.refunds:
            yield [*_award_cells(line), *_refund_cells(refund), *[None] * 5]


def _award_cells(line: StatementLine) -> list[Value]:
    award = line.award
    stage = award.acceptance.stage
    return [
        str(stage.programme),
        stage.number,
        award.acceptance.code,
        award.adjudication.code,
        award.adjudication.session_on,
        award.awarded,
        stage.price,
        line.reference,
        line.last_day,
        ", ".join(line.tags),
    ]


def _payment_cells(payment: Payment) -> list[Value]:
    return [
        "Pago",
        payment.paid_on,
        payment.receipt,
        payment.get_means_display(),
        payment.reference,
        payment.amount,
        payment.excess,
    ]


def _refund_cells(refund: Refund) -> list[Value]:
    means, amount = refund.get_means_display(), refund.amount
    return ["Devolución", refund.paid_on, "", means, refund.reference, amount, None]
