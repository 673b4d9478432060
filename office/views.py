"""Pages that belong to no app: alive, jobs, the public verification of certificates."""

from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.contrib import messages
from django.core.paginator import Paginator
from django.views.decorators.http import require_GET, require_POST

from office.access import may
from office.jobs import job_restart, jobs_visible_to
from office.models import Certificate
from office.refusals import Refused
from office.roles import Capability

PER_PAGE = 50
VERIFY_LIMIT, VERIFY_SECONDS = 30, 60


@login_not_required
@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """Say that the web server answers; looks at nothing else."""
    return JsonResponse({"alive": True})


@require_GET
@may(Capability.OWN)
def job_list(request: HttpRequest) -> HttpResponse:
    """The jobs that the person may see, newest first."""
    page = Paginator(jobs_visible_to(request.user), PER_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "office/job_list.html", {"page": page})


@require_GET
@may(Capability.OWN)
def job_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One job; asked for by its own polling, only the part that changes."""
    job = get_object_or_404(jobs_visible_to(request.user), pk=pk)
    template = "office/job_state.html" if request.htmx else "office/job_detail.html"
    return render(request, template, {"job": job, "steps": job_steps(job)})


def job_steps(job) -> list[dict]:
    """The job's steps with the word for their state, for the page."""
    progress = getattr(job, "progress", None)
    current = progress.step if progress else 0
    return [
        {
            "number": number,
            "title": title,
            "progress": progress if number == current else None,
            "tag": _step_tag(job, number, current),
        }
        for number, title in enumerate(job.steps, start=1)
    ]


def _step_tag(job, number: int, current: int) -> str:
    if number < current or job.state == "done":
        return "Completa"
    if number == current:
        return job.get_state_display()
    return "Sin empezar"


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


@login_not_required
@require_GET
def verify(request: HttpRequest, code: str = "") -> HttpResponse:
    """The public page that confirms a certificate: the least that proves it."""
    code = (code or request.GET.get("codigo", "")).replace(" ", "").replace("-", "").upper()
    if code and not _verify_allowed(request):
        return render(request, "office/verify.html", {"throttled": True}, status=429)
    certificate = Certificate.objects.select_related("series", "file").filter(code=code).first()
    status = 404 if code and certificate is None else 200
    return render(
        request,
        "office/verify.html",
        {"code": code, "certificate": certificate},
        status=status,
    )


def _verify_allowed(request: HttpRequest) -> bool:
    key = f"verify:{request.META.get('REMOTE_ADDR', '')}"
    cache.add(key, 0, VERIFY_SECONDS)
    try:
        return cache.incr(key) <= VERIFY_LIMIT
    except ValueError:  # it expired between the two calls
        return True
