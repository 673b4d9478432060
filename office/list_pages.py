"""The page of a list: its fields, chips, tabs, order, pages and files, out of what is asked."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from office.lists import FILTERING, KINDS, ORDER, TAB, Asked, Listing, asked_of
from office.models import SavedView, User
from office.numbers import write_count, write_quantity

PAGE = "page"
PER_PAGE = 50


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
            "unknown": [asked.words[name] for name in asked.unknown],
            "known_url": list_url(listing, path, _without(asked.said, *asked.unknown)),
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


def _without(said: Mapping[str, str], *gone: str) -> dict[str, str]:
    return {name: value for name, value in said.items() if name not in gone}


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
    if not asked.said or asked.unknown:
        return {}
    told = urlencode({"lista": path, "filtro": asked.query})
    return {"save_url": f"{reverse('saved_view_new')}?{told}"}
