"""The list of adjudications and its export."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from offerings.models.adjudications import ANNULLED
from offerings.selectors import adjudications as selectors
from offerings.views.lists import programme_filter
from office.access import may
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, inside, shows
from office.models import User
from office.review import ReviewState
from office.roles import Capability

ANNULLED_CODE = "annulled"
STATES = [
    *((str(code), str(words)) for code, words in ReviewState.choices),
    (ANNULLED_CODE, ANNULLED),
]


def _by_state(rows: Any, value: str, user: User) -> Narrowed | None:
    """By the state that the tag says: what was annulled is not among the approved."""
    words = dict(STATES).get(value)
    if words is None:
        return None
    if value == ANNULLED_CODE:
        found = rows.filter(annulled_at__isnull=False)
    else:
        found = rows.filter(review_state=value, annulled_at=None)
    return found, f"Estado: {inside(words)}"


ADJUDICATIONS = Listing(
    page="adjudications",
    title="Adjudicaciones",
    noun=("adjudicación", "adjudicaciones"),
    columns=(
        Column("Adjudicación", lambda run: run.code),
        Column("Versión", lambda run: run.version),
        Column("Programa", lambda run: str(run.stage.programme)),
        Column("Etapa", lambda run: run.stage.number),
        Column("Bolsa", lambda run: str(run.exchange or "")),
        Column("Sesión", lambda run: run.session_on),
        Column("Oferta", lambda run: run.supply, "acciones"),
        Column("Demanda completa, tras el límite", lambda run: _whole(run.demand), "acciones"),
        Column("Adjudicado", lambda run: _whole(run.awarded), "acciones"),
        Column("La preparó", lambda run: str(run.prepared_by)),
        Column("Preparada", lambda run: run.prepared_at),
        Column("La revisó", lambda run: str(run.reviewed_by) if run.reviewed_by else ""),
        Column("Revisada", lambda run: run.reviewed_at),
        Column("Estado", lambda run: run.state_label),
    ),
    filters=(
        programme_filter("stage__programme"),
        Filter("estado", "Estado", _by_state, options=lambda user: STATES),
    ),
    orders={"sesion": ("session_on",), "adjudicado": ("awarded",)},
)


def _whole(shares) -> int | None:
    return None if shares is None else int(shares)


@require_GET
@may(Capability.READ)
@shows(ADJUDICATIONS)
def adjudication_list(request: HttpRequest) -> HttpResponse:
    """All adjudications, newest first, and the stages that wait for theirs."""
    context = list_context(request, ADJUDICATIONS, selectors.adjudications_listed())
    context["waiting"] = selectors.stages_waiting()
    return render(request, "offerings/adjudications/list.html", context)


@require_GET
@may(Capability.READ)
def adjudications_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filters, as a file."""
    return list_export(request, ADJUDICATIONS, selectors.adjudications_listed(), kind)
