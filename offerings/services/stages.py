"""The acts that open and close a stage, each with its legal date and time."""

from datetime import date, datetime

from django.db import transaction

from offerings.decrees.fund_checks import fund_faults
from offerings.decrees.reader import terms_from_data, terms_of
from offerings.enums import AcceptanceState, StageState
from offerings.models import Acceptance, FundRules, Programme, Stage
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms
from offerings.rules.window import (
    OpeningFacts,
    WindowFacts,
    offer_window,
    opening_obstacles,
)
from offerings.selectors.programmes import (
    fund_rules_in_force,
    fund_rules_under_way,
    repealed_on,
    repealing_programmes,
    stage_terms,
)
from office.dates import bogota_day, end_of_day, write_date, write_datetime
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount, write_count, write_shares
from office.refusals import Refused, check_not_future
from office.roles import Capability
from office.workdays import next_working_day


@transaction.atomic
def stage_open(*, stage: Stage, user: User, opened_at: datetime) -> Stage:
    """Open a stage under the confirmed reglamento, whose figures and window it keeps."""
    opened = _opened(stage=_locked(stage), user=user, opened_at=opened_at)
    opened.full_clean()
    opened.save()
    terms = stage_terms(opened)
    decision_record(
        act="stage_open",
        sentence=(
            f"Abrió la etapa {opened.number}: {write_shares(opened.supply)} a "
            f"{write_amount(opened.price)}, hasta el {write_date(bogota_day(opened.last_moment))}."
        ),
        actor=user,
        subject=opened,
        article=_opening_cites(terms),
        legal_at=opened_at,
        data={"rules_version": opened.rules.version, "terms_sha256": opened.rules.terms_sha256},
    )
    return opened


def _opened(*, stage: Stage, user: User, opened_at: datetime) -> Stage:
    _check_may_approve(user, "abrir")
    check_not_future(opened_at, "opened_on")
    if stage.state != StageState.PLANNED:
        raise Refused(f"La etapa ya está «{stage.get_state_display()}»: no se abre otra vez.")
    rules = _confirmed_rules(stage.programme)
    terms = terms_from_data(rules.terms)
    _check_figures(terms)
    opens = bogota_day(opened_at)
    _check_obstacles(stage.programme, terms, opens)
    stage.state = StageState.OPEN
    stage.rules = rules
    stage.supply = terms.shares.value
    stage.price = terms.price.value
    stage.opened_at = opened_at
    stage.last_moment = _last_moment(opens, terms)
    return stage


@transaction.atomic
def stage_close(*, stage: Stage, user: User, closed_at: datetime) -> Stage:
    """Close an open stage; from then on it takes no acceptance."""
    closed = _closed(stage=_locked(stage), user=user, closed_at=closed_at)
    closed.full_clean()
    closed.save()
    terms = stage_terms(closed)
    decision_record(
        act="stage_close",
        sentence=f"Cerró la etapa {closed.number}.",
        actor=user,
        subject=closed,
        article=terms.stage.months.cite,
        legal_at=closed_at,
        data={"acceptances": closed.acceptances.count()},
    )
    return closed


def _closed(*, stage: Stage, user: User, closed_at: datetime) -> Stage:
    _check_may_approve(user, "cerrar")
    check_not_future(closed_at, "closed_on")
    if stage.state != StageState.OPEN:
        raise Refused(f"La etapa está «{stage.get_state_display()}»: solo se cierra una abierta.")
    if closed_at <= stage.opened_at:
        raise Refused(
            f"La etapa se abrió el {write_datetime(stage.opened_at)}: el cierre debe ser "
            "posterior.",
            "closed_on",
        )
    _check_none_later(stage, closed_at)
    stage.state = StageState.CLOSED
    stage.closed_at = closed_at
    return stage


def stage_check(stage: Stage) -> None:
    """Refuse a stage that takes nothing in now."""
    if stage.state == StageState.PLANNED:
        raise Refused(f"{stage}: todavía no está abierta; no recibe aceptaciones.")
    if stage.state == StageState.CLOSED:
        raise Refused(
            f"{stage}: se cerró el {write_datetime(stage.closed_at)}; ya no recibe aceptaciones."
        )


