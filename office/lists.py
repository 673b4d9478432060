"""Lists: what is asked for stands in the address (filters, tab, order), and the same words make
the page, its chips, its tabs, the views that people keep of it and its export.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve, reverse

from office.models import SavedView, User
from office.numbers import write_count, write_quantity
from office.xlsx import Value

TAB, ORDER, PAGE, FILTERING = "vista", "orden", "page", "filtrar"
LONGEST = 200
PER_PAGE = 50
# The kinds of file that a list is exported to.
KINDS = ("xlsx", "csv")

Narrowed = tuple[Any, str]
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an exported list: its heading, what a row has there, and in which unit."""

    label: str
    value: Callable[[Any], Value]
    unit: str = ""

    @property
    def heading(self) -> str:
        """The label with its unit: "Solicitado (acciones)"."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True, slots=True)
class Filter:
    """One thing by which a list is narrowed; `name` stands in the address.

    `narrow(rows, value, user)` gives the rows left and the words of the chip, None for a value
    that says nothing to that person. `options(user)` makes it a choice; `typed`, a text to
    search; neither, a filter that only a link sets.
    """

    name: str
    label: str
    narrow: Callable[[Any, str, User], Narrowed | None]
    options: Callable[[User], Iterable[tuple[str, str]]] | None = None
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Tab:
    """A view that the list has for everybody; a `passing` one is left out while it is empty. A
    condition that depends on the day is a function.
    """

    name: str
    label: str
    condition: Q | Callable[[], Q]
    passing: bool = False

    def of(self, rows: Any) -> Any:
        """Those of `rows` that it shows."""
        return rows.filter(self.condition() if callable(self.condition) else self.condition)


@dataclass(frozen=True)
class Listing:
    """A list: the name of its address, and all that can be asked of it.

    `orders`: the fields by which it can be sorted, under the name in the address; its rows come
    in their own order otherwise. `each` adds what a column needs to the rows of an export.
    """

    page: str
    title: str
    noun: tuple[str, str]
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...] = ()
    tabs: tuple[Tab, ...] = ()
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    every: str = "Todas"
    anchor: str = ""
    each: Callable[[Iterable[Any]], Iterable[Any]] = iter

    @property
    def names(self) -> tuple[str, ...]:
        """What may stand in the address of a view of this list."""
        return (*(one.name for one in self.filters), TAB, ORDER)


@dataclass(frozen=True)
class Asked:
    """What an address asks of a list. `said`: what of it means something, by name; `found`: the
    rows that the filters let through; `rows`: those of the tab, in order; `words`: each filter
    in words, by name.
    """

    said: dict[str, str]
    found: Any
    rows: Any
    words: dict[str, str]

    @property
    def query(self) -> str:
        """The address's query, without what means nothing."""
        return urlencode(self.said)


def text_filter(label: str, narrow: Callable[[Any, str], Any]) -> Filter:
    """A search by words: `narrow(rows, text)` gives those that answer to it."""

    def by_text(rows: Any, value: str, user: User) -> Narrowed:
        return narrow(rows, value), f"«{value}»"

    return Filter("q", label, by_text, typed=True)


def choice_filter(
    name: str, label: str, lookup: str, choices: Iterable[tuple[str, str]]
) -> Filter:
    """A filter by one of the values of a field."""
    options = [(str(code), str(words)) for code, words in choices]
    words_of = dict(options)

    def by_choice(rows: Any, value: str, user: User) -> Narrowed | None:
        if value not in words_of:
            return None
        return rows.filter(**{lookup: value}), f"{label}: {inside(words_of[value])}"

    return Filter(name, label, by_choice, options=lambda user: options)


def row_of(rows: QuerySet, value: str) -> Any:
    """The row whose key stands in an address; None where it is none."""
    return rows.filter(pk=int(value)).first() if value.isdecimal() and len(value) < 18 else None


def inside(words: str) -> str:
    """Words as they stand inside a sentence: «NIT» stays, «Completa» does not."""
    return words if words[1:2].isupper() else f"{words[:1].lower()}{words[1:]}"


