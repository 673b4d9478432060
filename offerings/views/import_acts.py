"""What people do with a file of acceptances: upload, match columns, decide, confirm, discard."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from offerings.enums import ImportState
from offerings.forms.imports import ChoiceForm, ColumnsForm, ConfirmForm, ImportForm
from offerings.models import AcceptanceImport, Stage
from offerings.selectors.imports import imports_listed, mapping_before
from offerings.selectors.programmes import stage_terms
from offerings.services.imports import (
    AlreadyUploaded,
    columns_of,
    import_columns,
    import_confirm,
    import_decide,
    import_discard,
    import_open,
)
from offerings.services.stages import stage_check
from offerings.views.imports import import_page
from office.access import may
from office.jobs import job_enqueue
from office.refusals import Refused
from office.roles import Capability


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def import_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The upload: the file is kept, its review is sent, and the job's page shows how it goes."""
    stages = Stage.objects.select_related("programme", "rules")
    stage = get_object_or_404(stages, programme__slug=slug, number=number)
    if request.method == "GET":
        return _start_page(request, stage)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, stage, form)
    file = form.cleaned_data["file"]
    try:
        with transaction.atomic():
            opened = import_open(stage=stage, data=file.read(), name=file.name, user=request.user)
            job_enqueue(opened.job)
    except AlreadyUploaded as refusal:
        form.add_error("file", refusal.message)
        return _form_page(request, stage, form, first=refusal.first)
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _form_page(request, stage, form)
    return redirect("job", pk=opened.job_id)


def _start_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The empty form, or why this stage takes no file now."""
    try:
        stage_check(stage)
    except Refused as refusal:
        return _form_page(request, stage, None, refusal=refusal)
    return _form_page(request, stage, ImportForm())


def _form_page(
    request: HttpRequest, stage: Stage, form: ImportForm | None, **context: Any
) -> HttpResponse:
    context |= {"stage": stage, "form": form, "columns": columns_of(stage_terms(stage)).values()}
    status = 422 if request.method == "POST" else 200
    return render(request, "offerings/imports/form.html", context, status=status)


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def import_columns_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Which column each heading of the file stands for; the file is reviewed again with that."""
    source = _source(pk)
    if source.state not in {ImportState.COLUMNS, ImportState.REVIEWED}:
        return redirect("import", pk=pk)
    mapping = source.mapping or mapping_before(source)
    told = request.POST if request.method == "POST" else None
    form = ColumnsForm(told, headings=source.headings, mapping=mapping)
    if not form.is_valid():
        return _columns_page(request, source, form)
    try:
        with transaction.atomic():
            again = import_columns(import_id=pk, mapping=form.mapping(), user=request.user)
            job_enqueue(again.job)
    except Refused as refusal:
        form.add_error(None, refusal.message)
        return _columns_page(request, source, form)
    return redirect("job", pk=again.job_id)


def _source(pk: int) -> AcceptanceImport:
    return get_object_or_404(imports_listed(), pk=pk)


def _columns_page(
    request: HttpRequest, source: AcceptanceImport, form: ColumnsForm
) -> HttpResponse:
    columns = columns_of(stage_terms(source.stage)).values()
    context = {"source": source, "form": form, "columns": columns}
    status = 422 if form.errors else 200
    return render(request, "offerings/imports/columns.html", context, status=status)


@require_POST
@may(Capability.PREPARE)
def import_decide_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep what is known, or leave the row out: of one row or of all that differ."""
    source = _source(pk)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return import_page(request, source, refusal="Elija qué hacer con la fila.")
    number = form.cleaned_data["fila"]
    try:
        import_decide(
            import_id=pk,
            choice=form.cleaned_data["decision"],
            numbers=None if number is None else [number],
            user=request.user,
        )
    except Refused as refusal:
        return import_page(request, source, refusal=refusal.message)
    return redirect(f"{reverse('import', args=[pk])}?vista=diferencias")


@require_POST
@may(Capability.PREPARE)
def import_confirm_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the file loaded; the job's page shows how it goes."""
    source = _source(pk)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        return import_page(request, source, refusal="Elija cómo se carga el archivo.")
    try:
        with transaction.atomic():
            confirmed = import_confirm(
                import_id=pk, mode=form.cleaned_data["modo"], user=request.user
            )
            job_enqueue(confirmed.job)
    except Refused as refusal:
        return import_page(request, source, refusal=refusal.message)
    return redirect("job", pk=confirmed.job_id)


@require_POST
@may(Capability.PREPARE)
def import_discard_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the file aside."""
    source = _source(pk)
    try:
        import_discard(import_id=pk, user=request.user)
    except Refused as refusal:
        return import_page(request, source, refusal=refusal.message)
    messages.success(request, f"{source.code} quedó descartada. No se guardó nada del archivo.")
    return redirect("imports", slug=source.stage.programme.slug, number=source.stage.number)