def open_stage_held(programme_id: int) -> Stage | None:
    """The programme's open stage with its row held; None where none is open."""
    return (
        Stage.objects.select_for_update(of=["self"])
        .select_related("programme", "rules")
        .filter(programme=programme_id, state=StageState.OPEN)
        .first()
    )


def _locked(stage: Stage) -> Stage:
    Programme.objects.select_for_update().get(pk=stage.programme_id)
    stages = Stage.objects.select_for_update(of=("self",))
    return stages.select_related("programme").get(pk=stage.pk)


def _check_may_approve(user: User, verb: str) -> None:
    if not user.may(Capability.APPROVE):
        raise Refused(f"Solo un supervisor puede {verb} una etapa.")


def _confirmed_rules(programme: Programme) -> FundRules:
    under_way = fund_rules_under_way(programme)
    if under_way:
        raise Refused(
            f"La versión {under_way.version} del reglamento del Fondo está "
            f"«{under_way.get_review_state_display()}»: termine su revisión antes de abrir."
        )
    rules = fund_rules_in_force(programme)
    if rules is None:
        raise Refused(
            "Falta el reglamento del Fondo: sus cifras y lecturas deben estar aprobadas por "
            "una segunda persona antes de abrir la etapa."
        )
    return rules


def _check_figures(terms: Terms) -> None:
    figures = {
        "las acciones ofrecidas": terms.shares,
        "el precio fijo por acción": terms.price,
        "las acciones en circulación del emisor": terms.outstanding,
        "la fecha de publicación del decreto": terms.published,
    }
    missing = [name for name, figure in figures.items() if figure is None]
    if missing:
        raise Refused(f"Falta {', '.join(missing)}: ingréselo en el reglamento del Fondo.")
    for _, fault in fund_faults(terms, {}):
        raise Refused(f"{fault} Corríjalo en una versión nueva del reglamento del Fondo.")


def _check_obstacles(programme: Programme, terms: Terms, opens: date) -> None:
    unknown = [slug for slug, day in repealing_programmes(terms.slug).items() if day is None]
    if unknown:
        raise Refused(
            f"{terms_of(unknown[0]).decree.value} derogó este decreto, y la fecha de su "
            "publicación no está registrada: ingrésela en el reglamento de ese programa."
        )
    notices = programme.notices.filter(published_on__lte=opens)
    lines = programme.credit_lines.filter(opened_on__lte=opens)
    facts = OpeningFacts(
        opens=opens,
        notice=notices.values_list("published_on", flat=True).first(),
        credit_line=lines.values_list("opened_on", flat=True).first(),
        repealed=repealed_on(terms.slug),
    )
    obstacles = opening_obstacles(facts, terms)
    if obstacles.value:
        step = obstacles.steps[0]
        raise Refused(f"{step.detail} ({step.cite})" if step.cite else step.detail, "opened_on")


def _last_moment(opens: date, terms: Terms) -> datetime:
    try:
        window = offer_window(WindowFacts(opens, next_working_day), terms).value
    except NotCovered as gap:
        raise Refused(gap.message) from gap
    return end_of_day(window.last_day)


def _check_none_later(stage: Stage, closed_at: datetime) -> None:
    later = Acceptance.objects.filter(
        stage=stage, received_at__gt=closed_at, state=AcceptanceState.PRESENTED
    )
    count = later.count()
    if count:
        raise Refused(
            f"Hay {write_count(count, 'aceptación recibida', 'aceptaciones recibidas')} después "
            f"de esa hora, como la {later.first().code}: corrija la hora del cierre.",
            "closed_on",
        )


def _opening_cites(terms: Terms) -> str:
    stage = terms.stage
    cited = (terms.shares, terms.price, stage.credit_line, stage.months, stage.public_notice)
    return "; ".join(dict.fromkeys(value.cite for value in cited if value))[:120]