class Pages(Paginator):
    """Pages of a list: the keys of a page first, then its rows with all that they show, so that
    the last page of 100,000 costs what the first does.
    """

    def page(self, number: Any) -> Page:
        """One page; its rows are read here, once."""
        found = super().page(number)
        if isinstance(self.object_list, QuerySet):
            found.object_list = self._whole(found.object_list)
        return found

    def _whole(self, rows: QuerySet) -> list[Any]:
        keys = list(rows.values_list("pk", flat=True))
        read = {row.pk: row for row in self.object_list.order_by().filter(pk__in=keys)}
        return [read[key] for key in keys if key in read]


def shows(listing: Listing) -> Callable[[View], View]:
    """Mark a view as the page of a list, of which people may keep views."""

    def mark(view: View) -> View:
        view.listing = listing  # type: ignore[attr-defined]
        return view

    return mark


def listing_at(path: str, user: User) -> Listing | None:
    """The list at an address of this site that `user` may come to."""
    try:
        view = resolve(path).func
    except Resolver404:
        return None
    listing = getattr(view, "listing", None)
    capability = getattr(view, "capability", None)
    may = listing is not None and capability is not None and user.may(capability)
    return listing if may else None


def asked_of(listing: Listing, rows: Any, asked: QueryDict, user: User) -> Asked:
    """What `asked` makes of `rows`; what it says that the list does not know is left out."""
    said: dict[str, str] = {}
    words: dict[str, str] = {}
    for one in listing.filters:
        value = _typed(asked, one.name)
        narrowed = one.narrow(rows, value, user) if value else None
        if narrowed is not None:
            rows, words[one.name] = narrowed
            said[one.name] = value
    found, tab = rows, _tab_named(listing, _typed(asked, TAB))
    if tab is not None:
        rows, said[TAB] = tab.of(rows), tab.name
    order = _order_named(listing, _typed(asked, ORDER))
    if order:
        rows, said[ORDER] = rows.order_by(*order, "pk"), _typed(asked, ORDER)
    return Asked(said=said, found=found, rows=rows, words=words)


def query_kept(listing: Listing, query: str) -> str:
    """What of a query a view of the list keeps."""
    asked = QueryDict(query)
    said = {name: _typed(asked, name) for name in listing.names}
    return urlencode({name: value for name, value in said.items() if value})


def list_context(
    request: HttpRequest, listing: Listing, rows: Any, *, total: int | None = None, **scope: Any
) -> dict[str, Any]:
    """All that the page of a list shows of it; `scope`: the arguments of its address; `total`:
    how many rows there are without a filter, where the page says it.

    `page`: the rows of the page asked for; `list`: what stands over and under them.
    """
    user = request.user
    assert isinstance(user, User)
    asked = asked_of(listing, rows, request.GET, user)
    path = reverse(listing.page, kwargs=scope)
    page = Pages(asked.rows, PER_PAGE).get_page(request.GET.get(PAGE))
    views = list(SavedView.objects.filter(owner=user, page=listing.page))
    own = next((view for view in views if view.query == asked.query), None)
    narrowed = bool(asked.said.keys() - {ORDER})
    return {
        "page": page,
        "list": {
            "path": path,
            "anchor": listing.anchor,
            "asked": asked.said,
            "query": asked.query,
            "narrowed": narrowed,
            "fields": list(_fields(listing, asked, user)),
            "kept": _kept(listing, asked),
            "tabs": _tabs(listing, asked, path, views, own),
            "chips": _chips(listing, asked, path),
            "count": _count(listing, page.paginator.count, total if narrowed else None),
            "orders": _orders(listing, asked, path),
            "files": _files(listing, asked, scope) if page.paginator.count else [],
            "open": FILTERING in request.GET,
            "add_url": list_url(listing, path, asked.said | {FILTERING: "1"}),
            **_keeping(asked, path, own),
        },
    }


def _count(listing: Listing, count: int, total: int | None) -> str:
    """In words: "28.212 de 40.998 líneas"."""
    if total is None:
        return write_count(count, *listing.noun)
    return f"{write_quantity(count)} de {write_count(total, *listing.noun)}"


def _typed(asked: QueryDict, name: str) -> str:
    return "".join(filter(str.isprintable, asked.get(name, "")))[:LONGEST].strip()


def _tab_named(listing: Listing, name: str) -> Tab | None:
    return next((tab for tab in listing.tabs if tab.name == name), None)


