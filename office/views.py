"""Pages that belong to no app: whether the server is alive, and one job."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from office.access import may
from office.jobs import job_restart, job_stop, jobs_visible_to, may_stop
from office.progress import job_page
from office.refusals import Refused
from office.roles import Capability


@login_not_required
@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """Say that the web server answers; looks at nothing else."""
    return JsonResponse({"alive": True})


@require_GET
@may(Capability.OWN)
def job_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One job; asked for by its own polling, only the part that changes."""
    job = get_object_or_404(jobs_visible_to(request.user), pk=pk)
    context = job_page(job) | {"may_stop": may_stop(job, request.user)}
    if not request.htmx:
        return render(request, "office/job_detail.html", context)
    # What was said already is not said again: a live region repeats itself otherwise.
    context["say"] = context["said"] != request.GET.get("said")
    return render(request, "office/job_state.html", context)


@require_POST
@may(Capability.PREPARE)
def job_restart_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a failed or interrupted job again."""
    job = get_object_or_404(jobs_visible_to(request.user), pk=pk)
    try:
        job_restart(job_id=job.pk, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("job", pk=pk)


@require_http_methods(["GET", "POST"])
@may(Capability.PRESENT)
def job_stop_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what stopping a job leaves; then stop it."""
    job = get_object_or_404(jobs_visible_to(request.user), pk=pk)
    if request.method == "GET" and may_stop(job, request.user):
        return render(request, "office/job_stop.html", {"job": job})
    try:
        job_stop(job_id=job.pk, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("job", pk=pk)
