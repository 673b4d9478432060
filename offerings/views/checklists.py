"""What must stand before stage 1 opens: a task list whose rows lead to where it is done."""

from django.urls import reverse

from offerings.enums import StageState
from offerings.models import FundRules, Programme, Stage
from offerings.rules.terms import Terms
from offerings.selectors.fund_rules import (
    fund_values_given,
    label_of,
    missing_keys,
    open_readings,
)
from office.dates import bogota_day, write_date
from office.numbers import write_quantity
from office.review import ReviewState

RULES_TAGS = {
    ReviewState.DRAFT: "En curso",
    ReviewState.PENDING: "Espera revisión",
    ReviewState.APPROVED: "Completa",
    ReviewState.RETURNED: "Devuelta",
    ReviewState.REJECTED: "Rechazada",
}
COMPLETE, NOT_STARTED, NOT_YET = "Completa", "Sin empezar", "No puede empezar todavía"


def checklist(
    programme: Programme, stage: Stage, terms: Terms, rules: FundRules | None
) -> list[dict[str, str]]:
    """What must stand before stage 1 opens, each with its status and its page."""
    slug = programme.slug
    given = fund_values_given(rules) if rules else {}
    missing = missing_keys(slug, given)
    rules_url = reverse("fund_rules", args=[slug])
    tasks = [
        _figures_task(slug, terms, rules, given),
        _values_task(slug, rules, missing, rules_url),
        _outstanding_task(terms, rules, given, rules_url),
        _readings_task(slug, rules, missing, rules_url),
        _notice_task(programme, terms),
    ]
    if terms.stage.needs_credit_line:
        tasks.append(_credit_line_task(programme, terms))
    return [task for task in tasks if task] + [_opening_task(stage, tasks)]


def _task(label: str, url: str, tag: str, detail: str = "") -> dict[str, str]:
    return {"label": label, "url": url, "tag": tag, "detail": detail}


def _figures_task(slug: str, terms: Terms, rules: FundRules | None, given: dict) -> dict[str, str]:
    label, rules_url = "Cifras del programa", reverse("fund_rules", args=[slug])
    figures = {"shares": terms.shares, "price": terms.price, "published": terms.published}
    unknown = [key for key, figure in figures.items() if figure is None]
    if not unknown:
        return _task(label, reverse("programme_decree", args=[slug]), COMPLETE)
    names = ", ".join(label_of(key).lower() for key in unknown if key not in given)
    if names:
        return _task(label, rules_url, "Incompleta", f"Falta: {names}")
    return _task(label, rules_url, _rules_tag(rules), "Con los datos del reglamento")


def _values_task(
    slug: str, rules: FundRules | None, missing: list[str], rules_url: str
) -> dict[str, str]:
    readings = open_readings(slug)
    lacking = [label_of(key).lower() for key in missing if key not in readings]
    return _task(
        "Reglamento del Fondo", rules_url, _rules_tag(rules), _rules_detail(rules, lacking)
    )


def _rules_tag(rules: FundRules | None) -> str:
    return RULES_TAGS[ReviewState(rules.review_state)] if rules else NOT_STARTED


def _rules_detail(rules: FundRules | None, lacking: list[str]) -> str:
    if rules is None:
        return "Los datos que el decreto deja al Fondo, con su fuente"
    if rules.review_state == ReviewState.DRAFT and lacking:
        return f"Falta: {', '.join(lacking)}"
    if rules.review_state == ReviewState.APPROVED:
        return f"Versión {rules.version}, la aprobó {rules.reviewed_by}"
    return f"Versión {rules.version}, la preparó {rules.prepared_by}"


def _outstanding_task(
    terms: Terms, rules: FundRules | None, given: dict, rules_url: str
) -> dict[str, str]:
    label = "Acciones en circulación del emisor"
    if terms.outstanding:
        shown = write_quantity(terms.outstanding.value)
        return _task(label, rules_url, COMPLETE, f"{shown}, {terms.outstanding.cite}")
    if "outstanding" in given:
        return _task(label, rules_url, _rules_tag(rules), given["outstanding"].source)
    return _task(label, rules_url, NOT_STARTED)


def _readings_task(
    slug: str, rules: FundRules | None, missing: list[str], rules_url: str
) -> dict[str, str]:
    readings = open_readings(slug)
    if not readings:
        return {}
    count = f"{len(readings)} {'lectura' if len(readings) == 1 else 'lecturas'}"
    if rules is None or all(name in missing for name in readings):
        return _task("Lecturas que confirma el Fondo", rules_url, NOT_STARTED, count)
    left = [name for name in readings if name in missing]
    detail = f"{count}; falta confirmar {len(left)}" if left else count
    return _task("Lecturas que confirma el Fondo", rules_url, _rules_tag(rules), detail)


def _notice_task(programme: Programme, terms: Terms) -> dict[str, str]:
    asked = terms.stage.public_notice
    label = f"Aviso público ({asked.cite})" if asked else "Aviso público"
    url = reverse("notice_new", args=[programme.slug])
    notice = programme.notices.first()
    if notice is None:
        return _task(label, url, NOT_STARTED, "Dónde y cuándo se hizo conocer el programa")
    detail = f"{notice.medium}, {notice.reference}, {write_date(notice.published_on)}"
    return _task(label, "", COMPLETE, detail)


def _credit_line_task(programme: Programme, terms: Terms) -> dict[str, str]:
    label = f"Línea de crédito ({terms.stage.credit_line.cite})"
    url = reverse("credit_line_new", args=[programme.slug])
    line = programme.credit_lines.first()
    if line is None:
        return _task(label, url, NOT_STARTED, "Una al menos, por cuenta de quien presta")
    detail = f"{line.lender}, desde el {write_date(line.opened_on)}"
    return _task(label, "", COMPLETE, detail)


def _opening_task(stage: Stage, before: list[dict[str, str]]) -> dict[str, str]:
    label = f"Apertura de la etapa {stage.number}"
    if stage.state != StageState.PLANNED:
        return _task(label, "", COMPLETE, f"El {write_date(bogota_day(stage.opened_at))}")
    waiting = [task["label"] for task in before if task and task["tag"] != COMPLETE]
    if waiting:
        return _task(label, "", NOT_YET, f"Depende de: {waiting[0].lower()}")
    url = reverse("stage_open", args=[stage.programme.slug, stage.number])
    return _task(label, url, NOT_STARTED, "La abre un supervisor")
