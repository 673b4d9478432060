"""What people do with a bank's file: upload, match columns, confirm, discard."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from offerings.enums import ImportState
from offerings.forms.bank_files import BankColumnsForm, BankFileForm
from offerings.models import BankFile, Programme
from offerings.selectors.bank_files import bank_files_listed, bank_mapping_before
from offerings.services.bank_files import (
    COLUMNS,
    BankFileAlreadyUploaded,
    bank_file_columns,
    bank_file_confirm,
    bank_file_discard,
    bank_file_open,
)
from offerings.views.bank_files import bank_file_page
from office.access import may
from office.jobs import job_enqueue
from office.refusals import Refused
from office.roles import Capability


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def bank_file_new(request: HttpRequest) -> HttpResponse:
    """The upload: the file is kept, its review is sent, and the job's page shows how it goes."""
    if request.method == "GET":
        return _form_page(request, BankFileForm(initial=_only_programme()))
    form = BankFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, form)
    file = form.cleaned_data["file"]
    try:
        with transaction.atomic():
            opened = bank_file_open(
                programme=form.cleaned_data["programme"],
                data=file.read(),
                name=file.name,
                means=form.cleaned_data["means"],
                user=request.user,
            )
            job_enqueue(opened.job)
    except BankFileAlreadyUploaded as refusal:
        form.add_error("file", refusal.message)
        return _form_page(request, form, first=refusal.first)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, form)
    return redirect("job", pk=opened.job_id)


def _only_programme() -> dict[str, Any]:
    """The programme, where there is but one."""
    programmes = Programme.objects.all()[:2]
    return {"programme": programmes[0].pk} if len(programmes) == 1 else {}


def _form_page(request: HttpRequest, form: BankFileForm, **context: Any) -> HttpResponse:
    context |= {"form": form, "columns": COLUMNS}
    status = 422 if request.method == "POST" else 200
    return render(request, "offerings/bank_files/form.html", context, status=status)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def bank_file_columns_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Which column each heading of the file stands for; the file is reviewed again with that."""
    source = _source(pk)
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        return redirect("bank_file", pk=pk)
    mapping = source.mapping or bank_mapping_before(source)
    told = request.POST if request.method == "POST" else None
    form = BankColumnsForm(told, headings=source.headings, mapping=mapping)
    if not form.is_valid():
        return _columns_page(request, source, form)
    try:
        with transaction.atomic():
            again = bank_file_columns(bank_file_id=pk, mapping=form.mapping(), user=request.user)
            job_enqueue(again.job)
    except Refused as refusal:
        form.add_error(None, refusal.message)
        return _columns_page(request, source, form)
    return redirect("job", pk=again.job_id)


def _source(pk: int) -> BankFile:
    return get_object_or_404(bank_files_listed(), pk=pk)


def _columns_page(request: HttpRequest, source: BankFile, form: BankColumnsForm) -> HttpResponse:
    context = {"source": source, "form": form, "columns": COLUMNS}
    status = 422 if form.errors else 200
    return render(request, "offerings/bank_files/columns.html", context, status=status)


@require_POST
@may(Capability.PREPARE)
def bank_file_confirm_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the payments recorded; the job's page shows how it goes."""
    source = _source(pk)
    try:
        with transaction.atomic():
            confirmed = bank_file_confirm(bank_file_id=pk, user=request.user)
            job_enqueue(confirmed.job)
    except Refused as refusal:
        return bank_file_page(request, source, refusal=refusal.message)
    return redirect("job", pk=confirmed.job_id)


@require_POST
@may(Capability.PREPARE)
def bank_file_discard_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the file aside."""
    source = _source(pk)
    try:
        bank_file_discard(bank_file_id=pk, user=request.user)
    except Refused as refusal:
        return bank_file_page(request, source, refusal=refusal.message)
    messages.success(request, f"{source.code} quedó descartado. No se registró ningún pago.")
    return redirect("bank_files")