def _order_named(listing: Listing, name: str) -> tuple[str, ...]:
    fields = listing.orders.get(name.removeprefix("-"), ())
    return tuple(_turned(one) for one in fields) if name.startswith("-") else fields


def _turned(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def list_url(listing: Listing, path: str, said: Mapping[str, str]) -> str:
    """The address of a list that asks for what is said."""
    query = urlencode(said)
    return f"{path}?{query}{listing.anchor}" if query else f"{path}{listing.anchor}"


def _fields(listing: Listing, asked: Asked, user: User) -> Iterator[dict[str, Any]]:
    """The filters that the form of the page has."""
    for one in listing.filters:
        value = asked.said.get(one.name, "")
        if one.options is not None:
            options = [(str(code), words) for code, words in one.options(user)]
            if options:
                yield {"name": one.name, "label": one.label, "value": value, "options": options}
        elif one.typed:
            yield {"name": one.name, "label": one.label, "value": value, "options": None}


def _kept(listing: Listing, asked: Asked) -> list[tuple[str, str]]:
    """What the form sends along without showing it."""
    shown = {one.name for one in listing.filters if one.typed or one.options is not None}
    return [(name, value) for name, value in asked.said.items() if name not in shown]


def _chips(listing: Listing, asked: Asked, path: str) -> list[dict[str, str]]:
    return [
        {
            "label": asked.words[one.name],
            "url": list_url(listing, path, _without(asked.said, one.name)),
        }
        for one in listing.filters
        if one.name in asked.words
    ]


def _without(said: Mapping[str, str], gone: str) -> dict[str, str]:
    return {name: value for name, value in said.items() if name != gone}


def list_tabs(
    listing: Listing, asked: Asked, path: str, *, nowhere: bool = False
) -> list[dict[str, Any]]:
    """The list's own tabs with their counts; `nowhere`: none of them is the one that is open."""
    here, others = asked.said.get(TAB, ""), _without(asked.said, TAB)
    tabs = [_tab("", listing.every, asked.found.count())]
    for tab in listing.tabs:
        count = tab.of(asked.found).count()
        if count or not tab.passing or tab.name == here:
            tabs.append(_tab(tab.name, tab.label, count))
    return [
        {
            "label": tab["label"],
            "count": tab["count"],
            "url": list_url(listing, path, others | ({TAB: tab["name"]} if tab["name"] else {})),
            "current": not nowhere and tab["name"] == here,
        }
        for tab in tabs
    ]


def _tabs(
    listing: Listing, asked: Asked, path: str, views: list[SavedView], own: SavedView | None
) -> list[dict[str, Any]]:
    """The list's own tabs, then what the person keeps; none where all there would be is
    «Todas».
    """
    if not listing.tabs and not views:
        return []
    return list_tabs(listing, asked, path, nowhere=own is not None) + [
        {
            "label": view.label,
            "count": "",
            "url": f"{path}?{view.query}{listing.anchor}",
            "current": view == own,
            "own": True,
        }
        for view in views
    ]


def _tab(name: str, label: str, count: int) -> dict[str, str]:
    return {"name": name, "label": label, "count": write_quantity(count)}


def _orders(listing: Listing, asked: Asked, path: str) -> dict[str, dict[str, str]]:
    """By name: the address that sorts by it, and how it is sorted now."""
    now = asked.said.get(ORDER, "")
    return {
        name: {
            "url": list_url(
                listing, path, asked.said | {ORDER: f"-{name}" if now == name else name}
            ),
            "sorted": {name: "ascending", f"-{name}": "descending"}.get(now, ""),
        }
        for name in listing.orders
    }


def _files(listing: Listing, asked: Asked, scope: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "kind": kind.upper(),
            "url": _with_query(
                reverse(f"{listing.page}_export", kwargs={**scope, "kind": kind}), asked.query
            ),
        }
        for kind in KINDS
    ]


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def _keeping(asked: Asked, path: str, own: SavedView | None) -> dict[str, str]:
    """Where a view of the list is kept, or the kept one is changed."""
    if own is not None:
        address = reverse("saved_view", args=[own.pk])
        return {"change_url": f"{address}?{urlencode({'lista': path})}"}
    if not asked.said:
        return {}
    told = urlencode({"lista": path, "filtro": asked.query})
    return {"save_url": f"{reverse('saved_view_new')}?{told}"}
