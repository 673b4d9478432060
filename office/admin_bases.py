"""What every page of the admin stands on: it opens by our roles, not by rows of permissions.

What has legal effect is done in the workspace, so everything else is read-only here, for a
superuser too. The history of a row is the trail that the database's triggers write.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pghistory.core
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from office.admin_values import field_column
from office.models import User
from office.numbers import write_decimal, write_quantity
from office.roles import Capability
from office.templatetags.show import NOTHING


class RoleAdmin(admin.ModelAdmin):
    """A table that our roles open: `looks` may see it, `keeps` may add to it and change it."""

    looks: tuple[Capability, ...] = (Capability.READ,)
    keeps: tuple[Capability, ...] = ()
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the table in the index to whoever may see it."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let in those who look or keep, and a superuser, who opens the house's first doors."""
        return has_any(request, (*self.looks, *self.keeps))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those who keep the table add to it."""
        return bool(self.keeps) and has_any(request, self.keeps)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those who keep the table change it."""
        return bool(self.keeps) and has_any(request, self.keeps)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Delete nothing: what is not used any more is made inactive."""
        return False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the trail of a row, that of the database's triggers where it has one."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        events = event_model(self.model)
        if events is None or not object_id.isdecimal():
            return super().history_view(request, object_id, extra_context)
        name = f"admin:{events._meta.app_label}_{events._meta.model_name}_changelist"
        return HttpResponseRedirect(f"{reverse(name)}?pgh_obj={object_id}")


class ReadOnlyAdmin(RoleAdmin):
    """A table to look things up in; nobody writes here, whatever flags the user has."""

    actions = None
    # Nothing counts all rows of a table that may have 100,000.
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Every column, in words of ours."""
        return self.columns(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """The same: none is typed."""
        return self.get_fields(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *arguments: Any, **options: Any
    ) -> HttpResponse:
        """Show the page under what it is: Django's own words for it are no Spanish."""
        context["title"] = self.page_title()
        return super().render_change_form(request, context, *arguments, **options)

    def page_title(self) -> str:
        """What the page of one row is."""
        name = str(self.opts.verbose_name)
        return f"{name[:1].upper()}{name[1:]}"

    def columns(self, request: HttpRequest) -> list[Any]:
        """The columns of the page, made once a request: Django compares them by identity."""
        made: dict[Any, list[Any]] = request.__dict__.setdefault("_admin_columns", {})
        if self.model not in made:
            made[self.model] = [field_column(field, request) for field in self.shown_fields()]
        return made[self.model]

    def shown_fields(self) -> list[models.Field]:
        """The fields of the page."""
        return list(self.model._meta.fields)


class ActiveAdmin(RoleAdmin):
    """A reference table whose rows go out of use, and may come back, but never vanish."""

    keeps = (Capability.REFERENCE,)
    actions = ("make_inactive", "make_active")
    list_filter = ("is_active",)

    @admin.action(description="Desactivar lo seleccionado", permissions=["change"])
    def make_inactive(self, request: HttpRequest, rows: QuerySet) -> None:
        """Take the chosen rows out of the lists of forms."""
        self.message_user(request, f"Desactivadas: {write_quantity(rows.update(is_active=False))}")

    @admin.action(description="Activar lo seleccionado", permissions=["change"])
    def make_active(self, request: HttpRequest, rows: QuerySet) -> None:
        """Bring the chosen rows back."""
        self.message_user(request, f"Activadas: {write_quantity(rows.update(is_active=True))}")


def show_quantity(name: str, label: str) -> Callable[[Any], str]:
    """A column of a list: a whole number in our form."""
    return _column(name, label, write_quantity)


def show_amount(name: str, label: str) -> Callable[[Any], str]:
    """A column of a list: pesos in our form."""
    return _column(name, label, lambda value: write_decimal(value, 2))


def _column(name: str, label: str, write: Callable[[Any], str]) -> Callable[[Any], str]:
    @admin.display(description=label, ordering=name)
    def shown(row: Any) -> str:
        value = getattr(row, name)
        return NOTHING if value is None else write(value)

    shown.__name__ = f"{name}_shown"
    return shown


def has_any(request: HttpRequest, capabilities: Iterable[Capability]) -> bool:
    """Whether a person of the staff has one of the capabilities, or is a superuser."""
    user = request.user
    if not (isinstance(user, User) and user.is_active and user.is_staff):
        return False
    return user.is_superuser or any(user.may(capability) for capability in capabilities)


def event_model(tracked: type[models.Model]) -> Any:
    """The model of a table's trail; None where it has none."""
    for model in pghistory.core.event_models():
        if model.pgh_tracked_model is tracked:
            return model
    return None
