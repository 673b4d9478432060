"""Brokers, exchanges and who works for a broker are kept here. Buyers are registered and corrected
by the services that the workspace uses; their papers are only looked up."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.messages import INFO, SUCCESS
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse

from buyers.enums import IdentityType
from buyers.models import Broker, BrokerUser, Buyer, Document, Exchange
from buyers.selectors import CHANGEABLE
from buyers.services import buyer_change, buyer_register, buyer_token
from office.admin import ROLE_CHECKS
from office.admin_bases import ActiveAdmin, ReadOnlyAdmin, RoleAdmin
from office.forms import CleanTextField, IdentityNumberField
from office.identities import IdentityError, read_identity, write_number
from office.models import User
from office.refusals import Refused
from office.roles import Capability, Role
from office.text import fold

WIDE = {"class": "vTextField"}


class BrokerForm(forms.ModelForm):
    name = CleanTextField(label="Razón social", max_length=200, widget=forms.TextInput(WIDE))
    # Longer than its column: people write it with dots and blanks.
    nit = CleanTextField(
        label="NIT", max_length=20, help_text="Con dígito de verificación: 800.197.268-4."
    )

    class Meta:
        model = Broker
        fields = ("name", "nit", "is_active")

    def clean_nit(self) -> str:
        """The NIT in the one form in which it is kept, its check digit right."""
        try:
            identity = read_identity(IdentityType.NIT, self.cleaned_data["nit"])
        except IdentityError as error:
            raise ValidationError(str(error)) from error
        return f"{identity.number}-{identity.check_digit}"


class ExchangeForm(forms.ModelForm):
    name = CleanTextField(label="Nombre", max_length=120, widget=forms.TextInput(WIDE))

    class Meta:
        model = Exchange
        fields = ("name", "is_active")

    def clean_name(self) -> str:
        """A name that files tell from the others, accents and case aside."""
        name: str = self.cleaned_data["name"]
        others = Exchange.objects.exclude(pk=self.instance.pk).values_list("name", flat=True)
        if fold(name) in map(fold, others):
            raise ValidationError("Ya hay una bolsa con ese nombre.")
        return name


class BrokerUserForm(forms.ModelForm):
    class Meta:
        model = BrokerUser
        fields = ("user", "broker")

    def clean_user(self) -> User:
        """Someone who sees everything cannot also be somebody's broker."""
        user: User = self.cleaned_data["user"]
        if Role.BROKER not in user.roles or user.roles - {Role.BROKER}:
            raise ValidationError(
                "Debe tener el rol de comisionista y ningún otro: cámbielo antes en Usuarios."
            )
        return user

    def clean_broker(self) -> Broker:
        """A broker that is out of use presents nothing."""
        broker: Broker = self.cleaned_data["broker"]
        if not broker.is_active and broker.pk != self.instance.broker_id:
            raise ValidationError("Esa sociedad no está activa: actívela antes o elija otra.")
        return broker


def _works_for_broker(person: User, names: set[str]) -> str:
    """Why a broker's person gets no other role: what it registered bears its broker's name."""
    if names == {Role.BROKER.value} or not BrokerUser.objects.filter(user=person.pk).exists():
        return ""
    return (
        "Trabaja para un comisionista y lo que registró es de esa sociedad: para otro trabajo, "
        "haga otro usuario y desactive este."
    )


if _works_for_broker not in ROLE_CHECKS:
    ROLE_CHECKS.append(_works_for_broker)


TYPED = tuple(name for name in CHANGEABLE if name != "check_digit")


