"""The second look at a document: what its paper says, typed again by somebody else."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from buyers.models import Document
from buyers.selectors.documents import difference_sent, documents_listed, documents_to_verify
from buyers.services.uploads import SHOWN_INLINE
from buyers.services.verification import (
    Difference,
    differed_before,
    document_difference_send,
    document_verify,
    verification_check,
)
from offerings.forms.verification import DifferenceForm, VerificationForm
from offerings.models import Stage
from offerings.selectors.documents import unverified_count
from offerings.views.documents import documents_asked
from office.access import may
from office.numbers import write_quantity
from office.refusals import Refused
from office.roles import Capability

VERIFY, VERIFY_NEXT, SEND = "verificar", "siguiente", "enviar"
INVALID, CONFLICT = 422, 409


@require_http_methods(["GET", "POST"])
@may(Capability.PREPARE)
def document_verify_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The file beside blank fields; on a difference, both values and the ways out of it."""
    document = get_object_or_404(documents_listed(request.user), pk=pk)
    step = request.POST.get("paso", VERIFY)
    if request.method == "POST" and document.verified_by_id == request.user.pk:
        return _done(request, document, step)
    try:
        verification_check(document, request.user)
    except Refused as refusal:
        return _closed_page(request, document, refusal)
    if request.method == "GET":
        return _page(request, document, _form(request, document))
    if step == SEND:
        return _send(request, document)
    return _verify(request, document, step)


def _form(
    request: HttpRequest, document: Document, data: QueryDict | None = None
) -> VerificationForm:
    differed = differed_before(document, request.user)
    return VerificationForm(data, document=document, differed=differed)


def _verify(request: HttpRequest, document: Document, step: str) -> HttpResponse:
    form = _form(request, document, request.POST)
    if not form.is_valid():
        return _page(request, document, form)
    try:
        found = document_verify(
            user=request.user,
            document_id=document.pk,
            read=form.read(),
            reason=form.cleaned_data.get("reason", ""),
        )
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _page(request, document, form)
    if found:
        again = _form(request, document, request.POST)
        return _page(request, document, again, differences=found, sending=DifferenceForm())
    return _done(request, document, step)


def _send(request: HttpRequest, document: Document) -> HttpResponse:
    sending = DifferenceForm(request.POST)
    blank = _form(request, document)
    if not sending.is_valid():
        return _page(request, document, blank, sending=sending)
    try:
        document_difference_send(
            user=request.user, document_id=document.pk, note=sending.cleaned_data["note"]
        )
    except Refused as refusal:
        sending.add_error("note" if refusal.field else None, refusal.message)
        return _page(request, document, blank, sending=sending)
    messages.success(request, f"Se envió la diferencia en «{document}» a {document.seen_by}.")
    return redirect("buyer", pk=document.buyer_id)


def _done(request: HttpRequest, document: Document, step: str) -> HttpResponse:
    messages.success(request, f"Verificado: {document}, de {document.buyer}.")
    if step != VERIFY_NEXT:
        return redirect("buyer", pk=document.buyer_id)
    following = _following(request, document)
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    if following is None:
        messages.info(request, "No queda ninguno por verificar en esa lista.")
        return redirect(f"{reverse('documents')}{query}")
    return redirect(f"{reverse('document_verify', args=[following.pk])}{query}")


def _following(request: HttpRequest, document: Document) -> Document | None:
    """The next that waits in the list that one comes from, and after the last its first."""
    listed = documents_asked(request).order_by("pk")
    waiting = listed.filter(pk__in=documents_to_verify(request.user).values("pk"))
    waiting = waiting.exclude(pk=document.pk)
    return waiting.filter(pk__gt=document.pk).first() or waiting.first()


def unverified_line(stage: Stage) -> dict[str, str]:
    """A line of check-your-answers: what of the stage nobody has verified, and where it is."""
    count = unverified_count(stage)
    line = {"label": "Documentos sin verificar", "value": write_quantity(count)}
    if not count:
        return line | {"detail": "Otra persona leyó cada uno de los que se hacen valer."}
    detail = "Se hacen valer en la etapa y solo los vio quien los registró. No impiden seguir."
    return line | {
        "detail": detail,
        "link_url": f"{reverse('documents')}?etapa={stage.pk}&vista=sin-verificar",
        "link_label": "Ver cuáles",
    }


def _page(
    request: HttpRequest,
    document: Document,
    form: VerificationForm,
    *,
    differences: tuple[Difference, ...] = (),
    sending: DifferenceForm | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "document": document,
        "form": sending if sending is not None and sending.is_bound else form,
        "verification": form,
        "sending": sending,
        "differences": differences,
        "sent": difference_sent(document),
        "is_shown": document.file_id and document.file.content_type in SHOWN_INLINE,
        "is_image": document.file_id and document.file.content_type.startswith("image/"),
        "replace_url": reverse("document_replace", args=[document.pk]),
    }
    wrong = form.errors or differences or (sending is not None and sending.errors)
    return render(
        request, "offerings/documents/verify.html", context, status=INVALID if wrong else 200
    )


def _closed_page(request: HttpRequest, document: Document, refusal: Refused) -> HttpResponse:
    return render(
        request,
        "offerings/documents/closed.html",
        {"document": document, "message": refusal.message},
        status=CONFLICT if request.method == "POST" else 200,
    )
