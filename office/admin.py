"""The admin's own tables: people and their roles; certificates, decisions and jobs to look up."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from office.admin_bases import ReadOnlyAdmin, RoleAdmin, event_model
from office.admin_events import register_trails
from office.dates import write_datetime
from office.models import Certificate, Decision, Job, User, UserRole
from office.roles import Capability, Role
from office.templatetags.show import NOTHING

admin.site.site_title = "Fondo"
admin.site.site_header = "Datos de referencia"
admin.site.index_title = "Datos de referencia"
admin.site.enable_nav_sidebar = True


# Who knows more of people further up says here what is wrong with giving one these roles, or "".
ROLE_CHECKS: list[Callable[[User, set[str]], str]] = []


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
        names = {group.name for group in groups}
        if Role.BROKER in names and len(names) > 1:
            raise ValidationError(
                "Quien es comisionista no tiene otro rol: vería lo de los demás.", code="roles"
            )
        for wrong in filter(None, (check(self.instance, names) for check in ROLE_CHECKS)):
            raise ValidationError(wrong, code="roles")
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
        ("Qué puede hacer", {"fields": ("is_active", "groups", "is_superuser")}),
        ("Historia", {"fields": ("role_changes", "last_login", "date_joined")}),
    )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Let into these pages whoever keeps or reads them, by its roles alone."""
        super().save_related(request, form, formsets, change)
        person = User.objects.get(pk=form.instance.pk)
        opens = person.may(Capability.READ) or person.may(Capability.REFERENCE)
        person.is_staff = person.is_superuser or opens
        person.save(update_fields=["is_staff"])

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
        events = event_model(UserRole)
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


admin.site.unregister(Group)
admin.site.register(Group, RolesAdmin)
admin.site.register(User, PersonAdmin)
admin.site.register(Certificate, CertificateAdmin)
admin.site.register(Decision, DecisionAdmin)
admin.site.register(Job, JobAdmin)
register_trails()
