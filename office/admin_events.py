"""The trail in the admin: what happened to the rows of each table, for every tracked table."""

from typing import Any

import pghistory
import pghistory.core
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db import models
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from office.admin_bases import ReadOnlyAdmin, has_any
from office.admin_values import name_of, value_shown
from office.dates import write_datetime
from office.models import User
from office.templatetags.show import NOTHING

CHANGE_WORDS = {"insert": "Se creó", "update": "Cambió", "delete": "Se borró"}


class EventOptions:
    """The options of a trail's table under a Spanish name: the library names it in English, and
    a name in the model would be a migration for every table.
    """

    def __init__(self, events: Any) -> None:
        """Take the model of the trail."""
        self._options = events._meta
        self.verbose_name = "cambio"
        plural = events.pgh_tracked_model._meta.verbose_name_plural
        self.verbose_name_plural = f"historia de {plural}"

    def __getattr__(self, name: str) -> Any:
        """Everything but the names is the model's."""
        return getattr(self._options, name)


class EventList(ChangeList):
    """The list of a trail, under its Spanish name."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Name it."""
        super().__init__(*arguments, **options)
        self.opts = EventOptions(self.model)


class WhatFilter(admin.SimpleListFilter):
    """Created, changed or deleted."""

    title = "clase de cambio"
    parameter_name = "que"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The kinds of event in words."""
        return list(CHANGE_WORDS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Those of the kind that was chosen."""
        return queryset.filter(pgh_label=self.value()) if self.value() else queryset


class EventAdmin(ReadOnlyAdmin):
    """The trail of a table: what happened to its rows, when, and by whom."""

    list_display = ("happened", "what", "about", "who", "where")
    list_display_links = ("happened",)
    list_filter = (WhatFilter,)
    ordering = ("-pk",)

    def __init__(self, model: type[models.Model], site: admin.AdminSite) -> None:
        """Take the Spanish name, which the page of one event shows."""
        super().__init__(model, site)
        self.opts = EventOptions(model)

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        """Take the Spanish name, which the list shows."""
        return EventList

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Leave the index to the tables themselves: a trail is reached from its row."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show a trail to those who may see its table."""
        tracked = self.admin_site._registry.get(self.model.pgh_tracked_model)
        if tracked is None:
            return has_any(request, self.looks)
        return tracked.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """The events with the name of who was at work, in one query."""
        user_id = Cast(KeyTextTransform("user", "pgh_context__metadata"), models.BigIntegerField())
        events = super().get_queryset(request).select_related("pgh_context")
        return events.annotate(actor_id=user_id).annotate(
            actor=Subquery(User.objects.filter(pk=OuterRef("actor_id")).values("username")[:1])
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """First what changed, then the row as it stood."""
        return ["happened", "what", "about", "who", "where", "changes", *self.columns(request)]

    def shown_fields(self) -> list[models.Field]:
        """The row's own: what the library adds is told above them."""
        return _tracked_fields(self.model)

    def page_title(self) -> str:
        """What the page of one event is."""
        return f"Cambio en {self.model.pgh_tracked_model._meta.verbose_name_plural}"

    @admin.display(description="cuándo", ordering="pk")
    def happened(self, event: Any) -> str:
        """The moment, in Bogotá."""
        return write_datetime(event.pgh_created_at)

    @admin.display(description="qué pasó", ordering="pgh_label")
    def what(self, event: Any) -> str:
        """The kind of event in words."""
        return CHANGE_WORDS.get(event.pgh_label, event.pgh_label)

    @admin.display(description="registro")
    def about(self, event: Any) -> str:
        """The row that it happened to."""
        return f"{self.model.pgh_tracked_model._meta.verbose_name} {event.pgh_obj_id}"

    @admin.display(description="quién")
    def who(self, event: Any) -> str:
        """Who was at work; a task or a hand on the database has nobody."""
        return event.actor or "sin usuario"

    @admin.display(description="dónde")
    def where(self, event: Any) -> str:
        """The address or the job that was at work."""
        known = event.pgh_context.metadata if event.pgh_context else {}
        job = f"proceso PR-{known['job']:06d}" if "job" in known else NOTHING
        return known.get("url") or job

    @admin.display(description="cambios")
    def changes(self, event: Any) -> SafeString | str:
        """What the event changed, before and after."""
        before, after = _states(event)
        if before is None or after is None:
            return NOTHING
        return format_html_join(
            SafeString("<br>"),
            "{}: {} → {}",
            (
                (name_of(field), value_shown(field, before), value_shown(field, after))
                for field in _tracked_fields(self.model)
                if _value(before, field) != _value(after, field)
            ),
        )


def _states(event: Any) -> tuple[Any, Any]:
    """The row before and after an event; None where it is not known.

    An event holds the row as it became, except in tables whose rows leave no event of their
    making: there it holds the row as it was.
    """
    others = type(event).objects.filter(pgh_obj_id=event.pgh_obj_id)
    if event.pgh_label == "update" and _keeps_what_was(type(event)):
        return event, others.filter(pk__gt=event.pk).order_by("pk").first() or event.pgh_obj
    return others.filter(pk__lt=event.pk).order_by("pk").last(), event


def _keeps_what_was(events: Any) -> bool:
    return any(
        isinstance(tracker, pghistory.UpdateEvent) and tracker.row == pghistory.Old
        for tracker in events.pgh_trackers
    )


def _tracked_fields(events: Any) -> list[models.Field]:
    return [field for field in events._meta.fields if not field.name.startswith("pgh_")]


def _value(row: Any, field: models.Field) -> Any:
    return getattr(row, field.attname)


def _event_words(event: Any) -> str:
    """An event in the head of its page: the library's own words are English."""
    kind = event.pgh_tracked_model._meta.verbose_name
    return f"{kind} {event.pgh_obj_id}, {write_datetime(event.pgh_created_at)}"


def register_trails() -> None:
    """Give every tracked table its page; the models of all apps are known by now."""
    for events in pghistory.core.event_models():
        events.__str__ = _event_words
        admin.site.register(events, EventAdmin)
