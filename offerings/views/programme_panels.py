"""What the programme pages show: steps, key figures, demand, the go-live checklist."""

from typing import Any

from offerings.enums import StageState
from offerings.models import Adjudication, FundRules, Programme, Stage
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import NoticeCode, Terms
from offerings.rules.window import WindowFacts, offer_window
from offerings.selectors.adjudications import adjudication_under_way
from offerings.selectors.annulments import adjudication_annulled
from offerings.selectors.drafts import drafts_listed
from offerings.selectors.fund_rules import rules_decided_at
from offerings.selectors.payment_terms import payment_term
from offerings.selectors.programme_parts import programme_parts
from offerings.selectors.programmes import fund_rules_in_force, programme_terms
from offerings.views.checklists import COMPLETE, NOT_STARTED, checklist
from offerings.views.demands import demand_context
from office.dates import bogota_day, write_date
from office.decisions import timeline
from office.models import User
from office.numbers import write_amount, write_percent, write_quantity
from office.review import ReviewState
from office.roles import Capability
from office.workdays import next_working_day

UNKNOWN = "–"
# What every page of a programme, and its public notice, say (1995: arts. 23 and 19).
SAID_ON_ITS_PAGE = (NoticeCode.NOT_SOLD, NoticeCode.NO_PREEMPTION)


def programme_context(programme: Programme, user: User) -> dict[str, Any]:
    """All that the page of a programme shows to `user`; demand and acts to staff alone."""
    terms = programme_terms(programme)
    stage = programme.stages.get(number=1)
    rules = programme.fund_rules.order_by("-version").first()
    adjudication = adjudication_under_way(stage)
    annulled = None if adjudication else adjudication_annulled(stage)
    context: dict[str, Any] = {
        "programme": programme,
        "terms": terms,
        "stage": stage,
        "seller": terms.seller,
        "exclusions": exclusions(terms),
        "notices": programme.notices.select_related("recorded_by"),
        "credit_lines": programme.credit_lines.select_related("recorded_by"),
        "window": _window(stage, terms),
        "notes": terms.notes,
        "stages": _steps(programme, stage, terms, adjudication or annulled),
        "figures": _figures(terms),
        "parts": programme_parts(programme, user),
        "drafts": drafts_listed(user).filter(stage=stage).count(),
    }
    if not user.may(Capability.READ):
        return context
    demand = demand_context(stage)
    tasks = checklist(programme, stage, terms, rules)
    done = sum(task["tag"] == COMPLETE for task in tasks)
    return context | {
        "figures": [*context["figures"], *_demand_figure(demand["weeks"])],
        "adjudication": adjudication,
        "annulled": annulled,
        **demand,
        "tasks": tasks,
        "ready": tasks[-1]["tag"] == NOT_STARTED,
        "tasks_done": f"{done} de {len(tasks)}",
        "events": timeline(
            [programme, stage, *programme.fund_rules.all(), *stage.adjudications.all()]
        ),
    }


def known_figures(terms: Terms) -> list[dict[str, str]]:
    """What a decree's text says at first sight, each with its clause."""
    figures = [
        ("Emisor", terms.issuer, str),
        ("Enajenante", terms.seller, str),
        ("Acciones ofrecidas", terms.shares, write_quantity),
        ("Precio fijo por acción", terms.price, write_amount),
    ]
    return [
        {
            "label": label,
            "value": f"{write(figure.value)} ({figure.cite})" if figure else "no lo dice",
        }
        for label, figure, write in figures
    ]


def exclusions(terms: Terms) -> list[str]:
    """What a programme's page and its public notice must say, each with its article."""
    return [
        f"{notice.text.rstrip('.')} ({notice.cite})."
        for code in SAID_ON_ITS_PAGE
        for notice in terms.notices
        if notice.code == code
    ]


def _window(stage: Stage, terms: Terms) -> str:
    """How the last day of an opened stage came about, with what moved it."""
    if stage.opened_at is None:
        return ""
    try:
        ruling = offer_window(WindowFacts(bogota_day(stage.opened_at), next_working_day), terms)
    except NotCovered:
        return ""
    return "; ".join(f"{step.detail}, {step.cite}" for step in ruling.steps if step.cite)


