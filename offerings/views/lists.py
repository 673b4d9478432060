"""What the lists of awards and certificates share: what was asked for, tabs, pages."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from offerings.models import Programme
from office.numbers import write_quantity

PER_PAGE = 50
LONGEST = 200


def asked_for(request: HttpRequest) -> dict[str, str]:
    """The programme, the text and the saved view in the address, without unseen characters."""
    return {
        name: "".join(filter(str.isprintable, request.GET.get(name, "")))[:LONGEST].strip()
        for name in ("programa", "q", "vista")
    }


def listed(
    request: HttpRequest,
    rows: QuerySet,
    views: Mapping[str, Q],
    labels: Mapping[str, str],
) -> dict[str, Any]:
    """The context of a list: its tabs with their counts, its chips, the page asked for."""
    asked = asked_for(request)
    chosen = rows.filter(views[asked["vista"]]) if asked["vista"] in views else rows
    return {
        "asked": asked,
        "programmes": Programme.objects.all(),
        "tabs": [
            _tab(request, "", "Todas", rows.count(), asked),
            *(
                _tab(request, name, labels[name], rows.filter(condition).count(), asked)
                for name, condition in views.items()
            ),
        ],
        "page": Paginator(chosen, PER_PAGE).get_page(request.GET.get("page")),
    }


def _tab(
    request: HttpRequest, name: str, label: str, count: int, asked: Mapping[str, str]
) -> dict[str, Any]:
    query = request.GET.copy()
    query.pop("page", None)
    query["vista"] = name
    if not name:
        query.pop("vista")
    return {
        "label": label,
        "count": write_quantity(count),
        "url": f"{request.path}?{query.urlencode()}",
        "current": asked["vista"] == name,
    }
