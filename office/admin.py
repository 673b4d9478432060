"""The admin: reference data, users and looking things up, by our roles and not by permission rows.

What has legal effect is done in the workspace, so everything else is read-only here, for a
superuser too. The history of a row is the trail that the database's triggers write.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pghistory.core
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from office.dates import write_datetime
from office.models import Certificate, Decision, Job, User, UserRole
from office.numbers import write_decimal, write_quantity
from office.roles import Capability
from office.templatetags.show import NOTHING

admin.site.site_title = "Fondo"
admin.site.site_header = "Datos de referencia"
admin.site.index_title = "Datos de referencia"
admin.site.enable_nav_sidebar = True

CHANGE_WORDS = {"insert": "Se creó", "update": "Cambió", "delete": "Se borró"}


class RoleAdmin(admin.ModelAdmin):
    """A table that our roles open: `looks` may see it, `keeps` may add to it and change it."""

    looks: tuple[Capability, ...] = (Capability.READ,)
    keeps: tuple[Capability, ...] = ()
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the table in the index to whoever may see it."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let in those who look or keep, and a superuser, who opens the house's first doors."""
        return _has_any(request, (*self.looks, *self.keeps))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those who keep the table add to it."""
        return bool(self.keeps) and _has_any(request, self.keeps)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let those who keep the table change it."""
        return bool(self.keeps) and _has_any(request, self.keeps)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Delete nothing: what is not used any more is made inactive."""
        return False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the trail of a row, that of the database's triggers where it has one."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        events = _event_model(self.model)
        if events is None or not object_id.isdecimal():
            return super().history_view(request, object_id, extra_context)
        name = f"admin:{events._meta.app_label}_{events._meta.model_name}_changelist"
        return HttpResponseRedirect(f"{reverse(name)}?pgh_obj={object_id}")


class ReadOnlyAdmin(RoleAdmin):
    """A table to look things up in; nobody writes here, whatever flags the user has."""

    actions = None

    def __init__(self, model: type[models.Model], site: admin.AdminSite) -> None:
        """Write the figures of the page as Colombia writes them."""
        super().__init__(model, site)
        self._shown = [_shown_field(field) for field in model._meta.fields]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Every column, figures in our form."""
        return self._shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """The same: none is typed."""
        return self._shown


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


