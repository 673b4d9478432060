"""Lists: what is asked for stands in the address (filters, tab, order), and the same words make
the page, its chips, its tabs, the views that people keep of it and its export.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import Resolver404, resolve

from office.models import User
from office.xlsx import Value

TAB, ORDER, FILTERING = "vista", "orden", "filtrar"
LONGEST = 200
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
    that is not understood, or not from that person. `options(user)` makes it a choice; `typed`,
    a text to search; neither, a filter that only a link sets.
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
    in words, by name; `unknown`: the names of those that are not understood, of which nothing is
    listed: to leave one out would show, and export, more than was asked for.
    """

    said: dict[str, str]
    found: Any
    rows: Any
    words: dict[str, str]
    unknown: tuple[str, ...] = ()

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
    """What `asked` makes of `rows`: nothing where a filter's value, or a tab, is not understood.
    A name that the list does not have is left out, and so is an order.
    """
    said = _said(listing, asked)
    words: dict[str, str] = {}
    unknown: list[str] = []
    for one in listing.filters:
        narrowed = one.narrow(rows, said[one.name], user) if one.name in said else None
        if narrowed is not None:
            rows, words[one.name] = narrowed
        elif one.name in said:
            unknown.append(one.name)
            words[one.name] = _not_understood(one.label, said[one.name])
    tab = _tab_named(listing, said.get(TAB, ""))
    if TAB in said and tab is None:
        unknown.append(TAB)
        words[TAB] = _not_understood("Vista", said[TAB])
    found = rows.none() if unknown else rows
    rows = found if tab is None else tab.of(found)
    if ORDER in said:
        rows = rows.order_by(*_order_named(listing, said[ORDER]), "pk")
    return Asked(said=said, found=found, rows=rows, words=words, unknown=tuple(unknown))


def _said(listing: Listing, asked: QueryDict) -> dict[str, str]:
    """What the address says of what the list has, by name, in the order of the list."""
    names = [one.name for one in listing.filters]
    if listing.tabs:
        names.append(TAB)
    if _order_named(listing, _typed(asked, ORDER)):
        names.append(ORDER)
    typed = {name: _typed(asked, name) for name in names}
    return {name: value for name, value in typed.items() if value}


def _not_understood(label: str, value: str) -> str:
    return f"{label}: «{value}», que no se entiende"


def query_kept(listing: Listing, query: str) -> str:
    """What of a query a view of the list keeps."""
    asked = QueryDict(query)
    said = {name: _typed(asked, name) for name in listing.names}
    return urlencode({name: value for name, value in said.items() if value})


def _typed(asked: QueryDict, name: str) -> str:
    return "".join(filter(str.isprintable, asked.get(name, "")))[:LONGEST].strip()


def _tab_named(listing: Listing, name: str) -> Tab | None:
    return next((tab for tab in listing.tabs if tab.name == name), None)


def _order_named(listing: Listing, name: str) -> tuple[str, ...]:
    fields = listing.orders.get(name.removeprefix("-"), ())
    return tuple(_turned(one) for one in fields) if name.startswith("-") else fields


def _turned(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"