def _figures(terms: Terms) -> list[dict[str, str]]:
    shares, price = terms.shares, terms.price
    worth = write_amount(shares.value * price.value) if shares and price else UNKNOWN
    return [
        {
            "label": "Acciones ofrecidas",
            "value": write_quantity(shares.value) if shares else UNKNOWN,
            "note": "" if shares else "las ingresa el Fondo",
        },
        {
            "label": "Precio fijo por acción",
            "value": write_amount(price.value) if price else UNKNOWN,
            "note": price.cite if price else "lo ingresa el Fondo",
        },
        {"label": "Valor de la oferta", "value": worth, "note": ""},
    ]


def _demand_figure(weeks: list) -> list[dict[str, str]]:
    if not weeks:
        return []
    last = weeks[-1]
    share = write_percent(last.share_of_supply, 1)
    return [
        {
            "label": "Demanda tras el límite",
            "value": write_quantity(last.accumulated),
            "note": f"{share} de la oferta",
        }
    ]


# The steps of a programme in a line


def _steps(
    programme: Programme, stage: Stage, terms: Terms, adjudication: Adjudication | None
) -> list[dict[str, str]]:
    rules = fund_rules_in_force(programme)
    approved = adjudication and adjudication.is_in_force
    steps = [
        ("Decreto", *_decree_step(terms)),
        ("Cifras y reglamento", *_rules_step(rules)),
        ("Aviso y crédito", *_references_step(programme, terms)),
        (f"Etapa {stage.number}", *_stage_step(stage)),
        ("Adjudicación", *_adjudication_step(adjudication)),
        ("Pago y prenda", _payment_detail(adjudication) if approved else "", False),
        ("Etapa 2, martillo", "lo que deje la etapa 1", False),
        ("Cierre", _end_detail(terms), False),
    ]
    current = next((place for place, step in enumerate(steps) if not step[2]), len(steps))
    return [
        {
            "label": label,
            "detail": detail,
            "state": "current" if place == current else "done" if is_done else "",
        }
        for place, (label, detail, is_done) in enumerate(steps)
    ]


def _decree_step(terms: Terms) -> tuple[str, bool]:
    if terms.published is None:
        return "fecha de publicación por ingresar", True
    return f"publicado el {write_date(terms.published.value)}", True


def _rules_step(rules: FundRules | None) -> tuple[str, bool]:
    if rules is None:
        return "por confirmar", False
    confirmed = rules_decided_at(rules)
    return f"confirmados el {write_date(bogota_day(confirmed))}", True


def _references_step(programme: Programme, terms: Terms) -> tuple[str, bool]:
    notice = programme.notices.first()
    lines = programme.credit_lines.count()
    asked = terms.stage.credit_line if terms.stage.needs_credit_line else None
    words = [write_date(notice.published_on) if notice else "falta el aviso"]
    if asked:
        words.append(
            f"{lines} {'línea' if lines == 1 else 'líneas'} ({asked.cite})"
            if lines
            else f"falta la línea de crédito ({asked.cite})"
        )
    return "; ".join(words), bool(notice and (lines or not asked))


def _stage_step(stage: Stage) -> tuple[str, bool]:
    if stage.opened_at is None:
        return "sin abrir", False
    ends = bogota_day(stage.closed_at or stage.last_moment)
    first = bogota_day(stage.opened_at)
    return f"{first:%d/%m} a {write_date(ends)}", stage.state == StageState.CLOSED


def _adjudication_step(adjudication: Adjudication | None) -> tuple[str, bool]:
    if adjudication is None:
        return "", False
    if adjudication.annulled_at:
        return f"{adjudication.code} se anuló; por adjudicar de nuevo", False
    session = f"sesión del {write_date(adjudication.session_on)}"
    state = {
        ReviewState.DRAFT: "en curso",
        ReviewState.PENDING: "espera revisión",
        ReviewState.APPROVED: "desierta" if adjudication.is_deserted else "aprobada",
    }[adjudication.review_state]
    return f"{state}; {session}", adjudication.review_state == ReviewState.APPROVED


def _payment_detail(adjudication: Adjudication) -> str:
    if adjudication.is_deserted:
        return "nada por pagar"
    term = payment_term(adjudication)
    return f"hasta el {write_date(term.value)}" if term else "plazo por fijar"


def _end_detail(terms: Terms) -> str:
    latest = terms.stage.latest_day
    if latest is None:
        return "el texto que tenemos no lo dice"
    return f"a más tardar el {write_date(latest.value)} ({latest.cite})"