class EventAdmin(ReadOnlyAdmin):
    """The trail of a table: what happened to its rows, when, and by whom."""

    list_display = ("happened", "what", "about", "who", "where")
    list_display_links = ("happened",)
    list_filter = ("pgh_label",)
    ordering = ("-pk",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Leave the index to the tables themselves: a trail is reached from its row."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show a trail to those who may see its table."""
        tracked = self.admin_site._registry.get(self.model.pgh_tracked_model)
        if tracked is None:
            return _has_any(request, self.looks)
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
        return ["happened", "what", "who", "where", "changes", *super().get_fields(request, obj)]

    get_readonly_fields = get_fields

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

    @admin.display(description="quién", empty_value="sin usuario")
    def who(self, event: Any) -> str | None:
        """Who was at work; a task or a hand on the database has nobody."""
        return event.actor

    @admin.display(description="dónde", empty_value=NOTHING)
    def where(self, event: Any) -> str | None:
        """The address that was at work."""
        return (event.pgh_context.metadata if event.pgh_context else {}).get("url")

    @admin.display(description="cambios", empty_value=NOTHING)
    def changes(self, event: Any) -> SafeString | None:
        """What differs from the event before, before and after."""
        before = self.model.objects.filter(pgh_obj_id=event.pgh_obj_id, pk__lt=event.pk).last()
        return (
            format_html_join(
                SafeString("<br>"),
                "{}: {} → {}",
                (
                    (field.verbose_name, getattr(before, field.attname), _value(event, field))
                    for field in _tracked_fields(self.model)
                    if getattr(before, field.attname) != _value(event, field)
                ),
            )
            if before
            else None
        )


class PersonForm(UserChangeForm):
    """A user; `asked_by` is set to who fills the form in."""

    asked_by: User

    def clean_groups(self) -> Any:
        """Refuse that a person gives itself a role, or takes one off."""
        groups = self.cleaned_data["groups"]
        if self._is_own() and set(groups) != set(self.instance.groups.all()):
            raise ValidationError(
                "Nadie cambia sus propios roles: pídalo a otro administrador.", code="own_roles"
            )
        return groups

    def clean_is_active(self) -> bool:
        """Refuse that a person locks itself out."""
        is_active: bool = self.cleaned_data["is_active"]
        if self._is_own() and not is_active:
            raise ValidationError("Usted no puede desactivarse: pídalo a otro administrador.")
        return is_active

    def _is_own(self) -> bool:
        return self.instance.pk is not None and self.instance.pk == self.asked_by.pk


class PersonAdmin(RoleAdmin, UserAdmin):
    """People and their roles; a person is made inactive, never deleted."""

    looks = ()
    keeps = (Capability.REFERENCE,)
    form = PersonForm
    list_display = ("username", "get_full_name", "role_names", "is_active", "is_staff")
    list_filter = ("groups", "is_active", "is_staff")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined", "role_changes")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Persona", {"fields": ("first_name", "last_name", "email")}),
        ("Qué puede hacer", {"fields": ("is_active", "groups", "is_staff", "is_superuser")}),
        ("Historia", {"fields": ("role_changes", "last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """People with their roles, in two queries."""
        people: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return people

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Only a superuser makes another."""
        fields = tuple(self.readonly_fields)
        return fields if request.user.is_superuser else (*fields, "is_superuser")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Leave superusers to superusers."""
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> type[forms.ModelForm]:
        """Tell the form who fills it in."""
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"asked_by": request.user})

    def formfield_for_manytomany(
        self, db_field: models.ManyToManyField, request: HttpRequest | None, **options: Any
    ) -> Any:
        """Roles as five boxes to tick."""
        if db_field.name == "groups":
            options["widget"] = forms.CheckboxSelectMultiple
            field = db_field.formfield(**options)
            field.label, field.help_text = "Roles", "Lo que la persona puede hacer viene de ellos."
            return field
        return super().formfield_for_manytomany(db_field, request, **options)

    @admin.display(description="nombre")
    def get_full_name(self, person: User) -> str:
        """First and last names."""
        return person.get_full_name() or NOTHING

    @admin.display(description="roles")
    def role_names(self, person: User) -> str:
        """The roles in one line."""
        return ", ".join(sorted(group.name for group in person.groups.all())) or NOTHING

    @admin.display(description="cambios de roles", empty_value=NOTHING)
    def role_changes(self, person: User) -> SafeString | None:
        """When the person got or lost each role."""
        events = _event_model(UserRole)
        assert events is not None
        found = events.objects.filter(user_id=person.pk).select_related("group").order_by("pk")
        words = {"insert": "recibió", "delete": "perdió"}
        return (
            format_html_join(
                SafeString("<br>"),
                "{}: {} el rol {}",
                (
                    (write_datetime(event.pgh_created_at), words[event.pgh_label], event.group)
                    for event in found
                ),
            )
            or None
        )


class RolesAdmin(ReadOnlyAdmin, GroupAdmin):
    """The five roles, which the house is built on: none is added, renamed or deleted."""

    looks = (Capability.REFERENCE,)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """The name and who has it."""
        return ["name", "people"]

    get_readonly_fields = get_fields

    @admin.display(description="quiénes lo tienen", empty_value=NOTHING)
    def people(self, role: Group) -> str:
        """The active people with the role."""
        active = User.objects.filter(groups=role, is_active=True)
        return ", ".join(str(person) for person in active)


class CertificateAdmin(ReadOnlyAdmin):
    """Certificates, to look one up."""

    list_display = ("label", "title", "state", "legal_date", "issued_by")
    list_filter = ("state", "series__kind", "series__year")
    list_select_related = ("series", "issued_by")
    search_fields = ("number", "code")
    search_help_text = "Número o código de verificación"


class DecisionAdmin(ReadOnlyAdmin):
    """The decision log."""

    list_display = ("sentence", "actor", "legal_at", "recorded_at", "article")
    list_filter = ("act",)
    list_select_related = ("actor",)
    ordering = ("-pk",)
    search_fields = ("sentence", "reason")


class JobAdmin(ReadOnlyAdmin):
    """Long work and how it ended."""

    list_display = ("code", "title", "state", "requested_by", "requested_at", "ended_at")
    list_filter = ("state", "kind")
    list_select_related = ("requested_by",)


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


def _shown_field(field: models.Field) -> Any:
    """The field itself, or a column in our form where it is a figure and no key."""
    if field.primary_key or field.is_relation or field.choices:
        return field.name
    label = str(field.verbose_name)
    if isinstance(field, models.DecimalField):
        places = field.decimal_places
        return _column(field.name, label, lambda value: write_decimal(value, places))
    if isinstance(field, models.BigIntegerField | models.PositiveIntegerField):
        return _column(field.name, label, write_quantity)
    return field.name


def _has_any(request: HttpRequest, capabilities: Iterable[Capability]) -> bool:
    user = request.user
    if not (isinstance(user, User) and user.is_active and user.is_staff):
        return False
    return user.is_superuser or any(user.may(capability) for capability in capabilities)


def _event_model(tracked: type[models.Model]) -> Any:
    for model in pghistory.core.event_models():
        if model.pgh_tracked_model is tracked:
            return model
    return None


def _tracked_fields(events: Any) -> list[models.Field]:
    return [field for field in events._meta.fields if not field.name.startswith("pgh_")]


def _value(row: Any, field: models.Field) -> Any:
    return getattr(row, field.attname)


admin.site.unregister(Group)
admin.site.register(Group, RolesAdmin)
admin.site.register(User, PersonAdmin)
admin.site.register(Certificate, CertificateAdmin)
admin.site.register(Decision, DecisionAdmin)
admin.site.register(Job, JobAdmin)
for _events in pghistory.core.event_models():
    admin.site.register(_events, EventAdmin)
