"""A binding act in three steps at one address: form, check-your-answers, done."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import Form, MultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from offerings.services.rehearsals import rehearsed
from office.refusals import Refused

CONFIRM = "confirmar"
INVALID = 422


@dataclass(frozen=True)
class BindingAct:
    """An act as its screens need it.

    act: does it, with the valid form; shown: the lines of check-your-answers and the consequence,
    out of the form and of what the act would give; done: where to go after it.
    """

    form: Callable[..., Form]
    act: Callable[[Form], Any]
    shown: Callable[[Form, Any], dict[str, Any]]
    done: Callable[[Any], HttpResponse]
    page: dict[str, Any]
    initial: dict[str, Any] = field(default_factory=dict)


def act_response(request: HttpRequest, binding: BindingAct) -> HttpResponse:
    """Answer a GET with the form, a POST with its review, or with the act done."""
    if request.method == "GET":
        return _form_page(request, binding, binding.form(initial=_initial(request, binding)))
    form = binding.form(request.POST)
    if not form.is_valid():
        return _form_page(request, binding, form)
    try:
        if request.POST.get("paso") == CONFIRM:
            return binding.done(binding.act(form))
        result = rehearsed(lambda: binding.act(form))
    except (Refused, ValidationError) as refusal:
        _tell(form, refusal)
        return _form_page(request, binding, form)
    return _review_page(request, binding, form, result)


def _initial(request: HttpRequest, binding: BindingAct) -> dict[str, Any]:
    """What the form begins with: its own values, or what «Cambiar» sends back."""
    fields = binding.form().fields
    sent = {
        name: request.GET.getlist(name)
        if isinstance(fields[name], MultipleChoiceField)
        else request.GET[name]
        for name in fields
        if name in request.GET
    }
    return binding.initial | sent


def _tell(form: Form, refusal: Refused | ValidationError) -> None:
    if isinstance(refusal, Refused):
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return
    for name, messages in refusal.message_dict.items():
        known = name if name in form.fields and name != NON_FIELD_ERRORS else None
        form.add_error(known, messages)


def _form_page(request: HttpRequest, binding: BindingAct, form: Form) -> HttpResponse:
    return render(
        request,
        "offerings/programmes/act_form.html",
        {**binding.page, "form": form},
        status=INVALID if form.errors else 200,
    )


def _review_page(
    request: HttpRequest, binding: BindingAct, form: Form, result: Any
) -> HttpResponse:
    typed = {name: request.POST.getlist(name) or [""] for name in form.fields}
    query = urlencode(typed, doseq=True)
    shown = binding.shown(form, result)
    change = f"{request.path}?{query}"
    for line in shown["answers"]:
        line["change_url"] = f"{change}#id_{line['field']}" if line.get("field") else ""
    return render(
        request,
        "offerings/programmes/act_review.html",
        {**binding.page, **shown, "form": form, "change_url": change},
    )