class BuyerAdminForm(forms.ModelForm):
    """A buyer as the services take it; `asked_by` is set to who fills the form in."""

    asked_by: User
    # Longer than its column: people write it with dots and blanks.
    identity_number = IdentityNumberField(
        label="Número", help_text="El NIT, con guion y dígito de verificación: 860.530.751-7."
    )
    reason = CleanTextField(
        label="Por qué se corrige",
        max_length=1000,
        required=False,
        multiline=True,
        help_text="Obligatorio al corregir: queda en la historia.",
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Buyer
        fields = TYPED

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        buyer = self.instance
        if buyer.pk:
            self.initial["seen"] = buyer_token(buyer)
            self.initial["identity_number"] = write_number(
                buyer.identity_type, buyer.identity_number, buyer.check_digit
            )

    def clean(self) -> dict[str, Any]:
        """Try the act out: what the service refuses is told at its field."""
        data = super().clean() or {}
        if not self.errors:
            try:
                with transaction.atomic():
                    self.act()
                    transaction.set_rollback(True)
            except Refused as refusal:
                known = refusal.field if refusal.field in self.fields else None
                self.add_error(known, refusal.message)
        return data

    def _post_clean(self) -> None:
        """The row is the service's to write: nothing is set on it here."""

    def act(self) -> Buyer:
        """Register the buyer, or correct it."""
        said = {name: self.cleaned_data.get(name) or "" for name in TYPED}
        if not self.instance.pk:
            return buyer_register(user=self.asked_by, **said)
        return buyer_change(
            user=self.asked_by,
            buyer_id=self.instance.pk,
            seen=self.cleaned_data["seen"],
            reason=self.cleaned_data["reason"],
            **said,
        )


class SavedAdmin(admin.ModelAdmin):
    """Says «Se guardó: …»: Django's own sentence takes every name for a masculine one."""

    def response_add(self, request: HttpRequest, obj: models.Model, *more: Any) -> HttpResponse:
        request.saved = obj
        return super().response_add(request, obj, *more)

    def response_change(self, request: HttpRequest, obj: models.Model) -> HttpResponse:
        request.saved = obj
        return super().response_change(request, obj)

    def message_user(
        self, request: HttpRequest, message: Any, level: int | str = INFO, *more: Any, **named: Any
    ) -> None:
        saved = getattr(request, "saved", None)
        if saved is not None and level == SUCCESS:
            message = f"Se guardó: {saved}."
        super().message_user(request, message, level, *more, **named)


@admin.register(Exchange)
class ExchangeAdmin(SavedAdmin, ActiveAdmin):
    form = ExchangeForm
    list_display = ("name", "is_active")
    search_fields = ("name",)


@admin.register(Broker)
class BrokerAdmin(SavedAdmin, ActiveAdmin):
    form = BrokerForm
    list_display = ("name", "nit", "is_active")
    search_fields = ("name", "nit")
    search_help_text = "Razón social o NIT sin puntos"


@admin.register(BrokerUser)
class BrokerUserAdmin(SavedAdmin, RoleAdmin):
    looks = ()
    keeps = (Capability.REFERENCE,)
    form = BrokerUserForm
    list_display = ("user", "broker")
    list_select_related = ("user", "broker")
    list_filter = ("broker",)


@admin.register(Buyer)
class BuyerAdmin(SavedAdmin, ReadOnlyAdmin):
    form = BuyerAdminForm
    list_display = ("name", "identity", "kind", "registered_at", "merged_into")
    list_select_related = ("merged_into",)
    list_filter = ("kind", "identity_type")
    search_fields = ("name_folded", "identity_number")
    search_help_text = "Nombre, o número del documento sin puntos"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever registers buyers in the workspace; a superuser has no more than that."""
        return self.has_view_permission(request) and request.user.may(Capability.PREPARE)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same; one that was merged is corrected no more."""
        is_merged = obj is not None and obj.merged_into_id is not None
        return self.has_add_permission(request) and not is_merged

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """What can be typed, or for whoever only looks every column."""
        if not self._writes(request, obj):
            return super().get_fields(request, obj)
        return [*TYPED, *(["reason", "seen"] if obj else [])]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [] if self._writes(request, obj) else super().get_readonly_fields(request, obj)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> type[forms.ModelForm]:
        """Tell the form who fills it in."""
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"asked_by": request.user})

    def save_model(self, request: HttpRequest, obj: Buyer, form: Any, change: bool) -> None:
        """The service saves; what the form tried out is done."""
        saved = form.act()
        obj.pk = saved.pk
        obj.refresh_from_db()

    def _writes(self, request: HttpRequest, obj: Any) -> bool:
        if obj is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, obj)

    def get_search_results(self, request: Any, rows: Any, text: str) -> tuple[Any, bool]:
        return super().get_search_results(request, rows, fold(text))


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__", "buyer", "seen_by", "seen_at", "verified_by", "verified_at", "replaced_at",
    )  # fmt: skip
    list_filter = ("kind", "year", ("verified_at", admin.EmptyFieldListFilter))
    list_select_related = ("buyer", "seen_by", "verified_by")
    search_fields = ("buyer__identity_number", "exchange_reference")
