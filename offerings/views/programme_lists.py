"""The list of programmes and its export."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from offerings.decrees.reader import decree_slugs
from offerings.enums import StageState
from offerings.models import Programme, Stage
from offerings.selectors.programmes import listed_terms, programmes_listed
from office.access import may
from office.dates import bogota_day, write_date
from office.exports import list_export
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, shows
from office.models import User
from office.roles import Capability
from office.xlsx import Value


def _with_rows(programmes: Iterable[Programme]) -> Iterator[dict[str, Any]]:
    """Each programme as the list shows it."""
    for programme in programmes:
        terms = listed_terms(programme)
        stage = programme.stages.all()[0]
        yield {
            "programme": programme,
            "terms": terms,
            "stage": _stage_words(stage),
            "supply": stage.supply or (terms.shares.value if terms.shares else None),
            "price": stage.price or (terms.price.value if terms.price else None),
        }


def _stage_words(stage: Stage) -> str:
    if stage.state == StageState.OPEN:
        return f"Abierta, hasta el {write_date(bogota_day(stage.last_moment))}"
    if stage.state == StageState.CLOSED:
        return f"Cerrada el {write_date(bogota_day(stage.closed_at))}"
    return "Sin abrir"


def _term(name: str) -> Callable[[dict[str, Any]], Value]:
    """What the terms in force say; empty where they are silent."""
    return lambda row: getattr(getattr(row["terms"], name), "value", "")


def _by_state(rows, value: str, user: User) -> Narrowed | None:
    if value not in StageState.values:
        return None
    found = rows.filter(stages__number=1, stages__state=value)
    return found, f"Etapa 1: {StageState(value).label.lower()}"


PROGRAMMES = Listing(
    page="programmes",
    title="Programas",
    noun=("programa", "programas"),
    every="Todos",
    columns=(
        Column("Programa", lambda row: row["programme"].name),
        Column("Decreto", _term("decree")),
        Column("Emisor", _term("issuer")),
        Column("Enajenante", _term("seller")),
        Column("Oferta", lambda row: row["supply"], "acciones"),
        Column("Precio fijo", lambda row: row["price"], "pesos"),
        Column("Etapa 1", lambda row: row["stage"]),
    ),
    filters=(Filter("etapa", "Etapa 1", _by_state, options=lambda user: StageState.choices),),
    each=_with_rows,
)


@require_GET
@may(Capability.OWN)
@shows(PROGRAMMES)
def programme_list(request: HttpRequest) -> HttpResponse:
    """The programmes that were opened, with where their first stage stands."""
    context = list_context(request, PROGRAMMES, programmes_listed())
    opened = Programme.objects.count()
    context |= {
        "rows": list(_with_rows(context["page"])),
        "has_more": opened < len(decree_slugs()),
    }
    return render(request, "offerings/programmes/list.html", context)


@require_GET
@may(Capability.OWN)
def programmes_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The same list, with its filter, as a file."""
    return list_export(request, PROGRAMMES, programmes_listed(), kind)
