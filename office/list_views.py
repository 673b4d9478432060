"""Pages that belong to no app: the list of jobs, and the views that people keep of any list."""

from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from office.access import may
from office.exports import list_export
from office.forms import SavedViewForm
from office.jobs import jobs_visible_to
from office.list_pages import list_context
from office.lists import Column, Listing, choice_filter, listing_at, query_kept, shows, text_filter
from office.models import Job, JobState, SavedView
from office.refusals import Refused
from office.roles import Capability
from office.saved_views import saved_view_delete, saved_view_rename, saved_view_save

INVALID = 422


def jobs_answering(jobs: QuerySet[Job], text: str) -> QuerySet[Job]:
    """Those whose number, title or subject answers to `text`."""
    found = Q(title__icontains=text) | Q(context__icontains=text)
    number = text.upper().removeprefix("PR-")
    if number.isdecimal() and len(number) < 10:
        found |= Q(pk=int(number))
    return jobs.filter(found)


JOBS = Listing(
    page="jobs",
    title="Procesos",
    noun=("proceso", "procesos"),
    every="Todos",
    columns=(
        Column("Proceso", lambda job: job.code),
        Column("Qué hace", lambda job: job.title),
        Column("Sobre", lambda job: job.context),
        Column("Lo pidió", lambda job: str(job.requested_by)),
        Column("Pedido", lambda job: job.requested_at),
        Column("Empezó", lambda job: job.started_at),
        Column("Terminó", lambda job: job.ended_at),
        Column("Estado", Job.get_state_display),
        Column("Mensaje", lambda job: job.message),
    ),
    filters=(
        text_filter("Qué hace, sobre qué o número", jobs_answering),
        choice_filter("estado", "Estado", "state", JobState.choices),
    ),
    orders={"pedido": ("requested_at",), "termino": ("ended_at",)},
)


@require_GET
@may(Capability.OWN)
@shows(JOBS)
def job_list(request: HttpRequest) -> HttpResponse:
    """The jobs that the person may see, newest first."""
    context = list_context(request, JOBS, jobs_visible_to(request.user))
    return render(request, "office/job_list.html", context)


@require_GET
@may(Capability.OWN)
def jobs_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, JOBS, jobs_visible_to(request.user), kind)


@require_http_methods(["GET", "POST"])
@may(Capability.OWN)
def saved_view_new(request: HttpRequest) -> HttpResponse:
    """Keep what a list shows under a name: the list and its filter come in the address."""
    told = request.POST if request.method == "POST" else request.GET
    path, query = told.get("lista", ""), told.get("filtro", "")
    listing = listing_at(path, request.user)
    if listing is None:
        raise Http404
    form = SavedViewForm(_sent(request), initial={"lista": path, "filtro": query})
    if not form.is_valid():
        return _page(request, form, listing, path, query)
    try:
        view = saved_view_save(
            user=request.user, listing=listing, label=form.cleaned_data["label"], query=query
        )
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _page(request, form, listing, path, query)
    messages.success(request, f"Se guardó la vista «{view.label}».")
    return redirect(f"{path}?{view.query}{listing.anchor}")


@require_http_methods(["GET", "POST"])
@may(Capability.OWN)
def saved_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Give an own view another name; from here it is deleted, too."""
    view = get_object_or_404(SavedView, pk=pk, owner=request.user)
    told = request.POST if request.method == "POST" else request.GET
    path = told.get("lista", "")
    listing = _listing_of(view, path, request)
    initial = {"label": view.label, "lista": path, "filtro": view.query}
    form = SavedViewForm(_sent(request), initial=initial)
    if not form.is_valid():
        return _page(request, form, listing, path, view.query, view=view)
    try:
        renamed = saved_view_rename(
            user=request.user, view_id=pk, label=form.cleaned_data["label"]
        )
    except Refused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return _page(request, form, listing, path, view.query, view=view)
    messages.success(request, f"Ahora la vista se llama «{renamed.label}».")
    return redirect(f"{path}?{renamed.query}{listing.anchor}" if listing else reverse("home"))


@require_POST
@may(Capability.OWN)
def saved_view_forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an own view."""
    view = get_object_or_404(SavedView, pk=pk, owner=request.user)
    path = request.POST.get("lista", "")
    listing = _listing_of(view, path, request)
    saved_view_delete(user=request.user, view_id=pk)
    messages.success(request, f"Se borró la vista «{view.label}». La lista sigue igual.")
    return redirect(f"{path}{listing.anchor}" if listing else reverse("home"))


def _sent(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _listing_of(view: SavedView, path: str, request: HttpRequest) -> Listing | None:
    """The list that the view is of, if `path` is its address; another address is not gone to."""
    listing = listing_at(path, request.user)
    return listing if listing and listing.page == view.page else None


def _page(
    request: HttpRequest,
    form: SavedViewForm,
    listing: Listing | None,
    path: str,
    query: str,
    *,
    view: SavedView | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "view": view,
        "list_title": listing.title if listing else "",
        "back_url": f"{path}?{query}" if listing else reverse("home"),
        "path": path,
        "empty": listing is not None and not query_kept(listing, query),
    }
    status = INVALID if form.errors else 200
    return render(request, "office/saved_view.html", context, status=status)
