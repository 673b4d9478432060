"""The work queue: what waits for whoever looks, and nothing that it may not act on."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

from buyers.selectors.documents import documents_to_verify
from config import early_exits
from config.pledge_queue import RELEASES_DESCRIBED, pledges_due
from offerings.enums import StageState
from offerings.models import Adjudication, AdjudicationAnnulment, AwardDefault, FundRules, Stage
from offerings.selectors.adjudications import runs_without_act
from offerings.selectors.certificates import run_of_act
from offerings.selectors.fund_rules import fund_rules_block
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.payments import OVERDUE, UNPAID, awards_due
from office.dates import bogota_day, write_clock, write_date
from office.jobs import jobs_visible_to
from office.models import Certificate, CertificateAnnulment, JobState, User
from office.numbers import write_count, write_quantity
from office.review import ReviewState, TwoPersonAct, review_block
from office.roles import Capability
from pledges.selectors.releases import release_acts

WEEK = timedelta(days=7)
CAUSE_SHOWN = 80
WEEKDAYS = ("lun", "mar", "mié", "jue", "vie", "sáb", "dom")


def acts_to_review(user: User) -> list[dict[str, Any]]:
    """Two-person acts that another prepared and that `user` may decide, oldest first."""
    if not user.may(Capability.APPROVE):
        return []
    return [_act_row(act) for act in _acts(ReviewState.PENDING) if not _blocked(act, user)]


def _blocked(act: TwoPersonAct, user: User) -> str:
    """Why `user` may not decide the act; whoever typed a value of a reglamento may not either."""
    if isinstance(act, FundRules):
        return fund_rules_block(act, user)
    return review_block(act, user)


def acts_returned(user: User) -> list[dict[str, Any]]:
    """What `user` prepared, came back, and has no newer version yet."""
    if not user.may(Capability.PREPARE):
        return []
    refused = [ReviewState.RETURNED, ReviewState.REJECTED]
    return [_act_row(act) for act in _acts(*refused) if act.prepared_by_id == user.pk]


def _acts(*states: ReviewState) -> list[TwoPersonAct]:
    rules = FundRules.objects.filter(review_state__in=states).exclude(
        Exists(_newer(FundRules, "programme"))
    )
    runs = Adjudication.objects.filter(review_state__in=states).exclude(
        Exists(_newer(Adjudication, "stage"))
    )
    found: list[TwoPersonAct] = [
        *rules.select_related("programme", "prepared_by", "reviewed_by"),
        *runs.select_related("stage__programme", "prepared_by", "reviewed_by"),
        *_annulments(states),
        *_defaults(states),
        *early_exits.early_acts(states),
        *release_acts(states),
    ]
    return sorted(found, key=lambda act: act.prepared_at)


def _annulments(states: tuple[ReviewState, ...]) -> list[TwoPersonAct]:
    """Of adjudications and certificates that are in force still, and not asked for again."""
    of_runs = AdjudicationAnnulment.objects.filter(
        ~Exists(_later(AdjudicationAnnulment, "adjudication")),
        review_state__in=states,
        adjudication__annulled_at=None,
    )
    of_certificates = CertificateAnnulment.objects.filter(
        ~Exists(_later(CertificateAnnulment, "certificate")),
        review_state__in=states,
        certificate__annulled_at=None,
    )
    return [
        *of_runs.select_related("adjudication__stage__programme", "prepared_by", "reviewed_by"),
        *of_certificates.select_related(
            "certificate__series",
            "certificate__issued_for__award__acceptance__stage__programme",
            "prepared_by",
            "reviewed_by",
        ),
    ]


def _defaults(states: tuple[ReviewState, ...]) -> QuerySet[AwardDefault]:
    """What is proposed about unpaid awards, and was not proposed again."""
    later = AwardDefault.objects.filter(
        award=OuterRef("award"), measure=OuterRef("measure"), pk__gt=OuterRef("pk")
    )
    found = AwardDefault.objects.filter(~Exists(later), review_state__in=states)
    about = "award__acceptance__stage__programme"
    return found.select_related(about, "prepared_by", "reviewed_by")


def _later(model: Any, owner: str) -> Any:
    return model.objects.filter(**{owner: OuterRef(owner)}, pk__gt=OuterRef("pk"))


def _newer(model: Any, owner: str) -> Any:
    return model.objects.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))


def _act_row(act: TwoPersonAct) -> dict[str, Any]:
    describe = next(words for kind, words in DESCRIBED.items() if isinstance(act, kind))
    return describe(act) | {
        "prepared_by": act.prepared_by,
        "since": _since(act.prepared_at),
        "reviewed_by": act.reviewed_by,
        "reviewed_at": act.reviewed_at and _since(act.reviewed_at),
        "reason": act.review_reason,
    }


def _since(moment: datetime) -> str:
    """ "hoy, 8:55 a. m.", or the day alone."""
    day = bogota_day(moment)
    return f"hoy, {write_clock(moment)}" if day == _today() else write_date(day)


def _today() -> date:
    return bogota_day(timezone.now())


def _describe_rules(rules: FundRules) -> dict[str, Any]:
    address = reverse("fund_rules_version", args=[rules.programme.slug, rules.version])
    return {
        "label": f"Reglamento del Fondo, versión {rules.version}",
        "url": address,
        "detail": "Cifras, reglas y lecturas del programa",
        "about": str(rules.programme),
    }


def _describe_run(run: Any) -> dict[str, Any]:
    detail = f"sesión del {write_date(run.session_on)}"
    if run.lines is not None:
        detail = f"{write_quantity(run.lines)} aceptaciones; {detail}"
    return {
        "label": f"Adjudicación {run.code}, versión {run.version}",
        "url": reverse("adjudication", args=[run.pk]),
        "detail": detail,
        "about": str(run.stage),
    }


def _describe_run_annulment(act: Any) -> dict[str, Any]:
    run = act.adjudication
    return {
        "label": f"Anulación de la adjudicación {run.code}",
        "url": reverse("adjudication", args=[run.pk]),
        "detail": f"{act.act}, del {write_date(act.act_on)}",
        "about": str(run.stage),
    }


def _describe_certificate_annulment(act: Any) -> dict[str, Any]:
    certificate = act.certificate
    return {
        "label": f"Anulación de {certificate.label}",
        "url": reverse("certificate", args=[certificate.pk]),
        "detail": Truncator(act.cause).chars(CAUSE_SHOWN),
        "about": _about(certificate),
    }


def _about(certificate: Certificate) -> str:
    """The programme and stage of what it certifies."""
    if hasattr(certificate, "issued_for"):
        return str(certificate.issued_for.award.acceptance.stage)
    run = run_of_act(certificate)
    return str(run.stage) if run else certificate.title


def _describe_default(act: AwardDefault) -> dict[str, Any]:
    pending = act.review_state == ReviewState.PENDING
    return {
        "label": f"Falta de pago de {act.award.acceptance.code}",
        "url": reverse("default_review" if pending else "default", args=[act.pk]),
        "detail": act.get_measure_display(),
        "about": str(act.award.acceptance.stage),
    }


DESCRIBED: dict[type[TwoPersonAct], Callable[[Any], dict[str, Any]]] = {
    FundRules: _describe_rules,
    Adjudication: _describe_run,
    AdjudicationAnnulment: _describe_run_annulment,
    CertificateAnnulment: _describe_certificate_annulment,
    AwardDefault: _describe_default,
    **early_exits.DESCRIBED,
    **RELEASES_DESCRIBED,
}


def dues(user: User, today: date | None = None) -> list[dict[str, Any]]:
    """What `user` has to see to within a week of `today`, or is past and not done yet, soonest
    first: a supervisor closes stages, and whoever prepares takes in payments."""
    today = today or _today()
    found: list[Due] = []
    if user.may(Capability.APPROVE):
        found += _stages_due()
    if user.may(Capability.PREPARE):
        found += _payments_due()
        found += pledges_due(today)
    return [
        _due_row(day, today, label, url, detail)
        for day, label, url, detail in sorted(found, key=lambda row: row[0])
        if day <= today + WEEK
    ]


Due = tuple[date, str, str, str]


def _stages_due() -> Iterable[Due]:
    for stage in Stage.objects.filter(state=StageState.OPEN).select_related("programme"):
        yield (
            bogota_day(stage.last_moment),
            f"Cerrar la etapa {stage.number}",
            reverse("stage_close", args=[stage.programme.slug, stage.number]),
            f"{stage.programme}; fin del plazo de la oferta",
        )


def _payments_due() -> Iterable[Due]:
    approved = Adjudication.objects.in_force()
    for run in approved.select_related("stage__programme"):
        unpaid = awards_due().filter(adjudication=run, paid__lt=F("due")).count()
        term = payment_term(run)
        if not unpaid or term is None:
            continue
        which = write_count(unpaid, "aceptación", "aceptaciones")
        view = OVERDUE if term.value < _today() else UNPAID
        yield (
            term.value,
            f"Último día de pago de {which}",
            f"{reverse('payments')}?programa={run.stage.programme.slug}&vista={view}",
            f"{run.stage}, sesión del {write_date(run.session_on)}",
        )


def _due_row(day: date, today: date, label: str, url: str, detail: str) -> dict[str, Any]:
    late = day < today
    return {
        "weekday": str(day.year) if late else WEEKDAYS[day.weekday()],
        "day": write_date(day)[:5] if late else str(day.day),
        "today": day <= today,
        "late": late,
        "label": label,
        "url": url,
        "detail": f"{detail}. Pasó el {write_date(day)}." if late else detail,
    }


def acts_to_issue(user: User) -> list[dict[str, str]]:
    """The acts of adjudication that whoever prepares has to issue: approved, and not on paper."""
    if not user.may(Capability.PREPARE):
        return []
    return [
        {
            "label": f"Acta de {run.code}",
            "url": reverse("adjudication_record_new", args=[run.pk]),
            "detail": f"{run.stage}, sesión del {write_date(run.session_on)}",
        }
        for run in runs_without_act()
    ]


def documents_waiting(user: User) -> dict[str, Any]:
    """How many documents wait for the second look that `user` may give, and the oldest."""
    waiting = documents_to_verify(user)
    return {"count": waiting.count(), "first": waiting.order_by("pk").first()}


def jobs_under_way(user: User) -> list[dict[str, Any]]:
    """Jobs that wait or run, with how far they are."""
    if not user.may(Capability.OWN):
        return []
    active = jobs_visible_to(user).filter(state__in=[JobState.QUEUED, JobState.RUNNING])
    return [_job_row(job) for job in active[:10]]


def _job_row(job: Any) -> dict[str, Any]:
    progress = getattr(job, "progress", None)
    row = {"title": job.title, "url": reverse("job", args=[job.pk]), "note": "En cola"}
    if progress is None:
        return row
    counts = f"{write_quantity(progress.done)} de {write_quantity(progress.total)}"
    return row | {
        "done": progress.done,
        "total": progress.total,
        "note": f"Paso {progress.step} de {len(job.steps)}: {counts} {progress.unit}".strip(),
    }
