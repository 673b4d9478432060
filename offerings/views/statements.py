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
from offerings.selectors.statements import Movement, Statement, StatementLine, statement_of
from office.access import may
from office.dates import bogota_day
from office.identities import write_identity_long
from office.models import User
from office.pdf import PdfError, render_pdf
from office.roles import Capability
from office.spreadsheets import Value, write_xlsx

STYLESHEET = "receipt.css"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = [
    "Programa", "Etapa", "Aceptación", "Adjudicación", "Sesión", "Acciones", "Precio",
    "Referencia de pago", "Último día", "Situación", "Movimiento", "Fecha", "Recibo", "Medio",
    "Referencia", "Valor", "Sobrante",
]  # fmt: skip


@require_GET
@may(Capability.OWN)
def buyer_statement(request: HttpRequest, pk: int) -> HttpResponse:
    """What the buyer owes, paid and is owed, award by award, on the day asked for."""
    form = _form(request)
    return _page(request, _buyer(request, pk), form)


def _page(request: HttpRequest, buyer: Buyer, form: StatementForm) -> HttpResponse:
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
    buyer, form = _buyer(request, pk), _form(request)
    if form.errors:
        return _page(request, buyer, form)
    statement = statement_of(buyer, request.user, _day(form))
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
    """The same in a workbook: a row for each movement, with the sign that it has on paper."""
    buyer, form = _buyer(request, pk), _form(request)
    if form.errors:
        return _page(request, buyer, form)
    statement = statement_of(buyer, request.user, _day(form))
    about = _about(statement, request.user)
    data = write_xlsx(COLUMNS, _rows(statement), "Estado de cuenta", about=about)
    return _file(data, XLSX, f"estado-de-cuenta-{pk}.xlsx")


def _buyer(request: HttpRequest, pk: int) -> Buyer:
    return get_object_or_404(Buyer.objects.visible_to(request.user), pk=pk)


def _form(request: HttpRequest) -> StatementForm:
    today = bogota_day(timezone.now())
    return StatementForm(request.GET if "al" in request.GET else None, initial={"al": today})


def _day(form: StatementForm) -> date:
    """The day asked for; today where none was, or none that can be told of."""
    return (form.is_valid() and form.cleaned_data["al"]) or bogota_day(timezone.now())


def _file(data: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _rows(statement: Statement) -> Iterator[list[Value]]:
    for line in statement.lines:
        for movement in line.movements:
            yield [*_award_cells(line), *_movement_cells(movement)]


def _about(statement: Statement, user: User) -> list[tuple[str, Value]]:
    """Whose statement it is, of which day, and its sums."""
    buyer = statement.buyer
    whole = "Todo lo adjudicado" if user.may(Capability.READ) else "Lo que presentó su sociedad"
    return [
        ("Contenido", "Estado de cuenta"),
        ("Comprador", buyer.name),
        ("Documento", buyer.identity),
        ("Al", statement.as_of),
        ("Comprende", whole),
        ("Valor adjudicado (pesos)", statement.awarded),
        ("Quedó sin efecto (pesos)", statement.cancelled),
        ("Recibido (pesos)", statement.received),
        ("Devuelto (pesos)", statement.returned),
        ("Saldo (pesos)", statement.balance),
        ("Por devolver (pesos)", statement.to_return),
    ]


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
        line.standing,
    ]


def _movement_cells(movement: Movement) -> list[Value]:
    return [
        movement.kind,
        movement.on,
        movement.payment.receipt if movement.payment else "",
        movement.means,
        movement.reference,
        movement.amount,
        movement.excess or None,
    ]
